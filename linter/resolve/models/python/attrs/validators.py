"""The same under the name that is newer."""

from attr.validators import and_, deep_iterable, deep_mapping, ge, gt, in_, instance_of, is_callable, le, lt, matches_re, max_len, min_len, not_, optional, or_, subclass_of
