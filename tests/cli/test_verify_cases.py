"""`twice verify`: a spec with several cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import twice

from twice.protocols.spec_cases import cases
from twice.protocols.spec_text import SpecText

SPEC = """\
title = "The box burns"
protocol = "post"

[faults]
box_fire = 1
[points]
box_fire = ["burn"]
[expect]
stuck = "never"

[[case]]
name = "before"
[case.expect]
lost = "possible"

[[case]]
name = "after: insured"
settings.insured = true
settings.bells = 2
expect = { lost = "never", failed = "possible" }

[[case]]
name = "after: no fire"
[case.faults]
box_fire = 0
[case.expect]
lost = "never"
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "fire.toml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def changed(spec: Path, old: str, new: str) -> Path:
    text = spec.read_text(encoding="utf-8")
    assert old in text
    spec.write_text(text.replace(old, new), encoding="utf-8")
    return spec


def test_every_case_is_run_with_what_stands_at_the_top(spec: Path) -> None:
    result = twice("verify", str(spec))
    titles = [line.partition(" (")[0].split(maxsplit=1) for line in result.stdout.splitlines()]
    assert titles == [
        ["ok", "The box burns [before]"],
        ["ok", "The box burns [after: insured]"],
        ["ok", "The box burns [after: no fire]"],
        ["3", "specs: 3 ok"],
    ]
    assert result.exit_code == 0


def test_what_is_expected_at_the_top_is_expected_of_every_case(spec: Path) -> None:
    result = twice("verify", str(changed(spec, 'stuck = "never"', 'stuck = "possible"')))
    assert result.stdout.count("stuck: expected possible, found never") == 3
    assert result.exit_code == 1


def test_a_case_may_expect_something_else_than_stands_at_the_top(spec: Path) -> None:
    changed(spec, 'stuck = "never"', 'stuck = "never"\nlost = "never"')
    assert twice("verify", str(spec)).exit_code == 0


def test_a_case_may_tell_of_an_observation_of_its_own(spec: Path) -> None:
    changed(spec, 'name = "before"', 'name = "before"\nobserved = "ashes"')
    assert [case.data.get("observed") for case in cases(SpecText(spec))] == ["ashes", None, None]


def test_a_case_may_be_outside_the_protocol(spec: Path) -> None:
    changed(spec, "settings.bells = 2\n", 'outside = "nobody insures"\n')
    changed(spec, 'expect = { lost = "never", failed = "possible" }\n', "")
    out = twice("verify", str(spec)).stdout
    assert "outside The box burns [after: insured] (nobody insures)" in out
    assert out.splitlines()[-1] == "3 specs: 2 ok, 1 outside"


SLIPS = {
    ('name = "before"\n', ""): ':11: this case has no name; write name = "..."',
    ('name = "before"', "name = 3"): ":12: `name` is no text; write a few words in quotes",
    ('"after: no fire"', '"before"'): ":23: there is another case `before`",
    ("[case.faults]", "[case.fauts]"): ":24: a case has no `fauts`: did you mean `faults`?",
    ("settings.bells", "setings.bells"): ":19: a case has no `setings`: did you mean `settings`?",
    ("[case.faults]\nbox_fire = 0", "faults = 0"): ":24: `faults` is no table",
    ("settings.bells = 2", "settings.bels = 2"): ":19: PostOffice has no setting `bels`",
    ('lost = "never", failed', 'lots = "never", failed'): ":20: PostOffice has no outcome `lots`",
    ("box_fire = 0", "box_fire = -1"): ":25: `box_fire` is -1; write a whole number from 0",
    ("box_fire = 1", "box_fire = -1"): ":5: `box_fire` is -1; write a whole number from 0",
    ("[[case]]", "[case]"): ": is not TOML",
}


@pytest.mark.parametrize(("change", "told"), SLIPS.items(), ids=[new for _, new in SLIPS])
def test_a_slip_is_told_with_its_line(spec: Path, change: tuple[str, str], told: str) -> None:
    result = twice("verify", str(changed(spec, *change)))
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("case", ["case = 3", "case = []", "[case]", "case = [3]"])
def test_cases_are_a_list_of_tables(tmp_path: Path, case: str) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(f'title = "t"\nprotocol = "post"\n{case}\n', encoding="utf-8")
    told = twice("verify", str(path)).stderr
    assert ":3: `case` is no list of tables; write [[case]] for each" in told


def test_a_case_that_lacks_something_is_named(spec: Path) -> None:
    changed(spec, '[expect]\nstuck = "never"\n', "")
    changed(spec, '[case.expect]\nlost = "possible"', "")
    told = twice("verify", str(spec)).stderr
    assert f"{spec}, case `before`: `expect` is missing" in told


def test_a_slip_at_the_top_is_told_once(spec: Path) -> None:
    told = twice("verify", str(changed(spec, '"post"', '"pots"'))).stderr
    assert told.count("there is no protocol `pots`") == 1
