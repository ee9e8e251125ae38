"""`twice check`: verdicts, exit codes, and what is told of a slip."""

from __future__ import annotations

import json

import pytest
from commands import twice

from twice.model.limits import Watch


def test_a_possible_outcome_is_exit_code_1() -> None:
    assert twice("check", "post").exit_code == 1


def test_no_possible_outcome_is_exit_code_0() -> None:
    assert twice("check", "post", "--faults", "none", "--outcome", "lost").exit_code == 0


def test_a_limit_is_exit_code_3() -> None:
    result = twice("check", "post", "--outcome", "stuck", "--max-states", "5")
    assert result.exit_code == 3
    assert "undetermined" in result.stdout
    assert "the limit of 5 states was reached" in result.stdout


def test_a_violation_wins_over_undetermined() -> None:
    assert twice("check", "post", "--jobs", "2", "--max-states", "30").exit_code == 1


def test_only_required_outcomes_decide_the_exit_code() -> None:
    assert twice("check", "post", "--require", "overlapping,stuck").exit_code == 0
    assert twice("check", "post", "--require", "overlapping,lost").exit_code == 1


def test_outcomes_not_required_are_still_told() -> None:
    assert "possible 2/1" in twice("check", "post", "--require", "stuck").stdout


def test_by_default_the_worst_of_each_family_has_its_trace() -> None:
    out = twice("check", "post").stdout
    assert "lost: possible in 2 steps, with 1 fault (box_fire)" in out
    assert "completed_twice: possible in" in out
    assert "effect_twice: possible in" not in out


def test_all_traces_none_or_one() -> None:
    assert twice("check", "post", "--trace", "all").stdout.count(": possible in") == 4
    assert ": possible in" not in twice("check", "post", "--trace", "none").stdout
    one = twice("check", "post", "--trace", "started_twice").stdout
    assert one.count(": possible in") == 1
    assert "started_twice: possible in 4 steps" in one


def test_a_setting_changes_the_protocol() -> None:
    out = twice("check", "post", "--set", "receipt=early", "--set", "insured=true").stdout
    assert "settings: receipt=early, insured=true" in out
    assert twice("check", "post", "--set", "patience=2m").exit_code == 1


def test_json_tells_the_same() -> None:
    told = json.loads(twice("check", "post", "--format", "json").stdout)
    answers = {(entry["outcome"], entry["regime"]): entry for entry in told["answers"]}
    assert answers["lost", "none"]["answer"] == "never"
    burnt = answers["lost", "box_fire"]
    assert (burnt["answer"], burnt["steps"], burnt["faults"]) == ("possible", 2, 1)
    assert [step["fault"] for step in burnt["trace"]["steps"]] == [None, "box_fire"]


def test_output_goes_to_a_file_without_colour(tmp_path: object) -> None:
    path = f"{tmp_path}/report.txt"
    result = twice("check", "post", "-o", path, FORCE_COLOR="1")
    assert result.stdout == ""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert "possible" in text
    assert "\x1b" not in text


def test_no_colour_in_a_pipe() -> None:
    assert "\x1b" not in twice("check", "post").stdout


def test_colour_where_it_is_asked_for_but_not_with_no_color() -> None:
    assert "\x1b[" in twice("check", "post", FORCE_COLOR="1").stdout
    assert "\x1b[3" not in twice("check", "post", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_ctrl_c_reports_what_was_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Watch, "look", interrupt)
    result = twice("check", "post", "--outcome", "stuck")
    assert "it was interrupted" in result.stdout
    assert result.exit_code == 3


SLIPS = {
    "check pots": "there is no protocol `pots`; did you mean `post`?",
    "chek post": "there is no command `chek`; did you mean `check`?",
    "check": "Missing argument 'PROTOCOL'",
    "check post --set bels=1": "there is no setting `bels`; did you mean `bells`?",
    "check post --set bells=9": "`bells` cannot be '9'; allowed: 1, 2, 3",
    "check post --set bells=two": "`bells` cannot be 'two'; allowed: 1, 2, 3",
    "check post --set bells": "there is no `=`",
    "check post --set bells=1 --set bells=2": "`bells` is set twice",
    "check post --set patience=0": "at least 1",
    "check post --set insured=perhaps": "allowed: true, false",
    "check post --set receipt=lat": "allowed: early, late",
    "check post --jobs 0": "0 is not in the range",
    "check post --workers many": "'many' is not a valid integer",
    "check post --faults ilness=1": "there is no fault kind `ilness`; did you mean `illness`?",
    "check post --faults illness=x": "`x` is no number of faults",
    "check post --faults illness=-1": "`-1` is no number of faults",
    "check post --faults illness,illness": "`illness` is given twice",
    "check post --outcome lst": "there is no outcome `lst`; did you mean `lost`?",
    "check post --require lst": "there is no outcome `lst`; did you mean `lost`?",
    "check post --outcome stuck --require lost": "`lost` is not checked",
    "check post --trace lst": "there is no outcome `lst`; did you mean `lost`?",
    "check post --format xml": "'xml' is not one of 'text', 'json'",
    "check post --max-states 0": "0 is not in the range",
    "check post --timeout 0": "0.0 is not in the range",
    "check post -o /nowhere/report.txt": "there is no folder /nowhere",
    "trace post lst": "there is no outcome `lst`; did you mean `lost`?",
    "diagram post --faults fire": "there is no fault kind `fire`",
    "list pots": "there is no protocol `pots`; did you mean `post`?",
}


@pytest.mark.parametrize(("command", "told"), SLIPS.items())
def test_a_slip_is_told_with_exit_code_2(command: str, told: str) -> None:
    result = twice(*command.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_empty_faults_are_told() -> None:
    result = twice("check", "post", "--faults", "")
    assert result.exit_code == 2
    assert "--faults is empty" in result.stderr


def test_what_was_never_put_to_the_test_is_counted_and_told_on_demand() -> None:
    words = ("check", "post", "--faults", "none", "--set", "insured=true")
    assert "Never put to the test here: 1 part of the model (see --warnings)" in (
        twice(*words).stdout
    )
    assert "Untested: `read_notice` is never enabled" in twice(*words, "--warnings").stdout
    assert "--warnings" not in twice("check", "post", "--set", "insured=true").stdout
