"""Functions and classes of Python programs that make consumers."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel, lit
from tests.oracle.python import Module, PythonProgram, Use, indent, make, shape, start, subscribe, whole
from tests.oracle.python_arguments import arguments, call, parameters


@shape()
def direct(p: PythonProgram) -> Use:
    return lambda m, inst: whole(p, m, arguments(p, m, inst, ["group", "topic", "tags"]), p.uid("consumer"))


@shape(2)
def function_factory(p: PythonProgram) -> Use:
    f, names = p.module("factory"), parameters(p)
    body = whole(p, f, {n: n for n in names})
    f.add(f"def create({', '.join(names)}):", *indent([*body, "return consumer"]))
    return lambda m, inst: [f"{p.use(m, f, 'create')}({call(p, arguments(p, m, inst, names), names)})"]


@shape(1)
def factory_default(p: PythonProgram) -> Use:
    f = p.module("helpers")
    body = whole(p, f, {"group": "group", "topic": "topic", "tags": "tags", "flag": "flag"})
    f.add('def listen(group, topic, tags="*", flag=False):', *indent([*body, "return consumer"]))

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.rng.randint(2, 4)
        names = ["group", "topic", "tags", "flag"][:n]
        return [f"{p.use(m, f, 'listen')}({call(p, arguments(p, m, inst, names), names)})"]

    return use


@shape(1.5)
def factory_then_subscribe(p: PythonProgram) -> Use:
    f = p.module("clients")
    f.add(
        "def new_consumer(group):",
        *indent([*make(p, f, "c", "group"), 'c.set_name_server_address("localhost:9876")', "return c"]),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, ["group", "topic", "tags"]), p.uid("consumer")
        return [f"{v} = {p.use(m, f, 'new_consumer')}({a['group']})", *subscribe(p, m, v, a), *start(p, v)]

    return use


@shape(2)
def class_wrapper(p: PythonProgram) -> Use:
    f, names = p.module("worker"), parameters(p)
    body = make(p, f, "self.consumer", "group")
    keep = [f"self.{n} = {n}" for n in names]
    s = {n: f"self.{n}" for n in names}
    if p.chance(0.5):
        lines = [
            f"def __init__(self, {', '.join(names)}):",
            *indent(keep + body),
            "",
            "def start(self):",
            *indent(subscribe(p, f, "self.consumer", s) + start(p, "self.consumer", s)),
        ]
    else:
        p.tag("py-consumer-made-in-start")
        lines = [
            f"def __init__(self, {', '.join(names)}):",
            *indent([*keep, "self.consumer = None"]),
            "",
            "def start(self):",
            *indent(
                make(p, f, "self.consumer", "self.group")
                + subscribe(p, f, "self.consumer", s)
                + start(p, "self.consumer", s)
            ),
        ]
    f.add("class Worker:", *indent(lines))

    def use(m: Module, inst: Texts) -> list[str]:
        w, a = p.use(m, f, "Worker"), arguments(p, m, inst, names)
        if p.chance(0.5):
            return [f"{w}({call(p, a, names)}).start()"]
        v = p.uid("worker")
        return [f"{v} = {w}({call(p, a, names)})"] + ([] if p.chance(0.1) else [f"{v}.start()"])

    return use


@shape(1.5)
def wrapper_listen(p: PythonProgram) -> Use:
    f = p.module("client")
    f.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    f.add(
        "class Client:",
        "    def __init__(self, group):",
        "        self._consumer = PushConsumer(group)",
        "",
        '    def listen(self, topic, tags="*"):',
        "        self._consumer.subscribe(topic, self._handle, tags)",
        "        return self",
        "",
        "    def run(self):",
        "        self._consumer.start()",
        "",
        "    def _handle(self, msg):",
        "        return ConsumeStatus.CONSUME_SUCCESS",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        c, a, v = p.use(m, f, "Client"), arguments(p, m, inst, ["group", "topic", "tags"]), p.uid("client")
        if p.chance(0.3):
            p.tag("py-fluent")
            return [f"{c}({a['group']}).listen({a['topic']}, {a['tags']}).run()"]
        out = [
            f"{v} = {c}({a['group']})",
            f"{v}.listen({a['topic']}{p.rng.choice(['', ', ' + a['tags'], ', tags=' + a['tags']])})",
        ]
        if p.chance(0.3):
            out.append(f'{v}.listen("{p.word()}-more", "m")')
        return out + ([] if p.chance(0.1) else [f"{v}.run()"])

    return use


@shape(1.5)
def subclass_attributes(p: PythonProgram) -> Use:
    f = p.module("base")
    body = whole(p, f, {"group": "self.group", "topic": "self.topic", "tags": "self.tags"})
    f.add(
        "class BaseConsumer:",
        "    group = None",
        "    topic = None",
        '    tags = "*"',
        "",
        "    def run(self):",
        *indent(body, 2),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n = camel(inst["word"]) + "Consumer"
        o = p.module(inst["word"] + "_consumer") if p.chance(0.6) else m
        o.add(
            f"class {n}({p.use(o, f, 'BaseConsumer')}):",
            *[f"    {k} = {p.val(o, inst[k])}" for k in ["group", "topic", "tags"][: p.rng.randint(2, 3)]],
        )
        return [f"{p.use(m, o, n)}().run()"]

    return use


@shape(1.5)
def loop_table(p: PythonProgram) -> Use:
    def use(m: Module, inst: Texts) -> list[str]:
        rows, n = [inst] + [p.instance() for _ in range(p.rng.randint(1, 2))], p.uid("ROUTES")
        kind = p.rng.choice(["tuple", "dict", "dict-map"])
        p.tag("py-loop-" + kind)
        skip = []
        if kind == "tuple":
            m.top(
                f"{n} = ["
                + ", ".join(f"({lit(r['group'])}, {lit(r['topic'])}, {lit(r['tags'])})" for r in rows)
                + "]"
            )
            head, s = f"for group, topic, tags in {n}:", {"group": "group", "topic": "topic", "tags": "tags"}
            if p.chance(0.35):
                p.tag("py-loop-continue")
                skip = [f"if group == {lit(rows[-1]['group'])}:", "    continue"]
        elif kind == "dict":
            m.top(
                f"{n} = ["
                + ", ".join(
                    f'{{"group": {lit(r["group"])}, "topic": {lit(r["topic"])}, "tags": {lit(r["tags"])}, '
                    f'"on": {r["flag"].title()}}}'
                    for r in rows
                )
                + "]"
            )
            head, s = f"for row in {n}:", {k: f'row["{k}"]' for k in ("group", "topic", "tags")}
            if p.chance(0.35):
                p.tag("py-loop-continue")
                skip = ['if not row["on"]:', "    continue"]
        else:
            m.top(f"{n} = {{" + ", ".join(f"{lit(r['topic'])}: {lit(r['group'])}" for r in rows) + "}")
            head, s = f"for topic, group in {n}.items():", {"group": "group", "topic": "topic", "tags": '"*"'}
        return [head, *indent(skip + whole(p, m, s))]

    return use


@shape(1)
def kwargs(p: PythonProgram) -> Use:
    f = p.module("util")
    body = whole(
        p, f, {"group": 'options["group"]', "topic": 'options["topic"]', "tags": 'options.get("tags", "*")'}
    )
    f.add("def subscribe_with(**options):", *indent(body))

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, ["group", "topic", "tags"][: p.rng.randint(2, 3)])
        if p.chance(0.4):
            p.tag("py-double-star")
            v = p.uid("options")
            return [
                f"{v} = {{" + ", ".join(f'"{k}": {x}' for k, x in a.items()) + "}",
                f"{p.use(m, f, 'subscribe_with')}(**{v})",
            ]
        return [f"{p.use(m, f, 'subscribe_with')}({', '.join(f'{k}={x}' for k, x in a.items())})"]

    return use


@shape(1)
def pass_through(p: PythonProgram) -> Use:
    f = p.module("setup_consumer")
    f.add(
        "def attach(target, topic, tags):",
        *indent(subscribe(p, f, "target", {"topic": "topic", "tags": "tags"})),
    )
    f.add("def prepare(consumer, topic, tags):", "    attach(consumer, topic, tags)")

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, ["group", "topic", "tags"]), p.uid("consumer")
        return [
            *make(p, m, v, a["group"]),
            f"{p.use(m, f, 'prepare')}({v}, {a['topic']}, {a['tags']})",
            *start(p, v),
        ]

    return use
