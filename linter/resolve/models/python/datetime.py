"""Dates, times and how long something is: https://docs.python.org/3/library/datetime.html. What a clock says is not told."""

import re

from _native import unknown


class _Ordered:
    def __lt__(self, other):
        return self._key() < _alike(self, other)._key()

    def __le__(self, other):
        return self._key() <= _alike(self, other)._key()

    def __gt__(self, other):
        return self._key() > _alike(self, other)._key()

    def __ge__(self, other):
        return self._key() >= _alike(self, other)._key()


def _alike(one, other):
    """What a date, a time or a length is compared with: raises where that is of another kind."""
    kind = next(each for each in (datetime, date, time, timedelta) if isinstance(one, each))
    if not isinstance(other, kind) or isinstance(other, datetime) != (kind is datetime):
        raise TypeError("can't compare")
    if kind in (datetime, time) and (one.utcoffset() is None) != (other.utcoffset() is None):
        raise TypeError(f"can't compare offset-naive and offset-aware {kind.__name__}s")
    return other


class timedelta(_Ordered):
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        whole = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds
        self._micros = round(whole * 1_000_000 + milliseconds * 1_000 + microseconds)

    @property
    def days(self):
        return self._micros // 86_400_000_000

    @property
    def seconds(self):
        return self._micros // 1_000_000 % 86_400

    @property
    def microseconds(self):
        return self._micros % 1_000_000

    def total_seconds(self):
        return self._micros / 1_000_000

    def __add__(self, other):
        return timedelta(microseconds=self._micros + other._micros) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return timedelta(microseconds=self._micros - other._micros) if isinstance(other, timedelta) else NotImplemented

    def __mul__(self, other):
        return timedelta(microseconds=self._micros * other)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micros // other._micros
        return timedelta(microseconds=self._micros // other)

    def __divmod__(self, other):
        return self // other, self % other

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micros / other._micros
        return timedelta(microseconds=self._micros / other)

    def __mod__(self, other):
        return timedelta(microseconds=self._micros % other._micros)

    def __neg__(self):
        return timedelta(microseconds=-self._micros)

    def __abs__(self):
        return timedelta(microseconds=abs(self._micros))

    def __bool__(self):
        return self._micros != 0

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._micros == other._micros

    def __hash__(self):
        return hash(self._micros)

    def _key(self):
        return self._micros

    def __repr__(self):
        parts = [f"{name}={value}" for name in ("days", "seconds", "microseconds") if (value := getattr(self, name))]
        return f"datetime.timedelta({', '.join(parts) or '0'})"

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        shown = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self.days:
            shown = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {shown}"
        return f"{shown}.{self.microseconds:06d}" if self.microseconds else shown


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = 86_400_000_000
MINYEAR, MAXYEAR = 1, 9999


def _days_before(year):
    year -= 1
    return year * 365 + year // 4 - year // 100 + year // 400


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    if month == 2:
        return 29 if _is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _day_of_year(year, month, day):
    return (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[month - 1] + (month > 2 and _is_leap(year)) + day


def _date_of(ordinal):
    """Year, month and day of a day that is counted from the first of January of year 1, which is 1."""
    year = (ordinal * 400) // 146_097 + 1
    while _days_before(year) >= ordinal:
        year -= 1
    left = ordinal - _days_before(year)
    month = 1
    while left > _days_in(year, month):
        left -= _days_in(year, month)
        month += 1
    return year, month, left


def _checked(year, month, day):
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in(year, month):
        raise ValueError("day is out of range for month")


def _offset(delta, separator=":"):
    """`+01:00`."""
    if delta is None:
        return ""
    sign = "-" if delta < timedelta(0) else "+"
    minutes = abs(delta)._micros // 60_000_000
    return f"{sign}{minutes // 60:02d}{separator}{minutes % 60:02d}"


def _shown(value, written):
    """`strftime`."""
    pieces = []
    at = 0
    while at < len(written):
        sign = written[at]
        if sign != "%":
            pieces.append(sign)
        else:
            at += 1
            pieces.append(_part(value, written[at : at + 1]))
        at += 1
    return "".join(pieces)


def _part(value, sign):
    hour = getattr(value, "hour", 0)
    if sign in "YmdHMSyj":
        return {
            "Y": f"{value.year}" if value.year >= 1000 else unknown("strftime()"),
            "m": f"{value.month:02d}",
            "d": f"{value.day:02d}",
            "H": f"{hour:02d}",
            "M": f"{getattr(value, 'minute', 0):02d}",
            "S": f"{getattr(value, 'second', 0):02d}",
            "y": f"{value.year % 100:02d}",
            "j": f"{_day_of_year(value.year, value.month, value.day):03d}",
        }[sign]
    if sign == "%":
        return "%"
    if sign in "aA":
        return _DAYS[value.weekday()][: 3 if sign == "a" else None]
    if sign in "bBh":
        return _MONTHS[value.month - 1][: None if sign == "B" else 3]
    if sign == "f":
        return f"{getattr(value, 'microsecond', 0):06d}"
    if sign == "p":
        return "AM" if hour < 12 else "PM"
    if sign == "I":
        return f"{(hour + 11) % 12 + 1:02d}"
    if sign == "w":
        return str(value.isoweekday() % 7)
    if sign == "u":
        return str(value.isoweekday())
    if sign in "GV":
        year, week, _ = value.isocalendar()
        return str(year) if sign == "G" else f"{week:02d}"
    if sign == "F":
        return _shown(value, "%Y-%m-%d")
    if sign == "T":
        return _shown(value, "%H:%M:%S")
    if sign == "z":
        return _offset(value.utcoffset(), "") if isinstance(value, datetime) else ""
    if sign == "Z":
        return (value.tzname() or "") if isinstance(value, datetime) else ""
    return unknown("strftime()")


class tzinfo:
    def utcoffset(self, dt):
        raise NotImplementedError

    def tzname(self, dt):
        return None


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        self._delta = offset
        self._name = name

    def utcoffset(self, dt):
        return self._delta

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return f"UTC{_offset(self._delta)}" if self._delta else "UTC"

    def dst(self, dt):
        return None

    def __eq__(self, other):
        return isinstance(other, timezone) and self._delta == other._delta

    def __hash__(self):
        return hash(self._delta)

    def __str__(self):
        return self.tzname(None)


timezone.utc = UTC = timezone(timedelta(0))


class IsoCalendarDate(tuple):
    @property
    def year(self):
        return self[0]

    @property
    def week(self):
        return self[1]

    @property
    def weekday(self):
        return self[2]

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self.year}, week={self.week}, weekday={self.weekday})"


