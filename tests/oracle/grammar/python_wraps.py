"""What stands around a consumer in Python programs."""

from __future__ import annotations

from tests.oracle.python import Module, PythonProgram, indent, wrap


@wrap()
def wrap_function(p: PythonProgram, m: Module, st: list[str]) -> list[str]:
    if any("sys.argv" in line for line in st):
        return st
    name = p.uid("start_" + p.choose("one", "two", "worker"))
    m.add(f"def {name}():", *indent(st))
    return [f"{name}()"]


@wrap()
def wrap_if_constant(p: PythonProgram, m: Module, st: list[str]) -> list[str]:
    name = p.uid("ENABLED")
    m.top(f"{name} = {p.choose('True', 'True', 'False')}")
    return [f"if {name}:", *indent(st)]


@wrap()
def wrap_try(p: PythonProgram, m: Module, st: list[str]) -> list[str]:
    return ["try:", *indent(st), "except ValueError as error:", "    print(error)"]


@wrap()
def wrap_if_args(p: PythonProgram, m: Module, st: list[str]) -> list[str]:
    p.inputs = ((), ("zqarg0", "zqarg1"))
    m.imp("import sys")
    return ["if len(sys.argv) > 1:", *indent(st)]
