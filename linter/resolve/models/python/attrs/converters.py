"""The same under the name that is newer."""

from attr.converters import default_if_none, optional, pipe, to_bool