class date(_Ordered):
    def __init__(self, year, month, day):
        _checked(year, month, day)
        self.year = year
        self.month = month
        self.day = day

    @classmethod
    def today(cls):
        return unknown("datetime.date.today()")

    @classmethod
    def fromtimestamp(cls, timestamp):
        return unknown("date.fromtimestamp()")

    @classmethod
    def fromordinal(cls, ordinal):
        return cls(*_date_of(ordinal))

    @classmethod
    def fromisoformat(cls, date_string):
        return cls(*_iso_date(date_string))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        first = date(year, 1, 4)
        return cls.fromordinal(first.toordinal() - first.weekday() + (week - 1) * 7 + day - 1)

    def toordinal(self):
        return _days_before(self.year) + _day_of_year(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        thursday = _date_of(self.toordinal() - self.weekday() + 3)
        week = (_day_of_year(*thursday) - 1) // 7 + 1
        return IsoCalendarDate((thursday[0], week, self.isoweekday()))

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def strftime(self, format):
        return _shown(self, format)

    def __format__(self, format_spec):
        return _shown(self, format_spec) if format_spec else str(self)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def replace(self, year=None, month=None, day=None):
        return type(self)(
            self.year if year is None else year,
            self.month if month is None else month,
            self.day if day is None else day,
        )

    def _key(self):
        return self.year, self.month, self.day

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self).fromordinal(self.toordinal() + other.days)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return type(self).fromordinal(self.toordinal() - other.days)
        if isinstance(other, date):
            return timedelta(days=self.toordinal() - other.toordinal())
        return NotImplemented

    def __eq__(self, other):
        return isinstance(other, date) and not isinstance(other, datetime) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


