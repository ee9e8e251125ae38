"""Every action and fault of every protocol names its source, and is reached by a shipped spec."""

from __future__ import annotations

import pytest
from spec_runs import RunsOf

from twice.model.rules import ActionMark
from twice.protocols import PROTOCOLS

EACH = pytest.mark.parametrize("name", PROTOCOLS)


def transitions(name: str) -> dict[str, ActionMark]:
    """The actions and faults of a protocol under any settings."""
    rules = PROTOCOLS[name].rules()
    return {rule: mark for rule, mark in rules.items() if isinstance(mark, ActionMark)}


@EACH
def test_every_transition_has_a_source(name: str) -> None:
    assert [rule for rule, mark in transitions(name).items() if not mark.source] == []


@EACH
def test_every_transition_is_enabled_in_some_shipped_spec(name: str, runs_of: RunsOf) -> None:
    enabled = {rule for run in runs_of("") if run.spec.protocol == name for rule in run.enabled}
    assert [rule for rule in transitions(name) if rule not in enabled] == []
