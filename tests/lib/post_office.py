"""A small delivery protocol with some of everything that a command shows."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from twice.model import (
    Bool,
    Expr,
    Map,
    Sort,
    action,
    count,
    each,
    fault,
    require,
    setting,
    when,
)
from twice.model.view import View
from twice.protocols.delivery import Delivery, Task, Worker
from twice.protocols.durations import Bound, duration


class Place(Enum):
    """Where a letter is."""

    DESK = "with its writer"
    BOX = "in the box"
    BAG = "in a bag"
    GONE = "gone"
    RETURNED = "returned"


class Receipt(Enum):
    """When the post office forgets a letter."""

    EARLY = "early"
    LATE = "late"


class PostOffice(Delivery):
    """Letters, carriers who fall ill, and a box that may burn.

    Left out: stamps.
    """

    words: ClassVar[dict[type[Sort], str]] = {Task: "letter", Worker: "carrier"}

    receipt: Receipt = setting(Receipt.LATE, "When the office forgets a letter.")
    bells: int = setting(1, "How often a carrier rings.", within=range(1, 4))
    patience: float = setting(30, "How long a carrier waits at a door.", unit="s", minimum=1)
    insured: bool = setting(False, "Whether a burnt letter is reported.")

    place: Map[Task, Place] = Map(Place.DESK, label="place")
    bag: Map[Task, Worker | None] = Map(None, label="bag")
    well: Map[Worker, bool] = Map(True, label="is well")

    @action(source="post 1.0: office.py:accept", by="writer", to="box")
    def post(self, t: Task) -> None:
        """The writer posts {t}."""
        require(self.place[t] == Place.DESK)
        self.place[t] = Place.BOX

    @action(source="post 1.0: round.py:collect", by="{w}", to="box")
    def start(self, t: Task, w: Worker) -> None:
        """{w} takes {t} out of the box and sets off."""
        require(self.place[t] == Place.BOX, self.well[w])
        self.place[t] = Place.BAG
        self.bag[t] = w
        self.count_start(t)

    @action(source="post 1.0: round.py:deliver", by="{w}", to="reader")
    def deliver(self, t: Task, w: Worker) -> None:
        """{w} rings {bells} time(s) and hands over {t}."""
        require(self.bag[t] == w, self.completions[t] < 2)
        self.count_effect(t)
        self.count_completion(t)
        if self.receipt is Receipt.EARLY:
            self.put_away(t)

    @action(by="{w}", to="box", given=lambda m: m.receipt is Receipt.LATE)
    def sign(self, t: Task, w: Worker) -> None:
        """{w} signs for {t}."""
        require(self.bag[t] == w, self.completed(t))
        self.put_away(t)

    @action(by="writer", to="box", given=lambda m: m.insured)
    def read_notice(self, t: Task) -> None:
        """The writer reads again and again that {t} burnt."""
        require(self.place[t] == Place.RETURNED)
        self.place[t] = Place.RETURNED

    @fault(kind="illness", source="life", by="environment", to="{w}")
    def fall_ill(self, w: Worker) -> None:
        """{w} falls ill on the way; what the office still knows goes back into the box."""
        require(self.well[w])
        self.well[w] = False
        for t in each(Task):
            with when(self.bag[t] == w):
                self.place[t] = Place.BOX if self.receipt is Receipt.LATE else Place.GONE
                self.bag[t] = None

    @fault(kind="box_fire", by="environment", to="box")
    def burn(self, t: Task) -> None:
        """The box burns with {t} in it."""
        require(self.place[t] == Place.BOX)
        self.place[t] = Place.RETURNED if self.insured else Place.GONE

    def put_away(self, t: Task) -> None:
        """Nobody has the letter any more."""
        self.place[t] = Place.GONE
        self.bag[t] = None

    def bounds(self) -> dict[str, Bound]:
        return {"rung": Bound("rings until", self.bells * duration(self, "patience"))}

    def accepted(self, t: Task) -> Bool:
        return self.place[t] != Place.DESK

    def failure_recorded(self, t: Task) -> Bool:
        return self.place[t] == Place.RETURNED

    def copy_left(self, t: Task) -> Bool:
        return self.place[t].is_in(Place.DESK, Place.BOX, Place.BAG)

    def runs_now(self, t: Task) -> Expr[int]:
        return count(Worker, lambda w: self.bag[t] == w)

    def life_cycle(self, view: View) -> str:
        """Name where the first letter is, and whether it was read."""
        place: Place = view["place"][0]
        read = ("", "read once", "read twice")[view["completions"][0]]
        return ", ".join(filter(None, (place.value, read)))