def _iso_date(written):
    parts = written.split("-")
    if len(parts) != 3 or [len(each) for each in parts] != [4, 2, 2]:
        if len(written) == 8 and written.isdigit():
            parts = [written[:4], written[4:6], written[6:]]
        else:
            raise ValueError(f"Invalid isoformat string: {written!r}")
    return [int(each) for each in parts]


class time(_Ordered):
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
            raise ValueError("hour must be in 0..23")
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
        self.tzinfo = tzinfo

    @classmethod
    def fromisoformat(cls, time_string):
        return cls(*_iso_time(time_string))

    def isoformat(self, timespec="auto"):
        if timespec == "auto":
            timespec = "microseconds" if self.microsecond else "seconds"
        shown = f"{self.hour:02d}"
        if timespec != "hours":
            shown += f":{self.minute:02d}"
        if timespec in ("seconds", "milliseconds", "microseconds"):
            shown += f":{self.second:02d}"
        if timespec == "milliseconds":
            shown += f".{self.microsecond // 1000:03d}"
        if timespec == "microseconds":
            shown += f".{self.microsecond:06d}"
        return shown + _offset(self.utcoffset())

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(None)

    def strftime(self, format):
        return _shown(
            datetime(1900, 1, 1, self.hour, self.minute, self.second, self.microsecond, self.tzinfo), format
        )

    def __format__(self, format_spec):
        return self.strftime(format_spec) if format_spec else str(self)

    def __str__(self):
        return self.isoformat()

    def _key(self):
        shift = self.utcoffset()
        micros = ((self.hour * 60 + self.minute) * 60 + self.second) * 1_000_000 + self.microsecond
        return micros - (0 if shift is None else shift._micros)

    def __eq__(self, other):
        if not isinstance(other, time) or (self.utcoffset() is None) != (other.utcoffset() is None):
            return False
        return self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


def _iso_time(written):
    whole, _, rest = written.partition(".")
    parts = [int(each) for each in whole.split(":")]
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"Invalid isoformat string: {written!r}")
    return [*parts, *(0 for _ in range(3 - len(parts))), int((rest + "000000")[:6])]


