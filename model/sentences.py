"""Sentences: what people read of a rule, taken from its docstring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

from twice.model.errors import ModelError, Place, nearest


def sentence_of(function: Callable[..., Any], placeholders: Iterable[str]) -> str:
    """The first paragraph of a rule's docstring, on one line, its placeholders checked.

    Raises
    ------
    ModelError
        L406 without a docstring, L404 for a placeholder that is neither a parameter nor a setting.
    """
    place = Place(function.__code__.co_filename, function.__code__.co_firstlineno)
    paragraph = (function.__doc__ or "").strip().split("\n\n")[0]
    if not paragraph:
        raise ModelError(
            "L406",
            f"`{function.__name__}` has no docstring, and traces would have nothing to say for it",
            '"""One sentence, with {parameter} where a name belongs."""',
            place,
        )
    sentence = " ".join(paragraph.split())
    check_placeholders(sentence, placeholders, place)
    return sentence


def check_placeholders(sentence: str, placeholders: Iterable[str], place: Place) -> None:
    """Refuse a sentence that speaks of a parameter the rule does not have (L404)."""
    known = set(placeholders)
    try:
        fields = list(Formatter().parse(sentence))
    except ValueError as error:
        raise ModelError(
            "L404", f"the placeholders cannot be read: {error}", "{{ and }} for braces", place
        ) from None
    for _, name, form, conversion in fields:
        if name is not None and (name not in known or form or conversion):
            written = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            raise ModelError(
                "L404",
                f"`{{{written}}}` is no parameter of this rule; {nearest(name, known)}",
                "{parameter}",
                place,
            )


def fill(sentence: str, values: Mapping[str, str]) -> str:
    """A sentence with its placeholders filled in.

    >>> fill("The broker hands {t} to {w}.", {"t": "task 1", "w": "worker 2"})
    'The broker hands task 1 to worker 2.'
    """
    return sentence.format_map(values) if "{" in sentence or "}" in sentence else sentence


def fill_some(sentence: str, values: Mapping[str, str]) -> str:
    """A sentence with some placeholders filled in and the others left open.

    >>> fill_some("{t} waits {delay} s.", {"delay": "{5}"})
    '{t} waits {{5}} s.'
    """
    pieces: list[str] = []
    for literal, name, _, _ in Formatter().parse(sentence):
        pieces.append(_escaped(literal))
        if name is not None:
            pieces.append(_escaped(values[name]) if name in values else f"{{{name}}}")
    return "".join(pieces)


def _escaped(literal: str) -> str:
    return literal.replace("{", "{{").replace("}", "}}")
