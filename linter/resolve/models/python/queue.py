"""Queues without waiting: https://docs.python.org/3/library/queue.html. What an empty one gives comes from somewhere else."""

from _native import run_later, unknown


class Empty(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self._items = []

    def put(self, item, block=True, timeout=None):
        self.put_nowait(item)

    def put_nowait(self, item):
        self._items.append(item)

    def get(self, block=True, timeout=None):
        if not self._items:
            run_later()
            if not self._items and block and timeout is None:
                return unknown("element")
        return self.get_nowait()

    def get_nowait(self):
        if not self._items:
            raise Empty
        return self._items.pop(0)

    def join(self):
        run_later()

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return False

    def task_done(self):
        pass

    close = task_done


SimpleQueue = Queue


class LifoQueue(Queue):
    def get_nowait(self):
        if not self._items:
            raise Empty
        return self._items.pop()


class PriorityQueue(Queue):
    def put_nowait(self, item):
        self._items.append(item)
        self._items.sort()
