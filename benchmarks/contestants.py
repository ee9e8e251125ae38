"""Contestants: each checker in each of its settings, and how one case is run in it."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import spin
from cases import Case
from processes import measured

HERE = Path(__file__).resolve().parent
PYTHON = sys.executable


class Run(NamedTuple):
    """One measurement.

    Attributes
    ----------
    states : int
    transitions : int or None
        Where the checker says.
    verdict : str
        ``holds`` or ``violated``; empty where the checker only explored.
    search : float or None
        Seconds from the model that is ready to the verdict; None where only the whole is seen.
    total : float
        Seconds from a cold start to the verdict.
    peak : int
        Bytes of the process that searches.
    """

    states: int
    transitions: int | None
    verdict: str
    search: float | None
    total: float
    peak: int


@dataclass(frozen=True)
class Contestant(ABC):
    """A checker in one setting.

    Attributes
    ----------
    label : str
        What tables and plots call it.
    """

    label: str

    @property
    def symmetry(self) -> bool:
        """Whether states that differ by names alone are one."""
        return False

    @property
    def may_store_fewer(self) -> bool:
        """Whether it may leave out states, as partial-order reduction does."""
        return False

    @property
    def starts_small(self) -> bool:
        """Whether it holds less at its start than can be seen (see `Measured.peak`)."""
        return False

    @property
    @abstractmethod
    def tool(self) -> str:
        """The checker."""

    @abstractmethod
    def run(self, case: Case, folder: Path, states: int) -> Run:
        """Measure one case, which has about so many states, in an empty folder."""


@dataclass(frozen=True)
class Twice(Contestant):
    """Twice with one of its engines; a script builds the model and prints the verdict."""

    engine: str
    symmetric: bool = False
    tool = "Twice"

    @property
    def symmetry(self) -> bool:
        """As given."""
        return self.symmetric

    def run(self, case: Case, folder: Path, states: int) -> Run:
        """Run the script."""
        extra = [] if self.symmetric else ["--no-symmetry"]
        script = str(HERE / "with_twice.py")
        command = [PYTHON, script, str(case), "--engine", self.engine, *extra]
        done = measured(command, folder)
        found = json.loads(done.output)
        return Run(
            found["states"],
            found["transitions"],
            found["verdict"],
            found["search"],
            done.seconds,
            done.peak,
        )


@dataclass(frozen=True)
class Command(Contestant):
    """`twice check` as a user types it, which reduces by symmetry."""

    symmetry = True
    tool = "Twice"

    def run(self, case: Case, folder: Path, states: int) -> Run:
        """Run the command.

        Raises
        ------
        ValueError
            For a case that is not what the command asks by default.
        """
        if case.is_benchmark or case.faults != 1:
            raise ValueError(f"`twice check` does not ask about {case}")
        scope = ["--jobs", str(case.tasks), "--workers", str(case.workers), "--format", "json"]
        command = [PYTHON, "-m", "twice", "check", case.protocol, *scope]
        done = measured(command, folder, exits=(0, 1))
        found = json.loads(done.output)
        return Run(
            found["states"],
            found["transitions"],
            found["verdict"],
            None,
            done.seconds,
            done.peak,
        )


@dataclass(frozen=True)
class Spin(Contestant):
    """SPIN; that the program is there already costs it nothing."""

    setting: spin.Setting
    tool = "SPIN"
    starts_small = True

    @property
    def may_store_fewer(self) -> bool:
        """With partial-order reduction."""
        return self.setting.reduces

    def run(self, case: Case, folder: Path, states: int) -> Run:
        """Write the program, then generate, compile and run."""
        program = folder / "model.pml"
        written = measured([PYTHON, HERE / "with_promela.py", str(case)], folder)
        program.write_text(written.output, encoding="utf-8")
        done = spin.spin(program, self.setting, states, by_hand=case.is_benchmark)
        verdict = ("violated" if done.errors else "holds") if case.is_benchmark else ""
        return Run(done.states, done.transitions, verdict, done.search, done.total, done.peak)


@dataclass(frozen=True)
class Minicheck(Contestant):
    """minicheck, breadth first in plain Python."""

    tool = "minicheck"

    def run(self, case: Case, folder: Path, states: int) -> Run:
        """Run the script."""
        done = measured([PYTHON, HERE / "with_minicheck.py", str(case)], folder)
        found = json.loads(done.output)
        verdict = found["verdict"] if case.is_benchmark else ""
        return Run(found["states"], None, verdict, found["search"], done.seconds, done.peak)


PLAIN = Twice("Twice, Python", "python")
NUMPY = Twice("Twice, NumPy", "numpy")
AUTO = Twice("Twice", "auto")
PLAIN_REDUCED = Twice("Twice, Python, symmetry", "python", symmetric=True)
NUMPY_REDUCED = Twice("Twice, NumPy, symmetry", "numpy", symmetric=True)
COUNTER = Twice("Twice, counters", "counter", symmetric=True)
AUTO_REDUCED = Twice("Twice, symmetry", "auto", symmetric=True)
COMMAND = Command("twice check")
SPIN_FULL = Spin("SPIN", spin.FULL)
SPIN_REDUCED = Spin("SPIN, partial order", spin.REDUCED)
SPIN_BREADTH = Spin("SPIN, breadth first", spin.BREADTH_FIRST)
SPIN_TUNED = Spin("SPIN, more C options", spin.TUNED)
SPIN_COMPRESSED = Spin("SPIN, collapse", spin.COMPRESSED)
MINICHECK = Minicheck("minicheck")

EVERYBODY: tuple[Contestant, ...] = (
    PLAIN,
    NUMPY,
    AUTO,
    PLAIN_REDUCED,
    NUMPY_REDUCED,
    COUNTER,
    AUTO_REDUCED,
    COMMAND,
    SPIN_FULL,
    SPIN_REDUCED,
    SPIN_BREADTH,
    SPIN_TUNED,
    SPIN_COMPRESSED,
    MINICHECK,
)
