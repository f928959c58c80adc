"""Commands run with the defaults of their options, or with the words that a program gives them: https://click.palletsprojects.com/"""

import os

from _native import is_known, option_of, same, unknown


class ClickException(Exception):
    exit_code = 1

    def __init__(self, message):
        super().__init__(message)
        self.message = message

    def format_message(self):
        return self.message


class UsageError(ClickException):
    exit_code = 2

    def __init__(self, message, ctx=None):
        super().__init__(message)
        self.ctx = ctx


class BadParameter(UsageError):
    def __init__(self, message, ctx=None, param=None, param_hint=None):
        super().__init__(message, ctx)
        self.param = param
        self.param_hint = param_hint


class MissingParameter(BadParameter):
    pass


class NoSuchOption(UsageError):
    pass


class BadOptionUsage(UsageError):
    pass


class Abort(RuntimeError):
    pass


class Exit(RuntimeError):
    def __init__(self, code=0):
        self.exit_code = code


class ParamType:
    name = "parameter"

    def convert(self, value, param, ctx):
        return value

    def fail(self, message, param=None, ctx=None):
        raise BadParameter(message, ctx, param)


class Choice(ParamType):
    def __init__(self, choices, case_sensitive=True):
        self.choices = choices
        self.case_sensitive = case_sensitive

    def convert(self, value, param, ctx):
        for each in self.choices:
            written = each if isinstance(each, str) else getattr(each, "name", each)
            if value in (each, written) or (not self.case_sensitive and value.lower() == written.lower()):
                return each
        self.fail(unknown("message"), param, ctx)


class _Number(ParamType):
    _of = int

    def __init__(self, min=None, max=None, min_open=False, max_open=False, clamp=False):
        self.min = min
        self.max = max
        self.clamp = clamp
        self._open = (min_open, max_open)

    def convert(self, value, param, ctx):
        try:
            value = self._of(value)
        except ValueError:
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        low = self.min is not None and (value < self.min or (self._open[0] and value == self.min))
        high = self.max is not None and (value > self.max or (self._open[1] and value == self.max))
        if self.clamp and (low or high):
            return self.min if low else self.max
        if low or high:
            self.fail(unknown("message"), param, ctx)
        return value


class IntRange(_Number):
    name = "integer range"


class FloatRange(_Number):
    name = "float range"
    _of = float


class _Int(_Number):
    name = "integer"


class _Float(_Number):
    name = "float"
    _of = float


class _Bool(ParamType):
    name = "boolean"

    def convert(self, value, param, ctx):
        said = value if isinstance(value, bool) else value.strip().lower()
        if said in (True, "1", "true", "t", "yes", "y", "on"):
            return True
        if said in (False, "0", "false", "f", "no", "n", "off"):
            return False
        self.fail(f"{value!r} is not a valid boolean.", param, ctx)


class _Calling(ParamType):
    """A function that makes a value of a word."""

    def __init__(self, function):
        self._function = function

    def convert(self, value, param, ctx):
        try:
            return self._function(value)
        except ValueError:
            self.fail(value, param, ctx)


class Path(ParamType):
    def __init__(self, exists=False, file_okay=True, dir_okay=True, path_type=None, **others):
        self._exists = exists
        self._made = path_type

    def convert(self, value, param, ctx):
        if self._exists and unknown("exists"):
            self.fail(unknown("message"), param, ctx)
        return value if self._made is None else self._made(value)


class File(ParamType):
    def __init__(self, mode="r", **others):
        pass

    def convert(self, value, param, ctx):
        return unknown("file")


class DateTime(File):
    def __init__(self, formats=None):
        pass


STRING = ParamType()
INT = _Int()
FLOAT = _Float()
BOOL = _Bool()


class Context:
    def __init__(self, command=None, parent=None, obj=None):
        self.command = command
        self.parent = parent
        self.obj = obj
        self.invoked_subcommand = None
        self.params = {}
        self.info_name = None if command is None else command.name
        self._closing = []

    def call_on_close(self, f):
        self._closing.append(f)
        return f

    def with_resource(self, context_manager):
        entered = context_manager.__enter__()
        self.call_on_close(lambda: context_manager.__exit__(None, None, None))
        return entered

    def close(self):
        while self._closing:
            self._closing.pop()()

    def ensure_object(self, object_type):
        if self.obj is None:
            self.obj = object_type()
        return self.obj

    def find_object(self, object_type):
        context = self
        while context is not None:
            if isinstance(context.obj, object_type):
                return context.obj
            context = context.parent
        return None

    def invoke(self, callback, /, *args, **kwargs):
        if not isinstance(callback, Command):
            return callback(*args, **kwargs)
        for each in callback._parameters():
            if each.name not in kwargs:
                kwargs[each.name] = each._default(self, ())
        return callback._hand(self, kwargs)

    def forward(self, cmd, /, *args, **kwargs):
        return self.invoke(cmd, *args, **{**self.params, **kwargs})

    def exit(self, code=0):
        raise Exit(code)

    def abort(self):
        raise Abort()

    def fail(self, message):
        raise UsageError(message, self)


