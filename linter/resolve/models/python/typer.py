"""Commands by the parameters of functions: https://typer.tiangolo.com/."""

from click import Command, Context, Declared, _command, _named

from _native import same

_MISSING = object()


def Option(default=_MISSING, *param_decls, **settings):
    return Declared({} if same(default, _MISSING) or same(default, ...) else {"default": default})


Argument = Option


class Typer(Command):
    def __init__(self, **settings):
        super().__init__(None)

    def callback(self, **settings):
        def register(function):
            self._before = _command(function)
            return self._before

        return register

    def add_typer(self, typer_instance, *, name=None, **settings):
        self.add_command(typer_instance, name)

    def _run(self, context, words):
        alone = len(self._commands) == 1 and self._before is None and not self._added
        if alone and not isinstance(self._commands[0], Typer) and not self._commands[0]._added:
            self._commands[0]._run(context, words)
        else:
            super()._run(context, words)


def run(function):
    _command(function).main()
