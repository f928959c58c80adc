"""Lines of logs: what the broker, the clients and the programs of the articles print in, sightings out.

Read are the broker's changes of a group's table and its refusals (broker.log), the client's result of a rebalance
(rocketmq_client.log), and messages printed by a listener. Every other line is passed over, as logs are full of them.
Mirrors: ConsumerGroupInfo#updateSubscription, PullMessageProcessor#processRequest, RebalanceImpl#rebalanceByTopic,
SubscriptionData#toString, MessageExt#toString, RocketMQ 4.3.0 to 5.3.3.
"""

import re
from typing import Final

from subdrift.linter.broker.scenario.given.sightings import Entry, Owned, Received, Sightings

LINE_MAX: Final = 100_000
"""Characters of a line that are looked at."""

_DATA: Final = re.compile(
    r"SubscriptionData ?\[classFilterMode=\w+, topic=(?P<topic>[^,]*), subString=(?P<text>.*?), tagsSet=\[[^\]]*\], "
    r"codeSet=\[[^\]]*\], subVersion=(?P<version>-?\d{1,19})(?:, expressionType=(?P<type>\w*))?"
)
_CHANGED: Final = re.compile(r"subscription changed, (?:add new topic, )?group: (?P<group>\S+) ")
_REMOVED: Final = re.compile(r"subscription changed, group: (?P<group>\S+) remove topic (?P<topic>\S+)")
_REFUSED: Final = re.compile(
    r"the consumer's subscription not exist, group: ?(?P<group>[^,\s]+), topic: ?(?P<topic>[^,\s]+)"
)
_REBALANCED: Final = re.compile(
    r"rebalanced result changed\. .*?group=(?P<group>[^,]+), topic=(?P<topic>[^,]+), clientId=(?P<id>[^,]+), "
    r"mqAllSize=(?P<all>\d{1,6}), .*?rebalanceResultSet=\[(?P<queues>.*)"
)
_QUEUE: Final = re.compile(
    r"MessageQueue \[topic=(?P<topic>[^,\]]*), brokerName=(?P<broker>[^,\]]*), queueId=(?P<queue>\d{1,6})\]"
)
_RECEIVED: Final = re.compile(
    r"(?:MessageExt|MessageClientExt) \[.*?reconsumeTimes=(?P<times>\d+).*?"
    r"toString\(\)=Message ?[\[{]topic='?(?P<topic>[^,']*)'?, flag=-?\d+, properties=\{(?P<properties>[^}]*)\}"
)
_SENT: Final = re.compile(r"SendResult \[sendStatus=\w+, .*?messageQueue=MessageQueue \[")
_TAG: Final = "TAGS"
_OF_A_GROUP: Final = (_REMOVED, _CHANGED, _REFUSED, _REBALANCED)


class Logs:
    """Reads line by line."""

    def __init__(self, found: Sightings) -> None:
        self._found = found
        self._sent = False

    def line(self, text: str, number: int) -> bool:
        """Whether the line says something about a consumer group or its messages."""
        text = text[:LINE_MAX]
        if any(
            (met := pattern.search(text)) and self._found.is_other(met["group"]) for pattern in _OF_A_GROUP
        ):
            return True
        if removed := _REMOVED.search(text):
            self._group(removed["group"], number)
            self._found.table[removed["topic"]] = (None, number)
            return True
        if changed := _CHANGED.search(text):
            return self._changed(changed, text, number)
        if refused := _REFUSED.search(text):
            self._group(refused["group"], number)
            self._found.refused.setdefault(refused["topic"], number)
            return True
        if result := _REBALANCED.search(text):
            return self._rebalanced(result, number)
        messages = list(_RECEIVED.finditer(text))
        for one in messages:
            self._received(one, number)
        return bool(messages) or self._was_sent(text, number)

    def _group(self, name: str, number: int) -> None:
        self._found.groups.setdefault(name, number)

    def _changed(self, changed: re.Match[str], text: str, number: int) -> bool:
        self._group(changed["group"], number)
        held = list(_DATA.finditer(text, changed.end()))
        if not held:
            self._found.wrong(
                number, "the subscription behind 'subscription changed' cannot be read", "give the whole line"
            )
            return True
        last = held[-1]  # OLD comes before NEW
        entry = Entry(last["topic"], last["text"], last["type"] or None, int(last["version"]))
        self._found.table[entry.topic] = (entry, number)
        return True

    def _rebalanced(self, result: re.Match[str], number: int) -> bool:
        self._group(result["group"], number)
        topic, client = result["topic"], result["id"]
        self._found.owned = [one for one in self._found.owned if (one.topic, one.client) != (topic, client)]
        for queue in _QUEUE.finditer(result["queues"]):
            self._found.owned.append(Owned(topic, queue["broker"], int(queue["queue"]), client, number))
        return True

    def _received(self, one: re.Match[str], number: int) -> None:
        if one["times"] != "0":
            self._found.skip(
                number, "the message came again after a failure", "read first deliveries instead"
            )
            return
        properties = tuple(
            (key, value)
            for pair in one["properties"].split(", ")
            for key, separator, value in (pair.partition("="),)
            if separator
        )
        tag = dict(properties).get(_TAG)
        self._found.received.append(
            Received(one["topic"], tag, tuple(each for each in properties if each[0] != _TAG), number)
        )

    def _was_sent(self, text: str, number: int) -> bool:
        if not _SENT.search(text):
            return False
        if not self._sent:
            self._found.skip(
                number,
                "a SendResult says where a message went, nothing about the group",
                "list the messages under messages in the scenario",
            )
        self._sent = True
        return True
