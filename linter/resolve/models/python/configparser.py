"""INI files: https://docs.python.org/3/library/configparser.html"""

from functools import partial

from _native import document, forget, ini, interpolated, is_known, lacks, several

DEFAULTSECT = "DEFAULT"
_UNSET = object()
_TRUE = ("1", "yes", "true", "on")
_FALSE = ("0", "no", "false", "off")


class Error(Exception):
    def __init__(self, msg=""):
        self.message = msg
        super().__init__(msg)


class NoSectionError(Error):
    def __init__(self, section):
        super().__init__(f"No section: {section!r}")
        self.section = section
        self.args = (section,)


class DuplicateSectionError(Error):
    def __init__(self, section, source=None, lineno=None):
        super().__init__(f"Section {section!r} already exists")
        self.section = section


class DuplicateOptionError(Error):
    pass


class NoOptionError(Error):
    def __init__(self, option, section):
        super().__init__(f"No option {option!r} in section: {section!r}")
        self.option = option
        self.section = section
        self.args = (option, section)


class ParsingError(Error):
    pass


class MissingSectionHeaderError(ParsingError):
    pass


class InterpolationError(Error):
    def __init__(self, option, section, msg=""):
        super().__init__(msg)
        self.option = option
        self.section = section


class InterpolationMissingOptionError(InterpolationError):
    pass


class InterpolationSyntaxError(InterpolationError):
    pass


class InterpolationDepthError(InterpolationError):
    pass


class Interpolation:
    form = ""


class BasicInterpolation(Interpolation):
    form = "%"


class ExtendedInterpolation(Interpolation):
    form = "$"


class LegacyInterpolation(Interpolation):
    form = "%"


_ERRORS = {
    each.__name__: each for each in (DuplicateSectionError, DuplicateOptionError, MissingSectionHeaderError)
}


class RawConfigParser:
    _interpolation_class = Interpolation
    BOOLEAN_STATES = {**{word: True for word in _TRUE}, **{word: False for word in _FALSE}}

    def __init__(
        self,
        defaults=None,
        dict_type=dict,
        allow_no_value=False,
        *,
        delimiters=("=", ":"),
        comment_prefixes=("#", ";"),
        inline_comment_prefixes=None,
        strict=True,
        empty_lines_in_values=True,
        default_section=DEFAULTSECT,
        interpolation=_UNSET,
        converters=None,
    ):
        self._sections = {}
        self._defaults = {}
        self._form = {
            "allow_no_value": allow_no_value,
            "delimiters": delimiters,
            "comment_prefixes": comment_prefixes,
            "inline_comment_prefixes": inline_comment_prefixes,
            "strict": strict,
            "empty_lines_in_values": empty_lines_in_values,
            "default_section": default_section,
        }
        self.default_section = default_section
        if interpolation is _UNSET:
            interpolation = self._interpolation_class()
        self._interpolation = "" if interpolation is None else interpolation.form
        self._converters = {} if converters is None else converters
        for name, convert in self._converters.items():
            setattr(self, f"get{name}", partial(self._converted_by, convert))
        if defaults is not None:
            for key, value in defaults.items():
                self._defaults[self.optionxform(key)] = value if value is None else str(value)

    def optionxform(self, optionstr):
        return optionstr.lower()

    # -- reading

    def read(self, filenames, encoding=None):
        found = []
        for name in several(filenames):
            source = document(name)
            if source is None:  # not in sight: where it is there, it may say anything
                forget(name, self._sections, self._defaults)
            else:
                self._take(source)
                found.append(name)
        return found

    def read_file(self, f, source=None):
        self._take(document(f))

    def readfp(self, fp, filename=None):
        self._take(document(fp))

    def read_string(self, string, source="<string>"):
        self._take(string)

    def _take(self, source):
        found = ini(source, **self._form) if source is not None else source
        if isinstance(found, str):
            raise _ERRORS.get(found, ParsingError)("malformed")
        if not isinstance(found, dict):
            forget(found, self._sections, self._defaults)
            return
        for section, options in found.items():
            if section == self.default_section:
                held = self._defaults
            else:
                held = self._sections.setdefault(section, {})
            for option, value in options.items():
                held[self.optionxform(option)] = value

    def read_dict(self, dictionary, source="<dict>"):
        for section, options in dictionary.items():
            if section == self.default_section:
                held = self._defaults
            else:
                held = self._sections.setdefault(str(section), {})
            for option, value in options.items():
                held[self.optionxform(str(option))] = value if value is None else str(value)

    # -- sections

    def defaults(self):
        return self._defaults

    def sections(self):
        return list(self._sections)

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(section)
        if section == self.default_section:
            raise ValueError(f"Invalid section name: {section!r}")
        self._sections[section] = {}

    def has_section(self, section):
        return section in self._sections

    def remove_section(self, section):
        existed = section in self._sections
        self._sections.pop(section, None)
        return existed

    def _held(self, section):
        if section == self.default_section:
            return self._defaults
        if lacks(self._sections, section):
            raise NoSectionError(section)
        return self._sections[section]

    def options(self, section):
        if lacks(self._sections, section):
            raise NoSectionError(section)
        return list({**self._sections[section], **self._defaults})

    def has_option(self, section, option):
        if not section or section == self.default_section:
            return self.optionxform(option) in self._defaults
        if section not in self._sections:
            return False
        option = self.optionxform(option)
        return option in self._sections[section] or option in self._defaults

    def remove_option(self, section, option):
        held = self._held(section)
        option = self.optionxform(option)
        existed = option in held
        held.pop(option, None)
        return existed

    def set(self, section, option, value=None):
        self._held(section or self.default_section)[self.optionxform(option)] = value

    # -- values

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        if lacks(self._sections, section) and section != self.default_section:
            if fallback is _UNSET:
                raise NoSectionError(section)
            return fallback
        held = self._merged(section, vars)
        option = self.optionxform(option)
        if lacks(held, option):
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        return self._shown(section, option, held[option], held, raw)

    def _merged(self, section, vars=None):
        held = {**self._defaults}
        if section != self.default_section:
            held.update(self._sections[section])
        if vars is not None:
            for key, value in vars.items():
                held[self.optionxform(key)] = value if value is None else str(value)
        return held

    def _shown(self, section, option, value, held, raw):
        if raw or not self._interpolation:
            return value

        def look_up(names):
            if len(names) == 1:
                name = self.optionxform(names[0])
                if not lacks(held, name):
                    return held[name]
            elif len(names) == 2 and (names[0] == self.default_section or not lacks(self._sections, names[0])):
                other = self._merged(names[0])
                name = self.optionxform(names[1])
                if not lacks(other, name):
                    return other[name]
            raise InterpolationMissingOptionError(option, section)

        def fail(kind):
            if kind == "depth":
                raise InterpolationDepthError(option, section)
            raise InterpolationSyntaxError(option, section)

        return interpolated(self._interpolation, value, look_up, fail)

    def _converted(self, section, option, convert, raw, vars, fallback):
        found = self.get(section, option, raw=raw, vars=vars, fallback=_UNSET if fallback is _UNSET else fallback)
        return found if found is fallback else convert(found)

    def _converted_by(self, convert, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, option, convert, raw, vars, fallback)

    def getint(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, option, int, raw, vars, fallback)

    def getfloat(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, option, float, raw, vars, fallback)

    def getboolean(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, option, self._convert_to_boolean, raw, vars, fallback)

    def _convert_to_boolean(self, value):
        if lacks(self.BOOLEAN_STATES, value.lower()):
            raise ValueError(f"Not a boolean: {value}")
        return self.BOOLEAN_STATES[value.lower()]

    def items(self, section=_UNSET, raw=False, vars=None):
        if section is _UNSET:
            return [(name, self[name]) for name in self]
        if lacks(self._sections, section) and section != self.default_section:
            raise NoSectionError(section)
        held = self._merged(section, vars)
        return [(option, self._shown(section, option, held[option], held, raw)) for option in held]

    def write(self, fp, space_around_delimiters=True):
        sign = self._form["delimiters"][0]
        sign = f" {sign} " if space_around_delimiters else sign
        defaults = {self.default_section: self._defaults} if self._defaults else {}
        for section, held in {**defaults, **self._sections}.items():
            fp.write(f"[{section}]\n")
            for option, value in held.items():
                said = "" if value is None else sign + str(value).replace("\n", "\n\t")
                fp.write(f"{option}{said}\n")
            fp.write("\n")

    # -- as a mapping of sections

    def __getitem__(self, key):
        if key != self.default_section and lacks(self._sections, key):
            raise KeyError(key)
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        if key == self.default_section:
            self._defaults.clear()
        else:
            self._sections[key] = {}
        self.read_dict({key: value})

    def __delitem__(self, key):
        if lacks(self._sections, key):
            raise KeyError(key)
        self.remove_section(key)

    def __contains__(self, key):
        return key == self.default_section or key in self._sections

    def __len__(self):
        return len(self._sections) + 1

    def __bool__(self):
        return True

    def __iter__(self):
        return iter([self.default_section, *self._sections])

    def keys(self):
        return [self.default_section, *self._sections]

    def values(self):
        return [self[name] for name in self]

    def update(self, other):
        self.read_dict(other)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, default=_UNSET):
        if key not in self._sections:
            if default is _UNSET:
                raise KeyError(key)
            return default
        found = self[key]
        self.remove_section(key)
        return found

    def clear(self):
        self._sections.clear()


