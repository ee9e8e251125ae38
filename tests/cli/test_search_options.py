"""How to explore, when to give up, and how to go on: the same options on every command."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest
from commands import twice
from post_office import PostOffice

from twice.model import setting
from twice.model.engine_choice import ENGINES
from twice.model.limits import Watch
from twice.protocols import PROTOCOLS

SPEC = 'title = "It arrives"\nprotocol = "post"\n[expect]\nstuck = "never"\n'

COMMANDS = ["check post", "trace post stuck", "diagram post"]


def cells(out: str) -> list[str]:
    """The table without its last row: how many states there are depends on symmetry."""
    table = out.partition("\n\n")[2].partition("\nstates")[0]
    assert "lost" in table
    return table.splitlines()


@pytest.mark.parametrize("command", ["check post --jobs 4", "trace post stuck --jobs 4"])
@pytest.mark.parametrize("engine", ["python", "numpy"])
def test_every_back_end_says_the_same(command: str, engine: str) -> None:
    usual = twice(*command.split())
    asked = twice(*command.split(), "--engine", engine)
    assert (asked.exit_code, asked.stdout) == (usual.exit_code, usual.stdout)


@pytest.mark.parametrize("engine", ["python", "numpy"])
def test_every_back_end_draws_the_same(engine: str) -> None:
    assert twice("diagram", "post", "--engine", engine).stdout == twice("diagram", "post").stdout


def test_help_names_every_back_end() -> None:
    for command in ("check", "trace", "diagram", "verify"):
        said = twice(command, "--help").stdout.partition("What explores: ")[2].partition(")  ")[0]
        assert all(name in said for name in ENGINES)


def test_without_symmetry_there_are_more_states_and_the_same_verdicts() -> None:
    few, many = (twice("check", "post", "--jobs", "2", *more) for more in ([], ["--no-symmetry"]))
    assert cells(few.stdout) == cells(many.stdout)
    counts = [
        json.loads(twice("check", "post", "--format", "json", *more).stdout)["states"]
        for more in ([], ["--no-symmetry"])
    ]
    assert counts[0] < counts[1]


def test_a_diagram_without_symmetry_has_the_same_arrows() -> None:
    few, many = (twice("diagram", "post", *more).stdout for more in ([], ["--no-symmetry"]))
    assert few == many


@pytest.mark.parametrize("command", COMMANDS)
def test_what_was_covered_and_how_to_go_on_is_told(command: str, tmp_path: Path) -> None:
    file = tmp_path / "a run.npz"
    limited = [*command.split(), "--workers", "3", "--max-states", "6"]
    for words in (limited, [*limited, "--checkpoint", str(file)]):
        result = twice(*words)
        told = result.output
        assert result.exit_code in (1, 3) if "check" in command else result.exit_code == 3
        assert "the limit of 6 states was reached" in told
        assert "Covered: " in told
        assert "fault layer" in told
    again = told[told.index("    twice ") :].split("\n\n")[0].replace("\\\n", "")
    asked = shlex.split(again)
    assert asked[1:] == [
        *limited[:-2],
        *("--checkpoint", str(file)),
        *("--resume", str(file)),
    ]
    usual = twice(*limited[:-2])
    resumed = twice(*asked[1:])
    assert (resumed.exit_code, resumed.stdout) == (usual.exit_code, usual.stdout)


def test_the_command_that_goes_on_repeats_every_option() -> None:
    words = shlex.split(
        "check post --set receipt=late --set bells=2 --jobs 2 --faults illness=1 --outcome lost "
        "--outcome stuck --require lost --trace none --warnings --engine python --no-symmetry "
        "--format json"
    )
    told = json.loads(twice(*words, "--max-states=5", "--timeout", "60").stdout)["ended_early"]
    assert told["saved"] is False
    assert sorted(shlex.split(told["command"])) == sorted(["twice", *words, "--checkpoint", "FILE"])


def test_json_tells_what_was_covered(tmp_path: Path) -> None:
    words = ["check", "post", "--format", "json"]
    told = json.loads(twice(*words, "--max-states", "5").stdout)
    assert told["fault_layers"] == {"closed": 0, "all": 3}
    assert told["closed"] is False
    told = json.loads(twice(*words).stdout)
    assert told["fault_layers"] == {"closed": 3, "all": 3}
    assert told["ended_early"] is None


def test_a_checkpoint_is_written_only_when_the_search_ends_early(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    assert twice("check", "post", "--checkpoint", str(file)).exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_of_another_question_is_exit_code_2(tmp_path: Path) -> None:
    file = str(tmp_path / "run.npz")
    twice("check", "post", "--max-states", "5", "--checkpoint", file)
    result = twice("check", "post", "--jobs", "2", "--resume", file)
    assert result.exit_code == 2
    assert "belongs to another question" in result.stderr


def test_a_checkpoint_of_one_back_end_serves_the_others(tmp_path: Path) -> None:
    file = str(tmp_path / "run.npz")
    words = ["check", "post", "--jobs", "2", "--checkpoint", file]
    twice(*words, "--max-states", "30", "--engine", "python")
    resumed = twice(*words, "--resume", file, "--engine", "numpy")
    assert resumed.stdout == twice("check", "post", "--jobs", "2").stdout


def test_a_trace_found_before_the_limit_is_shown_with_a_word_of_caution() -> None:
    result = twice("trace", "post", "completed_twice", "--jobs", "2", "--max-states", "30")
    assert result.exit_code == 0
    assert "completed_twice: possible in" in result.stdout
    assert "There may be a shorter trace." in result.stderr


@pytest.mark.parametrize("command", [*COMMANDS, "verify"])
@pytest.mark.parametrize(
    ("option", "told"),
    {
        "--engine counter": "the counter engine cannot explore this: ",
        "--engine nump": "there is no engine `nump`; did you mean `numpy`?",
        "--max-memory lots": "`lots` is no amount of memory; write a number with K, M, G or T",
        "--max-memory 2": "`2` is no amount of memory",
        "--max-memory -2G": "`-2G` is no amount of memory",
        "--max-memory 0G": "`0G` is no amount of memory",
        "--max-memory 2P": "`2P` is no amount of memory",
        "--max-states many": "'many' is not a valid integer",
        "--timeout soon": "'soon' is not a valid float",
        "--timeout nan": "`nan` is no number of seconds",
        "--checkpoint /nowhere/run.npz": "--checkpoint /nowhere/run.npz: there is no folder",
        "--checkpoint /": "--checkpoint /: this is a folder",
        "--checkpoint /dev/null": "--checkpoint /dev/null: this is a device or a pipe",
        "--resume /nowhere/run.npz": "File '/nowhere/run.npz' does not exist",
        "--resume /dev": "is a directory",
        "--cluster tcp://nowhere:1 --engine numpy": "the numpy engine uses no cluster",
    }.items(),
)
def test_a_slip_is_told_with_exit_code_2(
    command: str, option: str, told: str, tmp_path: Path
) -> None:
    words = command.split()
    if command == "verify":
        (tmp_path / "spec.toml").write_text(SPEC)
        words.append(str(tmp_path))
        if option.startswith(("--checkpoint", "--resume")):
            told = "No such option"
    result = twice(*words, *option.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_a_memory_limit_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twice.model.limits._OFTEN", -1)
    result = twice("check", "post", "--outcome", "stuck", "--max-memory", "1M")
    assert result.exit_code == 3
    assert "the limit of 1 MB was reached" in result.stdout


class Edition(Enum):
    """An edition of the rules of the post."""

    FIRST = "1.0"
    SECOND = "2.0"


class Dated(PostOffice):
    """A post office of its time."""

    version: Edition = setting(Edition.SECOND, "The rules.")


@pytest.fixture
def dated() -> Iterator[None]:
    PROTOCOLS["dated"] = Dated
    yield
    del PROTOCOLS["dated"]


@pytest.mark.usefixtures("dated")
@pytest.mark.parametrize("command", ["check dated", "diagram dated", "trace dated lost"])
def test_the_version_is_a_setting_in_short(command: str) -> None:
    short, long = (
        twice(*command.split(), *option) for option in (["--version=1.0"], ["--set=version=1.0"])
    )
    assert short.stdout == long.stdout
    assert short.exit_code == long.exit_code in (0, 1)


@pytest.mark.usefixtures("dated")
@pytest.mark.parametrize(
    ("words", "told"),
    {
        "post --version 2.0": "--version 2.0: this protocol has no setting `version`",
        "dated --version 3": "--version 3: `version` cannot be '3'; allowed: 1.0, 2.0",
        "dated --version 1.0 --set version=1.0": "--version 1.0: `version` is set twice",
    }.items(),
)
@pytest.mark.parametrize("command", ["check", "diagram", "trace"])
def test_a_wrong_version_is_told(command: str, words: str, told: str) -> None:
    name, *options = words.split()
    outcome = ["lost"] if command == "trace" else []
    result = twice(command, name, *outcome, *options)
    assert result.exit_code == 2
    assert told in result.stderr


def test_ctrl_c_ends_a_run_of_specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        (tmp_path / f"{name}.toml").write_text(SPEC)

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Watch, "look", press)
    result = twice("verify", str(tmp_path))
    assert result.exit_code == 3
    assert "expected never, found undetermined" in result.stdout
    assert "Interrupted: 2 specs not run." in result.stderr
