"""Where tree-sitter-kotlin does not read valid Kotlin: a last member on the line of its class's brace.

`class A { fun f() {} }` is an error to it, `class A { fun f() {};}` is not. Texts, comments and their lengths stay.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    rb"""
      //[^\n]*
    | /\*.*?\*/
    | \"\"\".*?\"\"\"+
    | "(?:\\.|\$\{[^{}"\n]{0,200}(?:"[^"\n]{0,200}"[^{}"\n]{0,200}){0,9}\}|[^"\\\n])*"
    | '(?:\\.|[^'\\\n])+'
    | (?<![\s{;,(\[]) (?<!->) [ ](?=\})
    """,
    re.VERBOSE | re.DOTALL,
)


def close_members(data: bytes) -> bytes:
    """The text with a semicolon in place of the blank before a closing brace."""
    return _TOKEN.sub(lambda match: b";" if match[0] == b" " else match[0], data)
