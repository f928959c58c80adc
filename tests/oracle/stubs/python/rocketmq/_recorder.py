"""Records what a run does with consumers: who was created where, which calls followed, from which places."""

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

ALL = []
_HERE = os.path.dirname(os.path.abspath(__file__))
_BEGUN = threading.local()


def _told_where(method, place):
    """A method that gets a function for another thread: what runs there stands below the code that handed it over."""

    def told(*args, **names):
        args = list(args)
        work, above = args[place], stack()

        def begun(*given, **named):
            _BEGUN.stack = above
            return work(*given, **named)

        args[place] = begun
        return method(*args, **names)

    return told


ThreadPoolExecutor.submit = _told_where(ThreadPoolExecutor.submit, 1)


def stack():
    frames, f = [], sys._getframe(1)
    root = os.environ.get("ORACLE_ROOT", os.getcwd()).rstrip("/") + "/"
    while f is not None:
        name = os.path.abspath(f.f_code.co_filename)
        if "<" not in name and name.startswith(root) and not name.startswith(_HERE):
            frames.append(f"{name[len(root) :]}:{f.f_lineno}")
        f = f.f_back
    return frames + getattr(_BEGUN, "stack", [])


class Subject:
    def __init__(self, api):
        self.record = {"id": len(ALL), "api": api, "created": stack(), "events": []}
        ALL.append(self.record)

    def event(self, op, *args):
        args = [a if a is None else str(a) for a in args]
        self.record["events"].append({"op": op, "args": args, "stack": stack()})


def sent(api, group, topic, tag, properties=None, delay=""):
    """A message that is sent: a subject of its own, whose one subscription is the topic with the tag, and in the place of the
    filter's type the names of its properties with what it waits for."""
    subject = Subject(api)
    subject.event("group", group)
    more = "TAG" if properties is None else f"{','.join(sorted(properties))}|{delay}"
    subject.event("subscribe", topic, tag or "", more)


def dump():
    return json.dumps(ALL)
