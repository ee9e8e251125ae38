"""A checkpoint goes on only what it was saved for, and a damaged one is told from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from twice.model import (
    Bool,
    Limits,
    Map,
    Model,
    Regime,
    Report,
    Sort,
    UsageError,
    Var,
    action,
    always_reachable,
    check,
    engine_choice,
    fault,
    invariant,
    require,
)
from twice.model.compiled import CompiledModel


class Task(Sort):
    """Something to do."""


def clocked(start: int = 1, kind: str = "crash", members: int = 3) -> CompiledModel:
    """Some tasks may be lost at the first tick of a clock, and break after a fault."""

    class Clocked(Model):
        """Tasks and a clock."""

        lost: Map[Task, bool] = Map(False)
        broken: Var[bool] = Var(False)
        clock: Var[int] = Var(start, within=range(20))

        @action
        def lose(self, t: Task) -> None:
            """{t} is lost."""
            require(self.clock == 1)
            self.lost[t] = True
            self.clock = 2

        @action
        def tick(self) -> None:
            """Time goes on."""
            require(self.clock > 0, self.clock < 18)
            self.clock += 1

        @fault(kind=kind)
        def crash(self) -> None:
            """Something breaks."""
            self.broken = True

        @fault(kind="pause")
        def pause(self) -> None:
            """Nothing moves for a while."""
            require(self.broken)
            self.clock = 19

        @invariant
        def in_time(self) -> Bool:
            """The clock does not stop at its end."""
            return self.clock < 19

        @always_reachable
        def kept(self, t: Task) -> Bool:
            """{t} is not lost."""
            return ~self.lost[t]

    return Clocked().compile({Task: members})


REGIMES = [Regime("both", {"crash": 1, "pause": 1})]
EARLY = Limits(max_states=8)


def told(report: Report) -> list[object]:
    verdicts = [(r.property.name, r.verdict, r.faults, r.steps, r.states) for r in report.results]
    return [report.states, report.transitions, report.depth, report.closed, *verdicts]


def test_it_does_not_go_on_where_other_members_keep_their_names(tmp_path: Path) -> None:
    file, model = tmp_path / "run.npz", clocked()
    check(model, REGIMES, properties=["in_time"], limits=EARLY, checkpoint=file)
    with pytest.raises(UsageError, match="outcomes and symmetry"):
        check(model, REGIMES, resume=file)


def test_it_goes_on_to_other_questions_about_the_same_states(tmp_path: Path) -> None:
    file, model = tmp_path / "run.npz", clocked()
    check(model, REGIMES, properties=["kept"], limits=EARLY, checkpoint=file)
    assert told(check(model, REGIMES, resume=file)) == told(check(model, REGIMES))


@pytest.mark.parametrize(
    "other",
    [clocked(start=0), clocked(kind="loss"), clocked(members=2)],
    ids=["initial value", "kind of fault", "members"],
)
def test_it_does_not_go_on_with_another_model(tmp_path: Path, other: CompiledModel) -> None:
    file = tmp_path / "run.npz"
    regimes = [Regime("pause", {"pause": 1})]  # which all of them have
    check(clocked(), regimes, limits=EARLY, checkpoint=file)
    with pytest.raises(UsageError, match="belongs to another question"):
        check(other, regimes, resume=file)


def test_a_move_to_another_engine_keeps_what_the_open_layer_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layers that are closed and empty lie around the one that is open: `pause` needs a crash."""
    regimes = [Regime("crash", {"crash": 1}), Regime("pause", {"pause": 2})]
    file, model = tmp_path / "run.npz", clocked()
    whole = told(check(model, regimes, engine="python"))
    stopped = check(model, regimes, engine="python", limits=Limits(max_states=65), checkpoint=file)
    assert (stopped.closed_layers, stopped.layers) == (2, 4)
    monkeypatch.setattr(engine_choice, "OUTGROWN", 0)
    monkeypatch.setattr(engine_choice, "WIDE", 0)
    assert told(check(model, regimes, engine="auto", resume=file)) == whole


def test_what_cannot_be_counted_is_noticed_at_once(tmp_path: Path) -> None:
    """A step that changes two members, met only when loaded states are looked at again."""

    class Turns(Model):
        """Tasks take turns, and then a clock runs."""

        turn: Var[Task | None] = Var(None)
        clock: Var[int] = Var(0, within=range(40))

        @action
        def take(self, t: Task) -> None:
            """{t} takes the turn of another."""
            require(self.clock < 2)
            self.turn = t
            self.clock += 1

        @action
        def tick(self) -> None:
            """Time goes on."""
            require(self.clock >= 2, self.clock < 39)
            self.clock += 1

        @always_reachable
        def ends(self) -> Bool:
            """The clock can come to its end."""
            return self.clock == 39

    file, model = tmp_path / "run.npz", Turns().compile({Task: 6})
    check(model, engine="python", limits=Limits(max_states=20), checkpoint=file)
    assert told(check(model, resume=file)) == told(check(model, engine="python"))
    with pytest.raises(UsageError, match="a step changes two members at once; use python"):
        check(model, engine="counter", resume=file)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    file, model = tmp_path / "run.npz", clocked()
    check(model, REGIMES, limits=EARLY, checkpoint=file)
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for damaged in (b"", whole[:1], whole[:middle], whole[:-1], flipped):
        file.write_bytes(damaged)
        with pytest.raises(UsageError, match="is no checkpoint of this version"):
            check(model, REGIMES, resume=file)


def test_a_link_keeps_pointing_at_its_file(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    file, link = tmp_path / "kept" / "run.npz", tmp_path / "link.npz"
    link.symlink_to(file)
    check(clocked(), REGIMES, limits=EARLY, checkpoint=link)
    assert link.is_symlink()
    assert told(check(clocked(), REGIMES, resume=file)) == told(check(clocked(), REGIMES))
