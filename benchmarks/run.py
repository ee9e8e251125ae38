"""Measure Twice, SPIN and minicheck side by side, and write the results and the page.

    python benchmarks/run.py

Needs the Debian packages `spin` and `gcc`, and `pip install .[bench]`. The whole suite takes about
an hour; nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import results
from cases import Case
from contestants import PYTHON, Command, Contestant, Run
from machine import machine
from page import PAGE, PLOT, written
from plot import drawn
from processes import measured
from results import Disagreement, Results
from suite import GROUPS, START, Meeting, meetings


def main(words: Sequence[str] | None = None) -> int:
    """Run the suite."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="measure each so often (default: 5)")
    parser.add_argument(
        "--patience",
        type=float,
        default=float("inf"),
        metavar="SECONDS",
        help="what has taken so long in all is not measured again (default: no limit)",
    )
    parser.add_argument("--group", action="append", choices=GROUPS, help="only this part")
    parser.add_argument("--case", action="append", help="only this case, such as 'ack 4,2,2'")
    parser.add_argument("--page", action="store_true", help="write the page from the last run")
    given = parser.parse_args(words)
    if given.page:
        publish(results.load())
        return 0
    suite = [
        meeting
        for meeting in meetings(protocols())
        if meeting.group in (given.group or GROUPS)
        and (given.case is None or str(meeting.case) in given.case)
    ]
    try:
        found = measure(suite, given.runs, given.patience)
    except Disagreement as disagreement:
        print(f"not a result: {disagreement}", file=sys.stderr)
        return 1
    if given.group or given.case:
        print(found.csv(), end="")
    else:
        found.save()
        publish(found)
    return 0


def protocols() -> tuple[str, ...]:
    """The names of the shipped protocols, asked of another process so that this one stays small."""
    names = measured([PYTHON, "-c", "from twice.protocols import PROTOCOLS; print(*PROTOCOLS)"])
    return tuple(names.output.split())


def measure(suite: Sequence[Meeting], runs: int, patience: float) -> Results:
    """Measure every contestant of every meeting, so often, and compare what they found.

    The runs of one contestant are spread over the whole time, so that a slow minute of the machine
    does not fall on one of them alone.

    Raises
    ------
    Disagreement
        Where two of them counted differently.
    """
    here = machine()
    pairs = list(dict.fromkeys((m.case, who) for m in suite for who in m.contestants))
    start = {
        who: 0 if who.starts_small else _run(who, START, 1000).peak
        for who in dict.fromkeys(who for _, who in pairs)
        if not isinstance(who, Command)
    }
    found: dict[tuple[Case, Contestant], list[Run]] = {pair: [] for pair in pairs}
    states: dict[Case, int] = {}
    for number in range(runs):
        for case, who in pairs:
            if sum(run.total for run in found[case, who]) > patience:
                continue
            done = _run(who, case, states.get(case, 1000))
            found[case, who].append(done)
            states[case] = max(states.get(case, 0), done.states)
            told = f"{done.states:>13,} states {done.total:8.2f} s"
            print(f"{number + 1}/{runs} {case!s:14} {who.label:26}{told}", file=sys.stderr)
    rows = [
        results.row(meeting.group, str(meeting.case), who, found[meeting.case, who], start.get(who))
        for meeting in suite
        for who in meeting.contestants
    ]
    results.compare(rows)
    return Results(here, runs, rows)


def _run(who: Contestant, case: Case, states: int) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        return who.run(case, Path(folder), states)


def publish(found: Results) -> None:
    """Write the page and its plot."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    PLOT.write_text(drawn(found), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
