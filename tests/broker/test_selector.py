"""SQL92 selectors: what compiles, what is ignored, and what a message gets.

The recorded cases hold the details; here is what they cannot: arbitrary texts, limits, and laws.
"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from subdrift.linter.broker.selector import (
    COMPILED_TEXT_UNITS_MAX,
    CastError,
    Cause,
    ConversionError,
    EvaluationError,
    Selector,
    SelectorRejected,
    SelectorTooDeep,
    compile_selector,
)
from subdrift.linter.broker.selector.parser import (
    NESTED_ALWAYS_REJECTED_MIN,
    NESTED_OPERATORS_JUDGED_MAX,
    NESTED_PARENTHESES_JUDGED_MAX,
)
from subdrift.linter.broker.versions import Version

BEFORE_TEXT_OPERATORS = Version.parse("5.1.2")
WITH_TEXT_OPERATORS = Version.parse("5.1.3")
VERSIONS = st.sampled_from([BEFORE_TEXT_OPERATORS, WITH_TEXT_OPERATORS])

WORDS = [
    *["a", "b", "x", "TAGS", "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "IN", "IS", "CONTAINS"],
    *["STARTSWITH", "EndsWith", "LIKE", "1", "0", "2147483648", "9223372036854775808", "1.5", "0.0", "1e400"],
    *["''", "'a'", "'1'", "'it''s'", "'😀'", "'", "=", "<>", ">", ">=", "<", "<=", "(", ")", ",", "+", "-"],
    *["--", "--\n", "/*", "*/", "#", "\u3000", "\ud800", "😀", "\t", " "],
]
sentences = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
texts = st.one_of(sentences, st.text(st.characters(), max_size=40))
properties = st.dictionaries(
    st.sampled_from(["a", "b", "x", "TAGS"]),
    st.one_of(
        st.sampled_from(["", "1", "-2", "1.5", " 1 ", "true", "a", "NaN", "0x1p3", "٣", "1e999", "😀"]),
        st.text(st.characters(), max_size=8),
    ),
)

operands = st.sampled_from(["a", "b", "x", "1", "1.5", "'1'", "TRUE"])
conditions = st.recursive(
    st.one_of(
        st.builds("{} {} {}".format, operands, st.sampled_from(["=", "<>"]), operands),
        st.builds("{} {} {}".format, st.sampled_from(["a", "x"]), st.sampled_from([">", "<="]), operands),
        st.builds("{} BETWEEN 1 AND {}".format, st.sampled_from(["a", "x"]), st.sampled_from(["2", "b"])),
        st.builds("{} IS NULL".format, st.sampled_from(["a", "x"])),
        st.builds("{} IN ('1', 'a')".format, st.sampled_from(["a", "x"])),
    ),
    lambda inner: st.one_of(
        st.builds("({}) AND ({})".format, inner, inner),
        st.builds("({}) OR ({})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=6,
)


def compiled_or_none(text: str, version: Version = WITH_TEXT_OPERATORS) -> Selector | None:
    try:
        return compile_selector(text, version)
    except (SelectorRejected, SelectorTooDeep):
        return None


def outcome(selector: Selector, message: dict[str, str] | None) -> bool | type[EvaluationError] | None:
    try:
        return selector.evaluate(message)
    except EvaluationError as error:
        return type(error)


@given(texts, VERSIONS, properties)
@example("+(a > 'x' #)", WITH_TEXT_OPERATORS, {})
@example("a = " + "9" * 5000, WITH_TEXT_OPERATORS, {})
@example("a = 1", WITH_TEXT_OPERATORS, {"a": "9" * 5000})
@example("a = 1.5", WITH_TEXT_OPERATORS, {"a": "0x1p" + "9" * 5000})
@settings(max_examples=500)
def test_any_text_compiles_is_rejected_or_is_declined(
    text: str, version: Version, message: dict[str, str]
) -> None:
    """No other exception, neither then nor on any message."""
    selector = compiled_or_none(text, version)
    if selector is None:
        return
    assert outcome(selector, message) in (True, False, None, ConversionError, CastError)
    assert selector.delivers(message) is (outcome(selector, message) is True)


def test_the_generated_texts_compile_are_rejected_and_leave_tails() -> None:
    """Guards the property above against generators that only ever reach one of the ways out."""
    seen: set[str] = set()

    @given(texts)
    @settings(max_examples=500, derandomize=True, database=None)
    def look(text: str) -> None:
        try:
            selector = compile_selector(text)
        except SelectorRejected as rejected:
            seen.add(rejected.cause.value)
        else:
            seen.add("whole" if selector.tail is None else "tail")

    look()
    assert seen >= {"whole", "tail", "ParseException", "TokenMgrError", "RuntimeException"}


@given(texts, VERSIONS)
def test_what_is_left_without_the_tail_compiles_to_the_same(text: str, version: Version) -> None:
    selector = compiled_or_none(text, version)
    if selector is None or selector.tail is None:
        return
    assert text.endswith(selector.tail)
    used = compile_selector(text.removesuffix(selector.tail), version)
    assert used.tail is None
    assert used.text == selector.text


@given(conditions, properties)
def test_what_compiles_prints_a_text_that_stays_the_same(text: str, message: dict[str, str]) -> None:
    """Printing is not input syntax (``==``, ``&&``), but it tells equal programs apart from unequal ones."""
    selector = compiled_or_none(text)
    wrapped = compiled_or_none(f"( {text} ) /* c */")
    assert (selector is None) == (wrapped is None)
    if selector is not None and wrapped is not None:
        assert wrapped.text == selector.text
        assert outcome(wrapped, message) == outcome(selector, message)


@given(conditions, properties)
def test_not_turns_truth_round_and_leaves_null_and_exceptions(text: str, message: dict[str, str]) -> None:
    plain, negated = compiled_or_none(text), compiled_or_none(f"NOT ({text})")
    if plain is not None and negated is not None:
        value = outcome(plain, message)
        assert outcome(negated, message) == (not value if isinstance(value, bool) else value)


@given(conditions, conditions, properties)
def test_and_delivers_what_both_deliver_and_or_what_either_does(
    left: str, right: str, message: dict[str, str]
) -> None:
    sides = compiled_or_none(left), compiled_or_none(right)
    if sides[0] is None or sides[1] is None:
        return
    delivered = [side.delivers(message) for side in sides if side is not None]
    assert compile_selector(f"({left}) AND ({right})").delivers(message) is all(delivered)
    either = compile_selector(f"({left}) OR ({right})").delivers(message)
    assert either is (delivered[0] or (delivered[1] and not isinstance(outcome(sides[0], message), type)))


@given(properties)
def test_between_is_the_two_comparisons_it_stands_for(message: dict[str, str]) -> None:
    for short, spelled in (
        ("a BETWEEN b AND 3", "a >= b AND a <= 3"),
        ("a NOT BETWEEN b AND 3", "a < b OR a > 3"),
        ("a BETWEEN 1 AND x", "a >= 1 AND a <= x"),
        ("-a NOT BETWEEN b AND -x", "-a < b OR -a > -x"),
    ):
        selectors = compile_selector(short), compile_selector(spelled)
        assert selectors[0].text == selectors[1].text
        assert outcome(selectors[0], message) == outcome(selectors[1], message)


@given(st.text(st.characters(), max_size=10), st.text(st.characters(), max_size=4))
def test_text_operators_look_at_utf_16_units(value: str, search: str) -> None:
    quoted = search.replace("'", "''")
    haystack, needle = (text.encode("utf-16-be", "surrogatepass") for text in (value, search))
    starts = compile_selector(f"a STARTSWITH '{quoted}'").delivers({"a": value})
    assert starts is (bool(search) and haystack.startswith(needle))
    ends = compile_selector(f"a ENDSWITH '{quoted}'").delivers({"a": value})
    assert ends is (bool(search) and haystack.endswith(needle))


def test_half_a_character_is_found_in_it_as_java_finds_it() -> None:
    assert compile_selector("a CONTAINS '\ud83d'").delivers({"a": "😀"})


def test_text_operators_depend_on_the_version() -> None:
    assert compile_selector("s CONTAINS 'b'", WITH_TEXT_OPERATORS).delivers({"s": "abc"})
    older = compile_selector("s CONTAINS 'b'", BEFORE_TEXT_OPERATORS)
    assert older.tail == " CONTAINS 'b'"
    assert not older.delivers({"s": "abc"})


def test_a_message_without_properties_may_be_none() -> None:
    assert compile_selector("x IS NULL").evaluate(None) is True


def nested(text: str, depth: int) -> str:
    return "(" * depth + text + ")" * depth


def test_depth_is_judged_as_far_as_every_virtual_machine_agrees() -> None:
    assert compile_selector(nested("a = 1", NESTED_PARENTHESES_JUDGED_MAX)).delivers({"a": "1"})
    with pytest.raises(SelectorTooDeep, match=str(NESTED_PARENTHESES_JUDGED_MAX)):
        compile_selector(nested("a = 1", NESTED_PARENTHESES_JUDGED_MAX + 1))
    with pytest.raises(SelectorRejected, match="StackOverflowError"):
        compile_selector(nested("a = 1", NESTED_ALWAYS_REJECTED_MIN))


def test_an_error_inside_is_a_rejection_whatever_the_depth() -> None:
    with pytest.raises(SelectorRejected, match="ParseException"):
        compile_selector(nested("a =", NESTED_PARENTHESES_JUDGED_MAX + 1))


@pytest.mark.parametrize("prefix", ["NOT ", "-", "+"])
def test_prefixes_are_judged_up_to_their_bound(prefix: str) -> None:
    condition = "(a = 1)" if prefix == "NOT " else "a = 1"
    assert compiled_or_none(prefix * (NESTED_OPERATORS_JUDGED_MAX - 2) + condition) is not None
    with pytest.raises(SelectorTooDeep):
        compile_selector(prefix * (NESTED_OPERATORS_JUDGED_MAX + 1) + condition)
    with pytest.raises(SelectorRejected, match="StackOverflowError"):
        compile_selector(prefix * NESTED_ALWAYS_REJECTED_MIN + condition)


def test_a_long_chain_is_judged_up_to_its_bound() -> None:
    assert compile_selector(" AND ".join(["a = 1"] * 11_000)).delivers({"a": "1"})
    with pytest.raises(SelectorTooDeep):
        compile_selector(" OR ".join(["a = 1"] * (NESTED_OPERATORS_JUDGED_MAX + 1)))


def test_a_text_that_doubles_at_every_level_is_not_printed() -> None:
    doubling = "a"
    for _ in range(100):
        doubling = f"-({doubling} BETWEEN 1 AND 2)"
    selector = compile_selector(f"{doubling} IS NULL")
    assert selector.text is None
    assert selector.delivers({"a": "1"})
    assert len(compile_selector("a = 1").text or "") <= COMPILED_TEXT_UNITS_MAX


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", Cause.SYNTAX),
        ("a != 1", Cause.LEXICAL),
        ("a > 'x'", Cause.CHECK),
        ("a = 9223372036854775808", Cause.NUMBER),
        ("a BETWEEN 'true' AND TRUE", Cause.CAST),
    ],
)
def test_a_rejection_names_its_cause(text: str, cause: Cause) -> None:
    with pytest.raises(SelectorRejected) as caught:
        compile_selector(text)
    assert caught.value.cause is cause
