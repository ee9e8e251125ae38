"""What the commands print, word for word, at 80 columns, of a protocol that does not change."""

from __future__ import annotations

import pytest
from commands import twice
from golden_files import compare

COMMANDS = {
    "list.txt": "list post",
    "list-points.txt": "list post --points",
    "list.json": "list post --format json",
    "check.txt": "check post",
    "check-early.txt": "check post --set receipt=early --trace all",
    "check-one-regime.txt": "check post --faults illness=2,box_fire=1 --trace none",
    "check-undetermined.txt": "check post --jobs 2 --max-states 30",
    "check.json": "check post --outcome lost --outcome started_twice --format json",
    "trace.txt": "trace post started_twice",
    "trace.json": "trace post started_twice --format json",
    "trace.mmd": "trace post started_twice --format mermaid",
    "diagram.mmd": "diagram post --faults illness=1,box_fire=1",
    "diagram.dot": "diagram post --format dot",
    "help.txt": "--help",
    "help-check.txt": "check --help",
}


@pytest.mark.parametrize(("name", "command"), COMMANDS.items(), ids=list(COMMANDS))
def test_it_reads_as_before(name: str, command: str) -> None:
    compare(name, twice(*command.split()).stdout)


FOR_PEOPLE = [command for name, command in COMMANDS.items() if name.endswith(".txt")]


@pytest.mark.parametrize("command", FOR_PEOPLE)
def test_every_line_fits_80_columns(command: str) -> None:
    lines = twice(*command.split()).stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
