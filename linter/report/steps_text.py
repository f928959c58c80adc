"""The steps of an explanation as sentences, in English or Chinese: one template for each code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from linter.model.prediction import Step, StepCode
from linter.report.terminal import safe

LANGUAGES: Final = ("en", "zh")

_ENGLISH: Final[Mapping[StepCode, str]] = {
    StepCode.WINS: "the broker keeps `{expression}` of {members} for the whole group",
    StepCode.OWN_FILTER: "the pulls of {member} carry its own expression",
    StepCode.BROKER_SKIPS: "{member} pulls, and the broker's filter `{expression}` skips {message}",
    StepCode.CLIENT_DROPS: "the broker sends {message} to {member}, whose own filter `{expression}` drops it",
    StepCode.RECEIVES: "the broker sends {message} to {member}, which wants it",
    StepCode.TAKES_UNFILTERED: "{member} has no tags to test by and takes {message}, which it did not ask for",
    StepCode.SAME_HASH: "`{expression}` has a tag with the hash code of {message}, so the broker takes it for that tag",
    StepCode.SHARE: "{member} owns {queues} of {of} queues",
    StepCode.OWNER_NOT_SUBSCRIBED: "{member} owns the queue and does not pull {topic}",
    StepCode.OWNER_SILENT: "{member} owns the queue and has stopped pulling",
    StepCode.NOBODY_OWNS: "the members' allocations of {topic} leave the queue to nobody",
    StepCode.TWICE_OWNED: "{members} pull the same queue, and each hands the message on",
    StepCode.TOPIC_FLAPS: "each heartbeat of {members} deletes {topic} from the group's table",
    StepCode.RETRY_FLAPS: "each heartbeat of {members} deletes the retry topic from the group's table",
    StepCode.RETRY_NOT_PULLED: "where {member} owns the retry queue, failed messages are not read again",
    StepCode.BROADCAST_COUNTS: "{member} is BROADCASTING, yet the others leave it a share of the queues",
    StepCode.SQL_SWITCHED_OFF: "the broker does not allow SQL92 (enablePropertyFilter=false): start() of {members} throws",
    StepCode.PULLS_REFUSED: "the pulls of {member} are answered with code {code}",
    StepCode.SAME_JVM: "{members} share a client id in one process: the second start() throws",
    StepCode.BAD_EXPRESSION: "{member} cannot subscribe `{expression}`",
    StepCode.ANY_POP: "every member pops all queues of {topic}: whoever reads a message first decides about it",
    StepCode.UNKNOWN_MEMBER: "not everything about {member} is known ({reason}); nothing is held against it",
    StepCode.TOO_MANY_ORDERS: "{clients} clients have more orders than the {bound} that are looked at: shares are ranges",
    StepCode.TOO_MANY_SIDES: "{sides} different members are too many to list a winner each: shares are ranges over all winners",
    StepCode.TOO_MANY_CLASSES: "there are more kinds of messages than the {bound} shown",
}

_CHINESE: Final[Mapping[StepCode, str]] = {
    StepCode.WINS: "broker 为整个消费组保留 {members} 的订阅 `{expression}`",
    StepCode.OWN_FILTER: "{member} 的拉取请求自带表达式",
    StepCode.BROKER_SKIPS: "{member} 拉取时,broker 的过滤条件 `{expression}` 跳过了 {message}",
    StepCode.CLIENT_DROPS: "broker 把 {message} 发给 {member},但它自己的过滤条件 `{expression}` 将其丢弃",
    StepCode.RECEIVES: "broker 把 {message} 发给 {member},正是它订阅的消息",
    StepCode.TAKES_UNFILTERED: "{member} 没有可供比对的 tag,收下了并未订阅的 {message}",
    StepCode.SAME_HASH: "`{expression}` 中有 tag 与 {message} 的哈希值相同,broker 无法区分",
    StepCode.SHARE: "{member} 分到 {of} 个队列中的 {queues} 个",
    StepCode.OWNER_NOT_SUBSCRIBED: "队列分给了 {member},而它没有订阅 {topic},从不拉取",
    StepCode.OWNER_SILENT: "队列分给了 {member},而它已停止拉取",
    StepCode.NOBODY_OWNS: "各成员对 {topic} 的分配结果使该队列无人负责",
    StepCode.TWICE_OWNED: "{members} 拉取同一队列,各自消费一次",
    StepCode.TOPIC_FLAPS: "{members} 的每次心跳都会把 {topic} 从该组的订阅表中删除",
    StepCode.RETRY_FLAPS: "{members} 的每次心跳都会把重试主题从该组的订阅表中删除",
    StepCode.RETRY_NOT_PULLED: "若重试队列分给 {member},消费失败的消息不会再次投递",
    StepCode.BROADCAST_COUNTS: "{member} 是广播模式,其他成员仍会为它留出队列",
    StepCode.SQL_SWITCHED_OFF: "broker 未开启 SQL92(enablePropertyFilter=false):{members} 的 start() 抛出异常",
    StepCode.PULLS_REFUSED: "{member} 的拉取请求得到错误码 {code}",
    StepCode.SAME_JVM: "{members} 在同一进程内客户端 ID 相同:第二个 start() 抛出异常",
    StepCode.BAD_EXPRESSION: "{member} 无法订阅 `{expression}`",
    StepCode.ANY_POP: "每个成员都会 POP {topic} 的全部队列:先读到消息者决定其去留",
    StepCode.UNKNOWN_MEMBER: "{member} 的信息不全({reason}),不据此下结论",
    StepCode.TOO_MANY_ORDERS: "{clients} 个客户端的排列超过所考察的 {bound} 种:比例以区间给出",
    StepCode.TOO_MANY_SIDES: "{sides} 个互不相同的成员过多,不逐一列出胜者:比例为全部胜者的区间",
    StepCode.TOO_MANY_CLASSES: "消息种类多于所列的 {bound} 种",
}


def sentence(step: Step, language: str = "en", name: Callable[[str], str] = str) -> str:
    """A step as a sentence without a full stop; `name` turns member ids into what readers know them by."""
    templates = _CHINESE if language == "zh" else _ENGLISH
    values = {key: safe(name(value) if key in ("member", "members") else value) for key, value in step.values}
    return templates[step.code].format_map(values)
