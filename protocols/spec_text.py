"""A spec's text: parsed TOML that still knows which line a key stands on.

`tomllib` tells the line of a syntax error only. A message about a key names its line too: the first
one that assigns the key below its table's header.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from twice.model import UsageError


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

    def at(self, table: str, key: str = "") -> str:
        """Name the place of a key (or of a table's header) as `file:line`."""
        line = self._line(table, key)
        return f"{self.path}:{line}" if line else str(self.path)

    def _line(self, table: str, key: str) -> int | None:
        wanted = re.compile(rf"""\s*(["']?){re.escape(key)}\1\s*[=.]""")
        current = ""
        for number, line in enumerate(self._text.splitlines(), 1):
            header = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
            if header:
                current = header[1].strip("\"'")
                if current == table and not key:
                    return number
            elif key and current == table and wanted.match(line):
                return number
        return None

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
