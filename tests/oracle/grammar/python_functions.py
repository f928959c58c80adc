"""Consumers of Python programs behind decorators with state, partials, generators, closures, matches and contexts."""

from __future__ import annotations

from tests.oracle.frame import Texts, lit
from tests.oracle.grammar.python_objects import opener
from tests.oracle.python import Module, PythonProgram, Use, shape, value
from tests.oracle.python_arguments import arguments

VALUES = ["group", "topic", "tags"]


@shape()
def stacked_decorators(p: PythonProgram) -> Use:
    """Decorators with and without arguments over one function: each changes what the inner one gets."""
    o, f = opener(p), p.module("wrapping")
    f.imp("import functools")
    f.write(
        """
def prefixed(prefix):
    def decorate(function):
        @functools.wraps(function)
        def inner(group, topic, *args, **kwargs):
            return function(prefix + group, topic, *args, **kwargs)

        return inner

    return decorate


def twice(function):
    def inner(group, *args, **kwargs):
        function(group, *args, **kwargs)
        return function(group + "-twice", *args, **kwargs)

    return inner


class Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, group, *args, **kwargs):
        self.calls += 1
        return self.function(f"{group}-{self.calls}", *args, **kwargs)


def defaulting(**defaults):
    def decorate(function):
        return lambda *args, **kwargs: function(*args, **{**defaults, **kwargs})

    return decorate
"""
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n = arguments(p, m, inst, VALUES), p.uid("open_decorated")
        decorators = p.rng.sample(
            [
                f'@{p.use(m, f, "prefixed")}("p-")',
                f"@{p.use(m, f, 'twice')}",
                f"@{p.use(m, f, 'Counted')}",
                f'@{p.use(m, f, "defaulting")}(tags="dflt")',
            ],
            p.rng.randint(1, 3),
        )
        m.add(
            *decorators,
            f'def {n}(group, topic, tags="*"):',
            f"    {p.use(m, o, 'open_one')}(group, topic, tags)",
        )
        out = [f"{n}({a['group']}, {a['topic']}" + p.choose("", f", tags={a['tags']}") + ")"]
        if p.chance(0.4):
            out.append(f'{n}({a["group"]}, "{p.word()}-again")')
        return out

    return use


@shape()
def class_decorators(p: PythonProgram) -> Use:
    """A decorator of classes adds attributes and registers; methods are marked by another and found by `getattr`."""
    o, f = opener(p), p.module("marking")
    f.top("KNOWN = []")
    f.write(
        """
def consumer(group, **options):
    def decorate(cls):
        cls.group = group
        cls.options = options
        KNOWN.append(cls)
        return cls

    return decorate


def listens(topic, tags="*"):
    def decorate(method):
        method.route = (topic, tags)
        return method

    return decorate


def start_known():
    while KNOWN:
        one = KNOWN.pop(0)()
        for name in $names:
            method = getattr(one, name)
            route = getattr(method, "route", None)
            if route is None:
                continue
            topic, tags = route
            $open(one.group + one.options.get("suffix", ""), topic, tags)
""",
        names=p.choose("dir(one)", "sorted(vars(type(one)))"),
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        options = p.choose("", ', suffix="-s"')
        m.add(
            f"@{p.use(m, f, 'consumer')}({a['group']}{options})",
            f"class {p.uid('Marked')}:",
            f"    @{p.use(m, f, 'listens')}({a['topic']}{p.choose('', ', ' + a['tags'], ', tags=' + a['tags'])})",
            "    def on_message(self, message):",
            "        return None",
            "",
            "    def other(self):",
            "        return None",
        )
        return [f"{p.use(m, f, 'start_known')}()"]

    return use


@shape()
def partial_tables(p: PythonProgram) -> Use:
    o = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("import functools")
        m.imp("from operator import itemgetter, methodcaller, attrgetter")
        a, n, v, other = (
            arguments(p, m, inst, VALUES),
            p.use(m, o, "open_one"),
            p.uid("openings"),
            p.instance(),
        )
        return p.rng.choice(
            [
                [
                    f'{v} = {{"a": functools.partial({n}, {a["group"]}), "b": functools.partial({n}, topic={a["topic"]})}}',
                    f'{v}["a"]({a["topic"]}, tags={a["tags"]})',
                    f'{v}["b"](group="{other["group"]}")',
                ],
                [
                    f'{v} = functools.partial(functools.partial({n}, {a["group"]}, tags="x"), tags={a["tags"]})',
                    f"{v}({a['topic']})",
                    f'{v}("{other["topic"]}", tags="over")',
                ],
                [
                    f"{v}_rows = [({a['group']}, {a['topic']}), ({lit(other['group'])}, {lit(other['topic'])}, 't')]",
                    f"{v} = [functools.partial({n}, *row) for row in {v}_rows]",
                    f"for each in {v}:",
                    "    each()",
                ],
                [
                    f'{v} = [{{"g": {lit(other["group"])}, "n": 2}}, {{"g": {a["group"]}, "n": 1}}]',
                    f'for each in sorted({v}, key=itemgetter("n")):',
                    f'    {n}(each["g"], {a["topic"]}, f"n{{each[\'n\']}}")',
                ],
                [
                    f'{v} = functools.reduce(lambda left, right: f"{{left}}-{{right}}", ["r", {a["topic"]}, "e"])',
                    f"{n}({a['group']}, {v})",
                ],
            ]
        )

    return use


@shape()
def late_closures(p: PythonProgram) -> Use:
    """Functions made in a loop see the last turn, unless a default keeps the value; a list default is kept between calls."""
    o, f = opener(p), p.module("closing_over")
    f.write(
        """
def collect(topic, known=[]):
    known.append(topic)
    return "-".join(known)


def counter(start=0):
    count = start

    def step():
        nonlocal count
        count += 1
        return count

    return step
"""
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n, v, other = (
            arguments(p, m, inst, VALUES),
            p.use(m, o, "open_one"),
            p.uid("later"),
            lit(p.word() + "-late"),
        )
        form = p.rng.randint(0, 4)
        if form == 0:
            keep = p.choose("", "topic=topic")
            return [
                f"{v} = []",
                f"for topic in ({a['topic']}, {other}):",
                f"    {v}.append(lambda{' ' + keep if keep else ''}: {n}({a['group']} + str(len({v})), topic))",
                f"{v}[0]()",
            ]
        if form == 1:
            c = p.use(m, f, "collect")
            return [f"{c}({a['topic']})", f"{n}({a['group']}, {c}({other}))"]
        if form == 2:
            c = p.use(m, f, "counter")
            return [
                f"{v} = {c}({p.choose('', '5')})",
                f"{v}()",
                f'{n}(f"{{{v}()}}-" + {a["group"]}, {a["topic"]})',
                f'{n}("fresh" + str({c}()()), {a["topic"]}, {a["tags"]})',
            ]
        if form == 3:
            return [
                f'{v} = {{name: (lambda name=name: {n}(name + "-cg", name)) for name in [{a["topic"]}, {other}]}}',
                f"{v}[{other}]()",
            ]
        return [
            f"{v} = [{a['topic']}]",
            f"{v}_same, {v}_copy = {v}, {v}[:]",
            f"{v}_same.append({other})",
            f"{n}({a['group']}, {v}[-1], {v}_copy[-1])",
        ]

    return use


@shape()
def delegating_generators(p: PythonProgram) -> Use:
    o, f = opener(p), p.module("producing")
    f.write(
        """
def rows(*names):
    for number, name in enumerate(names, start=1):
        if not name:
            continue
        yield f"{name}-{number}", name


def all_rows(first, *others):
    yield from rows(*first)
    for name in others:
        yield name + "-last", name
    return


def limited(source, most):
    for row in source:
        if most == 0:
            return
        most -= 1
        yield row


def conversation():
    topic = yield "ready"
    while topic:
        topic = yield topic.upper()
""",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("import itertools")
        a, n, other = arguments(p, m, inst, VALUES), p.use(m, o, "open_one"), lit(p.word() + "-gen")
        form = p.rng.randint(0, 4)
        if form == 0:
            source = f'{p.use(m, f, "all_rows")}([{a["topic"]}, "", {other}], "tail")'
        elif form == 1:
            source = f"{p.use(m, f, 'limited')}({p.use(m, f, 'rows')}({a['topic']}, {other}), 1)"
        elif form == 2:
            source = f'itertools.chain({p.use(m, f, "rows")}({a["topic"]}), [("chained-cg", {other})])'
        elif form == 3:
            v = p.uid("talk")
            return [
                f"{v} = {p.use(m, f, 'conversation')}()",
                f"next({v})",
                f"{n}({a['group']}, {v}.send({a['topic']}), {a['tags']})",
            ]
        else:
            return [
                f'for left, right in itertools.product([{a["group"]}, "prod"], ["x", "y"]):',
                f'    {n}(f"{{left}}-{{right}}", {a["topic"]})',
            ]
        return [f"for group, topic in {source}:", f"    {n}(group, topic, {a['tags']})"]

    return use


@shape()
def exit_stacks(p: PythonProgram) -> Use:
    """Context managers that set something for the time of their block, stacked, with errors they swallow."""
    o, f = opener(p), p.module("contexts_of")
    f.imp("import contextlib")
    f.top('CURRENT = {"prefix": ""}')
    f.write(
        """
@contextlib.contextmanager
def prefix(text):
    before = CURRENT["prefix"]
    CURRENT["prefix"] = before + text
    try:
        yield CURRENT["prefix"]
    finally:
        CURRENT["prefix"] = before


class Ignoring:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.kinds)


def open_here(group, topic):
    $open(CURRENT["prefix"] + group, topic)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n, pre = arguments(p, m, inst, VALUES), p.use(m, f, "open_here"), p.use(m, f, "prefix")
        form = p.rng.randint(0, 3)
        if form == 0:
            return [
                f'with {pre}("a-"), {pre}("b-") as both:',
                f"    {n}({a['group']}, both + {a['topic']})",
                f'{n}("after-cg", {a["topic"]})',
            ]
        if form == 1:
            m.imp("import contextlib")
            return [
                "with contextlib.ExitStack() as stack:",
                '    for text in ("x", "y"):',
                f"        stack.enter_context({pre}(text))",
                f"    {n}({a['group']}, {a['topic']})",
            ]
        if form == 2:
            return [
                f"with {p.use(m, f, 'Ignoring')}(ValueError, KeyError):",
                f"    {n}({a['group']}, {a['topic']})",
                f'    raise {p.choose("KeyError", "ValueError")}("stop")',
                f'    {n}("unreached-cg", "unreached")',
                f'{n}("reached-cg", "reached")',
            ]
        m.imp("import contextlib")
        return [
            "with contextlib.suppress(ZeroDivisionError):",
            f'    {n}("before-cg", {a["topic"]})',
            "    1 / 0",
            f"    {n}({a['group']}, {a['topic']})",
        ]

    return use


@shape()
def matched_commands(p: PythonProgram) -> Use:
    """`match` over tuples, dicts and objects, with guards, alternatives and captures."""
    o, f = opener(p), p.module("commands")
    f.imp("from dataclasses import dataclass")
    f.write(
        """
@dataclass
class Listen:
    group: str
    topic: str = "matched"
    tags: str = "*"


def run(command):
    match command:
        case Listen(group=group, topic=topic, tags="*"):
            $open(group, topic)
        case Listen(group, topic, tags) if tags != "never":
            $open(group, topic, tags.upper())
        case {"group": str(group), "topics": [first, *others]}:
            $open(group, first, str(len(others)))
        case {"group": group, **rest}:
            $open(group, "-".join(sorted(rest)) or "no-rest")
        case ("both" | "two", topic):
            $open("left-cg", topic)
            $open("right-cg", topic)
        case [str() as topic, int(number)] if number > 1:
            $open(f"{topic}-{number}-cg", topic)
        case str(topic):
            $open("plain-cg", topic)
        case None | False:
            return
        case _:
            $open("other-cg", type(command).__name__)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a, n, listen = arguments(p, m, inst, VALUES), p.use(m, f, "run"), p.use(m, f, "Listen")
        command = p.rng.choice(
            [
                f"{listen}({a['group']}, {a['topic']})",
                f'{listen}({a["group"]}, {a["topic"]}, "tag")',
                f'{listen}({a["group"]}, tags="never")',
                f'{{"group": {a["group"]}, "topics": [{a["topic"]}, "x"]}}',
                f'{{"group": {a["group"]}, "topics": []}}',
                f'("{p.choose("both", "two")}", {a["topic"]})',
                f"[{a['topic']}, {p.choose('1', '2')}]",
                a["topic"],
                "None",
                "3.5",
            ]
        )
        return [f"{n}({command})"]

    return use


@shape()
def forwarded_keywords(p: PythonProgram) -> Use:
    """`*args` and `**kwargs` taken apart, merged and passed on; keyword-only and positional-only parameters."""
    o, f = opener(p), p.module("forwards")
    f.write(
        """
DEFAULTS = {"tags": $tags, "topic": $topic}


def configure(group, /, *topics, tags=None, **extra):
    options = DEFAULTS | extra
    names = topics or (options["topic"],)
    for number, topic in enumerate(names):
        $open(group if number == 0 else f"{group}-{number}", topic, tags or options["tags"])


def configure_all(*rows, **common):
    for row in rows:
        group, *rest = row
        configure(group, *rest, **common)


def from_options(**options):
    group = options.pop("group")
    options.setdefault("tags", "set-default")
    configure(group, **options)
""",
        tags=lit(p.choose("*", "default")),
        topic=lit(p.word() + "-dflt"),
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        form = p.rng.randint(0, 3)
        n, rows = p.use(m, f, "configure"), p.use(m, f, "configure_all")
        if form == 0:
            tags = p.choose("", f", tags={a['tags']}")
            return [f"{n}({a['group']}, " + p.choose(a["topic"], f'*[{a["topic"]}, "second"]') + f"{tags})"]
        if form == 1:
            return [f'{rows}([{a["group"]}, {a["topic"]}], ("row-cg",), tags={a["tags"]})']
        if form == 2:
            return [f"{p.use(m, f, 'from_options')}(**dict(group={a['group']}, topic={a['topic']}))"]
        v = p.uid("options")
        return [
            f'{v} = {{"topic": {a["topic"]}}}',
            f"{v}.update(tags={a['tags']})",
            f"{n}({a['group']}, **{v})",
        ]

    return use


@shape()
def error_flows(p: PythonProgram) -> Use:
    """Errors with attributes, `else`, `finally`, causes, and loops that end in `else`."""
    o, f = opener(p), p.module("failing")
    f.write(
        """
class NoRoute(LookupError):
    def __init__(self, name, fallback="fallback"):
        super().__init__(f"no route {name}")
        self.fallback = fallback


ROUTES = {"known": $known}


def route(name):
    try:
        return ROUTES[name]
    except KeyError as error:
        raise NoRoute(name, fallback=str(error).strip("'") + "-f") from error


def open_named(group, name):
    tags = "*"
    try:
        topic = route(name)
    except NoRoute as error:
        topic = error.fallback
        tags = str(error).replace(" ", "-")
    else:
        tags = "else"
    finally:
        group = group + "-fin"
    $open(group, topic, tags)


def search(group, wanted):
    for name in ("a", "b", "known"):
        if name == wanted:
            break
    else:
        name = "nothing"
    $open(group, name)


def attempt(group, topic, failures):
    tries = 0
    while True:
        tries += 1
        try:
            if tries <= failures:
                raise ConnectionError
        except ConnectionError:
            continue
        break
    $open(f"{group}-{tries}", topic)
""",
        known=lit(p.word() + "-known"),
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        form = p.rng.randint(0, 2)
        if form == 0:
            return [f"{p.use(m, f, 'open_named')}({a['group']}, {p.choose(lit('known'), a['topic'])})"]
        if form == 1:
            return [f'{p.use(m, f, "search")}({a["group"]}, "{p.choose("b", "known", "zzz")}")']
        return [f"{p.use(m, f, 'attempt')}({a['group']}, {a['topic']}, {p.rng.randint(0, 2)})"]

    return use


@shape()
def async_starts(p: PythonProgram) -> Use:
    """Coroutines that are awaited, gathered, or run by a loop; threads of an own class."""
    o, f = opener(p), p.module("running_async")
    f.imp("import asyncio")
    f.imp("import threading")
    f.write(
        """
async def named(name):
    await asyncio.sleep(0)
    return name + "-async"


async def listen(group, topic):
    $open(group, await named(topic))


async def listen_all(rows):
    await asyncio.gather(*(listen(group, topic) for group, topic in rows))


class Worker(threading.Thread):
    def __init__(self, group, topic):
        super().__init__(name=group)
        self.topic = topic

    def run(self):
        $open(self.name, self.topic)


def start_worker(group, topic):
    worker = Worker(group, topic)
    worker.start()
    worker.join()
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        form = p.rng.randint(0, 2)
        if form == 2:
            return [f"{p.use(m, f, 'start_worker')}({a['group']}, {a['topic']})"]
        m.imp("import asyncio")
        if form == 1:
            return [
                f'asyncio.run({p.use(m, f, "listen_all")}([({a["group"]}, {a["topic"]}), ("async-cg", "async")]))'
            ]
        return [f"asyncio.run({p.use(m, f, 'listen')}({a['group']}, {a['topic']}))"]

    return use


@shape()
def parsed_settings(p: PythonProgram) -> Use:
    """Settings from JSON, INI or argument texts of the program itself."""
    o, f = opener(p), p.module("parsing")
    f.imp("import argparse")
    f.imp("import configparser")
    f.imp("import json")
    f.write(
        """
def from_json(text):
    for row in json.loads(text)["consumers"]:
        if row.get("enabled", True):
            $open(row["group"], row["topic"], " || ".join(row.get("tags", [])) or "*")


def from_ini(text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    for section in parser.sections():
        $open(section + "-cg", parser[section]["topic"], parser.get(section, "tags", fallback="*"))


def from_arguments(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--group", default="argument-cg")
    parser.add_argument("topic")
    parser.add_argument("--tags", nargs="*", default=["*"])
    options = parser.parse_args(arguments)
    $open(options.group, options.topic, " || ".join(options.tags))


def from_lines(text):
    for line in text.strip().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        group, topic, *tags = [cell.strip() for cell in line.split(",")]
        $open(group, topic, tags[0] if tags else "*")
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        g, t, n = inst["group"], inst["topic"], p.uid("TEXT")
        form = p.rng.randint(0, 3)
        if form == 0:
            off = p.choose("", ', "enabled": false')
            tags = p.choose("", ', "tags": ["a", "b"]')
            rows = f'{{"group": "{g}", "topic": "{t}"{tags}}}, {{"group": "two-cg", "topic": "two"{off}}}'
            text = f"""'{{"consumers": [{rows}]}}'"""
            m.top(f"{n} = {text}")
            return [f"{p.use(m, f, 'from_json')}({n})"]
        if form == 1:
            m.top(
                f'{n} = """',
                f"[{inst['word']}]",
                f"topic = {t}",
                *(["tags: x"] if p.chance(0.5) else []),
                '"""',
            )
            return [f"{p.use(m, f, 'from_ini')}({n})"]
        if form == 2:
            extra = p.choose("", f', "--group", "{g}"', ', "--tags", "a", "b"')
            return [f'{p.use(m, f, "from_arguments")}(["{t}"{extra}])']
        m.top(
            f'{n} = """',
            "# group, topic",
            f"{g}, {t}{p.choose('', ', tag # why')}",
            "",
            "line-cg,line",
            '"""',
        )
        return [f"{p.use(m, f, 'from_lines')}({n})"]

    return use


@shape()
def looked_up_functions(p: PythonProgram) -> Use:
    """Functions found by name: in `globals`, on modules and objects, in dispatch tables, by `singledispatch`."""
    o, f = opener(p), p.module("dispatching")
    f.imp("import functools")
    f.imp("import sys")
    f.write(
        """
def open_plain(group):
    $open(group, "plain")


def open_tagged(group, tags="tagged"):
    $open(group, "tagged", tags)


HANDLERS = {
    name[len("open_"):]: value
    for name, value in list(globals().items())
    if name.startswith("open_") and name != "open_one"
}


@functools.singledispatch
def start(what):
    open_plain(str(what))


@start.register
def _(what: int):
    open_plain(f"number-{what}-cg")


@start.register(list)
@start.register(tuple)
def _(what):
    for each in what:
        start(each)


def by_name(kind, *args):
    handler = HANDLERS.get(kind) or getattr(sys.modules[__name__], "open_plain")
    handler(*args)


class Commands:
    def do_listen(self, group, topic):
        $open(group, topic)

    def do_default(self, *args):
        $open("-".join(args), "default")

    def run(self, line):
        name, *args = line.split()
        getattr(self, "do_" + name, self.do_default)(*args)
""",
        open=p.use(f, o, "open_one"),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        form = p.rng.randint(0, 3)
        if form == 0:
            return [f'{p.use(m, f, "by_name")}("{p.choose("plain", "tagged", "none")}", {a["group"]})']
        if form == 1:
            what = p.choose(a["group"], "7", f"[{a['group']}, 3]", f"({a['group']},)")
            return [f"{p.use(m, f, 'start')}({what})"]
        if form == 2:
            return [
                f'{p.use(m, f, "Commands")}().run("{p.choose("listen", "other")} {inst["group"]} {inst["topic"]}")'
            ]
        return [f'{p.use(m, f, "HANDLERS")}["tagged"]({a["group"]}, {a["tags"]})']

    return use


@shape()
def comprehended_registry(p: PythonProgram) -> Use:
    """Tables made by comprehensions, merged, inverted, grouped, and walked."""
    o = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("from collections import ChainMap, Counter, OrderedDict, defaultdict")
        n, t, v = p.use(m, o, "open_one"), p.uid("TABLE"), p.uid("by_group")
        rows = [inst, *p.instances(1, 2)]
        if p.chance(0.6):
            rows[-1] = {**rows[-1], "group": inst["group"]}
        m.top(f"{t} = [", *(f"    ({lit(x['group'])}, {lit(x['topic'])})," for x in rows), "]")
        form = p.rng.randint(0, 5)
        if form == 0:
            return [
                f"{v} = defaultdict(list)",
                f"for group, topic in {t}:",
                f"    {v}[group].append(topic)",
                f"for group, topics in {v}.items():",
                f'    {n}(group, topics[0], " || ".join(topics[1:]) or "*")',
            ]
        if form == 1:
            return [
                f"for topic, group in {{topic: group for group, topic in {t}}}.items():",
                f'    {n}(group + "-" + topic, topic)',
            ]
        if form == 2:
            return [
                f"{v} = Counter(group for group, _ in {t})",
                f"for group, count in sorted({v}.items()):",
                f'    {n}(group, f"times-{{count}}")',
            ]
        if form == 3:
            return [
                f'{v} = ChainMap({{"a": "front"}}, dict({t}), {{"a": "back", "z": "end"}})',
                f'for key in ("a", "z", {t}[0][0]):',
                f'    {n}(key + "-cg", {v}[key])',
            ]
        if form == 4:
            return [
                f"{v} = {{}}",
                f"for group, topic in {t}:",
                f"    {v}.setdefault(group, set()).add(topic)",
                f"for group in sorted({v}):",
                f"    for topic in sorted({v}[group]):",
                f'        {n}(f"{{group}}.{{topic}}", topic)',
            ]
        return [
            f"groups, topics = zip(*{t})",
            "for at, (group, topic) in enumerate(zip(groups, reversed(topics))):",
            f'    {n}(f"{{group}}-{{at}}", topic)',
            "    if at == 1:",
            "        break",
        ]

    return use


@value()
def templates(p: PythonProgram, m: Module, text: str, d: int) -> str:
    m.imp("from string import Template")
    inner = p.val(m, text, d + 1)
    return p.rng.choice(
        [
            f'Template("$$a-x").substitute(a={inner})',
            f'"{{0}}_{{name!s:_>3}}".format({inner}, name="n")',
            f'f"{{{{{inner}}}}}"' if '"' not in inner else f'"{{}}".format({inner})',
            f'"%(a)s_%(b)03d" % {{"a": {inner}, "b": 7}}',
            f'{inner}.translate(str.maketrans("-_", "_-"))',
            f'{inner}.join(["l", "r"])',
            f'{inner}.partition("-")[0]',
            f"{inner}.casefold().title()",
            f'"".join(reversed({inner}))',
        ]
    )


@value()
def conditional_texts(p: PythonProgram, m: Module, text: str, d: int) -> str:
    inner, other = p.val(m, text, d + 1), lit(p.word())
    return p.rng.choice(
        [
            f"({inner} if len({inner}) > 9 else {other})",
            f"[{other}, {inner}][{p.choose('True', '-1', 'len([1])')}]",
            f'next((s for s in ({other}, {inner}) if "-" in s), "none")',
            f"max([{inner}, {other}], key=len)",
            f'(None or "" or {inner})',
            f"({inner} and {other})",
            f"sorted([{inner}, {other}])[0]",
            f'dict(a={inner}, b={other}).get("{p.choose("a", "b")}")',
            f"str({inner}) + repr({p.choose('1', 'True', 'None')})",
            f'any(c.isdigit() for c in {inner}) and "digits" or {inner}',
        ]
    )
