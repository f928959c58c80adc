"""What tells a registry apart from those of programs that spell facts and consumers otherwise."""

from __future__ import annotations

import hashlib
import json

from subdrift.linter.model import wire
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.registry.schema import SHAPE


def test_the_shape_is_that_of_the_classes() -> None:
    classes = [wire.shape(one) for one in (FileFacts, Consumer, Answers)]
    spelled = hashlib.sha256(json.dumps([wire.SCHEMA_VERSION, classes]).encode()).hexdigest()[:16]
    assert spelled == SHAPE, f"set SHAPE in linter/registry/schema.py to {spelled!r}"
