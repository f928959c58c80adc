"""Consumers of Python programs made in loops, comprehensions, generators, threads, and under exceptions."""

from __future__ import annotations

from tests.oracle.frame import Texts, const, join, lit
from tests.oracle.python import Module, PythonProgram, Use, indent, make, shape, start, subscribe, whole
from tests.oracle.python_arguments import arguments

VALUES = ["group", "topic", "tags"]
SAME = {name: name for name in VALUES}


def opener(p: PythonProgram) -> Module:
    """A module with `open_one(group, topic, tags)`."""
    f = p.module(p.choose("opener", "listening"))
    f.add('def open_one(group, topic, tags="*"):', *indent([*whole(p, f, SAME), "return consumer"]))
    return f


def table(rows: list[Texts], names: list[str] = VALUES) -> str:
    return "[" + ", ".join("(" + ", ".join(lit(row[n]) for n in names) + ")" for row in rows) + "]"


@shape()
def generator_routes(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        rows, name = [inst, *p.instances(1, 2)], p.uid("routes")
        body = p.rng.choice(
            [
                [f"    yield {', '.join(lit(row[n]) for n in VALUES)}" for row in rows],
                [
                    f"    for group, topic, tags in {table(rows)}:",
                    f"        if not topic.startswith({lit(rows[-1]['topic'][:3])}):",
                    "            yield group, topic, tags",
                ],
                [f"    yield from {table(rows)}"],
            ]
        )
        m.add(f"def {name}():", *body)
        return [f"for group, topic, tags in {name}():", f"    {p.use(m, f, 'open_one')}(group, topic, tags)"]

    return use


@shape()
def comprehension_started(p: PythonProgram) -> Use:
    f = p.module("making")
    f.add(
        "def prepared(group, topic, tags):",
        *indent([*make(p, f, "consumer", "group"), *subscribe(p, f, "consumer", SAME), "return consumer"]),
    )

    def use(m: Module, inst: Texts) -> list[str]:
        rows, v = [inst, *p.instances(0, 2)], p.uid("consumers")
        n = p.use(m, f, "prepared")
        kind = p.choose("list", "dict", "conditional")
        if kind == "dict":
            out = [f"{v} = {{g: {n}(g, t, e) for g, t, e in {table(rows)}}}"]
            each = f"{v}.values()"
        else:
            test = f" if t != {lit(rows[-1]['topic'])}" if kind == "conditional" else ""
            out, each = [f"{v} = [{n}(g, t, e) for g, t, e in {table(rows)}{test}]"], v
        if p.chance(0.2):
            return [
                *out,
                f"if {v}:",
                f"    {p.choose('next(iter(' + each + ')).start()', 'print(len(' + v + '))')}",
            ]
        return [*out, f"for each in {each}:", "    each.start()"]

    return use


@shape()
def comprehension_rows(p: PythonProgram) -> Use:
    """Rows are computed by a comprehension over words."""
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        words, v = [inst["word"], p.word(), p.word()][: p.rng.randint(2, 3)], p.uid("ROWS")
        made = p.rng.choice(
            [
                f'[(w + "-cg", w + "-topic") for w in {words!r}]',
                f'[(f"GID_{{w.upper()}}", f"{{w}}_t{{n}}") for n, w in enumerate({words!r})]',
                f'[(w, t) for w in {words!r} for t in ("a-topic", "b-topic")]',
                f'[("one-cg", w) for w in {words!r} if len(w) > 4]',
            ]
        )
        m.top(f"{v} = {made}")
        return [
            f"for group, topic in {v}:",
            f"    {p.use(m, f, 'open_one')}(group, topic, {p.val(m, inst['tags'])})",
        ]

    return use


@shape()
def zipped_loop(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        rows = [inst, *p.instances(1, 2)]
        groups, topics = (", ".join(lit(row[n]) for row in rows) for n in ("group", "topic"))
        if p.chance(0.5):
            short = f"[{topics}]" if p.chance(0.7) else f"[{topics}][:-1]"
            head = f"for group, topic in zip([{groups}], {short}):"
        else:
            head = f"for topic, group in dict(zip([{topics}], [{groups}])).items():"
        return [head, f"    {p.use(m, f, 'open_one')}(group, topic, {p.val(m, inst['tags'])})"]

    return use


@shape()
def enumerated_loop(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        topics = ", ".join(lit(row["topic"]) for row in [inst, *p.instances(1, 2)])
        out = [f"for index, topic in enumerate([{topics}]{p.choose('', ', start=1', ', 5')}):"]
        if p.chance(0.4):
            out += ["    if index % 2:", "        continue"]
        group = p.choose(f'f"{inst["word"]}-{{index}}"', f"{lit(inst['group'])} + str(index)")
        return [*out, f"    {p.use(m, f, 'open_one')}({group}, topic, {lit(inst['tags'])})"]

    return use


@shape()
def sorted_loop(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        rows, v = [inst, *p.instances(1, 2)], p.uid("GROUPS")
        m.top(f"{v} = {{{', '.join(lit(r['topic']) + ': ' + lit(r['group']) for r in rows)}}}")
        how = p.choose(
            "sorted({v})",
            "reversed(sorted({v}))",
            "sorted({v}, key=len)",
            "sorted(set({v}))",
            "list({v})[:1]",
            "sorted({v})[1:]",
        ).format(v=v)
        return [f"for topic in {how}:", f"    {p.use(m, f, 'open_one')}({v}[topic], topic)"]

    return use


@shape()
def named_tuple_routes(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        n = p.uid("Route")
        m.imp("from collections import namedtuple")
        m.early(f'{n} = namedtuple("{n}", ["group", "topic", "tags"])')
        made = ", ".join(
            f"{n}({', '.join(p.val(m, row[x]) for x in VALUES)})" for row in [inst, *p.instances(0, 2)]
        )
        one = p.use(m, f, "open_one")
        return p.rng.choice(
            [
                [f"for route in ({made},):", f"    {one}(route.group, route.topic, route.tags)"],
                [f"for route in ({made},):", f"    {one}(*route)"],
                [f"for route in ({made},):", f"    {one}(**route._asdict())"],
            ]
        )

    return use


@shape()
def enum_routes(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        n, rows = p.uid("Feed"), [inst, *p.instances(1, 2)]
        m.imp("from enum import Enum")
        m.early(
            f"class {n}(Enum):",
            *[f"    {const(row['word'])} = ({', '.join(lit(row[x]) for x in VALUES)})" for row in rows],
            "",
            "    @property",
            "    def topic(self):",
            "        return self.value[1]",
        )
        one = p.use(m, f, "open_one")
        if p.chance(0.5):
            skip = (
                [f"    if feed is {n}.{const(rows[-1]['word'])}:", "        continue"]
                if p.chance(0.4)
                else []
            )
            return [f"for feed in {n}:", *skip, f"    {one}(feed.value[0], feed.topic, feed.value[2])"]
        return [f"{one}(*{n}.{const(inst['word'])}.value)"]

    return use


@shape()
def match_kind(p: PythonProgram) -> Use:
    f = p.module("matching")
    body = make(p, f, "consumer", "group")
    f.imp("from rocketmq.client import ConsumeStatus")
    handler = "lambda msg: ConsumeStatus.CONSUME_SUCCESS"
    body += [
        "match kind:",
        '    case "A":',
        f"        consumer.subscribe(topic, {handler}, tags)",
        '    case "B" | "C":',
        f'        consumer.subscribe(topic + "-" + kind.lower(), {handler})',
        "    case _:",
        "        return None",
    ]
    f.add("def open_kind(kind, group, topic, tags):", *indent([*body, "consumer.start()", "return consumer"]))

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        return [f"{p.use(m, f, 'open_kind')}({lit(p.choose('A', 'B', 'C', 'D'))}, {join(VALUES, a)})"]

    return use


@shape()
def exception_fallback(p: PythonProgram) -> Use:
    f = p.module("validating")
    f.add(
        "class BadTopic(Exception):",
        "    def __init__(self, topic):",
        "        super().__init__(topic)",
        "        self.topic = topic",
    )
    f.add(
        "def checked(topic):",
        f"    if len(topic) > {p.rng.randint(7, 11)}:",
        "        raise BadTopic(topic)",
        "    return topic",
    )
    tail = p.rng.choice(
        [["    topic = error.topic[:6]"], ['    topic = f"bad-{error}"'], ["    print(error)", "    return"]]
    )
    body = ["try:", "    topic = checked(topic)", "except BadTopic as error:", *tail]
    if p.chance(0.4):
        body += (
            ["else:", '    topic = topic + "-ok"'] if p.chance(0.5) else ["finally:", '    print("checked")']
        )
    f.add("def open_checked(group, topic, tags):", *indent([*body, *whole(p, f, SAME)]))

    def use(m: Module, inst: Texts) -> list[str]:
        return [f"{p.use(m, f, 'open_checked')}({join(VALUES, arguments(p, m, inst, VALUES))})"]

    return use


@shape()
def try_finally_start(p: PythonProgram) -> Use:
    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("consumer")
        body = subscribe(p, m, v, a)
        return [
            *make(p, m, v, a["group"]),
            "try:",
            *indent(body),
            *p.rng.choice([["finally:"], ["except RuntimeError:", "    raise", "else:"]]),
            f"    {v}.start()",
        ]

    return use


@shape()
def thread_target(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("import threading")
        a, v, n = arguments(p, m, inst, VALUES), p.uid("thread"), p.use(m, f, "open_one")
        made = p.rng.choice(
            [
                f"threading.Thread(target={n}, args=({join(VALUES, a)}))",
                f"threading.Thread(target=lambda: {n}({join(VALUES, a)}))",
                f'threading.Thread(target={n}, kwargs={{"group": {a["group"]}, "topic": {a["topic"]}}})',
            ]
        )
        return [f"{v} = {made}", f"{v}.start()", f"{v}.join()"]

    return use


@shape()
def pool_submit(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("from concurrent.futures import ThreadPoolExecutor")
        n, v = p.use(m, f, "open_one"), p.uid("pool")
        out = [f"with ThreadPoolExecutor(max_workers=1) as {v}:"]
        if p.chance(0.6):
            return [*out, f"    {v}.submit({n}, {join(VALUES, arguments(p, m, inst, VALUES))}).result()"]
        rows = [inst, p.instance()]
        groups, topics = (", ".join(lit(row[x]) for row in rows) for x in ("group", "topic"))
        return [*out, f"    list({v}.map({n}, [{groups}], [{topics}]))"]

    return use


@shape()
def restart(p: PythonProgram) -> Use:
    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("consumer")
        out = [*make(p, m, v, a["group"]), *subscribe(p, m, v, a), f"{v}.start()", f"{v}.shutdown()"]
        group = lit(p.choose(inst["group"], inst["group"] + "-next"))
        out += [*make(p, m, v, group), *subscribe(p, m, v, {**a, "topic": lit(p.word() + "-next")})]
        return out if p.chance(0.15) else [*out, f"{v}.start()"]

    return use


@shape()
def v5_orders(p: PythonProgram) -> Use:
    """The 5.x client: subscriptions in a dict, added and taken back before and after the start."""
    p.tag("py-v5")

    def use(m: Module, inst: Texts) -> list[str]:
        m.imp("from rocketmq import ClientConfiguration, FilterExpression, SimpleConsumer, PushConsumer")
        a, v, t = arguments(p, m, inst, VALUES), p.uid("consumer"), p.uid("table")
        settings = 'ClientConfiguration("localhost:8081")'
        out = [f"{t} = {{{a['topic']}: FilterExpression({a['tags']})}}"]
        if p.chance(0.4):
            out.append(f'{t}["{p.word()}-v5"] = FilterExpression()')
        kind = p.choose(
            f"SimpleConsumer({settings}, {a['group']}, {t})",
            f"PushConsumer({settings}, {a['group']}, subscription={t})",
            f"SimpleConsumer({settings}, {a['group']}, subscription={t}, await_duration=10)",
        )
        out.append(f"{v} = {kind}")
        if p.chance(0.3):
            out.append(f"{v}.unsubscribe({a['topic']})")
        out.append(f"{v}.startup()")
        if p.chance(0.3):
            out.append(f'{v}.subscribe("{p.word()}-late", FilterExpression("late"))')
        return out

    return use


@shape()
def consumer_list(p: PythonProgram) -> Use:
    f = p.module("managing")
    kind = p.choose("[]", "{}")
    f.imp("from rocketmq.client import ConsumeStatus")
    f.add(
        "class Manager:",
        "    def __init__(self):",
        f"        self.consumers = {kind}",
        "",
        "    def add(self, group, topic, tags):",
        *indent(
            [
                *make(p, f, "consumer", "group"),
                "consumer.subscribe(topic, lambda msg: ConsumeStatus.CONSUME_SUCCESS, tags)",
                "self.consumers.append(consumer)" if kind == "[]" else "self.consumers[group] = consumer",
            ],
            2,
        ),
        "",
        "    def start_all(self):",
        f"        for consumer in self.consumers{'' if kind == '[]' else '.values()'}:",
        "            consumer.start()",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        v = p.uid("manager")
        out = [f"{v} = {p.use(m, f, 'Manager')}()"]
        rows = [inst, *p.instances(0, 2)]
        out += [f"{v}.add({join(VALUES, arguments(p, m, row, VALUES))})" for row in rows]
        return out if p.chance(0.1) else [*out, f"{v}.start_all()"]

    return use


@shape()
def settings_dict(p: PythonProgram) -> Use:
    f = p.module("configured")
    s = {
        "group": 'config["mq"]["group"]',
        "topic": 'config["mq"]["topic"]',
        "tags": 'config["mq"].get("tags", "*")',
    }
    f.add("def open_config(config):", *indent(whole(p, f, s)))

    def use(m: Module, inst: Texts) -> list[str]:
        a, v = arguments(p, m, inst, VALUES), p.uid("config")
        names = VALUES[: p.rng.randint(2, 3)]
        out = [f'{v} = {{"mq": {{{", ".join(f"{lit(k)}: {a[k]}" for k in names)}}}}}']
        if p.chance(0.3):
            out.append(f'{v}["mq"]["{p.choose("group", "topic")}"] += "-changed"')
        if p.chance(0.2):
            out.append(f'{v}["mq"] = {{**{v}["mq"], "tags": "merged"}}')
        return [*out, f"{p.use(m, f, 'open_config')}({v})"]

    return use


@shape()
def recursive_open(p: PythonProgram) -> Use:
    f = opener(p)
    f.add(
        "def open_all(rows):",
        "    if not rows:",
        "        return",
        "    head, *rest = rows",
        "    open_one(*head)",
        "    open_all(rest)",
    )

    def use(m: Module, inst: Texts) -> list[str]:
        return [f"{p.use(m, f, 'open_all')}({table([inst, *p.instances(0, 2)])})"]

    return use


@shape()
def nested_function(p: PythonProgram) -> Use:
    def use(m: Module, inst: Texts) -> list[str]:
        name, v = p.uid("inner_open"), p.uid("prefix")
        a = arguments(p, m, inst, VALUES)
        body = whole(p, m, {"group": f"{v} + group", "topic": "topic", "tags": a["tags"]})
        out = [f'{v} = "{p.choose("n-", "")}"', f"def {name}(group, topic={a['topic']}):", *indent(body)]
        if p.chance(0.3):
            out.append(f'{v} = "later-"')
        return [*out, f"{name}({a['group']})"]

    return use


@shape()
def while_index(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        v, i = p.uid("rows"), p.uid("index")
        one = p.use(m, f, "open_one")
        out = [f"{v} = {table([inst, *p.instances(1, 2)])}"]
        if p.chance(0.5):
            return [
                *out,
                f"{i} = {p.choose('0', '1')}",
                f"while {i} < len({v}):",
                f"    {one}(*{v}[{i}])",
                f"    {i} += 1",
            ]
        return [
            *out,
            f"while {v}:",
            f"    group, topic, tags = {v}.pop({p.choose('', '0')})",
            f"    {one}(group, topic, tags)",
            *(["    break"] if p.chance(0.2) else []),
        ]

    return use


@shape()
def mapped_calls(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        rows, one = [inst, *p.instances(0, 2)], p.use(m, f, "open_one")
        groups, topics = (", ".join(lit(row[x]) for row in rows) for x in ("group", "topic"))
        return [
            p.rng.choice(
                [
                    f"list(map({one}, [{groups}], [{topics}]))",
                    f"[{one}(g, t) for g, t in zip([{groups}], [{topics}])]",
                    f"tuple(map(lambda row: {one}(*row), {table(rows)}))",
                ]
            )
        ]

    return use


@shape()
def start_in_branches(p: PythonProgram) -> Use:
    """Conditions of constants and arguments decide about the start and the topic."""
    f = p.module("branching")
    body = make(p, f, "consumer", 'group if level > 1 else group + "-low"')
    f.imp("from rocketmq.client import ConsumeStatus")
    handler = "lambda msg: ConsumeStatus.CONSUME_SUCCESS"
    body += [
        f'consumer.subscribe(topic, {handler}, tags or "*")',
        'if level >= 2 and tags != "x":',
        f'    consumer.subscribe(topic + "-high", {handler})',
        "if level:",
        "    consumer.start()",
    ]
    f.add("def open_level(group, topic, tags=None, level=1):", *indent(body))

    def use(m: Module, inst: Texts) -> list[str]:
        a = arguments(p, m, inst, VALUES)
        rest = p.choose(
            "", ", " + a["tags"], f", {a['tags']}, {p.rng.randint(0, 3)}", f", level={p.rng.randint(0, 3)}"
        )
        return [f"{p.use(m, f, 'open_level')}({a['group']}, {a['topic']}{rest})"]

    return use


@shape()
def numbered_groups(p: PythonProgram) -> Use:
    f = p.module("numbered")
    f.imp("import itertools")
    f.top(f"_NUMBERS = itertools.count({p.rng.randint(0, 3)})")
    f.add(
        "def open_numbered(base, topic, tags):",
        *indent(['group = f"{base}-{next(_NUMBERS)}"', *whole(p, f, SAME)]),
    )
    return lambda m, inst: [f"{p.use(m, f, 'open_numbered')}({join(VALUES, arguments(p, m, inst, VALUES))})"]


@shape()
def module_level_start(p: PythonProgram) -> Use:
    """A module that makes its consumer when it is imported; `main` only starts it, or not even that."""

    def use(m: Module, inst: Texts) -> list[str]:
        f = p.module("auto_" + inst["word"])
        a = arguments(p, f, inst, VALUES)
        body = make(p, f, "consumer", a["group"]) + subscribe(p, f, "consumer", a)
        f.add(*body)
        if p.chance(0.5):
            f.add(*start(p, "consumer"))
            m.imp(f"import {p.dotted(f)}")
            return []
        return [f"{p.use(m, f, 'consumer')}.start()"]

    return use


@shape()
def text_routes(p: PythonProgram) -> Use:
    f = opener(p)

    def use(m: Module, inst: Texts) -> list[str]:
        rows, v = [inst, *p.instances(0, 2)], p.uid("ROUTES")
        text = ";".join("/".join(row[n] for n in VALUES) for row in rows)
        m.top(f"{v} = {lit(text)}")
        one = p.use(m, f, "open_one")
        return [
            f'for line in {v}.split(";"):',
            *p.rng.choice(
                [
                    [f'    {one}(*line.split("/"))'],
                    ['    group, topic, _ = line.split("/")', f"    {one}(group, topic)"],
                ]
            ),
        ]

    return use