class Parameter:
    """An option or an argument: how it is written, and what is told of it."""

    def __init__(self, names, settings, positional=False):
        self.name = names[-1] if positional else _dest(names)
        self.settings = settings
        self.positional = positional
        self.opts = []
        self._off = []
        for each in names:
            on, _, off = each.partition("/") if each.startswith("-") else (each, "", "")
            self.opts.append(on.strip())
            if off:
                self._off.append(off.strip())
        given = settings.get("default")
        self._flag = bool(self._off) or settings.get("is_flag") is True
        self._flag = self._flag or (isinstance(given, bool) and settings.get("type") is None and not positional)
        if self._flag and "default" not in settings and "flag_value" not in settings:
            settings["default"] = False
        if isinstance(settings.get("type"), tuple):
            settings.setdefault("nargs", len(settings["type"]))

    def _default(self, context, words):
        """What it is where no word names it."""
        given = self.settings.get("default")
        if is_known(given) and callable(given):
            given = given()
        if words is None:
            told = {**self.settings, "default": given} if "default" in self.settings else self.settings
            return option_of(tuple(self.opts), self.name, told)
        variable = self.settings.get("envvar")
        if isinstance(variable, str) and isinstance(given, str):
            given = os.environ.get(variable, given)
        size = self.settings.get("nargs", 1)
        if self.settings.get("multiple") and size > 1:
            return tuple([self._row(each, context) for each in given or ()])
        if self.settings.get("multiple") or size != 1:
            return None if given is None and size > 1 else self._row(given or (), context)
        if self.settings.get("count"):
            return given or 0
        required = self.settings.get("required", self.positional)
        if given is None and required:
            raise MissingParameter(unknown("message"), context, self)
        return given if given is None or self._flag else self._made(given, context)

    def _row(self, words, context):
        return tuple([each if isinstance(each, bool) else self._made(each, context, at) for at, each in enumerate(words)])

    def _made(self, word, context, place=0):
        """A value of a word, at its place among several."""
        given = self.settings.get("type")
        if isinstance(given, tuple):
            given = given[place % len(given)]
        default = self.settings.get("default")
        if given is None and isinstance(default, (list, tuple)) and default:
            default = default[0]
        if isinstance(given, ParamType):
            return given.convert(word, self, context)
        for of, made in ((bool, BOOL), (int, INT), (float, FLOAT)):
            if given is of or (given is None and type(default) is of):
                return made.convert(word, self, context)
        if given is None or given is str:
            return word
        return _Calling(given).convert(word, self, context)

    def _value(self, words, context):
        """What the words for it come to."""
        if self.settings.get("count"):
            return len(words)
        size = self.settings.get("nargs", 1)
        made = self._row(words, context)
        if self.settings.get("multiple") and size > 1:
            return tuple([made[at : at + size] for at in range(0, len(made), size)])
        return made if self.settings.get("multiple") or size != 1 else made[-1]

    def _called(self, context, value):
        callback = self.settings.get("callback")
        return value if callback is None else callback(context, self, value)


Option = Argument = Parameter


def _dest(names):
    plain = [each for each in names if not each.startswith("-")]
    written = ([each for each in names if each.startswith("--")] or names)[0]
    return plain[0] if plain else written.partition("/")[0].strip().lstrip("-").replace("-", "_").lower()


