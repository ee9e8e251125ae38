"""A spec's text: parsed TOML that still knows which line a key stands on.

`tomllib` tells the line of a syntax error only. A message about a key names its line too: the first
one that assigns the key below its table's header.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twice.model import UsageError

_NAME = r"""["']?[\w-]+["']?"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")


def _words(dotted: str) -> tuple[str, ...]:
    """The names in a dotted key."""
    return tuple(word.strip(" \t\"'") for word in dotted.split("."))


class SpecError(UsageError):
    """A spec that cannot be read, or that asks for what a protocol does not have."""


class SpecText:
    """The TOML of one file.

    Raises
    ------
    SpecError
        The file cannot be read, or is not TOML.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SpecError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise SpecError(f"{path}: is not UTF-8 text (byte {error.start})") from error
        try:
            self.data: dict[str, Any] = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise SpecError(self._broken(str(error))) from error

    def at(self, table: str, key: str = "", case: int | None = None) -> str:
        """Name the place of a key (or of a table's header) as `file:line`.

        Parameters
        ----------
        table, key : str
            The table is empty for a key at the top, the key is empty for the table itself.
        case : int, optional
            Which `[[case]]` they stand in, counted from 0; by default in none.
        """
        path = tuple(word for word in (table, key) if word)
        line = self._line(path if case is None else ("case", str(case), *path))
        return f"{self.path}:{line}" if line else str(self.path)

    def _line(self, wanted: tuple[str, ...]) -> int | None:
        """Find the first line that names what is wanted, or else the table around it."""
        around = None
        for number, path in self._named():
            if path[: len(wanted)] == wanted:
                return number
            if path == wanted[: len(path)]:
                around = number
        return around

    def _named(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Every line that names a key or a table, with all of its name; cases are numbered."""
        header: tuple[str, ...] = ()
        cases = -1
        for number, line in enumerate(self._text.splitlines(), 1):
            if found := _HEADER.match(line):
                header = _words(found[1])
                if header[0] == "case":
                    cases += line.lstrip().startswith("[[")
                    header = ("case", str(cases), *header[1:])
                yield number, header
            elif found := _KEY.match(line):
                yield number, header + _words(found[1])

    def _broken(self, error: str) -> str:
        found = re.search(r"\(at line (\d+), column (\d+)\)", error)
        if not found:
            return f"{self.path}: is not TOML: {error}"
        number, column = int(found[1]), int(found[2])
        lines = self._text.splitlines()
        line = lines[number - 1] if number <= len(lines) else ""
        reason = error[: found.start()].strip()
        pointer = " " * (column - 1) + "^"
        return f"{self.path}:{number}: is not TOML: {reason}\n    {line}\n    {pointer}"
