"""An exploration that stops early says what it covered, and goes on from its checkpoint."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import ack
import pytest

from twice.model import Covered, Limits, Regime, Report, UsageError, Verdict, check
from twice.model import check as check_module
from twice.model.check import choose, judge
from twice.model.exploration import explore
from twice.model.limits import Watch

MODEL = ack.Ack().compile({ack.Task: 4, ack.Worker: 2})
REGIMES = [Regime("none"), Regime("two", {"crash": 2})]
ENGINES = ["python", "numpy", "counter"]


@pytest.fixture(autouse=True)
def in_the_foreground() -> Iterator[None]:
    """A shell's background jobs ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def told(report: Report) -> list[object]:
    verdicts = [(r.property.name, r.regime.name, r.verdict, r.states) for r in report.results]
    return [report.states, report.transitions, report.depth, report.closed_layers, *verdicts]


WHOLE = told(check(MODEL, REGIMES))


def assert_whole(report: Report, *engines: str) -> None:
    found, whole = told(report), list(WHOLE)
    if "counter" in engines:  # which counts steps of members that are alike once
        found[1], whole[1] = 0, 0
    assert found == whole


@pytest.mark.parametrize("second", ENGINES)
@pytest.mark.parametrize("first", ENGINES)
def test_stopping_again_and_again_changes_nothing(tmp_path: Path, first: str, second: str) -> None:
    file = tmp_path / "run.npz"
    report = check(MODEL, REGIMES, engine=first, limits=Limits(max_states=50), checkpoint=file)
    stops = 1
    while report.stopped:
        assert (report.layers, report.closed) == (3, False)
        limits = Limits(max_states=report.states + 400)
        report = check(MODEL, REGIMES, engine=second, limits=limits, checkpoint=file, resume=file)
        stops += 1
    assert stops > 4
    assert_whole(report, first, second)


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_is_put_off_to_where_nothing_is_half_done(tmp_path: Path, engine: str) -> None:
    handler = signal.getsignal(signal.SIGINT)
    file = tmp_path / "run.npz"
    for look in range(1, 40, 6):
        seen = 0

        def press(_: Covered, at: int = look) -> None:
            nonlocal seen
            seen += 1
            if seen == at:
                signal.raise_signal(signal.SIGINT)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("twice.model.limits._OFTEN", -1)
            report = check(MODEL, REGIMES, engine=engine, progress=press, checkpoint=file)
        assert report.stopped == "it was interrupted"
        assert 0 < report.states < WHOLE[0]  # type: ignore[operator]
        assert_whole(check(MODEL, REGIMES, resume=file), engine)
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_pressed_again_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(self: Watch, *_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Watch, "look", press)
    assert check(MODEL, REGIMES).stopped == "it was interrupted"


def test_a_handler_of_the_program_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    caught: list[int] = []
    monkeypatch.setattr("twice.model.limits._OFTEN", -1)
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        report = check(MODEL, REGIMES, progress=lambda _: os.kill(os.getpid(), signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught
    assert told(report) == WHOLE


def test_a_thread_explores_too() -> None:
    reports: list[Report] = []
    thread = threading.Thread(target=lambda: reports.append(check(MODEL, REGIMES)))
    thread.start()
    thread.join()
    assert told(reports[0]) == WHOLE


def interrupted_judging(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Press Ctrl-C at a look that comes after the exploration."""
    looks = 0
    real = check_module.__globals__["_Answers"]

    class Pressed(real):  # type: ignore[misc, valid-type]
        def _look(self) -> None:
            nonlocal looks
            looks += 1
            if looks == after:
                raise KeyboardInterrupt

    monkeypatch.setitem(check_module.__globals__, "_Answers", Pressed)


def test_ctrl_c_while_violations_are_looked_for_keeps_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.npz"
    interrupted_judging(monkeypatch, after=4)  # in the second of three layers
    report = check(MODEL, REGIMES, checkpoint=file)
    monkeypatch.undo()
    assert (report.closed, report.closed_layers, report.layers) == (True, 3, 3)
    assert report.stopped == "it was interrupted"
    assert report.warnings == ()
    assert report.result("lost", "none").verdict is Verdict.HOLDS
    assert report.result("started_twice", "two").verdict is Verdict.VIOLATED
    open_one = report.result("lost", "two")
    assert (open_one.verdict, open_one.reason) == (Verdict.UNDETERMINED, "it was interrupted")
    assert told(check(MODEL, REGIMES, resume=file)) == WHOLE


def test_the_time_for_looking_at_what_was_explored_is_limited_too() -> None:
    space = explore(MODEL, REGIMES)
    report = judge(space, REGIMES, choose(MODEL, None), Watch(Limits(timeout=0), None))
    assert report.stopped == "the limit of 0 seconds was reached"
    assert report.result("lost", "two").verdict is Verdict.UNDETERMINED
    assert told(judge(space, REGIMES, choose(MODEL, None))) == WHOLE


def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    check(MODEL, REGIMES, limits=Limits(max_states=50), checkpoint=file)
    for regimes, symmetry in ((REGIMES[:1], True), (REGIMES, False)):
        with pytest.raises(UsageError, match="belongs to another question"):
            check(MODEL, regimes, symmetry=symmetry, resume=file)
    file.write_text("no checkpoint")
    with pytest.raises(UsageError, match="no checkpoint"):
        check(MODEL, REGIMES, resume=file)


def test_nothing_is_left_beside_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    check(MODEL, REGIMES, limits=Limits(max_states=50), checkpoint=file)
    check(MODEL, REGIMES, limits=Limits(max_states=90), checkpoint=file, resume=file)
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(UsageError, match="cannot be written"):
        check(
            MODEL, REGIMES, limits=Limits(max_states=50), checkpoint=tmp_path / "none" / "run.npz"
        )
