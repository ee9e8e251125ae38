"""`twice verify`: specs are compared with what is found, and slips are told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import twice

SPEC = """\
title = "The box burns"
source = "post 1.0"
observed = "LOST"
protocol = "post"
[settings]
bells = 2
[scope]
tasks = 1
workers = 2
[faults]
box_fire = 1
illness = 1
[points]
box_fire = ["burn"]
[expect]
lost = "possible"
stuck = "never"
[counts]
states = 27
[bounds]
rung = 60
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


def test_what_is_as_expected_is_one_line_and_exit_code_0(spec: Path) -> None:
    result = twice("verify", str(spec))
    assert result.stdout.splitlines()[0].split() == ["ok", "The", "box", "burns", "(27", "states)"]
    assert result.exit_code == 0


def test_a_verdict_that_differs_is_exit_code_1_and_says_where(spec: Path) -> None:
    result = twice("verify", str(changed(spec, '"never"', '"possible"')))
    assert result.exit_code == 1
    assert "differs" in result.stdout
    assert "stuck: expected possible, found never" in result.stdout
    assert str(spec) in result.stdout


def test_a_count_that_differs_is_exit_code_1(spec: Path) -> None:
    result = twice("verify", str(changed(spec, "states = 27", "states = 28")))
    assert result.exit_code == 1
    assert "states: expected 28, found 27" in result.stdout


def test_a_bound_that_differs_is_exit_code_1_and_told_as_a_formula(spec: Path) -> None:
    result = twice("verify", str(changed(spec, "rung = 60", "rung = 90")))
    assert result.exit_code == 1
    assert "rung: expected 90 s, found rings until 2 * patience = 60 s" in result.stdout


def test_a_limit_is_exit_code_3(spec: Path) -> None:
    result = twice("verify", str(spec), "--max-states", "5")
    assert result.exit_code == 3
    assert "stuck: expected never, found undetermined" in result.stdout


def test_only_the_named_points_of_a_fault_kind_may_happen(spec: Path) -> None:
    changed(spec, '["burn"]', "[]")
    assert "lost: expected possible, found never" in twice("verify", str(spec)).stdout


def test_a_folder_is_searched(spec: Path) -> None:
    deeper = spec.parent / "deeper"
    deeper.mkdir()
    (deeper / "fire.toml").write_text(SPEC, encoding="utf-8")
    out = twice("verify", str(spec.parent)).stdout
    assert out.splitlines()[-1] == "2 specs: 2 ok"


SLIPS = {
    ('title = "The box burns"', "title = The box burns"): ":1: is not TOML",
    ("[faults]", "[faults"): ":10: is not TOML",
    ('title = "The box burns"\n', ""): ': `title` is missing; write title = "..."',
    ('title = "The box burns"', "title = 3"): ":1: `title` is 3; write a text in quotes",
    ("source =", "sorce ="): ":2: a spec has no `sorce`: did you mean `source`?",
    ("[settings]", "[setings]"): ":5: a spec has no `setings`: did you mean `settings`?",
    (
        'protocol = "post"',
        'protocol = "pots"',
    ): ":4: there is no protocol `pots`: did you mean `post`?",
    ("bells = 2", "bels = 2"): ":6: PostOffice has no setting `bels`; did you mean `bells`?",
    ("bells = 2", "bells = 9"): ":6: `bells` cannot be '9'; allowed: 1, 2, 3",
    ("bells = 2", 'bells = "two"'): ":6: `bells` cannot be 'two'; allowed: 1, 2, 3",
    ("workers = 2", "worker = 2"): ":9: [scope] has no `worker`: did you mean `workers`?",
    ("workers = 2", "workers = 0"): ":9: `workers` is 0; write a whole number from 1",
    ("workers = 2", "workers = true"): ":9: `workers` is true; write a whole number from 1",
    ("illness = 1", "ilness = 1"): ":12: [faults] has no `ilness`: did you mean `illness`?",
    ("illness = 1", "illness = -1"): ":12: `illness` is -1; write a whole number from 0",
    ('["burn"]', '["burns"]'): ":14: `box_fire` has no fault `burns`: did you mean `burn`?",
    ('["burn"]', '"burn"'): ':14: `box_fire` is "burn"; write a list of faults in quotes',
    ('box_fire = ["burn"]', 'fire = ["burn"]'): ":14: [points] has no `fire`",
    ("box_fire = 1\n", ""): "`box_fire` has points, but no budget",
    (
        'lost = "possible"',
        'lots = "possible"',
    ): ":16: PostOffice has no outcome `lots`: did you mean `lost`?",
    ('lost = "possible"', 'lost = "maybe"'): ':16: `lost` is "maybe"; write "possible" or "never"',
    ("states = 27", "state = 24"): ":19: [counts] has no `state`: did you mean `states`?",
    ("rung = 60", "ring = 60"): ":21: PostOffice has no bound `ring` under these settings: did you",
    ("rung = 60", "rung = true"): ":21: `rung` is true; write a number of seconds",
}


