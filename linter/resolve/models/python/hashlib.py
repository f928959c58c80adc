"""Digests of bytes: https://docs.python.org/3/library/hashlib.html."""

from base64 import b16decode

from _native import digest


class _Hash:
    def __init__(self, name, *parts):
        self.name = name
        self._parts = list(parts)

    def update(self, data, /):
        self._parts.append(data)

    def digest(self):
        return b16decode(self.hexdigest().upper())

    def hexdigest(self):
        return digest(self.name, *self._parts)

    def copy(self):
        return _Hash(self.name, *self._parts)


def new(name, data=b"", *, usedforsecurity=True):
    return _Hash(name.lower(), data)


def md5(data=b"", *, usedforsecurity=True):
    return _Hash("md5", data)


def sha1(data=b"", *, usedforsecurity=True):
    return _Hash("sha1", data)


def sha224(data=b"", *, usedforsecurity=True):
    return _Hash("sha224", data)


def sha256(data=b"", *, usedforsecurity=True):
    return _Hash("sha256", data)


def sha384(data=b"", *, usedforsecurity=True):
    return _Hash("sha384", data)


def sha512(data=b"", *, usedforsecurity=True):
    return _Hash("sha512", data)
