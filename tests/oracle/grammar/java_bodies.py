"""Message models, subscriptions, starts, and what stands around a consumer in Java programs."""

from __future__ import annotations

from tests.oracle.frame import Texts, camel
from tests.oracle.java import Java, JavaProgram, model, paren, starting, subscription, wrap
from tests.oracle.java_client import CLIENT, MODEL


@model(2)
def model_plain(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f"{var}.setMessageModel({c.imp(MODEL)}.BROADCASTING);"]


@model(2)
def model_under_flag(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    m = c.imp(MODEL)
    if p.chance(0.5):
        return [f"if ({s['flag']}) {{", f"{var}.setMessageModel({m}.BROADCASTING);", "}"]
    return [f"{var}.setMessageModel({s['flag']} ? {m}.BROADCASTING : {m}.CLUSTERING);"]


@model()
def model_overridden(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    m = c.imp(MODEL)
    return [f"{var}.setMessageModel({m}.BROADCASTING);", f"{var}.setMessageModel({m}.CLUSTERING);"]


@subscription(4, tag="")
def plain_subscription(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f"{var}.subscribe({s['topic']}, {s['tags']});"]


@subscription()
def selector(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    ms = c.imp(CLIENT + "MessageSelector")
    if p.chance(0.5):
        return [f'{var}.subscribe({s["topic"]}, {ms}.bySql("a > {p.rng.randint(1, 9)}"));']
    return [f"{var}.subscribe({s['topic']}, {ms}.byTag({s['tags']}));"]


@subscription()
def subscribe_twice(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f'{var}.subscribe({s["topic"]}, "first");', f"{var}.subscribe({s['topic']}, {s['tags']});"]


@subscription()
def two_topics(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f"{var}.subscribe({s['topic']}, {s['tags']});", f'{var}.subscribe("{p.word()}-second", "*");']


@subscription(0.7)
def unsubscribe_before_start(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    t = p.word() + "-old"
    return [
        f'{var}.subscribe("{t}", "*");',
        f"{var}.subscribe({s['topic']}, {s['tags']});",
        f'{var}.unsubscribe("{t}");',
    ]


@subscription(2)
def subscribe_under_flag(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    t = p.word() + "-extra"
    return p.rng.choice(
        [
            [
                f"{var}.subscribe({s['topic']}, {s['tags']});",
                f"if ({s['flag']}) {{",
                f'{var}.subscribe("{t}", "x");',
                "}",
            ],
            [
                f"if ({s['flag']}) {{",
                f"{var}.subscribe({s['topic']}, {s['tags']});",
                "} else {",
                f'{var}.subscribe({s["topic"]}, "*");',
                "}",
            ],
            [
                f"if (!{s['flag']}) {{",
                f'{var}.subscribe("{t}", "*");',
                "}",
                f"{var}.subscribe({s['topic']}, {s['tags']});",
            ],
        ]
    )


@subscription(2)
def subscribe_by_kind_switch(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    k = s["kind"]
    if p.chance(0.5):
        return [
            f"switch ({k}) {{",
            'case "A":',
            f"{var}.subscribe({s['topic']}, {s['tags']});",
            "break;",
            'case "B":',
            f'{var}.subscribe({s["topic"]} + "_b", "b");',
            "break;",
            "default:",
            f'{var}.subscribe({s["topic"]}, "*");',
            "}",
        ]
    return [
        f'if ("A".equals({k})) {{',
        f"{var}.subscribe({s['topic']}, {s['tags']});",
        f'}} else if ({k}.equals("B")) {{',
        f'{var}.subscribe({s["topic"]}, "b");',
        "} else {",
        f'{var}.subscribe({s["topic"]}, "*");',
        "}",
    ]


@subscription(1)
def null_default(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return (
        [f'{var}.subscribe({s["topic"]}, {paren(s["tags"])} == null ? "*" : {s["tags"]});']
        if '"' not in s["tags"] and "(" not in s["tags"]
        else [f"{var}.subscribe({s['topic']}, {s['tags']});"]
    )


@subscription(1)
def subscribe_loop(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    a, b = p.word() + "-l1", p.word() + "-l2"
    return [
        f'for (String each : new String[] {{{s["topic"]}, "{a}", "{b}"}}) {{',
        f"{var}.subscribe(each, {s['tags']});",
        "}",
    ]


@starting(5, tag="")
def plain_starting(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f"{var}.start();"]


@starting()
def try_catch(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    e = c.imp("org.apache.rocketmq.client.exception.MQClientException")
    return ["try {", f"{var}.start();", f"}} catch ({e} e) {{", "e.printStackTrace();", "}"]


@starting(1)
def start_under_flag(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return [f"if ({s['flag']}) {{", f"{var}.start();", "}"]


@starting(0.5)
def never_started(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    return []


@starting(0.5)
def start_under_constant(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    n = p.uid("AUTO_START")
    if c.kind == "interface":
        return [f"{var}.start();"]
    c.add(f"static final boolean {n} = {p.rng.choice(['true', 'true', 'false'])};")
    return [f"if ({n}) {{", f"{var}.start();", "}"]


@wrap(2)
def wrap_method(p: JavaProgram, c: Java, st: list[str]) -> list[str]:
    if any("args" in s for s in st):
        return st
    n = p.uid("init" + camel(p.word()))
    c.method(f"private static void {n}() throws Exception", st)
    return [f"{n}();"]


@wrap(tag="if-constant")
def if_constant_wrap(p: JavaProgram, c: Java, st: list[str]) -> list[str]:
    n = p.uid("FEATURE")
    c.add(f"static final boolean {n} = {p.rng.choice(['true', 'true', 'false'])};")
    return [f"if ({n}) {{", *st, "}"]


@wrap(0.6)
def if_args(p: JavaProgram, c: Java, st: list[str]) -> list[str]:
    p.inputs = ((), ("zqarg0", "zqarg1"))
    return ["if (args.length > 0) {", *st, "}"]


@wrap(tag="try-catch")
def try_catch_wrap(p: JavaProgram, c: Java, st: list[str]) -> list[str]:
    return ["try {", *st, "} catch (Exception e) {", "throw new IllegalStateException(e);", "}"]


@wrap()
def runnable_lambda(p: JavaProgram, c: Java, st: list[str]) -> list[str]:
    if any("args" in s for s in st):
        return st
    v = p.uid("task")
    return [
        f"Runnable {v} = () -> {{",
        "try {",
        *st,
        "} catch (Exception e) {",
        "throw new RuntimeException(e);",
        "}",
        "};",
        f"{v}.run();",
    ]
