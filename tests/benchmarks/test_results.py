"""Rows whose counts differ are an error, and what is stored is what is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import plot
import pytest
import results
from contestants import AUTO, AUTO_REDUCED, MINICHECK, SPIN_FULL, SPIN_REDUCED, Contestant, Run
from page import PAGE, PARTS, PLOT, written
from results import Disagreement, Results, Row, compare

ROW = results.row("whole", "ack 2,2,1", AUTO, [Run(341, 682, "holds", 0.1, 0.5, 2000)], 1000)


def row(contestant: Contestant, states: int, transitions: int | None, verdict: str = "") -> Row:
    run = Run(states, transitions, verdict, 0.1, 0.5, 2000)
    return results.row("whole", "ack 2,2,1", contestant, [run], 1000)


def test_equal_counts_are_a_result() -> None:
    compare([ROW, row(SPIN_FULL, 341, 682, "holds"), row(MINICHECK, 341, None, "holds")])


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (row(SPIN_FULL, 340, 682), "states 341 by Twice, 340 by SPIN"),
        (row(SPIN_FULL, 341, 683), "transitions 682 by Twice, 683 by SPIN"),
        (row(MINICHECK, 341, None, "violated"), "verdict holds by Twice, violated by minicheck"),
        (row(SPIN_REDUCED, 342, 682), "SPIN, partial order stored more than all states"),
    ],
    ids=["states", "transitions", "verdict", "too many"],
)
def test_different_counts_are_an_error(other: Row, what: str) -> None:
    with pytest.raises(Disagreement, match=what):
        compare([ROW, other])


def test_partial_order_reduction_may_store_fewer_states_and_symmetry_counts_apart() -> None:
    compare([ROW, row(SPIN_REDUCED, 300, 500), row(AUTO_REDUCED, 95, 200)])


def test_a_checker_agrees_with_itself() -> None:
    runs = [Run(341, 682, "holds", 0.1, 0.5, 2000), Run(340, 682, "holds", 0.1, 0.5, 2000)]
    with pytest.raises(Disagreement, match="Twice on ack 2,2,1 found"):
        results.row("whole", "ack 2,2,1", AUTO, runs, 1000)


def test_a_row_tells_medians_above_the_start() -> None:
    runs = [Run(100, 1, "", 0.5, seconds, peak) for seconds, peak in ((3, 900), (1, 300), (2, 400))]
    entry = results.row("whole", "ack 2,2,1", AUTO, runs, 200)
    assert (entry.seconds, entry.rate, entry.bytes_per_state) == (2, 200, 2)
    assert replace(entry, search=[], memory=[]).rate is None


def test_results_are_read_as_they_were_saved(tmp_path: Path) -> None:
    found = Results({"cores": "2"}, 1, [ROW])
    found.save(tmp_path)
    assert results.load(tmp_path) == found


def test_the_page_shows_the_stored_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for part in PARTS:
        assert f"<!-- measured: {part} -->" in page
    assert page == written(page, results.load())


def test_the_plot_shows_the_stored_results() -> None:
    assert PLOT.read_text(encoding="utf-8") == plot.drawn(results.load())


def test_the_stored_table_shows_the_stored_results() -> None:
    stored = (results.FOLDER / "comparison.csv").read_text(encoding="utf-8")
    assert stored == results.load().csv()


def test_the_stored_counts_agree() -> None:
    compare(results.load().rows)