class datetime(date):
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        super().__init__(year, month, day)
        if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60 and 0 <= microsecond < 1_000_000):
            raise ValueError("hour must be in 0..23")
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
        self.tzinfo = tzinfo

    @classmethod
    def now(cls, tz=None):
        return unknown("datetime.now()")

    @classmethod
    def utcnow(cls):
        return unknown("datetime.utcnow()")

    @classmethod
    def today(cls):
        return unknown("datetime.today()")

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        if tz is None:
            return unknown("datetime.fromtimestamp()")
        since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=timestamp)
        return since.astimezone(tz)

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return datetime(1970, 1, 1) + timedelta(seconds=timestamp)

    @classmethod
    def combine(cls, date, time, tzinfo=None):
        return cls(
            date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond, tzinfo or time.tzinfo
        )

    @classmethod
    def fromisoformat(cls, date_string):
        if len(date_string) == 10:
            return cls(*_iso_date(date_string))
        written, zone = date_string[11:], None
        if written.endswith("Z"):
            written, zone = written[:-1], UTC
        for sign in "+-":
            if sign in written:
                written, _, shift = written.partition(sign)
                hours, _, minutes = shift.partition(":")
                delta = timedelta(hours=int(hours), minutes=int(minutes or 0))
                zone = timezone(delta if sign == "+" else -delta)
        return cls(*_iso_date(date_string[:10]), *_iso_time(written), zone)

    @classmethod
    def strptime(cls, date_string, format):
        found = _parsed(date_string, format)
        return unknown("strptime()") if found is None else cls(*found)

    def _micros(self):
        seconds = (self.hour * 60 + self.minute) * 60 + self.second
        return self.toordinal() * _DAY + seconds * 1_000_000 + self.microsecond

    @staticmethod
    def _of(micros, tzinfo):
        ordinal, rest = divmod(micros, _DAY)
        seconds, micro = divmod(rest, 1_000_000)
        minutes, second = divmod(seconds, 60)
        hour, minute = divmod(minutes, 60)
        return datetime(*_date_of(ordinal), hour, minute, second, micro, tzinfo)

    def _key(self):
        shift = self.utcoffset()
        return self._micros() - (0 if shift is None else shift._micros)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timetz(self):
        return time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def timestamp(self):
        if self.tzinfo is None:
            return unknown("timestamp()")
        return (self - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()

    def astimezone(self, tz=None):
        shift = self.utcoffset()
        if tz is None or shift is None:
            return unknown("astimezone()")
        moved = datetime._of(self._micros() - shift._micros, tz)
        return datetime._of(moved._micros() + tz.utcoffset(moved)._micros, tz)

    def replace(
        self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, fold=0
    ):
        return type(self)(
            self.year if year is None else year,
            self.month if month is None else month,
            self.day if day is None else day,
            self.hour if hour is None else hour,
            self.minute if minute is None else minute,
            self.second if second is None else second,
            self.microsecond if microsecond is None else microsecond,
            self.tzinfo if tzinfo is True else tzinfo,
        )

    def isoformat(self, sep="T", timespec="auto"):
        return f"{self.date().isoformat()}{sep}{self.time().isoformat(timespec)}{_offset(self.utcoffset())}"

    def ctime(self):
        return f"{_DAYS[self.weekday()][:3]} {_MONTHS[self.month - 1][:3]} {self.day:2d} {self:%H:%M:%S} {self.year}"

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        return unknown("datetime")

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return datetime._of(self._micros() + other._micros, self.tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return datetime._of(self._micros() - other._micros, self.tzinfo)
        if isinstance(other, datetime):
            return timedelta(microseconds=self._key() - _alike(self, other)._key())
        return NotImplemented

    def __eq__(self, other):
        if not isinstance(other, datetime) or (self.tzinfo is None) != (other.tzinfo is None):
            return False
        return self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


def _parsed(written, form):
    """`strptime`: the parts of a moment in their order; None for a form that is not followed."""
    found = {"Y": 1900, "m": 1, "d": 1, "H": 0, "M": 0, "S": 0, "f": 0}
    zone = None
    at = 0
    place = 0
    while place < len(form):
        sign = form[place]
        if sign != "%":
            if written[at : at + 1] != sign:
                raise ValueError(f"time data {written!r} does not match format {form!r}")
            at += 1
            place += 1
            continue
        part = form[place + 1]
        place += 2
        if part in "bB":
            names = [each[: None if part == "B" else 3] for each in _MONTHS]
            fitting = [each for each in names if written[at:].lower().startswith(each.lower())]
            if not fitting:
                raise ValueError(f"time data {written!r} does not match format {form!r}")
            found["m"] = names.index(fitting[0]) + 1
            at += len(fitting[0])
            continue
        if part == "z":
            shift = re.match(r"([+-])(\d\d):?(\d\d)|Z", written[at:])
            if shift is None:
                raise ValueError(f"time data {written!r} does not match format {form!r}")
            at += shift.end()
            delta = timedelta(hours=int(shift[2] or 0), minutes=int(shift[3] or 0))
            zone = timezone(-delta if shift[1] == "-" else delta)
            continue
        if part not in found:
            return None
        size = {"Y": 4, "f": 6}.get(part, 2)
        end = at
        while end < len(written) and end - at < size and written[end].isdigit():
            end += 1
        if end == at or (part == "Y" and end - at < 4):
            raise ValueError(f"time data {written!r} does not match format {form!r}")
        digits = written[at:end]
        found[part] = int(digits + "0" * (6 - len(digits)) if part == "f" else digits)
        at = end
    if at < len(written):
        raise ValueError(f"unconverted data remains: {written[at:]}")
    return (*(found[each] for each in "YmdHMSf"), zone)


timedelta.min, timedelta.max = timedelta(-999999999), timedelta(999999999, 86399, 999999)
date.min, date.max = date(MINYEAR, 1, 1), date(MAXYEAR, 12, 31)
datetime.min, datetime.max = datetime(MINYEAR, 1, 1), datetime(MAXYEAR, 12, 31, 23, 59, 59, 999999)
