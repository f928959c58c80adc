"""What of a repository's files need not be searched again."""

from __future__ import annotations

import hashlib

from subdrift.linter.clients.apis import TOKENS as CONSUMING
from subdrift.linter.clients.sends import TOKENS as SENDING
from subdrift.linter.clients.wrappers import WRAPPERS
from subdrift.linter.extract.candidates import named_in
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


def test_what_names_no_client_library_is_no_candidate_and_is_not_searched_for_a_library() -> None:
    """The short tests of every file must not lose what the long ones find."""
    for row in CONSUMING:
        for library in row.library:
            assert named_in(library.upper()) == (True, True), library
    for row in SENDING:
        for library in row.library:
            sites = row.sites if not named_in(library)[1] else (b"",)
            assert all(named_in(library + site)[1] for site in sites), library
    for wrapper in WRAPPERS:
        for word in wrapper.words:
            assert named_in(word)[0] or named_in(wrapper.makes)[0], wrapper.name


def test_a_run_that_looks_for_something_else_reads_what_is_named_alone() -> None:
    first = Silent()
    seen = survey(first, "A.java", b"class A { void f() { sender.send(1); } }")
    assert (seen.candidate, seen.named) == (False, True)
    assert Silent(first.text).known("A.java", hashlib.sha256(SILENT).digest()) is None
    digest = hashlib.sha256(b"class A { void f() { sender.send(1); } }").digest()
    assert Silent(first.text).known("B.java", digest) == seen
