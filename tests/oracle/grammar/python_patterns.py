"""Consumers of Python programs behind decorators, closures, context managers, registries and class hierarchies."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel, join, lit
from tests.oracle.python import Module, PythonProgram, Use, indent, make, shape, subscribe, whole
from tests.oracle.python_arguments import arguments, call

VALUES = ["group", "topic", "tags"]
SAME = {name: name for name in VALUES}
OF_SELF = {name: f"self.{name}" for name in VALUES}


@shape()
def decorator_register(p: PythonProgram) -> Use:
    """`@on(topic, tags)` registers handlers that a runner subscribes later."""
    f = p.module(p.choose("bus", "registry", "handlers"))
    f.imp("from rocketmq.client import PushConsumer")
    f.top("HANDLERS = []")
    named = p.chance(0.5)
    f.add(
        f"def on(topic{', tags=' + lit('*') if named else ', tags'}):",
        "    def register(function):",
        "        HANDLERS.append((topic, tags, function))",
        "        return function",
        "",
        "    return register",
    )
    f.add(
        "def run(group):",
        "    consumer = PushConsumer(group)",
        "    for topic, tags, function in HANDLERS:",
        "        consumer.subscribe(topic, function, tags)",
        "    consumer.start()",
    )
    ran: list[Module] = []

    def use(m: Module, inst: Texts) -> list[str]:
        on = p.use(m, f, "on")
        a = arguments(p, m, inst, VALUES)
        tags = p.choose("", f", tags={a['tags']}") if named else f", {a['tags']}"
        m.add(
            f"@{on}({a['topic']}{tags})",
            f"def {p.uid('handle_' + inst['word'])}(message):",
            "    return None",
        )
        if m in ran:
            return []
        ran.append(m)
        return [f"{p.use(m, f, 'run')}({a['group']})"]

    return use


@shape()
def decorator_wraps(p: PythonProgram) -> Use:
    """A decorator around a function that opens a consumer changes an argument or does the start."""
    f = p.module("opening")
    f.imp("import functools")
    form = p.choose("start", "prefix")
    inner = ["@functools.wraps(function)", "def wrapper(group, *args, **kwargs):"]
    if form == "start":
        inner += [
            "    consumer = function(group, *args, **kwargs)",
            "    consumer.start()",
            "    return consumer",
        ]
    else:
        inner += [f'    return function("{p.word()}-" + group, *args, **kwargs)']
    f.add("def opened(function):", *indent([*inner, "", "return wrapper"]))
    body = make(p, f, "consumer", "group") + subscribe(p, f, "consumer", {"topic": "topic", "tags": "tags"})
    f.add(
        "@opened",
        "def listen(group, topic, tags):",
        *indent([*body, *(["consumer.start()"] if form == "prefix" else []), "return consumer"]),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        return [f"{p.use(m, f, 'listen')}({call(p, arguments(p, m, inst, VALUES), VALUES)})"]

    return use


@shape()
def partial_factory(p: PythonProgram) -> Use:
    f = p.module("factory_functions")
    f.add("def listen(group, topic, tags):", *indent([*whole(p, f, SAME), "return consumer"]))

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("from functools import partial")
        n, a, v = p.use(m, f, "listen"), arguments(p, m, inst, VALUES), p.uid("open_it")
        if p.chance(0.5):
            return [f"{v} = partial({n}, {a['group']})", f"{v}({a['topic']}, {a['tags']})"]
        return [f"{v} = partial({n}, topic={a['topic']}, tags={a['tags']})", f"{v}({a['group']})"]

    return use


@shape()
def args_forwarding(p: PythonProgram) -> Use:
    f = p.module("forwarding")
    f.add("def opened(*args, **kwargs):", "    return _open(*args, **kwargs)")
    f.add('def _open(group, topic, tags="*"):', *indent([*whole(p, f, SAME), "return consumer"]))

    def use(m: Module, inst: Texts) -> list[str]:
        names = VALUES[: p.rng.randint(2, 3)]
        a = arguments(p, m, inst, names)
        n = p.use(m, f, "opened")
        if p.chance(0.3):
            return [f"{n}(*[{join(names, a)}])"]
        return [f"{n}({call(p, a, names)})"]

    return use


@shape()
def dataclass_routes(p: PythonProgram) -> Use:
    f = p.module(p.choose("routes", "models"))
    f.imp("from dataclasses import dataclass, field")
    post = p.chance(0.4)
    f.add(
        f"@dataclass{p.choose('', '(frozen=True)') if not post else ''}",
        "class Route:",
        "    topic: str",
        '    group: str = ""',
        '    tags: str = "*"',
        "    on: bool = True",
        *(
            [
                "",
                "    def __post_init__(self):",
                "        if not self.group:",
                '            self.group = self.topic + "-cg"',
            ]
            if post
            else []
        ),
        *(["", "    def open(self):", *indent(whole(p, f, OF_SELF), 2)]),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.use(m, f, "Route")
        made = []
        for x in [inst, *p.instances(0, 2)]:
            a = arguments(p, m, x, VALUES)
            group = f", group={a['group']}" if not post or p.chance(0.5) else ""
            tags = f", tags={a['tags']}" if p.chance(0.6) else ""
            off = f", on={x['flag'].title()}" if p.chance(0.3) else ""
            made.append(f"{n}({p.choose('', 'topic=')}{a['topic']}{group}{tags}{off})")
        if len(made) == 1 and p.chance(0.5):
            return [made[0] + ".open()"]
        if p.chance(0.5):
            return [f"for route in [{', '.join(made)}]:", "    if route.on:", "        route.open()"]
        return [f"for route in ({', '.join(made)},):", "    route.open()"]

    return use


@shape()
def dataclass_settings(p: PythonProgram) -> Use:
    """Settings with default factories, handed to a function."""
    f = p.module("settings_model")
    f.imp("from dataclasses import dataclass, field")
    f.add(
        "@dataclass",
        "class Options:",
        "    group: str",
        "    topics: dict = field(default_factory=dict)",
        f"    fallback: str = {lit(p.word() + '-fallback')}",
    )
    body = make(p, f, "consumer", "options.group")
    f.imp("from rocketmq.client import ConsumeStatus")
    body += [
        "for topic, tags in options.topics.items():",
        "    consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
    ]
    body += [
        "if not options.topics:",
        "    consumer.subscribe(options.fallback, lambda msg: ConsumeStatus.CONSUME_SUCCESS)",
    ]
    f.add("def start(options):", *indent([*body, "consumer.start()"]))

    def use(m: Module, inst: Texts) -> list[str]:
        a, v, n = arguments(p, m, inst, VALUES), p.uid("options"), p.use(m, f, "Options")
        out = [f"{v} = {n}({p.choose('', 'group=')}{a['group']})"]
        if p.chance(0.7):
            out.append(f"{v}.topics[{a['topic']}] = {a['tags']}")
        if p.chance(0.3):
            out.append(f'{v}.topics["{p.word()}-also"] = "*"')
        return [*out, f"{p.use(m, f, 'start')}({v})"]

    return use


@shape()
def context_manager_class(p: PythonProgram) -> Use:
    f = p.module("scopes")
    f.add(
        "class Subscribed:",
        "    def __init__(self, group):",
        *indent(make(p, f, "self.consumer", "group"), 2),
        "",
        "    def __enter__(self):",
        "        return self.consumer" if (direct := p.chance(0.5)) else "        return self",
        "",
        "    def __exit__(self, *error):",
        "        self.consumer.start()",
        "        return False",
    )
    f.imp("from rocketmq.client import ConsumeStatus")
    f.add("def handle(msg):", "    return ConsumeStatus.CONSUME_SUCCESS")

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("scope")
        h = p.use(m, f, "handle")
        target = v if direct else f"{v}.consumer"
        return [
            f"with {p.use(m, f, 'Subscribed')}({a['group']}) as {v}:",
            f"    {target}.subscribe({a['topic']}, {h}, {a['tags']})",
        ]

    return use


@shape()
def context_manager_function(p: PythonProgram) -> Use:
    f = p.module("running")
    f.imp("from contextlib import contextmanager")
    body = make(p, f, "consumer", "group")
    body += p.rng.choice(
        [
            ["yield consumer", "consumer.start()"],
            ["try:", "    yield consumer", "    consumer.start()", "finally:", "    consumer.shutdown()"],
        ]
    )
    f.add("@contextmanager", "def running(group):", *indent(body))

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("consumer")
        return [f"with {p.use(m, f, 'running')}({a['group']}) as {v}:", *indent(subscribe(p, m, v, a))]

    return use


@shape()
def property_names(p: PythonProgram) -> Use:
    """Group and topic are properties of the object that makes the consumer."""
    f = p.module("described")
    f.add(
        "class Described:",
        "    def __init__(self, name, tags):",
        "        self.name, self.tags = name, tags",
        "",
        "    @property",
        "    def group(self):",
        '        return f"{self.name}-cg"',
        "",
        "    @property",
        "    def topic(self):",
        "        return self.name" + p.choose(' + "-topic"', ".upper()"),
        "",
        "    def run(self):",
        *indent(whole(p, f, OF_SELF), 2),
    )
    return lambda m, inst: [
        f"{p.use(m, f, 'Described')}({lit(inst['word'])}, {p.val(m, inst['tags'])}).run()"
    ]


@shape()
def classmethod_factory(p: PythonProgram) -> Use:
    f = p.module("made")
    f.add(
        "class Listener:",
        f'    default_tags = "{p.choose("*", "M")}"',
        "",
        "    def __init__(self, group, topic, tags):",
        "        self.group, self.topic, self.tags = group, topic, tags",
        "",
        "    @classmethod",
        "    def of(cls, group, topic):",
        "        return cls(group, topic, cls.default_tags)",
        "",
        "    @staticmethod",
        "    def parse(text):",
        '        return Listener(*text.split("/"))',
        "",
        "    def start(self):",
        *indent(whole(p, f, OF_SELF), 2),
    )
    sub = p.chance(0.4)
    if sub:
        f.add("class TaggedListener(Listener):", '    default_tags = "SUB"')

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.use(m, f, "TaggedListener" if sub and p.chance(0.5) else "Listener")
        a = arguments(p, m, inst, VALUES)
        made = p.rng.choice(
            [
                f"{n}.of({a['group']}, {a['topic']})",
                f"{n}.parse({lit('/'.join(inst[x] for x in VALUES))})",
                f"{n}({join(VALUES, a)})",
            ]
        )
        return [f"{made}.start()"]

    return use


@shape()
def callable_worker(p: PythonProgram) -> Use:
    f = p.module("callables")
    f.add(
        "class Open:",
        "    def __init__(self, group):",
        "        self.group = group",
        "",
        "    def __call__(self, topic, tags):",
        *indent(whole(p, f, {**SAME, "group": "self.group"}), 2),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n = arguments(p, m, inst, VALUES), p.use(m, f, "Open")
        if p.chance(0.5):
            return [f"{n}({a['group']})({a['topic']}, {a['tags']})"]
        v = p.uid("open_one")
        return [
            f"{v} = {n}({a['group']})",
            f"{v}({a['topic']}, {a['tags']})",
            *([f'{v}("{p.word()}-again", "*")'] if p.chance(0.3) else []),
        ]

    return use


@shape()
def delegating(p: PythonProgram) -> Use:
    f = p.module("endpoints")
    f.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    f.add(
        "class Endpoint:",
        "    def __init__(self, group):",
        "        self._consumer = PushConsumer(group)",
        "",
        "    def listen(self, topic, tags):",
        "        self._consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
        "",
        "    def open(self):",
        "        self._consumer.start()",
    )
    topic = p.choose("topic", '"d-" + topic')
    f.add(
        "class Logged:",
        "    def __init__(self, inner):",
        "        self._inner = inner",
        "",
        "    def listen(self, topic, tags):",
        f"        self._inner.listen({topic}, tags)",
        "",
        "    def open(self):",
        '        print("open")',
        "        self._inner.open()",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("endpoint")
        made = f"{p.use(m, f, 'Endpoint')}({a['group']})"
        for _ in range(p.rng.randint(0, 2)):
            made = f"{p.use(m, f, 'Logged')}({made})"
        return [f"{v} = {made}", f"{v}.listen({a['topic']}, {a['tags']})", f"{v}.open()"]

    return use


@shape()
def closure_factory(p: PythonProgram) -> Use:
    f = p.module("closures")
    form = p.choose("opener", "subscriber")
    if form == "opener":
        f.add(
            "def opener(group):",
            "    def open_topic(topic, tags):",
            *indent(whole(p, f, SAME), 2),
            "",
            "    return open_topic",
        )
    else:
        f.imp("from rocketmq.client import ConsumeStatus")
        body = make(p, f, "consumer", "group")
        f.add(
            "def opener(group):",
            *indent(body),
            "",
            "    def add(topic, tags):",
            "        consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
            "        return consumer",
            "",
            "    return add",
        )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("opened")
        out = [f"{v} = {p.use(m, f, 'opener')}({a['group']})"]
        if form == "opener":
            return [*out, f"{v}({a['topic']}, {a['tags']})"]
        if p.chance(0.4):
            out.append(f'{v}("{p.word()}-closure", "c")')
        return [*out, f"{v}({a['topic']}, {a['tags']}).start()"]

    return use


@shape()
def global_registry(p: PythonProgram) -> Use:
    """A module-level dict of consumers, one a group, made when first asked for."""
    f = p.module("pool")
    f.top("_CONSUMERS = {}")
    made = make(p, f, "_CONSUMERS[group]", "group")
    f.add(
        "def consumer_of(group):",
        "    if group not in _CONSUMERS:",
        *indent(made, 2),
        "    return _CONSUMERS[group]",
    )
    f.add(
        "def start_all():",
        "    for each in _CONSUMERS.values():",
        "        each.start()",
        "    _CONSUMERS.clear()",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n, group = arguments(p, m, inst, VALUES), p.use(m, f, "consumer_of"), lit(inst["group"])
        m.imp("from rocketmq.client import ConsumeStatus")
        handler = "lambda msg: ConsumeStatus.CONSUME_SUCCESS"
        out = [f"{n}({group}).subscribe({a['topic']}, {handler}, {a['tags']})"]
        if p.chance(0.5):
            out.append(f'{n}({group}).subscribe("{p.word()}-pooled", {handler})')
        return out if p.chance(0.1) else [*out, f"{p.use(m, f, 'start_all')}()"]

    return use


@shape()
def class_registry(p: PythonProgram) -> Use:
    """A dict of classes by name; one is made by its key."""
    f = p.module("kinds")
    f.add(
        "class Base:",
        "    def __init__(self, group):",
        "        self.group = group",
        "",
        "    def run(self, topic):",
        *indent(
            whole(p, f, {"group": "self.group", "topic": "self.topic_of(topic)", "tags": "self.tags"}), 2
        ),
        "",
        "    def topic_of(self, topic):",
        "        return topic",
    )
    f.add("class Plain(Base):", f'    tags = "{p.choose("*", "PL")}"')
    f.add(
        "class Shadow(Base):",
        '    tags = "SH"',
        "",
        "    def topic_of(self, topic):",
        '        return topic + "-shadow"',
    )
    f.add('KINDS = {"plain": Plain, "shadow": Shadow}')

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        return [f'{p.use(m, f, "KINDS")}["{p.choose("plain", "shadow")}"]({a["group"]}).run({a["topic"]})']

    return use


@shape()
def mixin_consumer(p: PythonProgram) -> Use:
    f = p.module("mixins")
    f.imp("from abc import ABC, abstractmethod")
    f.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    f.add(
        "class StartMixin:",
        "    def run(self):",
        "        consumer = PushConsumer(self.group())",
        "        self.setup(consumer)",
        "        consumer.start()",
    )
    f.add(
        "class Topics(ABC):",
        "    @abstractmethod",
        "    def topic(self):",
        "        ...",
        "",
        "    def setup(self, consumer):",
        "        consumer.subscribe(self.topic(), self.handle, self.tags())",
        "",
        "    def tags(self):",
        '        return "*"',
        "",
        "    def handle(self, msg):",
        "        return ConsumeStatus.CONSUME_SUCCESS",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        name = camel(inst["word"]) + "Mixed"
        bases = f"{p.use(m, f, 'StartMixin')}, {p.use(m, f, 'Topics')}"
        body = [
            "def group(self):",
            f"    return {p.val(m, inst['group'])}",
            "",
            "def topic(self):",
            f"    return {p.val(m, inst['topic'])}",
        ]
        if p.chance(0.4):
            body += ["", "def tags(self):", f"    return {p.val(m, inst['tags'])}"]
        if p.chance(0.3):
            body += [
                "",
                "def setup(self, consumer):",
                "    super().setup(consumer)",
                f'    consumer.subscribe("{p.word()}-mixed", self.handle)',
            ]
        m.add(f"class {name}({bases}):", *indent(body))
        return [f"{name}().run()"]

    return use


@shape()
def super_chain(p: PythonProgram) -> Use:
    f = p.module("levels")
    f.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    f.add(
        "class Level1:",
        "    def __init__(self, group):",
        "        self.consumer = PushConsumer(group)",
        "",
        "    def setup(self):",
        f'        self.consumer.subscribe("{p.word()}-common", self.handle)'
        if p.chance(0.5)
        else "        pass",
        "",
        "    def start(self):",
        "        self.setup()",
        "        self.consumer.start()",
        "",
        "    def handle(self, msg):",
        "        return ConsumeStatus.CONSUME_SUCCESS",
    )
    f.add(
        "class Level2(Level1):",
        "    def __init__(self, group, topic):",
        f"        super().__init__({p.choose('group', lit('l2-') + ' + group')})",
        "        self.topic = topic",
        "",
        "    def setup(self):",
        p.choose("        super().setup()", "        pass"),
        "        self.consumer.subscribe(self.topic, self.handle)",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        if p.chance(0.5):
            return [f"{p.use(m, f, 'Level2')}({a['group']}, {a['topic']}).start()"]
        name = camel(inst["word"]) + "Level"
        m.add(
            f"class {name}({p.use(m, f, 'Level2')}):",
            "    def setup(self):",
            "        super().setup()",
            f'        self.consumer.subscribe({p.val(m, inst["topic"])} + "-l3", self.handle, {p.val(m, inst["tags"])})',
        )
        return [f"{name}({a['group']}, {a['topic']}).start()"]

    return use


@shape()
def customizer(p: PythonProgram) -> Use:
    f = p.module("launching")
    f.add(
        "def launch(group, *customizers):",
        *indent(
            [
                *make(p, f, "consumer", "group"),
                "for customize in customizers:",
                "    customize(consumer)",
                "consumer.start()",
            ]
        ),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n = arguments(p, m, inst, VALUES), p.use(m, f, "launch")
        m.imp("from rocketmq.client import ConsumeStatus")
        handler = "lambda msg: ConsumeStatus.CONSUME_SUCCESS"
        if p.chance(0.5):
            more = f', lambda c: c.subscribe("{p.word()}-more", {handler})' if p.chance(0.3) else ""
            return [f"{n}({a['group']}, lambda c: c.subscribe({a['topic']}, {handler}, {a['tags']}){more})"]
        name = p.uid("customize_" + inst["word"])
        m.add(f"def {name}(consumer):", f"    consumer.subscribe({a['topic']}, {handler}, {a['tags']})")
        return [f"{n}({a['group']}, {name})"]

    return use


@shape()
def cached_singleton(p: PythonProgram) -> Use:
    def use(m: Module, inst: Texts) -> list[str]:
        f = p.module("shared")
        f.imp("from functools import lru_cache")
        body = make(p, f, "consumer", p.val(f, inst["group"]))
        f.add(
            p.choose("@lru_cache(maxsize=1)", "@lru_cache"),
            "def shared_consumer():",
            *indent([*body, "return consumer"]),
        )
        n, a = p.use(m, f, "shared_consumer"), arguments(p, m, inst, VALUES)
        m.imp("from rocketmq.client import ConsumeStatus")
        handler = "lambda msg: ConsumeStatus.CONSUME_SUCCESS"
        out = [f"{n}().subscribe({a['topic']}, {handler}, {a['tags']})"]
        if p.chance(0.4):
            out.append(f'{n}().subscribe("{p.word()}-cached", {handler})')
        return [*out, f"{n}().start()"]

    return use


@shape()
def observer(p: PythonProgram) -> Use:
    f = p.module("events")
    f.add(
        "class Bus:",
        "    def __init__(self):",
        "        self._callbacks = []",
        "",
        "    def on(self, callback):",
        "        self._callbacks.append(callback)",
        "        return self",
        "",
        "    def fire(self, *args):",
        "        for callback in self._callbacks:",
        "            callback(*args)",
    )
    f.add(
        "def opening(group, tags):",
        "    def callback(topic):",
        *indent(whole(p, f, SAME), 2),
        "",
        "    return callback",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("bus")
        out = [
            f"{v} = {p.use(m, f, 'Bus')}()",
            f"{v}.on({p.use(m, f, 'opening')}({a['group']}, {a['tags']}))",
        ]
        return out if p.chance(0.15) else [*out, f"{v}.fire({a['topic']})"]

    return use


@shape()
def builder(p: PythonProgram) -> Use:
    f = p.module("building")
    f.imp("from rocketmq.client import ConsumeStatus")
    body = [
        *make(p, f, "consumer", "self._group"),
        "for topic, tags in self._topics:",
        "    consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
        "return consumer",
    ]
    f.add(
        "class Builder:",
        "    def __init__(self):",
        '        self._group = "unset"',
        "        self._topics = []",
        "",
        "    def group(self, group):",
        "        self._group = group",
        "        return self",
        "",
        '    def topic(self, topic, tags="*"):',
        "        self._topics.append((topic, tags))",
        "        return self",
        "",
        "    def build(self):",
        *indent(body, 2),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        chain = f".group({a['group']}).topic({a['topic']}{p.choose('', ', ' + a['tags'])})"
        if p.chance(0.3):
            chain += f'.topic("{p.word()}-built", tags="b")'
        return [
            f"{p.use(m, f, 'Builder')}(){chain}.build(){p.choose('.start()', '.start()', '.start()', '')}"
        ]

    return use


@shape()
def template_hooks(p: PythonProgram) -> Use:
    f = p.module("hooked")
    f.imp("from rocketmq.client import ConsumeStatus")
    body = [
        "self.before()",
        *make(p, f, "consumer", "self.group()"),
        "for topic in self.topics():",
        "    consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, self.tags)",
        "if self.enabled():",
        "    consumer.start()",
    ]
    f.add(
        "class Hooked:",
        '    tags = "*"',
        "",
        "    def run(self):",
        *indent(body, 2),
        "",
        "    def before(self):",
        "        pass",
        "",
        "    def enabled(self):",
        "        return True",
        "",
        "    def topics(self):",
        "        raise NotImplementedError",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        name = camel(inst["word"]) + "Hooked"
        lines = ["def group(self):", f"    return {p.val(m, inst['group'])}", "", "def topics(self):"]
        lines += p.rng.choice(
            [
                [f"    return [{p.val(m, inst['topic'])}]"],
                [f"    yield {p.val(m, inst['topic'])}", f'    yield "{p.word()}-yield"'],
            ]
        )
        if p.chance(0.4):
            lines += ["", "def before(self):", f"    self.tags = {p.val(m, inst['tags'])}"]
        if p.chance(0.2):
            lines += ["", "def enabled(self):", f"    return {inst['flag'].title()}"]
        m.add(f"class {name}({p.use(m, f, 'Hooked')}):", *indent(lines))
        return [f"{name}().run()"]

    return use


@shape()
def subclass_of_client(p: PythonProgram) -> Use:
    f = p.module("own_client")
    f.imp("from rocketmq.client import PushConsumer, ConsumeStatus")
    f.add(
        "class OwnConsumer(PushConsumer):",
        *indent(
            p.rng.choice(
                [
                    [],
                    [
                        "def __init__(self, group):",
                        f"    super().__init__({p.choose('group', lit('own-') + ' + group')})",
                        "",
                    ],
                ]
            )
        ),
        '    def listen(self, topic, tags="*"):',
        "        self.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
        "        return self",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v, n = arguments(p, m, inst, VALUES), p.uid("consumer"), p.use(m, f, "OwnConsumer")
        if p.chance(0.4):
            return [f"{n}({a['group']}).listen({a['topic']}, {a['tags']}).start()"]
        return [f"{v} = {n}({a['group']})", f"{v}.listen({a['topic']})", f"{v}.start()"]

    return use


@shape()
def protocol_typed(p: PythonProgram) -> Use:
    f = p.module("typed")
    f.imp("from typing import Protocol")
    f.add("class Source(Protocol):", "    def topic(self) -> str: ...")
    f.add(
        "def open_source(group: str, source: Source, tags: str) -> None:",
        *indent(whole(p, f, {"group": "group", "topic": "source.topic()", "tags": "tags"})),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        name = camel(inst["word"]) + "Source"
        m.add(f"class {name}:", "    def topic(self) -> str:", f"        return {p.val(m, inst['topic'])}")
        a = arguments(p, m, inst, VALUES)
        return [f"{p.use(m, f, 'open_source')}({a['group']}, {name}(), {a['tags']})"]

    return use


@shape()
def class_hooks(p: PythonProgram) -> Use:
    """Subclasses register themselves; a function runs them all."""
    f = p.module("plugins")
    f.add(
        "class Plugin:",
        "    known = []",
        '    tags = "*"',
        "",
        "    def __init_subclass__(cls, **kwargs):",
        "        super().__init_subclass__(**kwargs)",
        "        Plugin.known.append(cls)",
        "",
        "    def run(self):",
        *indent(whole(p, f, OF_SELF), 2),
    )
    f.add("def run_all():", "    for plugin in Plugin.known:", "        plugin().run()")
    ran: list[Module] = []

    def use(m: Module, inst: Texts) -> list[str]:
        m.add(
            f"class {camel(inst['word'])}Plugin({p.use(m, f, 'Plugin')}):",
            *[f"    {n} = {p.val(m, inst[n])}" for n in VALUES[: p.rng.randint(2, 3)]],
        )
        if ran:
            return []
        ran.append(m)
        return [f"{p.use(m, f, 'run_all')}()"]

    return use


@shape()
def attribute_setting(p: PythonProgram) -> Use:
    """Attributes set in a loop over a dict decide."""
    f = p.module("bags")
    f.add(
        "class Bag:",
        '    tags = "*"',
        "",
        "    def __init__(self, **values):",
        "        for key, value in values.items():",
        "            setattr(self, key, value)",
        "",
        "    def open(self):",
        *indent(whole(p, f, OF_SELF), 2),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        names = VALUES[: p.rng.randint(2, 3)]
        a, n = arguments(p, m, inst, names), p.use(m, f, "Bag")
        if p.chance(0.5):
            return [f"{n}({', '.join(f'{k}={a[k]}' for k in names)}).open()"]
        v = p.uid("bag")
        return [f"{v} = {n}()", *(f"{v}.{k} = {a[k]}" for k in names), f"{v}.open()"]

    return use


@shape()
def state_between_calls(p: PythonProgram) -> Use:
    f = p.module("sessions")
    f.imp("from rocketmq.client import ConsumeStatus")
    f.add(
        "class Session:",
        "    def __init__(self, group):",
        *indent(make(p, f, "self.consumer", "group"), 2),
        '        self.tags = "*"',
        '        self.prefix = ""',
        "",
        "    def on(self, topic):",
        "        self.consumer.subscribe(self.prefix + topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, self.tags)",
        "        return self",
        "",
        "    def go(self):",
        "        self.consumer.start()",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("session")
        out = [
            f"{v} = {p.use(m, f, 'Session')}({a['group']})",
            f"{v}.tags = {a['tags']}",
            f"{v}.on({a['topic']})",
        ]
        if p.chance(0.6):
            out += [f'{v}.{p.choose("tags", "prefix")} = "{p.word()}_"', f'{v}.on("{p.word()}-state")']
        return [*out, f"{v}.go()"]

    return use
