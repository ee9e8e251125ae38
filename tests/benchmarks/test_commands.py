"""The commands of the benchmarks run, on the smallest case."""

from __future__ import annotations

import csv
import subprocess
import sys

import pytest
from frame import ROOT
from startup import UNWANTED

from twice.protocols import PROTOCOLS


def python(*words: str) -> str:
    """What a script of this repository prints."""
    run = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return run.stdout


@pytest.mark.spin
def test_one_command_measures_every_checker() -> None:
    pytest.importorskip("minicheck", reason="needs the extra `bench`")
    choice = ("--runs", "1", "--group", "whole", "--case", "ack 2,2,1")
    rows = list(csv.DictReader(python("benchmarks/run.py", *choice).splitlines()))
    assert {row["states"] for row in rows} == {"341"}
    assert {row["checker"].split(",")[0] for row in rows} == {"Twice", "SPIN", "minicheck"}


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_a_default_check_loads_no_package_that_it_does_not_need(protocol: str) -> None:
    told = python("-c", WATCHED.format(protocol))
    assert told.splitlines()[-1].split() == ["loaded:"]


WATCHED = f"""
import sys
from twice.cli.main import main
try:
    main(["check", "{{}}"])
except SystemExit as end:
    assert end.code in (0, 1), end.code
print("loaded:", *(name for name in {UNWANTED} if name in sys.modules))
"""
