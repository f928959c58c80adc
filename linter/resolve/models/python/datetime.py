"""How long something is: https://docs.python.org/3/library/datetime.html#timedelta-objects. Dates are not told."""


class timedelta:
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

    def __lt__(self, other):
        return self._micros < other._micros

    def __le__(self, other):
        return self._micros <= other._micros

    def __gt__(self, other):
        return self._micros > other._micros

    def __ge__(self, other):
        return self._micros >= other._micros

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        shown = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self.days:
            shown = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {shown}"
        return f"{shown}.{self.microseconds:06d}" if self.microseconds else shown
