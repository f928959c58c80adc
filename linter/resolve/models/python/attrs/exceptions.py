"""The same under the name that is newer."""

from attr.exceptions import FrozenError, FrozenInstanceError, NotAnAttrsClassError
