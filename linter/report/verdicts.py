"""The two verdicts on a disagreement, in words: what RocketMQ's console says, and what becomes of the messages."""

from __future__ import annotations

from typing import Any, Final

from linter.model.prediction import ConsoleVerdict, Impact, Prediction


def console_sentence(prediction: Prediction) -> str:
    """What `mqadmin consumerStatus` and the dashboards will say of the group."""
    match prediction.console:
        case ConsoleVerdict.DIFFERENT:
            return "will be called inconsistent"
        case ConsoleVerdict.SAME:
            return "will be called consistent"
        case ConsoleVerdict.NOT_COMPARED:
            return "will not compare this group"


def messages_sentence(prediction: Prediction, topic: str | None) -> str:
    """What becomes of the messages of a topic, or of the whole group where it is None."""
    found = prediction.topic(topic) if topic is not None else None
    possible = prediction.impact(topic)
    certain = prediction.certain if found is None else max(found.certain, _start(prediction))
    lost = found.certainly_lost if found is not None else ()
    match possible:
        case Impact.FAILS_TO_START:
            names = ", ".join(one.member for one in prediction.fails_to_start)
            return f"{names or 'a member'} fails to start"
        case Impact.LOST:
            if lost:
                return f"some of {', '.join(lost)} will be lost, whoever registers last"
            return "some will be lost" if certain >= Impact.LOST else "some can be lost"
        case Impact.STUCK:
            return f"some {'will' if certain >= Impact.STUCK else 'can'} stay in queues that nobody reads"
        case Impact.DELAYED:
            delay = (
                found.delay_s if found is not None else max((t.delay_s for t in prediction.topics), default=0)
            )
            return "none is lost, some wait" + (f" up to {delay} s" if delay else "")
        case Impact.CONSOLE_ONLY | Impact.NOTHING:
            return "none is lost"


_WORDS: Final = {
    Impact.NOTHING: "delivered",
    Impact.CONSOLE_ONLY: "delivered",
    Impact.DELAYED: "delayed",
    Impact.STUCK: "stuck",
    Impact.LOST: "lost",
    Impact.FAILS_TO_START: "fails-to-start",
}


def messages_word(prediction: Prediction, topic: str | None) -> str:
    """The same as one word for machines: delivered, delayed, stuck, lost, fails-to-start."""
    return _WORDS[prediction.impact(topic)]


def _start(prediction: Prediction) -> Impact:
    return Impact.FAILS_TO_START if prediction.fails_to_start else Impact.NOTHING


def loss_table(prediction: Prediction, topic: str | None) -> list[str]:
    """The loss of each class of messages for each winner, with the assumptions that make the shares true."""
    return []


def prediction_object(prediction: Prediction, topic: str | None) -> dict[str, Any]:
    """The prediction as JSON objects."""
    return {}
