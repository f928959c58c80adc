"""Consumers of Python programs behind registering classes, enums with methods, dataclass factories, object protocols."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel, join, lit
from tests.oracle.python import Module, PythonProgram, Use, shape, whole
from tests.oracle.python_arguments import arguments

VALUES = ["group", "topic", "tags"]
_OF_VALUE = """@property
def group(self):
    return self.name.lower() + "-cg"

@property
def topic(self):
    return self.value"""


def opener(p: PythonProgram) -> Module:
    """A module whose `open_one(group, topic, tags="*")` makes and starts a consumer."""
    f = p.shared("opener", 0.5) or p.module("opening_one", "opener")
    if not any("def open_one" in line for line in f.lines):
        f.write(
            """
def open_one(group, topic, tags="*"):
    $body
    return consumer
""",
            body="\n".join(whole(p, f, {n: n for n in VALUES})),
        )
    return f


@shape()
def registering_subclasses(p: PythonProgram) -> Use:
    """`__init_subclass__` with arguments fills a registry; a runner makes one object of each."""
    o, f = opener(p), p.module("handlers_base")
    f.top("REGISTRY = {}")
    f.write(
        """
class Handler:
    group = $group
    tags = "*"

    def __init_subclass__(cls, topic=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if topic:
            cls.topic = topic
            REGISTRY[topic] = cls

    def start(self):
        $open(self.group, self.topic, self.tags)


def start_all():
    for topic, kind in $walk:
        kind().start()
    REGISTRY.clear()
""",
        group=lit(p.word() + "-handlers"),
        open=p.use(f, o, "open_one"),
        walk=p.choose("REGISTRY.items()", "sorted(REGISTRY.items())", "list(REGISTRY.items())"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n, topic = p.uid(camel(inst["word"]) + "Handler"), p.val(m, inst["topic"])
        lines = [f"class {n}({p.use(m, f, 'Handler')}, topic={topic}):", f"    group = {lit(inst['group'])}"]
        if p.chance(0.4):
            lines.append(f"    tags = {lit(inst['tags'])}")
        m.add(*lines)
        if p.chance(0.3):
            m.add(f"class {n}Special({n}):", '    group = "never"')  # no topic: not registered
        return [f"{p.use(m, f, 'start_all')}()"]

    return use


@shape()
def walked_subclasses(p: PythonProgram) -> Use:
    o, f = opener(p), p.module("jobs_base")
    f.write(
        """
class Job:
    topic = None
    tags = "*"

    @classmethod
    def name(cls):
        return cls.__name__.lower()

    def run(self):
        if self.topic is not None:
            $open(f"{self.name()}-cg", self.topic, self.tags)


def run_all(base=Job):
    for kind in base.__subclasses__():
        kind().run()
        run_all(kind)
""",
        open=p.use(f, o, "open_one"),
    )
    ran: list[Module] = []

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.uid(camel(inst["word"]) + "Job")
        m.add(f"class {n}({p.use(m, f, 'Job')}):", f"    topic = {p.val(m, inst['topic'])}")
        if p.chance(0.5):
            m.add(f"class {n}Child({n}):", f"    tags = {lit(inst['tags'])}")
        if ran:
            return []
        ran.append(m)
        return [f"{p.use(m, f, 'run_all')}()"]

    return use


@shape()
def enum_with_methods(p: PythonProgram) -> Use:
    o, f = opener(p), p.module("channels")
    f.imp("from enum import Enum")
    rows = p.instances(2, 3)
    form = p.choose("tuple", "text")
    members = [
        f"    {x['word'].upper()} = "
        + (f"({lit(x['group'])}, {lit(x['topic'])})" if form == "tuple" else lit(x["topic"]))
        for x in rows
    ]
    init = (
        "def __init__(self, group, topic):\n    self.group = group\n    self.topic = topic"
        if form == "tuple"
        else _OF_VALUE
    )
    f.add("class Channel(Enum):", *members)
    f.lines.append("")
    f.lines += ["    " + line if line else "" for line in init.split("\n")]
    f.lines += [
        "",
        '    def open(self, tags="*"):',
        f"        {p.use(f, o, 'open_one')}(self.group, self.topic, tags)",
        "",
        "    @classmethod",
        "    def named(cls, text):",
        "        return next(one for one in cls if one.name.lower() == text)",
    ]

    def use(m: Module, inst: Texts) -> list[str]:
        n, one = p.use(m, f, "Channel"), p.rng.choice(rows)
        name, tags = one["word"].upper(), lit(inst["tags"])
        value = f"({lit(one['group'])}, {lit(one['topic'])})" if form == "tuple" else lit(one["topic"])
        return p.rng.choice(
            [
                [f"for each in {n}:", f"    each.open({tags})"],
                [f"{n}.{name}.open()"],
                [f'{n}["{name}"].open({tags})'],
                [f"{n}({value}).open({tags})"],
                [f'{n}.named("{one["word"]}").open()'],
                [f"for each in list({n})[1:]:", "    each.open()"],
                [f"for each in (one for one in {n} if one is not {n}.{name}):", f"    each.open({tags})"],
                [f"for name, each in {n}.__members__.items():", "    each.open(name)"],
            ]
        )

    return use


@shape()
def dataclass_factories(p: PythonProgram) -> Use:
    """Alternative constructors, `replace`, `asdict`, computed fields."""
    o, f = opener(p), p.module("subscriptions_model")
    f.imp("from dataclasses import asdict, astuple, dataclass, field, replace")
    f.write(
        """
@dataclass(frozen=True)
class Spec:
    group: str
    topic: str
    tags: str = "*"
    labels: tuple = field(default_factory=tuple, compare=False)

    @classmethod
    def of(cls, text):
        group, _, topic = text.partition(":")
        return cls(group=group, topic=topic or group)

    @classmethod
    def from_dict(cls, values):
        return cls(**{key: value for key, value in values.items() if value is not None})

    def tagged(self, *tags):
        return replace(self, tags=" || ".join(tags))

    def open(self):
        $open(self.group, self.topic, self.tags)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n, a = p.use(m, f, "Spec"), arguments(p, m, inst, VALUES)
        made = p.rng.choice(
            [
                f'{n}.of("{inst["group"]}:{inst["topic"]}")',
                f'{n}.of("{inst["word"]}")',
                f'{n}.from_dict({{"group": {a["group"]}, "topic": {a["topic"]}, "tags": None}})',
                f"{n}.from_dict(dict(group={a['group']}, topic={a['topic']}, tags={a['tags']}))",
                f"{n}(*({a['group']}, {a['topic']}))",
            ]
        )
        if p.chance(0.4):
            made += p.choose('.tagged("a", "b")', '.tagged("only")')
        v = p.uid("spec")
        if p.chance(0.3):
            m.imp("from dataclasses import asdict, replace")
            changed = p.choose(
                f'replace({v}, topic={v}.topic + "-r")', f'{n}(**{{**asdict({v}), "group": "as-dict"}})'
            )
            return [f"{v} = {made}", f"{v}.open()", f"{changed}.open()"]
        return [f"{made}.open()"]

    return use


@shape()
def singleton_by_new(p: PythonProgram) -> Use:
    """`__new__` gives one object; a metaclass does the same."""
    o, f = opener(p), p.module("center")
    if p.chance(0.5):
        head = """
class Center:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.rows = []
        return cls._instance
"""
    else:
        head = """
class Single(type):
    _made = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._made:
            cls._made[cls] = super().__call__(*args, **kwargs)
        return cls._made[cls]


class Center(metaclass=Single):
    def __init__(self):
        self.rows = []
"""
    f.write(
        head
        + """
    def add(self, group, topic, tags="*"):
        self.rows.append((group, topic, tags))
        return self

    def start(self):
        while self.rows:
            $open(*self.rows.pop($at))
""",
        open=p.use(f, o, "open_one"),
        at=p.choose("", "0"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n, a = p.use(m, f, "Center"), arguments(p, m, inst, VALUES)
        out = [f"{n}().add({join(VALUES[: p.rng.randint(2, 3)], a)})"]
        if p.chance(0.4):
            out.append(f'{n}().add("{p.word()}-cg", "{p.word()}-topic").add("{p.word()}-cg", "{p.word()}-t")')
        return [*out, f"{n}().start()"]

    return use


@shape()
def cooperative_mixins(p: PythonProgram) -> Use:
    """Mixins that pass keyword arguments on along the order of resolution."""
    o, f = opener(p), p.module("mixed")
    f.write(
        """
class Base:
    def __init__(self, group, **kwargs):
        super().__init__(**kwargs)
        self.group = group

    def names(self):
        return ["base"]

    def topic(self):
        return "base"


class TopicMixin:
    def __init__(self, topic="mixin-topic", **kwargs):
        super().__init__(**kwargs)
        self._topic = topic

    def topic(self):
        return self._topic + "-" + super().topic()

    def names(self):
        return super().names() + ["topic"]


class TagMixin:
    tags = "mixed"

    def names(self):
        return [*super().names(), "tag"]

    def topic(self):
        return super().topic().upper()


class First(TagMixin, TopicMixin, Base):
    def start(self):
        $open(self.group, self.topic(), " || ".join(self.names()))


class Second(TopicMixin, TagMixin, Base):
    def start(self):
        $open(self.group, self.topic(), self.tags)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        n = p.use(m, f, p.choose("First", "Second"))
        topic = p.choose("", f", topic={a['topic']}")
        return [f"{n}(group={a['group']}{topic}).start()"]

    return use


@shape()
def attribute_protocols(p: PythonProgram) -> Use:
    """`__getattr__`, `__getitem__`, `__contains__`, `__len__`, `__iter__`, `__bool__`, `__eq__`, `__hash__`, descriptors."""
    o, f = opener(p), p.module("own_protocols")
    f.write(
        """
class OwnSettings:
    def __init__(self, values):
        self._values = dict(values)

    def __getattr__(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name):
        return self._values.get(name, "*")

    def __contains__(self, name):
        return name in self._values

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(sorted(self._values))


class Named:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, $fallback)

    def __set__(self, instance, value):
        setattr(instance, self.name, value.strip())


class Listening:
    group = Named()
    topic = Named()

    def __init__(self, group=None):
        if group:
            self.group = group

    def __eq__(self, other):
        return isinstance(other, Listening) and self.group == other.group

    def __hash__(self):
        return hash(self.group)

    def open(self):
        $open(self.group, self.topic)
""",
        fallback=lit(p.word() + "-unset"),
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, v, open_one = arguments(p, m, inst, VALUES), p.uid("settings"), p.use(m, o, "open_one")
        n = p.use(m, f, "OwnSettings")
        out = [f'{v} = {n}({{"group": {a["group"]}, "topic": {a["topic"]}}})']
        form = p.rng.randint(0, 4)
        if form == 0:
            return [*out, f'{open_one}({v}.group, {v}.topic, {v}["tags"])']
        if form == 1:
            return [
                *out,
                f'if "tags" not in {v} and len({v}) == 2:',
                f'    {open_one}({v}["group"], getattr({v}, "topic"), getattr({v}, "tags", "none"))',
            ]
        if form == 2:
            return [*out, f"for name in {v}:", f'    {open_one}(name + "-cg", {v}[name])']
        listening, w = p.use(m, f, "Listening"), p.uid("listening")
        out = [
            f"{w} = {listening}({p.choose('', a['group'])})",
            f"{w}.topic = {p.choose('', lit(' ') + ' + ')}{a['topic']}",
        ]
        if form == 3:
            return [*out, f"{w}.open()"]
        other = p.uid("other")
        out += [
            f"{other} = {listening}({p.choose(a['group'], lit(p.word()))})",
            f'{other}.topic = "{p.word()}-second"',
        ]
        return [*out, f"for each in sorted({{{w}, {other}}}, key=lambda one: one.topic):", "    each.open()"]

    return use


@shape()
def keyword_classes(p: PythonProgram) -> Use:
    """Settings as class attributes that subclasses override, read by `cls`, `type(self)`, `vars`, and `getattr`."""
    o, f = opener(p), p.module("profiles")
    f.write(
        """
class Profile:
    PREFIX = "dev"
    TOPIC = "events"
    TAGS = ["a"]

    @classmethod
    def topic(cls):
        return f"{cls.PREFIX}-{cls.TOPIC}"

    @staticmethod
    def group(name):
        return name + "-cg"

    def tags(self):
        return " || ".join(type(self).TAGS)

    def start(self):
        $open(self.group(self.__class__.__name__.lower()), self.topic(), self.tags())


class Production(Profile):
    PREFIX = "prod"
    TAGS = Profile.TAGS + ["b"]


class Special(Production):
    TOPIC = $topic

    @staticmethod
    def group(name):
        return "special-" + Production.group(name)

    def tags(self):
        return super().tags() + " || " + self.PREFIX


PROFILES = {name: kind for name, kind in [("dev", Profile), ("prod", Production), ("special", Special)]}


def profile(name):
    return PROFILES.get(name, Profile)()
""",
        open=p.use(f, o, "open_one"),
        topic=lit(p.word()),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.use(m, f, "profile")
        if p.chance(0.3):
            kind = p.use(m, f, p.choose("Production", "Profile", "Special"))
            return [f"{kind}.TOPIC = {p.val(m, inst['topic'])}", f"{kind}().start()"]
        return [f'{n}("{p.choose("dev", "prod", "special", "none")}").start()']

    return use


@shape()
def callable_objects(p: PythonProgram) -> Use:
    """Objects that are called, chained, and composed with operators."""
    o, f = opener(p), p.module("steps")
    f.write(
        """
class Step:
    def __init__(self, function):
        self.function = function

    def __call__(self, value):
        return self.function(value)

    def __or__(self, other):
        return Step(lambda value: other(self(value)))

    def __rshift__(self, target):
        return target(self)

    def __add__(self, text):
        return self | Step(lambda value: value + text)


class Opening:
    def __init__(self, group, *, tags="*"):
        self.group, self.tags = group, tags

    def __call__(self, topic, **overrides):
        $open(overrides.get("group", self.group), topic, overrides.get("tags") or self.tags)
        return self


upper = Step(str.upper)
dotted = Step(lambda value: value.replace("-", "."))
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        up, dot, n = p.use(m, f, "upper"), p.use(m, f, "dotted"), p.use(m, f, "Opening")
        step = p.choose(up, f"({up} | {dot})", f'({dot} + "-end")', f'({up} | {dot} + "x")')
        tags = p.choose("", f", tags={a['tags']}")
        again = p.choose("", f'("{p.word()}-again", tags="again")', '("o-topic", group="over-cg")')
        return [f"{n}({a['group']}{tags})({step}({a['topic']})){again}"]

    return use


@shape()
def cached_properties(p: PythonProgram) -> Use:
    o, f = opener(p), p.module("lazily")
    f.imp("from functools import cached_property")
    f.write(
        """
class Lazily:
    made = 0

    def __init__(self, name):
        self.name = name

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        self._name = value.lower()

    @cached_property
    def group(self):
        Lazily.made += 1
        return f"{self.name}-{Lazily.made}"

    @property
    def topic(self):
        return self.name + "-topic"

    def open(self):
        $open(self.group, self.topic)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        v = p.uid("lazily")
        out = [f"{v} = {p.use(m, f, 'Lazily')}({p.val(m, inst['topic'])})", f"{v}.open()"]
        if p.chance(0.6):
            out += [f'{v}.name = "{p.word().upper()}"', f"{v}.open()"]
        return out

    return use
