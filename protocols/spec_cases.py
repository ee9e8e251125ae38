"""The cases of a spec: the same question to several configurations, say before and after a fix.

What stands at the top of the file holds for all of them. A `[[case]]` has a name, and says what is
different: a key that it gives replaces the key of the same table at the top.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from twice.model.errors import nearest
from twice.protocols.spec_text import SpecError, SpecText

TABLES = ("settings", "scope", "faults", "points", "expect", "counts", "bounds")
"""The tables of a spec; each may stand at the top and in a case."""


TEXTS = ("name", "observed", "outside")
"""What a case says in words."""


class SpecCase:
    """One case of a file, read as if it stood alone.

    Attributes
    ----------
    path : Path
    name : str
        The case's name; empty for a file without cases.
    data : dict
        What the file says of this case.
    """

    def __init__(self, text: SpecText, number: int | None = None) -> None:
        self.path: Path = text.path
        self._text = text
        self._number = number
        shared = {key: value for key, value in text.data.items() if key != "case"}
        own: dict[str, Any] = {} if number is None else dict(text.data["case"][number])
        self.name: str = own.pop("name", "")
        self._own = own
        self.data = {key: _merged(shared.get(key), own.get(key)) for key in {**shared, **own}}
        if "outside" in own and "expect" not in own:
            self.data.pop("expect", None)  # it is what the other cases have in common

    @property
    def place(self) -> str:
        """The file, and the case if there are several."""
        return f"{self.path}, case `{self.name}`" if self.name else str(self.path)

    def at(self, table: str, key: str = "") -> str:
        """Name the place of a key as `file:line`: in the case, or else at the top."""
        inside = self._own.get(table)
        if inside is not None and (not key or (isinstance(inside, dict) and key in inside)):
            return self._text.at(table, key, self._number)
        return self._text.at(table, key)


def cases(text: SpecText) -> Iterable[SpecCase]:
    """Take a file apart into its cases.

    Raises
    ------
    SpecError
        `case` is no array of tables, or a case has no name of its own or an unknown key.
    """
    if "case" not in text.data:
        return [SpecCase(text)]
    found = text.data["case"]
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        raise SpecError(f"{text.at('case')}: `case` is no list of tables; write [[case]] for each")
    slips = [slip for number in range(len(found)) for slip in _slips(text, number)]
    if slips:
        raise SpecError("\n".join(slips))
    return [SpecCase(text, number) for number in range(len(found))]


def _slips(text: SpecText, number: int) -> Iterable[str]:
    """What is wrong with a case before anything in its tables is looked at."""
    case = text.data["case"][number]
    earlier = [other.get("name") for other in text.data["case"][:number]]
    if "name" not in case:
        yield f'{text.at("", case=number)}: this case has no name; write name = "..."'
    elif not isinstance(case["name"], str) or not case["name"]:
        yield f"{text.at('', 'name', number)}: `name` is no text; write a few words in quotes"
    elif case["name"] in earlier:
        yield f"{text.at('', 'name', number)}: there is another case `{case['name']}`"
    for key, value in case.items():
        if key not in (*TEXTS, *TABLES):
            known = nearest(key, (*TEXTS, *TABLES))
            yield f"{text.at('', key, number)}: a case has no `{key}`: {known}"
        elif key in TABLES and not isinstance(value, dict):
            yield f"{text.at('', key, number)}: `{key}` is no table; write [case.{key}]"


def _merged(shared: Any, own: Any) -> Any:
    """What a case says stands before what is said for all cases."""
    if isinstance(shared, dict) and isinstance(own, dict):
        return {**shared, **own}
    return shared if own is None else own
