"""Paths that are never looked for: https://docs.python.org/3/library/pathlib.html. `Path` is told by the interpreter."""


class PurePosixPath:
    def __init__(self, *segments):
        root, names = "", []
        for each in segments:
            text = str(each)
            if text.startswith("/"):
                root, names = "/", []
            names += [name for name in text.split("/") if name not in ("", ".")]
        self.root = root
        self._names = names

    @property
    def parts(self):
        return tuple(([self.root] if self.root else []) + self._names)

    @property
    def name(self):
        return self._names[-1] if self._names else ""

    @property
    def suffix(self):
        stem, dot, ending = self.name.rpartition(".")
        return dot + ending if stem and ending else ""

    @property
    def suffixes(self):
        return [] if self.name.endswith(".") else ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return self.name[: len(self.name) - len(self.suffix)]

    @property
    def parent(self):
        return PurePosixPath(self.root, *self._names[:-1])

    def joinpath(self, *others):
        return PurePosixPath(self, *others)

    def with_name(self, name):
        if not name or "/" in name or name == "." or not self.name:
            raise ValueError(f"Invalid name {name!r}")
        return self.parent / name

    def with_suffix(self, suffix):
        if suffix and (not suffix.startswith(".") or suffix == ".") or not self.name:
            raise ValueError(f"Invalid suffix {suffix!r}")
        return self.parent / (self.stem + suffix)

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    @property
    def anchor(self):
        return self.root

    @property
    def parents(self):
        count = len(self._names)
        return tuple([PurePosixPath(self.root, *self._names[:kept]) for kept in range(count - 1, -1, -1)])

    def is_relative_to(self, other):
        above = PurePosixPath(other)
        return above.root == self.root and self._names[: len(above._names)] == above._names

    def relative_to(self, other):
        if not self.is_relative_to(other):
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r}")
        return PurePosixPath(*self._names[len(PurePosixPath(other)._names) :])

    def is_absolute(self):
        return bool(self.root)

    def as_posix(self):
        return str(self)

    def __truediv__(self, other):
        return PurePosixPath(self, other)

    def __rtruediv__(self, other):
        return PurePosixPath(other, self)

    def __repr__(self):
        return f"PurePosixPath({str(self)!r})"

    def __str__(self):
        return self.root + "/".join(self._names) or "."

    def __fspath__(self):
        return str(self)

    def __eq__(self, other):
        return isinstance(other, PurePosixPath) and self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __hash__(self):
        return hash(self.parts)
