"""Zones whose clocks are not changed: https://docs.python.org/3/library/zoneinfo.html. What others say hangs on a data base."""

from datetime import timedelta, tzinfo

from _native import unknown

_FIXED = {
    "UTC": (0, "UTC"),
    "Etc/UTC": (0, "UTC"),
    "GMT": (0, "GMT"),
    "Asia/Shanghai": (480, "CST"),
    "Asia/Singapore": (480, "+08"),
    "Asia/Tokyo": (540, "JST"),
    "Asia/Kolkata": (330, "IST"),
}
_SINCE = 1992
"""The year from which on they were so."""


_MADE = {}


class ZoneInfo(tzinfo):
    def __new__(cls, key):
        if key not in _FIXED:
            return unknown("zone")
        if key not in _MADE:
            _MADE[key] = object.__new__(cls)
            _MADE[key].key = key
        return _MADE[key]

    def utcoffset(self, dt):
        if dt is not None and dt.year < _SINCE:
            return unknown("offset")
        return timedelta(minutes=_FIXED[self.key][0])

    def dst(self, dt):
        return timedelta(0) if dt is None or dt.year >= _SINCE else unknown("offset")

    def tzname(self, dt):
        return _FIXED[self.key][1]

    def __str__(self):
        return self.key

    def __repr__(self):
        return f"zoneinfo.ZoneInfo(key={self.key!r})"
