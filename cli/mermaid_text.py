"""Words inside Mermaid's text."""

from __future__ import annotations


def front_matter(heading: str) -> list[str]:
    """Give a diagram its title."""
    import json

    return ["---", f"title: {json.dumps(heading, ensure_ascii=False)}", "---"]


def escaped(words: str) -> str:
    """Write as character references what Mermaid would read as its own syntax.

    >>> escaped('closed; see "rq#2236"')
    'closed#59; see #quot;rq#35;2236#quot;'
    """
    said = " ".join(words.split())
    return "".join(_REFERENCES.get(letter, letter) for letter in said)


_REFERENCES = {"#": "#35;", ";": "#59;", '"': "#quot;", "<": "#lt;", ">": "#gt;"}
