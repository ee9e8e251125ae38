"""Settings: what a user configures, decided before the model is built.

A setting is an ordinary Python value while the model is traced, so an ordinary ``if`` on it chooses
the variant of the protocol. Values given by people as text are read here, and refused here.
"""

from __future__ import annotations

from enum import Enum
from math import isfinite
from typing import Any, TypeVar, cast

from twice.model.errors import ModelError, UsageError, nearest
from twice.model.slips import caller

T = TypeVar("T")

_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


class SettingError(UsageError):
    """A setting that does not exist, or cannot have the value given."""


class Setting:
    """A named choice of a model.

    Attributes
    ----------
    name : str
    default : object
    meaning : str
        One sentence for people.
    unit : str
        "s" for a duration in seconds, or empty.
    within : range or None
        The allowed numbers, where only some are.
    minimum : float or None
        The smallest allowed number.
    type : type
        `bool`, `int`, `float`, `str` or an `Enum` class.
    """

    def __init__(
        self,
        default: object,
        meaning: str,
        *,
        unit: str,
        within: range | None,
        minimum: float | None,
    ) -> None:
        self.name = ""
        self.default = default
        self.meaning = meaning
        self.unit = unit
        self.within = within
        self.minimum = minimum
        self.type: type = float if unit == "s" else type(default)
        if self.type not in (bool, int, float, str) and not issubclass(self.type, Enum):
            raise ModelError(
                "L401",
                f"{default!r} is no setting",
                "a bool, an int, a float, a str or an Enum member",
                caller(),
            )

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, owner: type) -> Any:
        return self if obj is None else obj.values[self.name]

    @property
    def choices(self) -> tuple[str, ...]:
        """Every allowed value as text, or nothing where there are too many to list."""
        if self.type is bool:
            return ("true", "false")
        if issubclass(self.type, Enum):
            return tuple(str(member.value) for member in self.type)
        if self.within is not None:
            return tuple(str(value) for value in self.within)
        return ()

    @property
    def allowed(self) -> str:
        """What a value may be, for messages and listings."""
        if self.choices:
            return ", ".join(self.choices)
        kind = {int: "a whole number", float: "a number", str: "a text"}[self.type]
        if self.unit == "s":
            kind = "a duration in seconds (or with s, m, h, d)"
        return kind if self.minimum is None else f"{kind}, at least {self.minimum:g}"

    def show(self, value: object) -> str:
        """A value as a user would write it."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Enum):
            return str(value.value)
        return f"{value:g}" if isinstance(value, float) else str(value)

    def check(self, value: object) -> object:
        """The value, in the setting's own type.

        Raises
        ------
        SettingError
            When the value is of another type or not allowed.
        """
        if self.type is float and type(value) in (int, float):
            value = float(cast(float, value))
        elif issubclass(self.type, Enum) and isinstance(value, str):
            value = next((member for member in self.type if str(member.value) == value), value)
        if type(value) is not self.type:
            raise self._refuse(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            outside = not isfinite(value) or (self.within is not None and value not in self.within)
            if outside or (self.minimum is not None and not value >= self.minimum):
                raise self._refuse(value)
        return value

    def parse(self, given: str) -> object:
        """The value of a text, as written behind ``--set NAME=``.

        Raises
        ------
        SettingError
            When the text is no allowed value.
        """
        written = given.strip()
        try:
            if self.type is bool:
                return {"true": True, "false": False}[written.lower()]
            if self.type is int:
                return self.check(int(written))
            if self.type is float:
                return self.check(_number(written, seconds=self.unit == "s"))
        except (ValueError, KeyError):
            raise self._refuse(given) from None
        return self.check(written)

    def _refuse(self, value: object) -> SettingError:
        shown = value if isinstance(value, str) else self.show(value)
        return SettingError(f"`{self.name}` cannot be {shown!r}; allowed: {self.allowed}")


def _number(written: str, *, seconds: bool) -> float:
    digits = written.rstrip("abcdefghijklmnopqrstuvwxyz")
    suffix = written[len(digits) :]
    timed = seconds and suffix in _SECONDS
    return float(digits) * _SECONDS[suffix] if timed else float(written)


def setting(
    default: T,
    meaning: str = "",
    *,
    unit: str = "",
    within: range | None = None,
    minimum: float | None = None,
) -> T:
    """Declare a setting: ``acks_late: bool = setting(False, "Acknowledge after the run.")``.

    Parameters
    ----------
    default
        The value of those who configure nothing; its type is the setting's type.
    meaning : str
        One sentence for people.
    unit : str
        "s" makes it a duration in seconds.
    within : range, optional
        The only allowed numbers.
    minimum : float, optional
        The smallest allowed number.
    """
    return cast(T, Setting(default, meaning, unit=unit, within=within, minimum=minimum))


def choose(known: dict[str, Setting], given: dict[str, object], owner: str) -> dict[str, object]:
    """The values of all settings: the given ones checked, the default for the others.

    Raises
    ------
    SettingError
        For a name that is no setting, or a value that is not allowed.
    """
    for name in given:
        if name not in known:
            raise SettingError(f"{owner} has no setting `{name}`; {nearest(name, known)}")
    return {
        name: entry.check(given[name]) if name in given else entry.default
        for name, entry in known.items()
    }
