"""Commands that are run without a shell: https://click.palletsprojects.com/en/stable/testing/"""

import shlex
from contextlib import contextmanager

from _native import unknown


class Result:
    """What a command came to; what it has written nobody tells."""

    def __init__(self, exit_code, exception, return_value):
        self.exit_code = exit_code
        self.exception = exception
        self.return_value = return_value
        self.output = self.stdout = self.stderr = unknown("output")


class CliRunner:
    def __init__(self, *args, env=None, **others):
        self.env = env or {}

    def invoke(self, cli, args=None, input=None, env=None, catch_exceptions=True, color=False, **extra):
        words = shlex.split(args) if isinstance(args, str) else list(args or ())
        if env or self.env or input is not None:
            words = unknown("environment")
        code, error, value = 0, None, None
        try:
            value = cli.main(words, **{"standalone_mode": True, **extra})
        except SystemExit as end:
            code = 0 if end.code is None else end.code if isinstance(end.code, int) else 1
            error = end if code else None
        except Exception as other:
            if not catch_exceptions:
                raise
            code, error = 1, other
        return Result(code, error, value)

    @contextmanager
    def isolated_filesystem(self, temp_dir=None):
        yield unknown("folder")