@pytest.mark.parametrize(("change", "told"), SLIPS.items(), ids=[new for _, new in SLIPS])
def test_a_slip_is_told_with_its_line_and_exit_code_2(
    spec: Path, change: tuple[str, str], told: str
) -> None:
    result = twice("verify", str(changed(spec, *change)))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr
    assert f"Error: {spec}" in result.stderr
    assert "Traceback" not in result.stderr


TOGETHER = """\
title = "A delivery limit"
protocol = "celery-amqp"
[settings]
x_delivery_limit = 3
task_default_queue_type = "quorum"
[expect]
lost = "never"
"""


def test_settings_that_need_each_other_are_taken_together(tmp_path: Path) -> None:
    path = tmp_path / "limit.toml"
    path.write_text(TOGETHER, encoding="utf-8")
    assert twice("verify", str(path)).exit_code == 0
    told = twice("verify", str(changed(path, "quorum", "classic"))).stderr
    assert ":4: only quorum queues count deliveries" in told


def test_all_slips_are_told_at_once(spec: Path) -> None:
    changed(spec, "bells = 2", "bels = 2")
    changed(spec, "workers = 2", "workers = 0")
    told = twice("verify", str(spec)).stderr
    assert "bels" in told
    assert "`workers` is 0" in told


def test_nothing_is_run_when_one_spec_has_a_slip(spec: Path) -> None:
    (spec.parent / "other.toml").write_text("title = 3", encoding="utf-8")
    result = twice("verify", str(spec.parent))
    assert result.exit_code == 2
    assert result.stdout == ""


def test_what_is_outside_the_protocol_is_told_and_not_run(spec: Path) -> None:
    text = spec.read_text(encoding="utf-8").partition("[expect]")[0]
    outside = text.replace('"LOST"', '"LOST"\noutside = "letters have no stamps"')
    spec.write_text(outside, encoding="utf-8")
    result = twice("verify", str(spec))
    assert result.stdout.splitlines() == [
        "outside The box burns (letters have no stamps)",
        "1 spec: 0 ok, 1 outside",
    ]
    assert result.exit_code == 0


def test_what_is_outside_the_protocol_expects_nothing(spec: Path) -> None:
    changed(spec, '"LOST"', '"LOST"\noutside = "letters have no stamps"')
    told = twice("verify", str(spec)).stderr
    assert ":16: what is outside the protocol expects nothing; leave [expect] out" in told


def test_a_missing_path_is_told() -> None:
    result = twice("verify", "/nowhere/spec.toml")
    assert result.exit_code == 2
    assert "there is no such file or folder" in result.stderr


def test_a_folder_without_specs_is_told(tmp_path: Path) -> None:
    result = twice("verify", str(tmp_path))
    assert result.exit_code == 2
    assert "no *.toml" in result.stderr


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes(b"title = \xff")
    result = twice("verify", str(path))
    assert result.exit_code == 2
    assert "is not UTF-8 text" in result.stderr
