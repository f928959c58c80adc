"""Patterns of shells: https://docs.python.org/3/library/fnmatch.html. Paths are told apart by case, as on POSIX."""


def _in_class(sign, written):
    """Whether a character is one of those written between brackets."""
    place = 0
    while place < len(written):
        if place + 2 < len(written) and written[place + 1] == "-":
            if written[place] <= sign <= written[place + 2]:
                return True
            place += 3
        else:
            if written[place] == sign:
                return True
            place += 1
    return False


def _step(sign, pat, place):
    """The place behind the part of a pattern that stands for a character, -1 where it does not."""
    if pat[place] == "?":
        return place + 1
    if pat[place] == "[":
        start = place + 2 if pat[place + 1 : place + 2] == "!" else place + 1
        end = pat.find("]", start + 1)
        if end >= 0:
            found = _in_class(sign, pat[start:end])
            return end + 1 if found != (start == place + 2) else -1
    return place + 1 if pat[place] == sign else -1


def fnmatchcase(name, pat):
    at = place = 0
    star = back = -1
    while at < len(name):
        if place < len(pat) and pat[place] == "*":
            star, back = place, at
            place += 1
            continue
        after = _step(name[at], pat, place) if place < len(pat) else -1
        if after >= 0:
            at += 1
            place = after
        elif star >= 0:
            back += 1
            at, place = back, star + 1
        else:
            return False
    return pat[place:].strip("*") == ""


fnmatch = fnmatchcase


def filter(names, pat):
    return [name for name in names if fnmatchcase(name, pat)]
