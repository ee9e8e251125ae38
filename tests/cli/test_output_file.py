"""A file is written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from twice.cli.errors import Mistake
from twice.cli.output_file import deliver


def test_the_file_holds_the_text_and_ends_its_last_line(tmp_path: Path) -> None:
    deliver("a\nb", tmp_path / "trace.txt")
    assert (tmp_path / "trace.txt").read_text() == "a\nb\n"


def test_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    deliver("a", tmp_path / "trace.txt")
    assert os.listdir(tmp_path) == ["trace.txt"]


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("much longer than what comes now")
    deliver("a", path)
    assert path.read_text() == "a\n"


def test_a_link_keeps_pointing_at_its_file(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    deliver("new", link)
    assert link.is_symlink()
    assert real.read_text() == "new\n"


def test_a_file_is_readable_as_the_umask_says(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    deliver("a", path)
    other = tmp_path / "other.txt"
    other.write_text("")
    assert path.stat().st_mode == other.stat().st_mode


def test_a_device_is_written_to_not_replaced() -> None:
    deliver("a", Path(os.devnull))
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("words", ["check rq", "list", "trace rq started_twice"])
def test_full_standard_output_is_told_and_is_no_verdict(words: str) -> None:
    """In a process of its own: Python would complain once more when it ends."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "twice", *words.split()]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "Error: the output cannot be written: No space left on device.\n"
        "  Instead: give it a place with room\n"
    )


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match=r"there is no folder .*missing") as told:
        deliver("a", tmp_path / "missing" / "trace.txt")
    assert "mkdir -p" in told.value.message
    assert told.value.exit_code == 2


def test_a_folder_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="this is a folder"):
        deliver("a", tmp_path)


def test_a_failure_on_the_way_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("old")

    def refuse(source: str, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(Mistake, match="Permission denied"):
        deliver("new", path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["trace.txt"]


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    deliver("a", Path("-"))
    assert capsys.readouterr().out == "a\n"
