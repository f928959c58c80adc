"""The steps of an explanation as sentences: one template of the catalogue for each code."""

from __future__ import annotations

from collections.abc import Callable

from subdrift.linter.model.prediction import Step
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.terminal import safe

__all__ = ["LANGUAGES", "sentence"]


def sentence(step: Step, lang: str = "en", name: Callable[[str], str] = str) -> str:
    """A step as a sentence without a full stop; `name` turns member ids into what readers know them by."""
    values = {key: safe(name(value) if key in ("member", "members") else value) for key, value in step.values}
    if "reason" in values:
        values["reason"] = language(lang).templates.get(f"why.{values['reason']}", values["reason"])
    return language(lang).word(f"step.{step.code.value}", **values)
