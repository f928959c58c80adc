"""Who hears what is logged: https://docs.python.org/3/library/logging.html. Nothing is written; handlers, filters and streams of
the program's own are called."""

import sys

from _native import is_known, same, unknown

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
_names = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_heard = []
"""Handlers and filters that are called: while there is none, nothing hears what is logged."""
_off = [0]
"""What is not above it is not logged: the level that `disable` says; last, what configures loggers in a way that is not known."""


def _level(level):
    if not is_known(level) or isinstance(level, int):
        return level
    for number in _names:
        if _names[number] == level:
            return number
    raise ValueError(f"Unknown level: {level!r}")


def getLevelName(level):
    if isinstance(level, int):
        return _names.get(level, f"Level {level}")
    for number in _names:
        if _names[number] == level:
            return number
    return f"Level {level}"


def getLevelNamesMapping():
    return {_names[number]: number for number in _names}


def addLevelName(level, levelName):
    _names[level] = levelName


def disable(level=CRITICAL):
    _off[0] = level


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **others):
        self.name = name
        self.levelno = level
        self.levelname = getLevelName(level)
        self.msg = msg
        self.args = args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args
        self.exc_info = exc_info
        self.exc_text = None
        self.stack_info = sinfo
        for each in ("pathname", "filename", "module", "lineno", "funcName", "created", "msecs", "process", "thread"):
            self.__dict__[each] = unknown(each)
        self.threadName = unknown("threadName")

    def getMessage(self):
        message = str(self.msg)
        return message % self.args if self.args else message


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        self._fmt = fmt or "%(message)s"
        self._style = style
        self.datefmt = datefmt

    def formatTime(self, record, datefmt=None):
        return unknown("time")

    def formatException(self, ei):
        return unknown("exception")

    def format(self, record):
        record.message = record.getMessage()
        if "asctime" in self._fmt:
            record.asctime = self.formatTime(record, self.datefmt)
        if self._style == "{":
            shown = self._fmt.format(**record.__dict__)
        else:
            shown = self._fmt % record.__dict__ if self._style == "%" else unknown("format")
        return shown + "\n" + self.formatException(record.exc_info) if record.exc_info else shown


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        self.filters.append(filter)
        _heard.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for each in self.filters:
            if not (each.filter(record) if hasattr(each, "filter") else each(record)):
                return False
        return True


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self.level = _level(level)
        self.formatter = None
        self.name = None

    def setLevel(self, level):
        self.level = _level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or Formatter()).format(record)

    def handle(self, record):
        found = self.filter(record)
        if found:
            self.emit(record)
        return found

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def acquire(self):
        pass

    createLock = release = flush = close = acquire

    def handleError(self, record):
        pass

    def set_name(self, name):
        self.name = name

    def get_name(self):
        return self.name


class NullHandler(Handler):
    def handle(self, record):
        pass

    emit = handle


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream

    def setStream(self, stream):
        self.stream = stream

    def emit(self, record):
        if _is_own(self.stream):
            self.stream.write(self.format(record) + self.terminator)


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        super().__init__()
        self.baseFilename = filename


def _is_own(stream):
    return stream is not None and not same(stream, sys.stdout) and not same(stream, sys.stderr)


def _is_heard(handler):
    """Whether a handler does something that a program can tell."""
    return is_known(handler) and (type(handler) not in _PLAIN or _is_own(getattr(handler, "stream", None)))


_PLAIN = [StreamHandler, FileHandler, NullHandler]
"""Handlers that only write."""


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name = name
        self.level = _level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False

    def setLevel(self, level):
        self.level = _level(level)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        if self.disabled or _off[0] >= level:
            return False
        return level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        return getLogger(suffix if self.parent is None else f"{self.name}.{suffix}")

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)
            if _is_heard(hdlr):
                _heard.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger is not None:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def log(self, level, msg, *args, **kwargs):
        if _heard:
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if not self.isEnabledFor(level):
            return
        if exc_info:
            exc_info = unknown("exc_info")
        record = self.makeRecord(self.name, level, None, 0, msg, args, exc_info, None, extra)
        self.handle(record)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key in extra or {}:
            record.__dict__[key] = extra[key]
        return record

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        logger = self
        while logger is not None:
            for each in logger.handlers:
                if record.levelno >= each.level:
                    each.handle(record)
            logger = logger.parent if logger.propagate else None

    def debug(self, msg, *args, **kwargs):
        if _heard:
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if _heard:
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if _heard:
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        if _heard:
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        if _heard:
            self._log(ERROR, msg, args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if _heard:
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical


class LoggerAdapter:
    def __init__(self, logger, extra=None, merge_extra=False):
        self.logger = logger
        self.extra = extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        msg, kwargs = self.process(msg, kwargs)
        self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    @property
    def name(self):
        return self.logger.name


root = Logger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    if name is None or name == "" or name == "root":
        return root
    if not is_known(name):
        made = Logger(name)
        made.parent = root
        return made
    if name not in _loggers:
        made = Logger(name)
        above, dot, _ = name.rpartition(".")
        made.parent = getLogger(above) if dot else root
        _loggers[name] = made
    return _loggers[name]


def basicConfig(*, force=False, level=None, handlers=None, stream=None, filename=None, **others):
    if root.handlers and not force:
        return
    root.handlers = []
    for each in handlers or [FileHandler(filename) if filename else StreamHandler(stream)]:
        root.addHandler(each)
    if level is not None:
        root.setLevel(level)


def debug(msg, *args, **kwargs):
    root.debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    root.info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    root.warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    root.error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    root.exception(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    root.critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    root.log(level, msg, *args, **kwargs)


def captureWarnings(capture):
    pass


def shutdown(handlerList=()):
    pass
