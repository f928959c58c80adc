"""What can go wrong with a selector: rejected when compiled, too deep to judge, or failing on a message.

Mirrors: MQFilterException of the filter module and its causes, and the exceptions of ComparisonExpression#evaluate,
RocketMQ 4.8.0 to 5.3.3.
"""

from enum import Enum


class Cause(Enum):
    """The class of the exception inside the MQFilterException that rejects a selector."""

    LEXICAL = "TokenMgrError"
    SYNTAX = "ParseException"
    CHECK = "RuntimeException"
    NUMBER = "NumberFormatException"
    CAST = "ClassCastException"
    STACK = "StackOverflowError"


class SelectorRejected(ValueError):
    """The selector does not compile: a consumer fails to start with it, and a broker stores no filter for it."""

    def __init__(self, cause: Cause, reason: str) -> None:
        super().__init__(f"{cause.value}: {reason}")
        self.cause = cause
        self.reason = reason


class SelectorTooDeep(ValueError):
    """Whether the selector compiles and evaluates depends on the stack of the virtual machine: not judged."""


class EvaluationError(Exception):
    """Evaluation on a message ends with an exception, which the broker logs and counts as "no"."""


class ConversionError(EvaluationError):
    """A text could not be read as a number (RuntimeException caused by NumberFormatException)."""


class CastError(EvaluationError):
    """A boolean on the left met a text on the right (ClassCastException)."""
