"""Processes as threads are: https://docs.python.org/3/library/multiprocessing.html."""

from multiprocessing.pool import Pool
from queue import Queue
from threading import Thread


class Process(Thread):
    def terminate(self):
        pass
