"""A line of output in its parts, each with a style: what `rich` colours, where a person looks."""

from __future__ import annotations

from typing import Self


class Line:
    """A line of text whose parts have styles.

    Parameters
    ----------
    text : str
    style : str
        In the words of `rich`, such as ``bold red``; empty for none.

    Examples
    --------
    >>> Line("lost: ").append("possible", "bold red").plain
    'lost: possible'
    """

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts = [(text, style)]

    def append(self, text: str, style: str = "") -> Self:
        """Add a part at the end."""
        self.parts.append((text, style))
        return self

    @property
    def plain(self) -> str:
        """The text alone, without blanks at its end."""
        return "".join(text for text, _ in self.parts).rstrip()

    def __len__(self) -> int:
        return sum(len(text) for text, _ in self.parts)
