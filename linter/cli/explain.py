"""`subdrift explain`: the text about a rule, and the list of all names."""

from __future__ import annotations

from subdrift import rules
from subdrift.linter.cli.output import CannotError
from subdrift.linter.model.finding import DIAGNOSTICS
from subdrift.linter.model.message import say
from subdrift.linter.report.language import language
from subdrift.linter.report.terminal import Style
from subdrift.linter.text.near import nearest


def text_of(name: str, lang: str, style: Style) -> str:
    """The text about one rule or diagnostic: Markdown as it is, rendered where colour is wanted."""
    try:
        text = rules.docs(name, lang)
    except rules.UnknownTextError as error:
        near = nearest(name, rules.names())
        hint = say("or-rather", name=near) if near else say("or-list-rules")
        raise CannotError("explain.no-rule", name=repr(name), hint=hint) from error
    except FileNotFoundError as error:
        raise CannotError("explain.no-text", name=repr(name), lang=repr(lang)) from error
    if not style.color:
        return text if text.endswith("\n") else text + "\n"
    import io

    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(file=io.StringIO(), width=min(style.width, 110), force_terminal=True, no_color=False)
    console.print(Markdown(text))
    rendered: io.StringIO = console.file  # type: ignore[assignment]
    return rendered.getvalue()


def overview(lang: str = "en") -> str:
    """All names with one line each."""
    words = language(lang)
    about = [(rule.name, words.word(f"rule.{rule.name}")) for rule in rules.ALL]
    about += [(name, words.word(f"diagnostic.{name}")) for name in DIAGNOSTICS]
    width = max(len(name) for name, _ in about)
    return "".join(f"{name:<{width}}  {text}\n" for name, text in about)
