"""Commands by the parameters of functions: https://typer.tiangolo.com/."""

from enum import Enum
from typing import get_args, get_origin, get_type_hints

from click import Abort, BadParameter, Command, Context, Exit, Parameter, _Calling

from _native import is_known, kind, parameters, same

_MISSING = object()
CallbackParam = Parameter


class Declared:
    """What is told of a parameter: `typer.Option(…)`."""

    def __init__(self, given, settings, positional):
        self.given = given
        self.settings = settings
        self.positional = positional


def Option(*given, **settings):
    return Declared(given, settings, False)


def Argument(*given, **settings):
    return Declared(given, settings, True)


class _Typed(Parameter):
    """A parameter of a function."""

    def _value(self, words, context):
        made = super()._value(words, context)
        return list(made) if self.settings.get("multiple") else made

    def _called(self, context, value):
        callback = self.settings.get("callback")
        if callback is None:
            return value
        names = [(name, hint) for name, _, _, hint in parameters(callback, None)[:-1]]
        given = {}
        for name, hint in names:
            whole = name == "ctx" or same(hint, Context)
            given[name] = context if whole else self if name == "param" or same(hint, CallbackParam) else value
        return callback(**given)


class _Function(Command):
    """A command that is told by its function."""

    _context = None

    def _parameters(self):
        if not self.params and self._function is not None:
            self.params = self._told()
        return self.params

    def _told(self):
        if not is_known(self._function) or kind(self._function) == "other":
            return []
        hints = get_type_hints(self._function, include_extras=True)
        found = []
        for name, place, default, annotation in parameters(self._function, _MISSING)[:-1]:
            if same(annotation, Context):
                self._context = name
            elif place not in (2, 4):
                found.append(_of_parameter(name, default, hints.get(name, str)))
        return found

    def _hand(self, context, values):
        return super()._hand(context, values if self._context is None else {**values, self._context: context})


def _of_parameter(name, default, hint):
    told = default if isinstance(default, Declared) else None
    names, given = (), default
    if told is not None:
        given = told.given[0] if told.given else told.settings.get("default", _MISSING)
        names = told.given[1:]
    elif _name_of(get_origin(hint)) == "Annotated":
        hint, *marks = get_args(hint)
        for each in marks:
            if isinstance(each, Declared):
                told, names = each, each.given
    missing = same(given, _MISSING) or same(given, ...)
    settings = dict(told.settings) if told is not None else {}
    settings["type"], settings["multiple"] = _kind_of(hint)
    positional = told.positional if told is not None else missing
    if not missing:
        settings["default"] = given
    elif "default_factory" in settings:
        settings["default"] = settings["default_factory"]()
    settings["required"] = missing and "default" not in settings
    if positional:
        if settings["multiple"]:
            settings["nargs"] = -1
        return _Typed((name,), settings, True)
    written = [each for each in names if each.startswith("-")] or [f"--{name.replace('_', '-')}"]
    if settings["type"] is bool and not names:
        written = [f"{written[0]}/--no-{written[0][2:]}"]
    made = _Typed((name, *written), settings)
    made._flag = settings["type"] is bool
    return made


def _name_of(kind):
    return getattr(kind, "__name__", "")


def _kind_of(hint):
    """The type of a word, and whether there may be several."""
    origin, inner = get_origin(hint), get_args(hint)
    if _name_of(origin) in ("Union", "UnionType", "Optional"):
        return _kind_of(inner[0])
    if _name_of(origin) in ("list", "tuple", "set", "Sequence"):
        return _kind_of(inner[0])[0], True
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _Calling(hint), False
    return hint, False


class Typer(_Function):
    def __init__(self, **settings):
        super().__init__(None)
        self._set(settings)

    def _new(self, function):
        return function if isinstance(function, Command) else _Function(function)

    def command(self, name=None, cls=None, **attrs):
        add = super().command(name if name is None or isinstance(name, str) else None, cls, **attrs)

        def register(function):  # it stays the function that it is
            add(function)
            return function

        return register

    def callback(self, **settings):
        def register(function):
            self._function = function
            self._set(settings)
            return function

        return register

    def add_typer(self, typer_instance, *, name=None, **settings):
        self.add_command(typer_instance, name)

    def _run(self, context, words):
        alone = len(self._commands) == 1 and self._function is None and not self._added
        if alone and not isinstance(self._commands[0], Typer) and not self._commands[0]._added:
            return self._commands[0]._run(context, words)
        return super()._run(context, words)


def run(function):
    _Function(function).main()
