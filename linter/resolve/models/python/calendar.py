"""Weeks and months: https://docs.python.org/3/library/calendar.html. Names are those of English."""

from datetime import date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
month_name = [
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
]  # fmt: skip
day_abbr = [each[:3] for each in day_name]
month_abbr = [each[:3] for each in month_name]
_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    return len([each for each in range(y1, y2) if isleap(each)])


def weekday(year, month, day):
    return date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f"bad month number {month}; must be 1-12")
    return weekday(year, month, 1), _DAYS[month] + (month == 2 and isleap(year))


def monthcalendar(year, month):
    first, days = monthrange(year, month)
    cells = [0] * first + list(range(1, days + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[place : place + 7] for place in range(0, len(cells), 7)]


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    return ((date(year, month, day).toordinal() - 719163) * 24 + hour) * 3600 + minute * 60 + second
