"""Protocols are found by name, and only what is asked for is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from twice.protocols import PROTOCOLS
from twice.protocols.delivery import Delivery
from twice.protocols.registry import Registry

ONE = """
import sys
from twice.protocols import PROTOCOLS
name = sys.argv[1]
assert name in PROTOCOLS and "no such name" not in PROTOCOLS and len(PROTOCOLS) == len([*PROTOCOLS])
assert not any(m.startswith("twice.model") for m in sys.modules), "a name alone loads nothing"
place = PROTOCOLS[name].__module__
print(*sorted(m for m in sys.modules if m.startswith("twice.protocols.")))
"""


@pytest.mark.parametrize("name", list(PROTOCOLS))
def test_every_name_stands_for_a_protocol(name: str) -> None:
    assert issubclass(PROTOCOLS[name], Delivery)
    assert PROTOCOLS[name] is PROTOCOLS[name]


@pytest.mark.parametrize("name", list(PROTOCOLS))
def test_a_protocol_loads_no_other(name: str) -> None:
    run = [sys.executable, "-c", ONE, name]
    loaded = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    others = [PROTOCOLS[other].__module__ for other in PROTOCOLS if other != name]
    assert PROTOCOLS[name].__module__ in loaded
    assert not set(others) & set(loaded)


def test_a_registry_takes_and_loses_entries_like_a_dict() -> None:
    registry = Registry({"rq": "twice.protocols.rq:RQ"})
    registry["other"] = Delivery
    assert (list(registry), len(registry)) == (["rq", "other"], 2)
    del registry["other"]
    with pytest.raises(KeyError):
        registry["other"]
