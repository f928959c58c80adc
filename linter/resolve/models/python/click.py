"""Commands run with the defaults of their options: https://click.palletsprojects.com/. What words make of them is not followed."""

from _native import is_known, kind, option_of, parameters, same, unknown

_MISSING = object()


class Context:
    def __init__(self, obj=None):
        self.obj = obj

    def ensure_object(self, object_type):
        if self.obj is None:
            self.obj = object_type()
        return self.obj

    def invoke(self, callback, /, *args, **kwargs):
        if not isinstance(callback, Command) or args or kwargs:
            return callback(*args, **kwargs)
        callback._run(self, ())

    def exit(self, code=0):
        raise SystemExit(code)

    abort = fail = exit


class Command:
    _before = None
    _added = False

    def __init__(self, function):
        self.name = None
        self._function = function
        self._options = {}
        self._passes = None
        self._commands = []

    def command(self, name=None, cls=None, **attrs):
        def register(function, own):
            made = _named(_command(function), own)
            self._commands.append(made)
            return made

        return _decorator(name, register)

    group = command

    def add_command(self, cmd, name=None):
        cmd = _named(_command(cmd), name)
        cmd._added = True
        self._commands.append(cmd)

    def main(self, args=None, *, obj=None, **settings):
        self._run(Context(obj), args if is_known(args) else None)

    __call__ = main

    def _run(self, context, words):
        """What no word names has its default; without words any of several commands may be the one that is asked for."""
        given = () if words is None else words
        commands = [(place, each) for place, word in enumerate(given) for each in self._commands if same(word, each.name)]
        place, command = commands[0] if commands else (len(given), None)
        if self._before is not None:
            self._before._call(context, given[:place])
        self._call(context, given[:place])
        if words is None or not all(map(is_known, [*words, *[each.name for each in self._commands]])):
            for each in self._commands:
                if unknown("command-line"):
                    each._run(context, words)
        elif command is not None:
            command._run(context, given[place + 1 :])

    def _call(self, context, words):
        if self._function is None:
            return
        values = [] if self._passes is None else [context if self._passes == "context" else context.obj]
        options = dict(self._options)
        names = {}
        if is_known(self._function) and kind(self._function) != "other":
            for name, place, default, annotation in parameters(self._function, _MISSING)[len(values) : -1]:
                if same(annotation, Context):
                    names[name] = context
                elif name not in options and place not in (2, 4):
                    options[name] = _of_parameter(name, default)
        for name, (written, settings) in options.items():
            names[name] = unknown("command-line") if words else option_of(written, name, settings)
        self._function(*values, **names)


class Declared:
    """What a parameter has as its default where `typer` is told more of its option."""

    def __init__(self, settings):
        self.settings = settings


def _of_parameter(name, default):
    if same(default, _MISSING):
        return (name,), {}
    settings = default.settings if is_known(default) and isinstance(default, Declared) else {"default": default}
    return (f"--{name.replace('_', '-')}",), settings


def _command(function):
    return function if is_known(function) and isinstance(function, Command) else Command(function)


def _decorator(name, make):
    """`@command("name")`, or `@command` itself."""
    if name is None or isinstance(name, str):
        return lambda function: make(function, name)
    return make(name, None)


def _named(made, name):
    if made.name is None and name is None and made._function is not None:
        name = made._function.__name__.lower().replace("_", "-")
        if name.endswith(("-command", "-cmd", "-group", "-grp")):  # releases of click differ
            name = unknown("command-line")
    if made.name is None:
        made.name = name
    return made


def command(name=None, cls=None, **attrs):
    return _decorator(name, lambda function, own: _named(_command(function), own))


group = command


def version_option(*args, **attrs):
    return lambda function: function


def option(*names, **settings):
    written = ([each for each in names if each.startswith("--")] or names)[0]
    plain = [each for each in names if not each.startswith("-")]
    dest = plain[0] if plain else written.lstrip("-").replace("-", "_").lower()
    if settings.get("is_flag") is True:
        settings.setdefault("default", False)

    def declared(function):
        made = _command(function)
        made._options = {dest: (names, settings), **made._options}
        return made

    return declared


argument = option


def pass_context(f):
    made = _command(f)
    made._passes = "context"
    return made


def pass_obj(f):
    made = _command(f)
    made._passes = "obj"
    return made
