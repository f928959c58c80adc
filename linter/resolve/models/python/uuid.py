"""Identifiers that are written, or made of names: https://docs.python.org/3/library/uuid.html. Others are random."""

from functools import total_ordering

from _native import named_uuid


@total_ordering
class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _number(hex)
        elif int is None:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            int = (int & ~(0xC000 << 48) | 0x8000 << 48) & ~(0xF000 << 64) | version << 76
        self.__dict__["int"] = int

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    @property
    def hex(self):
        return f"{self.int:032x}"

    @property
    def urn(self):
        return f"urn:uuid:{self}"

    @property
    def version(self):
        return (self.int >> 76) & 0xF if (self.int >> 62) & 3 == 2 else None

    @property
    def time_low(self):
        return self.int >> 96

    @property
    def node(self):
        return self.int & 0xFFFFFFFFFFFF

    def __int__(self):
        return self.int

    def __str__(self):
        hex = self.hex
        return f"{hex[:8]}-{hex[8:12]}-{hex[12:16]}-{hex[16:20]}-{hex[20:]}"

    def __repr__(self):
        return f"UUID({str(self)!r})"

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)


def _number(hex):
    return int(hex, 16)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")


def uuid3(namespace, name):
    return UUID(named_uuid(3, namespace.hex, name))


def uuid5(namespace, name):
    return UUID(named_uuid(5, namespace.hex, name))
