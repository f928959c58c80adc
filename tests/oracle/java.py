"""Java programs being written: classes, values, and the tables of features."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Template
from typing import Final

from tests.oracle.frame import Draft, Table, Texts, lit

Use = Callable[["Java", Texts], list[str]]
"""Writes the statements of one instance into a class and returns them."""

value: Table[Callable[[JavaProgram, Java, str, int], str]] = Table()
"""An expression for a text (or a text made of it), good in any method of the class, at a depth of nesting."""
local: Table[Callable[[JavaProgram, Java, str], tuple[list[str], str]]] = Table()
"""Statements and an expression that is good after them."""
shape: Table[Callable[[JavaProgram], Use]] = Table()
"""Classes that make consumers, and how one instance is used."""
wrap: Table[Callable[[JavaProgram, Java, list[str]], list[str]]] = Table()
"""Statements under control flow."""
subscription: Table[Callable[[JavaProgram, Java, str, str, Texts], list[str]]] = Table()
"""Statements that subscribe a consumer: kind of client, variable, expressions."""
model: Table[Callable[[JavaProgram, Java, str, str, Texts], list[str]]] = Table()
starting: Table[Callable[[JavaProgram, Java, str, str, Texts], list[str]]] = Table()


class Java:
    """A top-level class of a program; `role` says which feature may add to it."""

    def __init__(
        self, p: JavaProgram, package: str, name: str, kind: str = "class", head: str = "", role: str = ""
    ) -> None:
        self.p, self.package, self.name, self.kind, self.head, self.role = p, package, name, kind, head, role
        self.imports: set[str] = set()
        self.members: list[str] = []
        self.lead = ""
        """The constants of an enum."""
        self.known = {name: f"{package}.{name}"}

    def imp(self, full: str) -> str:
        """Import a library class, unless another class of that simple name is known: then its full name."""
        simple = full.rsplit(".", 1)[1]
        if self.known.setdefault(simple, full) != full:
            return full
        self.imports.add(full)
        return simple

    def use(self, other: Java) -> str:
        """The name under which another class of the program can be said here."""
        if other is self:
            return self.name
        full = f"{other.package}.{other.name}"
        if self.known.setdefault(other.name, full) != full:
            return full
        if other.package != self.package:
            hidden = any(
                o.package == other.package and o is not other and o.name in self.known for o in self.p.classes
            )
            if self.p.chance(0.25) and not hidden:
                self.p.tag("wildcard-import")
                self.imports.add(other.package + ".*")
                self.imports.discard(full)
            else:
                self.imports.add(full)
        return other.name

    def static_import(self, other: Java, member: str) -> None:
        self.imports.add(f"static {other.package}.{other.name}.{member}")

    def add(self, text: str) -> None:
        self.members.append(text.strip("\n"))

    def first(self, text: str) -> None:
        """Add a member before all others."""
        self.members.insert(0, text.strip("\n"))

    def method(self, head: str, statements: list[str]) -> None:
        self.add(head + " {\n" + "\n".join(statements) + "\n}")

    def write(self, text: str, **names: str) -> None:
        """Add members from a text in which `$name` stands for what is given."""
        self.add(Template(text).substitute(names))

    def override(self, head: str, body: str) -> None:
        """Add a method that overrides one of a supertype."""
        self.add(f"@Override\n{head} {{\n{body}\n}}")

    def text(self) -> str:
        lines = [f"package {self.package};", ""]
        lines += [
            f"import {name};" for name in sorted(self.imports, key=lambda i: (not i.startswith("static"), i))
        ]
        lines += ["", f"public {self.kind} {self.name}{self.head} {{"]
        if self.lead:
            lines.append(_indent(self.lead))
        for member in self.members:
            lines += [_indent(member), ""]
        if lines[-1] == "":
            lines.pop()
        return "\n".join([*lines, "}"]) + "\n"


def _indent(text: str) -> str:
    """Indent by braces, so that what comes out looks written; text blocks stay as they are."""
    out: list[str] = []
    level, inside = 0, False
    for line in text.split("\n"):
        if inside:
            out.append(line)
            inside = '"""' not in line
            continue
        stripped = line.strip()
        closing = re.match(r"[})\]]", stripped) is not None
        bare = re.sub(r"'(\\.|[^'\\])'", "''", re.sub(r'"(\\.|[^"\\])*"', '""', stripped))
        here = max(level - closing, 0) + 1 + stripped.startswith(".")
        out.append(" " * 4 * here + stripped if stripped else "")
        level += bare.count("{") - bare.count("}")
        inside = stripped.count('"""') == 1
    return "\n".join(out)


class JavaProgram(Draft):
    """A Maven project with one module."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name, seed)
        self.classes: list[Java] = []

    def java(
        self, base: str, kind: str = "class", head: str = "", package: str | None = None, role: str = ""
    ) -> Java:
        """A new class of the program, in a package of its own choice."""
        here = package or self.root + self.choose("", "", ".config", ".common.util", ".mq", ".service")
        made = Java(self, here, self.uid(base), kind, head, role)
        self.classes.append(made)
        return made

    def shared(self, role: str, share: float) -> Java | None:
        """A class that is there already for this role, if chance wills."""
        return next((one for one in self.classes if one.role == role and self.chance(share)), None)

    def val(self, c: Java, text: str, depth: int = 0) -> str:
        """An expression for the text (or for something made of it), good in any method of the class."""
        if depth > 2 or not self.chance(0.65 * self.density):
            return lit(text)
        return self.pick(value)(self, c, text, depth)

    def loc(self, c: Java, text: str) -> tuple[list[str], str]:
        """Statements and an expression: sometimes through local variables."""
        if self.chance(0.25 * self.density):
            return self.pick(local)(self, c, text)
        return [], self.val(c, text)

    def finish(self) -> dict[str, str]:
        files = {f"src/main/java/{c.package.replace('.', '/')}/{c.name}.java": c.text() for c in self.classes}
        return {**files, "pom.xml": _POM % self.name}


_POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>%s</artifactId>
  <version>1.0.0</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.rocketmq</groupId>
      <artifactId>rocketmq-client</artifactId>
      <version>4.9.8</version>
    </dependency>
  </dependencies>
</project>
"""


def paren(expression: str) -> str:
    """The expression, ready for a method call on it."""
    return f"({expression})" if " + " in expression else expression
