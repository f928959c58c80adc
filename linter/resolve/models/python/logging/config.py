"""Loggers by configuration: https://docs.python.org/3/library/logging.config.html. Which handlers it makes is not followed."""

from logging import _loggers, _off, getLogger, root

from _native import is_known, unknown


def _lost():
    """Nobody knows which levels there are."""
    _off[0] = unknown("logging")


def _set(logger, told):
    if "level" in told:
        logger.setLevel(told["level"])
    if "propagate" in told:
        logger.propagate = told["propagate"]


def dictConfig(config):
    if not is_known(config):
        _lost()
        return
    named = config.get("loggers", {})
    if not config.get("incremental", False):
        for name in list(_loggers):
            below = [each for each in named if name == each or name.startswith(each + ".")]
            _loggers[name].disabled = not below and config.get("disable_existing_loggers", True)
    for name in named:
        _set(getLogger(name), named[name])
    if "root" in config:
        root.handlers = []
        _set(root, config["root"])


def fileConfig(fname, defaults=None, disable_existing_loggers=True, encoding=None):
    _lost()
