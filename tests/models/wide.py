"""A model whose states need several words, though there are few of them."""

from __future__ import annotations

from twice.model import (
    Bool,
    Map,
    Model,
    Sort,
    Var,
    action,
    always_reachable,
    count,
    finitely_often,
    forall,
    invariant,
    ite,
    require,
)

_FAR = range(1 << 30)


class Thing(Sort):
    """Something that moves."""


class Wide(Model):
    """Things move on by large steps, each at most three times, and one may swing for ever."""

    near: Map[Thing, int] = Map(0, within=_FAR)
    far: Map[Thing, int] = Map(0, within=_FAR)
    swings: Var[bool] = Var(False)

    @action
    def step(self, t: Thing) -> None:
        """{t} moves."""
        require(self.near[t] < 3 * 99_999)
        self.far[t] = ite(self.near[t] == 0, 77_777, self.far[t] + 333_333)
        self.near[t] = self.near[t] + 99_999

    @action
    def swing(self) -> None:
        """It swings."""
        require(count(Thing, lambda t: self.far[t] > 0) == 2)
        self.swings = ~self.swings

    @invariant
    def all_stay_near(self) -> Bool:
        """Nothing goes as far as it can."""
        return forall(Thing, lambda t: self.near[t] < 3 * 99_999)

    @always_reachable
    def rests(self) -> Bool:
        """It can come to rest where it began."""
        return ~self.swings & forall(Thing, lambda t: self.near[t] == 0)

    @finitely_often("swing")
    def swings_end(self) -> Bool:
        """It does not swing for ever."""
        return ~self.swings | self.swings
