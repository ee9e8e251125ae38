"""`twice trace` and `twice diagram`: one trace, one picture, in each format."""

from __future__ import annotations

import json

import pytest
from commands import twice
from findings import made_trace

from twice.cli.mermaid_sequence import sequence_diagram
from twice.cli.trace_text import trace_lines


def test_a_trace_is_exit_code_0() -> None:
    assert twice("trace", "post", "lost").exit_code == 0


def test_no_trace_is_exit_code_1_and_says_what_was_proved() -> None:
    result = twice("trace", "post", "overlapping")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "overlapping never happens" in result.stderr
    assert "none, illness, box_fire" in result.stderr


def test_no_trace_within_a_limit_is_exit_code_3() -> None:
    result = twice("trace", "post", "overlapping", "--max-states", "5")
    assert result.exit_code == 3
    assert "undetermined" in result.stderr


def test_the_trace_with_the_fewest_faults_is_taken() -> None:
    told = json.loads(twice("trace", "post", "completed_twice", "--format", "json").stdout)
    assert told["faults"] == 0


def test_no_file_is_touched_without_a_trace(tmp_path: object) -> None:
    path = f"{tmp_path}/trace.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write("older")
    twice("trace", "post", "overlapping", "-o", path)
    with open(path, encoding="utf-8") as file:
        assert file.read() == "older"


STEPS = [("worker 1", "Worker 1 waits.", None), ("worker 1", "Worker 1 wakes; again.", None)]


def test_a_loop_is_marked_in_text() -> None:
    text = "\n".join(line.plain for line in trace_lines(made_trace(*STEPS, loop_from=1), 80))
    assert text.index("From here the steps repeat without end") > text.index("Worker 1 waits")
    assert "... and again from step 2" in text


def test_a_run_that_stays_is_marked_in_text() -> None:
    text = "\n".join(line.plain for line in trace_lines(made_trace(*STEPS, loop_from=2), 80))
    assert text.endswith("Here it stays for ever.")


def test_a_loop_is_a_loop_in_mermaid() -> None:
    text = sequence_diagram(made_trace(*STEPS, loop_from=1), "rq: loop", "loop")
    lines = [line.strip() for line in text.splitlines()]
    start, end = lines.index("loop for ever"), lines.index("end")
    assert lines[start + 1 : end] == ["L1->>L2: Worker 1 wakes#59; again."]


def test_a_run_that_stays_opens_no_loop_in_mermaid() -> None:
    text = sequence_diagram(made_trace(*STEPS, loop_from=2), "rq: loop", "loop")
    assert "loop for ever" not in text
    assert "    end" not in text


def test_a_fault_is_marked_in_mermaid() -> None:
    trace = made_trace(("environment", "Worker 1 is killed.", "worker_kill"))
    assert "Note over L1: FAULT worker_kill" in sequence_diagram(trace, "", "")


@pytest.mark.parametrize("form", ["mermaid", "dot"])
def test_a_diagram_marks_stages_with_outcomes_and_names_faults(form: str) -> None:
    result = twice("diagram", "post", "--faults", "box_fire=1", "--format", form)
    assert result.exit_code == 0
    assert "box_fire" in result.stdout
    assert "illness" not in result.stdout
    assert any("gone" in line and "lost" in line for line in result.stdout.splitlines())


def test_no_diagram_within_a_limit_is_exit_code_3() -> None:
    result = twice("diagram", "post", "--max-states", "5")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "the limit of 5 states was reached" in result.stderr
