"""Tables that are written: https://docs.python.org/3/library/csv.html. Readers are told by the interpreter."""

from _native import csv_line


class _Writer:
    def __init__(self, csvfile, dialect, settings):
        self._file = csvfile
        self._settings = {"dialect": dialect, **settings}

    def writerow(self, row):
        return self._file.write(csv_line(list(row), **self._settings))

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(csvfile, dialect="excel", **fmtparams):
    return _Writer(csvfile, dialect, fmtparams)


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **kwds):
        self.fieldnames = fieldnames
        self._rest = restval
        self._extras = extrasaction
        self.writer = writer(f, dialect, **kwds)

    def writeheader(self):
        self.writer.writerow(self.fieldnames)

    def writerow(self, rowdict):
        if self._extras == "raise" and [key for key in rowdict if key not in self.fieldnames]:
            raise ValueError("dict contains fields not in fieldnames")
        return self.writer.writerow([rowdict.get(key, self._rest) for key in self.fieldnames])

    def writerows(self, rowdicts):
        for row in rowdicts:
            self.writerow(row)
