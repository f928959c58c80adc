"""What Kotlin's compiler adds to the methods of a class, as reflection lists them."""

from __future__ import annotations

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Function, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import Call


def with_added(call: Call, listed: Object, declared: Class) -> Object:
    """A list of methods with one more that may be there, of unknown name and without annotations, which stands for accessors of
    properties, lambdas and the like."""
    if declared.file.language != "kotlin" or (call.name == "getDeclaredMethods" and not _has_added(declared)):
        return listed
    at = declared.decl.at
    method = Method(declared, ir.MethodDecl("", (), None, None, at, at))
    code = Function((), (), None, "", method=method)
    name = Unknown(Why.DYNAMIC, "getName()", call.run.unique())
    owner = TypeValue(declared, declared.name)
    made = call.constructed("java.lang.reflect.Method", owner, name, code)
    there = call.holds(Test("true", (Unknown(Why.DYNAMIC, "getDeclaredMethods()", call.run.unique()),)))
    assert listed.items is not None
    listed.items.append((there, made))
    return listed


def _has_added(declared: Class) -> bool:
    decl = declared.decl
    written = [one.decl for every in declared.methods.values() for one in every]
    return (
        declared.kind != "class"
        or decl.data
        or bool(decl.delegates)
        or any(not one.private or one.getter is not None for one in declared.fields.values())
        or any(param.default is not None for one in written for param in one.params)
        or any(isinstance(each, ir.Lambda) for one in written for each in nodes(tuple(one.body or ())))
    )