class ConfigParser(RawConfigParser):
    _interpolation_class = BasicInterpolation

    def set(self, section, option, value=None):
        if is_known(value) and not isinstance(value, str) and not (value is None and self._form["allow_no_value"]):
            raise TypeError("option values must be strings")
        super().set(section, option, value)


class SafeConfigParser(ConfigParser):
    pass


class SectionProxy:
    def __init__(self, parser, name):
        self._parser = parser
        self._name = name
        for each, convert in parser._converters.items():
            setattr(self, f"get{each}", partial(self._converted_by, convert))

    @property
    def parser(self):
        return self._parser

    @property
    def name(self):
        return self._name

    def _options(self):
        if self._name == self._parser.default_section:
            return list(self._parser._defaults)
        return self._parser.options(self._name)

    def __getitem__(self, key):
        held = self._parser._merged(self._name)
        option = self._parser.optionxform(key)
        if lacks(held, option):
            raise KeyError(key)
        return self._parser._shown(self._name, option, held[option], held, False)

    def __setitem__(self, key, value):
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not self._parser.remove_option(self._name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def __len__(self):
        return len(self._options())

    def __bool__(self):
        return True

    def __iter__(self):
        return iter(self._options())

    def keys(self):
        return self._options()

    def values(self):
        return [self[option] for option in self._options()]

    def items(self):
        return [(option, self[option]) for option in self._options()]

    def get(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def _converted_by(self, convert, option, fallback=None, *, raw=False, vars=None):
        return self._parser._converted_by(convert, self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getint(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getint(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getfloat(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getfloat(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getboolean(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getboolean(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, default=_UNSET):
        if key not in self:
            if default is _UNSET:
                raise KeyError(key)
            return default
        found = self[key]
        del self[key]
        return found

    def update(self, other=(), **more):
        for key, value in dict(other, **more).items():
            self[key] = value
