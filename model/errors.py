"""What a person is told when something they wrote cannot be meant that way.

Two kinds of mistakes meet a person: one in a model's definition (`ModelError`) and one in what they
ask of a model, a setting's name or a scope (`UsageError`). Both say where, what was written, why it
cannot be, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

CODES: dict[str, str] = {
    "L101": "`and` between conditions on the state",
    "L102": "`or` between conditions on the state",
    "L103": "`not` on a condition on the state",
    "L104": "`in` on a value of the state",
    "L105": "a chained comparison of values of the state",
    "L106": "`if` on a condition on the state",
    "L107": "`x if c else y` on a condition on the state",
    "L108": "`while` on a condition on the state",
    "L109": "`max`, `min`, `any`, `all` or `bool` of values of the state",
    "L110": "a plain value where a condition on the state is needed (`is`, `is not`, a setting)",
    "L111": "`&` or `|` binding tighter than a comparison",
    "L112": "a value of the state used as a number, a key, a collection, or in other arithmetic",
    "L113": "a comparison whose result is thrown away",
    "L201": "a misspelt variable or setting",
    "L202": "an index of the wrong sort",
    "L203": "an index that depends on the state",
    "L204": "a whole map assigned or read as one value",
    "L205": "a value of the wrong kind",
    "L206": "a setting assigned by an action",
    "L207": "an assignment or a state read outside an action",
    "L208": "a constant outside the variable's domain",
    "L301": "`require` after an assignment",
    "L302": "`require` inside `when` or `each`",
    "L303": "`when` without `with`",
    "L304": "`each` left early",
    "L305": "an assignment inside `each` that is not pointwise",
    "L306": "a read, inside `each`, of what another turn wrote",
    "L307": "an assignment inside a property",
    "L308": "a member of `each` or of a quantifier used where it is over",
    "L401": "a declaration the language does not know",
    "L402": "a number without a finite domain of numbers one after another",
    "L403": "an initial value outside the domain",
    "L404": "a sentence with an unknown or unreadable placeholder",
    "L405": "a parameter that ranges over what it cannot",
    "L406": "a rule without a sentence",
    "L407": "a property that returns no condition",
    "L408": "one name used twice",
    "L409": "an unknown action, or a fault, named by a property about actions without end",
    "L410": "an action or a property overridden without its decorator",
}
"""Every code of a `ModelError` with the mistake it stands for. Codes are stable: they are never
reused.
"""


class Place(NamedTuple):
    """A line of a model's source."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file.rsplit('/', 1)[-1]}:{self.line}"

    @property
    def text(self) -> str:
        """The line as it was written, or an empty text where the source is not at hand."""
        import linecache

        return linecache.getline(self.file, self.line).strip()


class ModelError(AttributeError):
    """A model's definition cannot mean what it says.

    It is an `AttributeError` so that a misspelt variable behaves as Python's own misspelt attribute
    does.

    Parameters
    ----------
    code : str
        One of `CODES`, stable.
    what : str
        What was written and why it cannot be meant that way.
    cure : str
        What to write instead.
    place : Place, optional
        The line at fault.
    """

    def __init__(self, code: str, what: str, cure: str, place: Place | None = None) -> None:
        self.code = code
        self.what = what
        self.cure = cure
        self.place = place
        super().__init__(str(self))

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        shown = f"\n    {self.place.text}" if self.place and self.place.text else ""
        return f"{where}{self.what} [{self.code}]{shown}\n    Write instead: {self.cure}"


class UsageError(ValueError):
    """A model was asked for something it cannot give; the message says what to ask instead."""


TOO_LARGE = "this scope is too large for the rules to be written out; use fewer members"
"""Where Python itself gives up on the terms or the source of a model."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name was probably meant, or list the known names.

    >>> nearest("statsu", ["status", "holder"])
    'did you mean `status`?'
    >>> nearest("colour", ["status", "holder"])
    'known names: holder, status'
    """
    from difflib import get_close_matches

    options = sorted(known)
    close = get_close_matches(name, options, 1)
    if close:
        return f"did you mean `{close[0]}`?"
    return f"known names: {', '.join(options)}" if options else "there are no names to choose from"
