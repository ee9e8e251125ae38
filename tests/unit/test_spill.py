"""Closed layers leave memory for a file that has no name, and are read again from there."""

from __future__ import annotations

import tempfile
from typing import NoReturn

import ack
import numpy as np
import pytest

from twice.model import Regime, Report, StateSpace, check, explore, numpy_engine
from twice.model.check import choose, judge

MODEL = ack.Ack().compile({ack.Task: 3, ack.Worker: 2})
REGIMES = [Regime("none"), Regime("two", {"crash": 2})]


def told(report: Report) -> list[object]:
    verdicts = [(r.property.name, r.verdict, r.faults, r.steps) for r in report.results]
    traces = [[(s.sentence, s.changes) for s in r.trace.steps] for r in report.results if r.trace]
    return [report.states, report.transitions, report.closed, *verdicts, *traces]


def explored() -> StateSpace[int]:
    return explore(MODEL, REGIMES, symmetry=False, engine="numpy")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small layers leave memory too."""
    monkeypatch.setattr(numpy_engine, "SPILLED", 0)


@pytest.mark.usefixtures("at_once")
def test_questions_and_traces_are_answered_from_the_file() -> None:
    space = explored()
    levels = [level for layer in space.layers.values() for level in layer.levels.values()]
    assert all(isinstance(level.states, np.memmap) for level in levels)
    whole = told(check(MODEL, REGIMES, symmetry=False, engine="python"))
    assert told(judge(space, REGIMES, choose(MODEL, None))) == whole


@pytest.mark.usefixtures("at_once")
def test_without_room_for_the_file_layers_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    space = explored()
    levels = [level for layer in space.layers.values() for level in layer.levels.values()]
    assert not any(isinstance(level.states, np.memmap) for level in levels)
    whole = told(check(MODEL, REGIMES, symmetry=False, engine="python"))
    assert told(judge(space, REGIMES, choose(MODEL, None))) == whole
