"""Finite domains: the values a variable can hold, and the small numbers that stand for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum

from twice.model.sorts import Sort


class Domain(ABC):
    """The values of one cell, coded as consecutive integers from ``low`` to ``high``."""

    kind: type
    low: int = 0
    high: int

    @property
    def width(self) -> int:
        """Bits that hold any code, counted from `low`."""
        return max(1, (self.high - self.low).bit_length())

    @property
    def codes(self) -> range:
        """Every code."""
        return range(self.low, self.high + 1)

    @abstractmethod
    def encode(self, value: object) -> int:
        """The code of a value; ValueError when the domain does not have it."""

    @abstractmethod
    def decode(self, code: int) -> object:
        """The value of a code; a member of a sort is given by its number from 0."""

    @abstractmethod
    def label(self, code: int) -> str:
        """The value as people read it."""


class Truth(Domain):
    """False and True."""

    kind = bool
    high = 1

    def encode(self, value: object) -> int:
        if isinstance(value, bool):
            return int(value)
        raise ValueError(value)

    def decode(self, code: int) -> bool:
        return bool(code)

    def label(self, code: int) -> str:
        return "yes" if code else "no"


class Numbers(Domain):
    """A range of integers."""

    kind = int

    def __init__(self, within: range) -> None:
        if within.step != 1 or not within:
            raise ValueError(within)
        self.low, self.high = within.start, within.stop - 1

    def encode(self, value: object) -> int:
        if type(value) is int and self.low <= value <= self.high:
            return value
        raise ValueError(value)

    def decode(self, code: int) -> int:
        return code

    def label(self, code: int) -> str:
        return str(code)


class Members(Domain):
    """The members of an enumeration, in the order of their definition."""

    def __init__(self, kind: type[Enum]) -> None:
        self.kind = kind
        self.members = list(kind)
        self.high = len(self.members) - 1

    def encode(self, value: object) -> int:
        return self.members.index(value)  # type: ignore[arg-type]  # ValueError is what another type shall get

    def decode(self, code: int) -> Enum:
        return self.members[code]

    def label(self, code: int) -> str:
        return str(self.members[code].value)


class Elements(Domain):
    """The members of a sort, numbered from 0; where None is allowed its code is the next."""

    def __init__(self, kind: type[Sort], size: int, *, optional: bool, noun: str) -> None:
        self.kind = kind
        self.size = size
        self.optional = optional
        self.noun = noun
        self.high = size if optional else max(size - 1, 0)

    def encode(self, value: object) -> int:
        if value is None and self.optional:
            return self.size
        raise ValueError(value)

    def decode(self, code: int) -> int | None:
        return code if code < self.size else None

    def label(self, code: int) -> str:
        return f"{self.noun} {code + 1}" if code < self.size else "none"
