"""What makes values of fields of what is given: https://www.attrs.org/en/stable/api.html#module-attrs.converters"""


def default_if_none(default=None, factory=None):
    def convert(value):
        if value is not None:
            return value
        return default if factory is None else factory()

    return convert


def optional(converter):
    def convert(value):
        return None if value is None else converter(value)

    return convert


def pipe(*converters):
    def convert(value):
        for each in converters:
            value = each(value)
        return value

    return convert


def to_bool(val):
    said = val.lower() if isinstance(val, str) else val
    if said in (True, "true", "t", "yes", "y", "on", "1", 1):
        return True
    if said in (False, "false", "f", "no", "n", "off", "0", 0):
        return False
    raise ValueError(f"Cannot convert value to bool: {val!r}")
