"""Texts with places in them: https://docs.python.org/3/library/string.html. Letters and digits are told by the interpreter."""

import re

from _native import is_known, lacks


class Template:
    delimiter = "$"
    idpattern = "(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    flags = re.IGNORECASE
    pattern = None

    def __init__(self, template):
        self.template = template

    def _places(self):
        """Where each place begins and ends, with its name; a sign of its own has `delimiter`, what is neither None."""
        if self.pattern is not None:
            written = self.pattern
            if isinstance(written, str):
                written = re.compile(written, self.flags | re.VERBOSE)
            return [
                (
                    one.start(),
                    one.end(),
                    one.group("named") or one.group("braced") or (self.delimiter if one.group("escaped") else None),
                )
                for one in written.finditer(self.template)
            ]
        found = []
        size = len(self.delimiter)
        at = self.template.find(self.delimiter)
        while at >= 0:
            begins = at + size
            if self.template.startswith(self.delimiter, begins):
                end, name = begins + size, self.delimiter
            else:
                end, name = self._named(begins)
            found.append((at, end, name))
            at = self.template.find(self.delimiter, end)
        return found

    def _named(self, begins):
        braced = self.template[begins : begins + 1] == "{"
        start = begins + 1 if braced else begins
        pattern = braced and self.braceidpattern or self.idpattern
        one = re.match(pattern, self.template[start:], self.flags)
        end = start + one.end() if one is not None else start
        if one is None or braced and self.template[end : end + 1] != "}":
            return begins, None
        return (end + 1 if braced else end), one.group()

    def _filled(self, mapping, named, safe):
        pieces = []
        end = 0
        for start, stop, name in self._places():
            pieces.append(self.template[end:start])
            end = stop
            if name is None:
                if not safe:
                    raise ValueError("Invalid placeholder in string")
                pieces.append(self.template[start:stop])
            elif name == self.delimiter:
                pieces.append(name)
            elif name in named:
                pieces.append(str(named[name]))
            elif not safe:
                pieces.append(str(mapping[name]))
            elif lacks(mapping, name):
                pieces.append(self.template[start:stop])
            elif isinstance(mapping, dict) or not is_known(mapping):
                pieces.append(str(mapping[name]))
            else:
                try:
                    pieces.append(str(mapping[name]))
                except KeyError:
                    pieces.append(self.template[start:stop])
        return "".join(pieces) + self.template[end:]

    def substitute(self, mapping={}, /, **kwds):
        return self._filled(mapping, kwds, False)

    def safe_substitute(self, mapping={}, /, **kwds):
        return self._filled(mapping, kwds, True)

    def get_identifiers(self):
        found = []
        for _, _, name in self._places():
            if name not in (None, self.delimiter) and name not in found:
                found.append(name)
        return found


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        found, _ = self._vformat(format_string, args, kwargs, used, 2, 0)
        self.check_unused_args(used, args, kwargs)
        return found

    def _vformat(self, written, args, kwargs, used, depth, number):
        pieces = []
        for literal, name, spec, conversion in self.parse(written):
            pieces.append(literal)
            if name is None:
                continue
            if name == "":
                name = str(number)
                number += 1
            value, first = self.get_field(name, args, kwargs)
            used.add(first)
            value = self.convert_field(value, conversion)
            if depth > 1:
                spec, number = self._vformat(spec, args, kwargs, used, depth - 1, number)
            pieces.append(self.format_field(value, spec))
        return "".join(pieces), number

    def parse(self, format_string):
        found = []
        literal = ""
        place = 0
        while place < len(format_string):
            sign = format_string[place]
            if sign not in "{}":
                literal += sign
                place += 1
            elif format_string[place : place + 2] == sign + sign:
                literal += sign
                place += 2
            elif sign == "}":
                raise ValueError("Single '}' encountered in format string")
            else:
                end, depth = place + 1, 1
                while end < len(format_string):
                    depth += {"{": 1, "}": -1}.get(format_string[end], 0)
                    if depth == 0:
                        break
                    end += 1
                if depth:
                    raise ValueError("expected '}' before end of string")
                found.append((literal, *_field(format_string[place + 1 : end])))
                literal = ""
                place = end + 1
        if literal:
            found.append((literal, None, None, None))
        return iter(found)

    def get_field(self, field_name, args, kwargs):
        cut = min([at for at in (field_name.find("."), field_name.find("[")) if at >= 0], default=len(field_name))
        first = field_name[:cut]
        first = int(first) if first.isdigit() else first
        value = self.get_value(first, args, kwargs)
        rest = field_name[cut:]
        while rest:
            if rest[0] == ".":
                ends = [at for at in (rest.find(".", 1), rest.find("[", 1)) if at >= 0]
                cut = min(ends, default=len(rest))
                value = getattr(value, rest[1:cut])
            else:
                key = rest[1 : rest.find("]")]
                cut = len(key) + 2
                value = value[int(key) if key.isdigit() else key]
            rest = rest[cut:]
        return value, first

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return ascii(value)
        raise ValueError(f"Unknown conversion specifier {conversion}")


def _field(inside):
    """`name!r:spec` in its parts."""
    depth = 0
    for at in range(len(inside)):
        sign = inside[at]
        if sign == "[":
            depth += 1
        elif sign == "]":
            depth -= 1
        elif depth == 0 and sign == ":":
            return inside[:at], inside[at + 1 :], None
        elif depth == 0 and sign == "!":
            return inside[:at], inside[at + 3 :], inside[at + 1]
    return inside, "", None


def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])
