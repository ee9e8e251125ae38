"""Every checker of the benchmarks explores the same states."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import ack_minicheck
import pytest
from cases import Case
from frame import ROOT
from spin import Setting, spin
from with_promela import exported, promela

from twice.model import explore

QUICK = Setting(("-O0", "-DNOREDUCE"))
CASES = [
    (Case("ack", 2, 2, 1), 341, 682),
    (Case("ack", 3, 2, 2), 8_530, 23_025),
]


def name(value: object) -> str:
    return str(value)


@pytest.mark.parametrize(("case", "states", "transitions"), CASES, ids=name)
def test_a_case_is_the_model_that_its_name_says(case: Case, states: int, transitions: int) -> None:
    system = case.system()
    space = explore(system, case.regimes(system), symmetry=False)
    assert (space.size, space.transitions) == (states, transitions)


@pytest.mark.spin
@pytest.mark.parametrize("program", [promela, exported], ids=["by hand", "exported"])
@pytest.mark.parametrize(("case", "states", "transitions"), CASES, ids=name)
def test_spin_stores_the_same_states(
    case: Case, states: int, transitions: int, program: object, tmp_path: Path
) -> None:
    assert callable(program)
    file = tmp_path / "model.pml"
    file.write_text(program(case), encoding="utf-8")
    run = spin(file, QUICK, states, by_hand=program is promela)
    assert (run.states, run.transitions, run.errors) == (states, transitions, 0)


@pytest.mark.spin
def test_spin_spends_as_many_faults_of_any_kinds(tmp_path: Path) -> None:
    case = Case("rq", 1, 1, 2)
    system = case.system()
    states = explore(system, case.regimes(system), symmetry=False).size
    file = tmp_path / "model.pml"
    file.write_text(promela(case), encoding="utf-8")
    assert spin(file, QUICK, states, by_hand=False).states == states


@pytest.mark.parametrize(("case", "states", "transitions"), CASES, ids=name)
def test_the_function_for_minicheck_has_the_same_states(
    case: Case, states: int, transitions: int
) -> None:
    successors = ack_minicheck.transitions(case.faults)
    known = {ack_minicheck.initial(case.tasks, case.workers)}
    frontier, steps = list(known), 0
    while frontier:
        found = [after for state in frontier for _, after in successors(state)]
        steps += len(found)
        frontier = list(set(found) - known)
        known.update(frontier)
    assert (len(known), steps) == (states, transitions)
    fields = ack_minicheck.FIELDS
    assert all(ack_minicheck.never_lost(dict(zip(fields, s, strict=True))) for s in known)


@pytest.mark.parametrize("case", [Case("ack", 2, 2, 1), Case("rq", 1, 1, 1)], ids=name)
def test_minicheck_counts_as_many(case: Case) -> None:
    pytest.importorskip("minicheck", reason="needs the extra `bench`")
    script = ROOT / "benchmarks" / "with_minicheck.py"
    run = subprocess.run(
        [sys.executable, script, str(case)], capture_output=True, text=True, check=True
    )
    system = case.system()
    states = explore(system, case.regimes(system), symmetry=False).size
    assert json.loads(run.stdout)["states"] == states


def test_a_case_is_read_as_it_is_written() -> None:
    assert Case.parse("rq 1,2,3") == Case("rq", 1, 2, 3)
    assert str(Case("rq", 1, 2, 3)) == "rq 1,2,3"
