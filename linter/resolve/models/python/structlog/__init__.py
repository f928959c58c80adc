"""Loggers that tell nothing here: https://www.structlog.org."""


class BoundLogger:
    def __init__(self, context):
        self._context = context

    def bind(self, **new_values):
        return BoundLogger({**self._context, **new_values})

    new = bind

    def unbind(self, *keys):
        return BoundLogger({key: value for key, value in self._context.items() if key not in keys})

    try_unbind = unbind

    def msg(self, event=None, *args, **kwargs):
        pass

    debug = info = warning = warn = error = critical = exception = fatal = failure = err = msg

    def log(self, level, event=None, *args, **kwargs):
        pass

    async def adebug(self, event=None, *args, **kwargs):
        pass

    ainfo = awarning = aerror = acritical = aexception = adebug


def get_logger(*args, **initial_values):
    return BoundLogger(initial_values)


getLogger = wrap_logger = get_logger


def get_context(bound_logger):
    return bound_logger._context


def configure(**options):
    pass


configure_once = reset_defaults = configure
