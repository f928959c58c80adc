"""Handlers that write elsewhere: https://docs.python.org/3/library/logging.handlers.html"""

from logging import _PLAIN, FileHandler, Handler


class WatchedFileHandler(FileHandler):
    pass


class RotatingFileHandler(FileHandler):
    def __init__(self, filename, mode="a", maxBytes=0, backupCount=0, encoding=None, delay=False, errors=None):
        super().__init__(filename)


class TimedRotatingFileHandler(FileHandler):
    def __init__(self, filename, when="h", interval=1, backupCount=0, *others, **settings):
        super().__init__(filename)


class _Sending(Handler):
    def __init__(self, *others, **settings):
        super().__init__()

    def emit(self, record):
        pass


class SocketHandler(_Sending):
    pass


class DatagramHandler(_Sending):
    pass


class SysLogHandler(_Sending):
    pass


class SMTPHandler(_Sending):
    pass


class HTTPHandler(_Sending):
    pass


class QueueHandler(Handler):
    def __init__(self, queue):
        super().__init__()
        self.queue = queue

    def prepare(self, record):
        return record

    def enqueue(self, record):
        self.queue.put_nowait(record)

    def emit(self, record):
        self.enqueue(self.prepare(record))


_PLAIN.extend(
    [
        WatchedFileHandler,
        RotatingFileHandler,
        TimedRotatingFileHandler,
        SocketHandler,
        DatagramHandler,
        SysLogHandler,
        SMTPHandler,
        HTTPHandler,
    ]
)
