"""A default check loads no package that it does not need: each would be paid at every start."""

from __future__ import annotations

import subprocess
import sys

import pytest

from twice.protocols import PROTOCOLS

HEAVY = ("numpy", "networkx", "scipy", "dask", "distributed", "rich")

CHECKED = """
import sys
from twice.cli.main import main
try:
    main(["check", sys.argv[1]])
except SystemExit as ended:
    assert ended.code == 1, ended.code
print(*sorted(set(sys.argv[2:]) & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_piped_default_check_loads_no_heavy_package(protocol: str) -> None:
    command = [sys.executable, "-c", CHECKED, protocol, *HEAVY]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith(PROTOCOLS[protocol].title().split(":")[0])
    assert ended.stderr.split() == []


def test_a_terminal_is_given_colour_by_rich() -> None:
    command = [sys.executable, "-c", CHECKED, "rq", *HEAVY]
    environment = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "\x1b[" in ended.stdout
    assert ended.stderr.split() == ["rich"]
