"""What a model of Java does on an object that nobody has seen being made, with arguments that nobody knows, costs that call
alone: of the consumer that is made beside it all is told."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.extract import models
from subdrift.linter.model import ir
from tests.oracle import analyzer

PROGRAM = """package app;
import java.util.*;
import java.util.function.*;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public class {name} {{
  public void go({params}) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g-{name}");
    {call};
    consumer.subscribe("T-{name}", "a || b");
    consumer.start();
  }}
}}
"""
TOGETHER = 100
"""Programs that are analysed at once."""

FALLS_SHORT = {
    "com.google.inject.Binding": "a binding is made by its injector, and that by its bindings",
    "com.google.inject.Injector": "likewise",
    "java.math.BigDecimal": "what dividing by an unknown one may refuse on the way to a remainder",
}


def _calls() -> Iterator[tuple[str, str, str]]:
    """Of each method that programs may call of a model the class, the call and its parameters."""
    for path in models.paths():
        if not path.startswith("java/"):
            continue
        unit = models.lowered(path)
        for one in unit.types:
            name = f"{unit.package}.{one.name}"
            for method in one.methods:
                if method.private or method.name == "<init>":
                    continue
                params = [f"{name} it", *(f"{_written(each)} a{i}" for i, each in enumerate(method.params))]
                given = ", ".join(f"a{i}" for i in range(len(method.params)))
                yield name, f"{name if method.static else 'it'}.{method.name}({given})", ", ".join(params)


def _written(param: ir.Param) -> str:
    of = param.type.name if param.type is not None else "Object"
    return f"{'String' if len(of) == 1 else of}{'[]' * (param.kind == '...')}"


def test_a_call_on_what_nobody_knows_costs_itself_alone() -> None:
    every = [one for one in _calls() if one[0] not in FALLS_SHORT]
    assert len(every) > 1_000
    some = every[::5]
    lost = []
    for start in range(0, len(some), TOGETHER):
        named = {f"P{start + index}": one for index, one in enumerate(some[start : start + TOGETHER])}
        files = {
            f"src/main/java/app/{name}.java": PROGRAM.format(name=name, call=call, params=params)
            for name, (_, call, params) in named.items()
        }
        told = {(row["group"], row["topic"], row["expression"]) for row in analyzer.rows(files)}
        lost += [
            call for name, (_, call, _) in named.items() if (f"g-{name}", f"T-{name}", "a || b") not in told
        ]
    assert not lost
