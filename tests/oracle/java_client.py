"""What Java programs do with the clients: statements that make, set up, subscribe and start a consumer."""

from __future__ import annotations

from typing import Final

from tests.oracle.frame import Texts
from tests.oracle.java import Java, JavaProgram, model, starting, subscription

CLIENT: Final = "org.apache.rocketmq.client.consumer."
V5: Final = "org.apache.rocketmq.client.apis."
MODEL: Final = "org.apache.rocketmq.common.protocol.heartbeat.MessageModel"


def client_type(c: Java, kind: str) -> str:
    """The class of a remoting client, imported."""
    return c.imp(CLIENT + ("DefaultMQPushConsumer" if kind == "push" else "DefaultLitePullConsumer"))


def client_kind(p: JavaProgram, grpc: bool = True) -> str:
    """`push`, `lite` or `grpc`."""
    kind = p.rng.choices(["push", "lite", "grpc"], [0.78, 0.1, 0.12 if grpc else 0])[0]
    p.tag({"push": "push", "lite": "lite-pull", "grpc": "grpc"}[kind])
    return kind


def new(p: JavaProgram, c: Java, kind: str, var: str, group: str) -> list[str]:
    """Statements that declare `var`, a fresh consumer of the group."""
    t = client_type(c, kind)
    form = p.rng.random()
    if form < 0.7:
        return [f"{t} {var} = new {t}({group});"]
    if form < 0.85:
        p.tag("setter-group")
        return [f"{t} {var} = new {t}();", f"{var}.setConsumerGroup({group});"]
    p.tag("setter-overrides")
    return [f'{t} {var} = new {t}("placeholder");', f"{var}.setConsumerGroup({group});"]


def listener(p: JavaProgram, c: Java, kind: str, var: str) -> list[str]:
    """A message listener for a push consumer, as a lambda or an anonymous class."""
    if kind != "push":
        return []
    mode = p.choose("Concurrently", "Concurrently", "Orderly")
    of = c.imp(CLIENT + f"listener.MessageListener{mode}")
    status = c.imp(CLIENT + f"listener.Consume{mode}Status")
    ok = "CONSUME_SUCCESS" if mode == "Concurrently" else "SUCCESS"
    if p.chance(0.6):
        return [f"{var}.registerMessageListener(({of}) (msgs, context) -> {status}.{ok});"]
    context = c.imp(CLIENT + f"listener.Consume{mode}Context")
    message, many = c.imp("org.apache.rocketmq.common.message.MessageExt"), c.imp("java.util.List")
    return [
        f"{var}.registerMessageListener(new {of}() {{",
        "@Override",
        f"public {status} consumeMessage({many}<{message}> msgs, {context} context) {{",
        f"return {status}.{ok};",
        "}",
        "});",
    ]


def configure(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    """Statements that set up and subscribe `var`; `s` holds topic, tags, and perhaps flag and kind."""
    body = [f'{var}.setNamesrvAddr("localhost:9876");'] if p.chance(0.6) else []
    if p.chance(0.15 + 0.3 * p.density):
        body += p.pick(model, lambda tag: bool(s.get("flag")) or "flag" not in tag)(p, c, kind, var, s)
    rich = p.chance(0.2 + 0.8 * p.density)
    if p.chance(0.15) and kind == "push":
        body.append(f"{var}.setConsumeThreadMin(4);")
    feature = p.pick(subscription, lambda tag: not tag or (rich and _has(s, tag)))
    return body + feature(p, c, kind, var, s) + listener(p, c, kind, var)


def start(p: JavaProgram, c: Java, kind: str, var: str, s: Texts) -> list[str]:
    rich = p.chance(0.2 + 0.8 * p.density)
    return p.pick(starting, lambda tag: not tag or (rich and _has(s, tag)))(p, c, kind, var, s)


def _has(s: Texts, tag: str) -> bool:
    """Whether the expressions hold the arguments that a feature of this tag needs."""
    return all(s.get(name) for name in ("flag", "kind") if name in tag)


def whole(p: JavaProgram, c: Java, kind: str, s: Texts, var: str = "consumer") -> list[str]:
    """Statements for a consumer from its making to its start."""
    if kind == "grpc":
        return grpc(p, c, s, var)
    return new(p, c, kind, var, s["group"]) + configure(p, c, kind, var, s) + start(p, c, kind, var, s)


def grpc(p: JavaProgram, c: Java, s: Texts, var: str) -> list[str]:
    """A consumer of the 5.x client, which starts when it is built."""
    provider, settings = c.imp(V5 + "ClientServiceProvider"), c.imp(V5 + "ClientConfiguration")
    fe, ft = c.imp(V5 + "consumer.FilterExpression"), c.imp(V5 + "consumer.FilterExpressionType")
    body = [
        f"{provider} provider = {provider}.loadService();",
        f'{settings} configuration = {settings}.newBuilder().setEndpoints("localhost:8081").build();',
        f"{fe} filter = new {fe}({s['tags']}, {ft}.TAG);",
    ]
    push = p.chance(0.6)
    t = c.imp(V5 + ("consumer.PushConsumer" if push else "consumer.SimpleConsumer"))
    table = c.imp("java.util.Collections") + f".singletonMap({s['topic']}, filter)"
    if p.chance(0.3):
        m, h = c.imp("java.util.Map"), c.imp("java.util.HashMap")
        body += [f"{m}<String, {fe}> table = new {h}<>();", f"table.put({s['topic']}, filter);"]
        if s.get("flag") and p.chance(0.5):
            p.tag("subscribe-under-flag")
            body += [f"if ({s['flag']}) {{", f'table.put("{p.word()}-extra", {fe}.SUB_ALL);', "}"]
        table = "table"
    if push:
        last = f".setMessageListener(view -> {c.imp(V5 + 'consumer.ConsumeResult')}.SUCCESS)"
    else:
        last = f".setAwaitDuration({c.imp('java.time.Duration')}.ofSeconds(30))"
    body += [
        f"{t} {var} = provider.new{'Push' if push else 'Simple'}ConsumerBuilder()",
        ".setClientConfiguration(configuration)",
        f".setConsumerGroup({s['group']})",
        f".setSubscriptionExpressions({table})",
        last,
        ".build();",
    ]
    if p.chance(0.15):
        p.tag("grpc-subscribe-later")
        body.append(f'{var}.subscribe("{p.word()}-late", new {fe}("x"));')
    return body


def lines(statements: list[str]) -> str:
    """Statements for the text of a class."""
    return "\n".join(statements)
