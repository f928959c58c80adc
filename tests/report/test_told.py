"""Diagnostics of one cause, told as one."""

from __future__ import annotations

from msgspec.structs import replace

from subdrift.linter.model.called import short_names
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.message import phrase, say
from subdrift.linter.report import text
from subdrift.linter.report.language import LANGUAGES
from subdrift.linter.report.language import language as load
from subdrift.linter.report.terminal import Style
from tests.report.sample import CLEAN, LISTENER, SHIPPING, at, texts
from tests.rules.members import member


def unknown(field: str, line: int, group: str = "", detail: str = "") -> Diagnostic:
    reason = say("reason-with-detail", reason=say("why.dynamic"), detail=detail or phrase("command-line"))
    place = replace(LISTENER, origin=SHIPPING, span=at(SHIPPING, line, 1, line, 2).span)
    if group:
        message = say("unresolved-value.of-group", field=say(f"field.{field}"), group=group, reason=reason)
    else:
        message = say("unresolved-value", field=say(f"field.{field}"), reason=reason)
    return Diagnostic("unresolved-value", message, place)


def told(*diagnostics: Diagnostic) -> list[str]:
    content = replace(CLEAN, diagnostics=diagnostics)
    lines = text.render(content, texts(), Style(width=200)).splitlines()
    return [line for line in lines if line.startswith("warning[")]


def test_what_one_cause_hides_is_one_line() -> None:
    assert told(unknown("group", 1), unknown("topic", 2), unknown("expression", 2)) == [
        "warning[unresolved-value] The group, topic and expression could not be determined:"
        " known only at run time (the command line)."
    ]


def test_the_group_is_named_where_it_is_one() -> None:
    assert told(unknown("topic", 1, "g"), unknown("expression", 1, "g")) == [
        "warning[unresolved-value] The topic and expression of group `g` could not be determined:"
        " known only at run time (the command line)."
    ]
    assert told(unknown("topic", 1, "g"), unknown("expression", 1, "h")) == [
        "warning[unresolved-value] The topic and expression could not be determined:"
        " known only at run time (the command line)."
    ]


def test_one_kind_of_reason_is_one_line_that_names_what_it_hangs_on() -> None:
    assert told(*(unknown("group", line, detail=f"args[{line}]") for line in range(1, 6))) == [
        "warning[unresolved-value] The group could not be determined:"
        " known only at run time (args[1], args[2], args[3] and 2 more)."
    ]


def test_another_kind_of_reason_is_another_line_and_so_is_another_repository() -> None:
    one = unknown("group", 1)
    said = say("unresolved-value", field=say("field.group"), reason=say("why.undefined"))
    assert len(told(one, replace(one, message=said))) == 2
    elsewhere = replace(one, at=replace(one.at, origin=replace(SHIPPING, repo="acme/other")))
    assert len(told(one, elsewhere)) == 2


def test_the_keys_that_no_file_sets_are_answered_in_one_entry() -> None:
    def unset(key: str) -> Diagnostic:
        reason = say("reason-with-detail", reason=say("why.undefined"), detail=key)
        said = say("unresolved-value", field=say("field.group"), reason=reason)
        help_ = say("answer-in-values", key=say("key-and-text", key=key))
        return replace(unknown("group", 1), message=said, help=help_)

    lines = text.render(replace(CLEAN, diagnostics=(unset("mq.a"), unset("mq.b"))), texts(), Style(width=200))
    assert "defined by no file of this run (mq.a and mq.b)." in lines
    assert 'Set it in .subdrift.toml: [values] "mq.a" = "…" and "mq.b" = "…"' in lines


def test_files_of_several_languages_are_one_line() -> None:
    def unread(name: str, path: str) -> Diagnostic:
        where = replace(LISTENER, origin=replace(SHIPPING, path=path))
        return Diagnostic(
            "unread-language", say("unread-language", language=name), where, say("compare-by-hand")
        )

    files = (unread("Go", "a.go"), unread("C++", "b.cpp"), unread("Go", "c.go"))
    assert told(*files) == [
        "warning[unread-language] subdrift does not read Go and C++; consumers in such files were not checked."
    ]


def test_places_are_counted_and_not_values() -> None:
    content = replace(CLEAN, diagnostics=(unknown("group", 1), unknown("topic", 1), unknown("topic", 2)))
    assert "1 more place" in text.render(content, texts(), Style(width=200))


def test_modules_of_one_repository_are_told_apart_by_their_folder() -> None:
    one = member("Worker", ("T", "a"))
    modules = ("demos/eager", "demos/patient")
    alike = [replace(one, id=name, deployable=f"{one.at.origin.repo}:{name}") for name in modules]
    assert list(short_names(alike).values()) == ["eager", "patient"]


def test_modules_of_one_name_are_told_apart_by_what_their_paths_do_not_share() -> None:
    one = member("Worker", ("T", "a"))
    modules = ("v4/java/app", "v5/java/app")
    alike = [replace(one, id=name, deployable=f"{one.at.origin.repo}:{name}") for name in modules]
    assert list(short_names(alike).values()) == ["v4", "v5"]
    both = [*alike, *(replace(each, id=f"{each.id} 2", symbol="com.acme.Other#start") for each in alike)]
    assert list(short_names(both).values()) == [
        "v4 Worker.main",
        "v5 Worker.main",
        "v4 Other.start",
        "v5 Other.start",
    ]


def test_a_consumer_that_no_run_came_to_is_told_with_its_fields() -> None:
    assert told(unknown("consumer", 1), unknown("group", 1), unknown("topic", 2)) == [
        "warning[unresolved-value] The consumer, group and topic could not be determined:"
        " known only at run time (the command line)."
    ]


def test_the_sign_of_a_sample_is_told_in_words() -> None:
    for language in map(load, LANGUAGES):
        for code in ("sample-by-name", "sample-by-group", "sample-by-senders"):
            sign = phrase(code, "2")
            said = say("only-through-members-by", scopes=say("scope.sample"), detail=sign)
            assert "‹" not in language.text(said)
