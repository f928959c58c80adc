"""What exists in CPython ends no program: each attribute of many kinds of values is read, and what comes behind is told."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.oracle.analyzer import rows

_IMPORTS = (
    "import argparse, asyncio, collections, concurrent.futures, configparser, contextlib, dataclasses, datetime, decimal, "
    "enum, fractions, functools, io, itertools, json, logging, os, pathlib, queue, random, re, string, sys, threading, types, "
    "urllib.parse, uuid, weakref"
)
_DECLARED = """
class K:
    def m(self): return 1
def f(a, b=1): return a
@dataclasses.dataclass
class D:
    a: int
"""
_CONSUMER = """
from rocketmq.client import PushConsumer
def opened(group):
    consumer = PushConsumer(group)
    consumer.subscribe("t", print)
    consumer.start()
"""
VALUES = (
    """
'text' | 1 | 1.5 | True | None | b'x' | [1] | (1,) | {'a': 1} | {1} | frozenset({1}) | range(3) | print | (lambda: 1)
len | int | object() | Exception('x') | type('T', (), {}) | dict | iter([1]) | (i for i in [1]) | slice(1)
bytearray(b'x') | complex(1) | types.SimpleNamespace(a=1) | argparse.Namespace(a=1)
collections.namedtuple('P', 'a')(1) | collections.OrderedDict(a=1) | collections.defaultdict(list)
collections.Counter('a') | collections.deque([1]) | collections.ChainMap({}) | collections.UserDict()
pathlib.Path('/x/y.z') | pathlib.PurePosixPath('a') | re.compile('a') | re.match('a', 'a') | datetime.date(2020, 1, 2)
datetime.timedelta(1) | decimal.Decimal('1') | fractions.Fraction(1) | uuid.UUID(int=1) | enum.Enum('E', 'A')
enum.Enum('E', 'A').A | functools.partial(print) | itertools.chain([1]) | string.Template('a') | threading.Lock()
threading.Thread() | queue.Queue() | io.StringIO('a') | configparser.ConfigParser() | argparse.ArgumentParser()
logging.getLogger('a') | os.environ | sys.argv | json | os.path | contextlib.ExitStack()
concurrent.futures.ThreadPoolExecutor() | asyncio.Queue | weakref.WeakValueDictionary() | random.Random(1)
urllib.parse.urlparse('http://a') | property() | staticmethod(len) | dataclasses.field() | K | K() | K().m | K.m | f
D(1) | D
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)
"""Expressions of values."""


@pytest.fixture(scope="module")
def attributes() -> dict[str, list[str]]:
    """What CPython has, by value."""
    listed = "{v: [n for n in dir(x) if hasattr(x, n)] for v in VALUES for x in [eval(v)]}"
    code = f"{_IMPORTS}\n{_DECLARED}\nVALUES = {VALUES!r}\nprint(json.dumps({listed}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names: dict[str, list[str]] = json.loads(found.stdout)
    return names


@pytest.mark.parametrize("value", VALUES)
def test_an_attribute_that_exists_does_not_end_a_program(
    value: str, attributes: dict[str, list[str]]
) -> None:
    names = attributes[value]
    assert names
    reads = "".join(f"v.{name}\nopened('{name}')\n" for name in names)
    told = {
        row["group"] for row in rows({"main.py": f"{_IMPORTS}\n{_CONSUMER}{_DECLARED}v = {value}\n{reads}"})
    }
    assert None in told or set(names) <= told, next(name for name in names if name not in told)
