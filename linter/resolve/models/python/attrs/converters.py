"""attrs.converters, from its documentation."""


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