class Command:
    _added = False
    _lonely = False
    """Whether it runs where no word names one of its commands."""

    def __init__(self, function):
        self.name = None
        self.params = []
        self._function = function
        self._passes = None
        self._commands = []
        self._renamed = []

    @property
    def callback(self):
        return self._function

    def _new(self, function):
        return _command(function)

    def command(self, name=None, cls=None, **attrs):
        def register(function, own):
            made = _named(self._new(function), own)
            made._set(attrs)
            self._commands.append(made)
            return made

        return _decorator(name, register)

    group = command

    def _set(self, attrs):
        self._lonely = attrs.get("invoke_without_command", self._lonely)

    def add_command(self, cmd, name=None):
        cmd = _named(_command(cmd), name)
        cmd._added = True
        self._commands.append(cmd)
        if name is not None:
            self._renamed.append((cmd, name))

    def _name_of(self, command):
        """By which word it is asked for."""
        for each, name in self._renamed:
            if each is command:
                return name
        return command.name

    def main(self, args=None, prog_name=None, complete_var=None, standalone_mode=True, *, obj=None, **extra):
        try:
            words = args if args is None or not is_known(args) else list(args)
            found = self._run(Context(self, None, obj), words)
        except Exit as end:
            if not standalone_mode:
                return end.exit_code
            raise SystemExit(end.exit_code)
        except ClickException as error:
            if not standalone_mode:
                raise
            raise SystemExit(error.exit_code)
        if standalone_mode and args is not None:
            raise SystemExit(0)
        return found

    __call__ = main

    def _parameters(self):
        return self.params

    def _run(self, context, words):
        """Without words any of several commands may be the one that is asked for."""
        if not is_known(words):
            return self._any(context, words)
        if words is not None and not all(map(is_known, [*words, *[self._name_of(each) for each in self._commands]])):
            return self._any(context, unknown("command-line"))
        if words is None:
            return self._any(context, None)
        values, rest = self._parsed(context, words)
        command = None
        if self._commands and rest:
            found = [each for each in self._commands if self._name_of(each) == rest[0]]
            if not found:
                raise UsageError(f"No such command {rest[0]!r}.", context)
            command = found[0]
            context.invoked_subcommand = rest[0]
        elif self._commands and not self._lonely:
            raise Exit(unknown("exit"))
        given = self._hand(context, values)
        if command is not None:
            given = command._run(Context(command, context, context.obj), rest[1:])
        context.close()
        return given

    def _any(self, context, words):
        """What is run for words that nobody knows, `None`: for the command line of the process."""
        context.invoked_subcommand = unknown("command-line") if self._commands else None
        values = self._values(context, None)
        if words is not None:
            values = {name: unknown("command-line") for name in values}
        given = self._hand(context, values)
        for each in self._commands:
            if unknown("command-line"):
                given = each._run(Context(each, context, context.obj), words)
        context.close()
        return given

    def _values(self, context, given):
        """The value of each parameter, by the words for it; `given` None: of an unknown command line."""
        values = {}
        for each in self._parameters():
            words = None if given is None else given.get(each.name, ())
            value = each._value(words, context) if words else each._default(context, words)
            values[each.name] = each._called(context, value)
        return values

    def _parsed(self, context, words):
        """The values that words give, and the words behind them."""
        given = {}
        plain = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word == "--":
                plain += rest
                break
            if not word.startswith("-") or word == "-":
                plain.append(word)
                if self._commands:
                    plain += rest
                    break
                continue
            self._option(context, word, rest, given)
        arguments = [each for each in self._parameters() if each.positional]
        for place, each in enumerate(arguments):
            count = each.settings.get("nargs", 1)
            behind = len([other for other in arguments[place + 1 :] if other.settings.get("nargs", 1) == 1])
            taken = max(len(plain) - behind, 0) if count == -1 else count
            if plain[:taken]:
                given[each.name] = plain[:taken]
            plain = plain[taken:]
        if plain and not self._commands:
            raise UsageError(unknown("message"), context)
        return self._values(context, given), plain

    def _option(self, context, word, rest, given):
        """Takes an option, and what it needs of the words behind it."""
        name, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        for each in self._parameters():
            if each.positional or name not in (*each.opts, *each._off):
                continue
            held = given.setdefault(each.name, [])
            if each._flag or each.settings.get("count"):
                on = name in each.opts
                held.append(each.settings.get("flag_value", True) if on else False)
                if not word.startswith("--") and value:
                    rest.insert(0, "-" + value)
            elif equals:
                held.append(value)
            else:
                count = each.settings.get("nargs", 1)
                if len(rest) < count:
                    raise BadOptionUsage(unknown("message"), context)
                held.extend([rest.pop(0) for _ in range(count)])
            return
        if name == "--help":
            raise Exit(0)
        raise NoSuchOption(f"No such option: {name}", context)

    def _hand(self, context, values):
        """Runs the function with its values."""
        context.params = values
        return None if self._function is None else self._function(*self._passed(context), **values)

    def _passed(self, context):
        if self._passes is None:
            return []
        if self._passes == "context":
            return [context]
        return [context.obj if self._passes == "obj" else self._passes(context)]


Group = Command


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
    def register(function, own):
        made = _named(_command(function), own)
        made._set(attrs)
        return made

    return _decorator(name, register)


group = command


def version_option(*args, **attrs):
    return lambda function: function


help_option = version_option


def _declared(names, settings, positional):
    def declared(function):
        made = _command(function)
        made.params.insert(0, Parameter(names, settings, positional))
        return made

    return declared


def option(*param_decls, cls=None, **attrs):
    return _declared(param_decls, attrs, False)


def argument(*param_decls, cls=None, **attrs):
    if attrs.get("nargs", 1) != 1 or "default" in attrs:
        attrs.setdefault("required", False)
    return _declared(param_decls, attrs, True)


def pass_context(f):
    made = _command(f)
    made._passes = "context"
    return made


def pass_obj(f):
    made = _command(f)
    made._passes = "obj"
    return made


def make_pass_decorator(object_type, ensure=False):
    def find(context):
        found = context.find_object(object_type)
        if found is None and ensure:
            return context.ensure_object(object_type)
        return found

    def decorate(f):
        made = _command(f)
        made._passes = find
        return made

    return decorate
