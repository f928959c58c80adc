"""Programs that send: what is said of them is true or not known, nothing that they have sent is left out, and what was
recorded is what they are."""

from __future__ import annotations

from functools import cache

import pytest

from tests.oracle import senders, store
from tests.oracle.analyzer import Row
from tests.oracle.truth import record

PROGRAMS = {program.name: program for program in store.load(senders.RECORDED)}

EXACT_MIN = 0.95


@cache
def _rows(name: str) -> list[Row]:
    return senders.rows(PROGRAMS[name].files)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_of_a_program_is_true_and_all_of_it_is_said(name: str) -> None:
    assert senders.sent(PROGRAMS[name])
    assert not list(senders.faults(PROGRAMS[name], _rows(name)))


_CUT_OFF = """package app;
import org.apache.rocketmq.client.producer.*;
import org.apache.rocketmq.common.message.Message;
interface Sender { void publish(String topic) throws Exception; }
class Bus implements Sender {
    private final DefaultMQProducer producer = new DefaultMQProducer("g");
    public void publish(String topic) throws Exception { producer.send(new Message(topic, "b".getBytes())); }
    void paid() throws Exception { publish("paid"); }
}
public class Main {
    static void fail() { throw new IllegalStateException(); }
    public static void main(String[] args) throws Exception {
        Sender bus = new Bus();
        bus.publish("early");
        fail();
        bus.publish("late");
        new Bus().paid();
    }
}
"""


def test_the_call_of_a_wrapper_that_no_run_came_to_has_a_row() -> None:
    found = senders.rows({"src/main/java/app/Main.java": _CUT_OFF})
    assert [(row["line"], row["topic"], [one["kind"] for one in row["conditions"]]) for row in found] == [
        (8, None, ["not-reached"]),
        (14, "early", []),
        (16, None, ["not-reached"]),
    ]


_LATER = """package app

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.apache.rocketmq.client.producer.DefaultMQProducer
import org.apache.rocketmq.common.message.Message

class Bus(private val producer: DefaultMQProducer, private val scope: CoroutineScope) {
    fun later(topic: String) = scope.launch { producer.send(Message(topic, "b".toByteArray())) }
}

fun main() = runBlocking {
    val bus = Bus(DefaultMQProducer("g"), this)
    bus.later("first")
    bus.later("second").join()
    launch {
        bus.later("third")
    }
}
"""


def test_what_is_sent_in_a_coroutine_stands_where_it_was_launched_not_where_it_is_awaited() -> None:
    found = senders.rows({"src/main/kotlin/app/Main.kt": _LATER})
    assert [(row["line"], row["topic"]) for row in found] == [(15, "first"), (16, "second"), (18, "third")]


def test_nearly_all_of_them_is_known() -> None:
    figures = [senders.exact(program, _rows(name)) for name, program in PROGRAMS.items()]
    assert sum(known for known, _ in figures) >= EXACT_MIN * sum(all_ for _, all_ in figures)


def test_what_was_recorded_is_what_is_written() -> None:
    assert {name: program.files for name, program in PROGRAMS.items()} == {
        program.name: program.files for program in senders.programs()
    }
    assert len(PROGRAMS) >= 40
    assert not any(program.error for program in PROGRAMS.values())


def test_python_programs_do_again_what_was_recorded() -> None:
    python = [program for program in PROGRAMS.values() if program.language == "python"][::2]
    assert [one.truth for one in record(python)] == [one.truth for one in python]
