"""The specs of RQ: every step has a source in its version."""

from __future__ import annotations

import re

import pytest
from frame import ROOT

from twice.protocols.rq import RQ
from twice.protocols.rq_settings import Version
from twice.protocols.spec_reader import read_specs

SPECS = [
    spec
    for path in sorted((ROOT / "specs" / "rq").glob("*.toml"))
    for spec in read_specs(path)
    if not spec.outside
]


@pytest.mark.parametrize("version", Version)
def test_every_step_has_a_source_in_its_version(version: Version) -> None:
    settings = [spec.settings for spec in SPECS if spec.settings.get("version") == version.value]
    for given in settings or [{"version": version}]:
        for command in RQ(**given).program().commands:
            assert re.match(
                rf"rq {re.escape(version.value)}: [\w/]+\.py:[\w.]+"
                r"|redis-|operating system: |any supervisor$",
                command.source,
            ), (command.name, command.source)
