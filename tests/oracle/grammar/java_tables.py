"""Consumers made in loops over arrays, maps, enums and records."""

from __future__ import annotations

from tests.oracle.frame import Texts, const, lit
from tests.oracle.java import Java, JavaProgram, Use, shape
from tests.oracle.java_client import (
    client_kind,
    new,
    whole,
)


@shape(1.2)
def loop_array(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        others = [p.instance() for _ in range(p.rng.randint(1, 2))]
        rows = [inst, *others]
        n = p.uid("ROUTES")
        c.add(
            f"private static final String[][] {n} = {{\n"
            + ",\n".join("{" + ", ".join(lit(r[x]) for x in ("group", "topic", "tags")) + "}" for r in rows)
            + "\n};"
        )
        v = p.uid("row")
        s = {"group": f"{v}[0]", "topic": f"{v}[1]", "tags": f"{v}[2]"}
        skip = []
        if p.chance(0.4):
            p.tag("loop-continue")
            skip = p.rng.choice(
                [
                    [f'if ({v}[2].equals("{rows[-1]["tags"]}")) {{', "continue;", "}"],
                    [f'if ({v}[0].startsWith("{rows[0]["group"][:3]}")) {{', "continue;", "}"],
                ]
            )
        if p.chance(0.3):
            p.tag("indexed-loop")
            return [
                f"for (int i = 0; i < {n}.length; i++) {{",
                f"String[] {v} = {n}[i];",
                *skip,
                *whole(p, c, k, s),
                "}",
            ]
        return [f"for (String[] {v} : {n}) {{", *skip, *whole(p, c, k, s), "}"]

    return use


@shape(1.2)
def loop_map(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        m, other = c.imp("java.util.Map"), p.instance()
        v = p.uid("routes")
        if p.chance(0.5):
            pairs = ", ".join(f"{lit(r['topic'])}, {lit(r['tags'])}" for r in (inst, other))
            pre = [f"{m}<String, String> {v} = {m}.of({pairs});"]
        else:
            pre = [
                f"{m}<String, String> {v} = new {c.imp('java.util.LinkedHashMap')}<>();",
                f"{v}.put({lit(inst['topic'])}, {lit(inst['tags'])});",
                f"{v}.put({p.val(c, other['topic'])}, {lit(other['tags'])});",
            ]
        g = p.val(c, inst["group"])
        if k == "grpc" or p.chance(0.5):  # a consumer each turn
            s = {
                "group": f'{lit(inst["group"])} + "-" + entry.getKey()',
                "topic": "entry.getKey()",
                "tags": "entry.getValue()",
            }
            return [
                *pre,
                f"for ({m}.Entry<String, String> entry : {v}.entrySet()) {{",
                *whole(p, c, k, s),
                "}",
            ]
        con = p.uid("consumer")
        p.tag("loop-subscribe")
        return (
            pre
            + new(p, c, k, con, g)
            + [
                f"for ({m}.Entry<String, String> entry : {v}.entrySet()) {{",
                f"{con}.subscribe(entry.getKey(), entry.getValue());",
                "}",
            ]
            + [f"{con}.start();"]
        )

    return use


@shape(1.2)
def enum_driven(p: JavaProgram) -> Use:
    k = client_kind(p)

    def use(c: Java, inst: Texts) -> list[str]:
        e = p.java("Route", "enum")
        rows = [inst] + [p.instance() for _ in range(p.rng.randint(1, 2))]
        e.lead = (
            ", ".join(
                f"{const(r['word'])}({lit(r['group'])}, {lit(r['topic'])}, {lit(r['tags'])}, {r['flag']})"
                for r in rows
            )
            + ";"
        )
        e.add(
            "public final String group;\npublic final String topic;\npublic final String tags;\npublic final boolean on;"
        )
        e.method(
            f"{e.name}(String group, String topic, String tags, boolean on)",
            [f"this.{n} = {n};" for n in ("group", "topic", "tags", "on")],
        )
        s = {"group": "route.group", "topic": "route.topic", "tags": "route.tags"}
        if p.chance(0.4):
            s["flag"] = "route.on"
        skip = []
        if p.chance(0.3):
            p.tag("loop-continue")
            skip = p.rng.choice(
                [
                    ["if (!route.on) {", "continue;", "}"],
                    [f"if (route == {c.use(e)}.{const(rows[-1]['word'])}) {{", "continue;", "}"],
                ]
            )
        return [f"for ({c.use(e)} route : {c.use(e)}.values()) {{", *skip, *whole(p, c, k, s), "}"]

    return use


@shape(1.0)
def record_routes(p: JavaProgram) -> Use:
    k = client_kind(p)
    r = p.java("Route", "record", "(String group, String topic, String tags, boolean on)")
    if p.chance(0.3):
        r.add("public String fullTopic() {\nreturn topic;\n}")

    def use(c: Java, inst: Texts) -> list[str]:
        li = c.imp("java.util.List")
        rows = [inst] + [p.instance() for _ in range(p.rng.randint(0, 2))]
        v = p.uid("routes")
        st = [
            f"{li}<{c.use(r)}> {v} = {li}.of("
            + ", ".join(
                f"new {c.use(r)}({lit(x['group'])}, {lit(x['topic'])}, {lit(x['tags'])}, {x['flag']})"
                for x in rows
            )
            + ");"
        ]
        s = {"group": "route.group()", "topic": "route.topic()", "tags": "route.tags()"}
        if p.chance(0.3):
            s["flag"] = "route.on()"
        skip = []
        if p.chance(0.35):
            p.tag("loop-continue")
            skip = ["if (!route.on()) {", "continue;", "}"]
        return [*st, f"for ({c.use(r)} route : {v}) {{", *skip, *whole(p, c, k, s), "}"]

    return use
