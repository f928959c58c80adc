"""What classes of attrs throw: https://www.attrs.org/en/stable/api.html#exceptions"""


class FrozenError(AttributeError):
    pass


class FrozenInstanceError(FrozenError):
    pass


class NotAnAttrsClassError(ValueError):
    pass
