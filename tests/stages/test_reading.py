"""What of a repository's files need not be searched again."""

from __future__ import annotations

import hashlib

from subdrift.linter.stages import Silent, Survey

SILENT = b"class A {}"
CONSUMER = b"import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;"
NOTHING = Survey(False, False)


def survey(silent: Silent, path: str, content: bytes) -> Survey:
    return silent.survey(path, content, hashlib.sha256(content).digest())


def test_a_content_is_known_to_be_silent_in_the_next_run_under_any_name_of_its_language() -> None:
    first = Silent()
    assert survey(first, "a/A.java", SILENT) == NOTHING
    assert survey(first, "a/B.java", CONSUMER).candidate
    second = Silent(first.text)
    # what the digest stands for is not looked at again
    assert second.survey("b/C.java", CONSUMER, hashlib.sha256(SILENT).digest()) == NOTHING
    assert second.survey("b/c.py", CONSUMER, hashlib.sha256(SILENT).digest()).candidate


def test_only_what_was_met_is_kept_and_only_where_that_is_news() -> None:
    first = Silent()
    survey(first, "A.java", SILENT)
    survey(first, "a.py", b"x = 1")
    second = Silent(first.text)
    survey(second, "A.java", SILENT)
    survey(second, "a.py", b"x = 1")
    assert second.text == ""
    third = Silent(first.text)
    survey(third, "A.java", SILENT)
    assert third.text == "java:" + hashlib.sha256(SILENT).hexdigest()
