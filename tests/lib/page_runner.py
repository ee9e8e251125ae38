"""Runs a Markdown page: writes its files, runs its commands, says where the output differs."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from frame import ROOT
from literate import (
    USES,
    Block,
    Command,
    PageError,
    blocks,
    built,
    commands,
    rendered,
    replaced,
)

TIME_LIMIT = 120.0  # seconds for one command
CRASH = "Traceback (most recent call last)"
# Times differ from run to run, and the padding next to them with them.
DURATION = re.compile(r"\b\d+\.\d+ (?=m?s\b)")
RATE = re.compile(r"\b[\d,]+ (?=states/s)")


@dataclass(frozen=True)
class Difference:
    """A block whose commands do not do what the page shows."""

    line: int
    message: str


def run_page(page: str, folder: Path, home: Path | None = None) -> tuple[list[Difference], str]:
    """Run a page in an empty folder.

    Parameters
    ----------
    page
        The text of the page.
    folder
        Where its files are written and its commands run.
    home
        Where the page lies, and the other pages that it uses.

    Returns
    -------
    differences, page
        Every block that shows something else than what happens, and the page as it should be.
    """
    differences: list[Difference] = []
    new: dict[int, list[str]] = {}
    for used in USES.finditer(page):
        if home is None:
            raise PageError("a page that uses another one needs a home")
        other = (home / used["page"]).read_text(encoding="utf-8")
        (folder / used["file"]).write_text(built(other, used["file"]), encoding="utf-8")
    for block in blocks(page):
        if not block.is_run:
            continue
        if block.title is not None:
            with (folder / block.title).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in block.body)
            continue
        if block.language != "console" and block.directive("$") is None:
            differences.append(Difference(block.line, "neither a file nor commands: what is it?"))
            continue
        answers = list(_answers(block, folder, differences))
        lines = rendered(block, answers)
        if _steady(lines) != _steady(block.body):
            diff = "\n".join(
                difflib.unified_diff(block.body, lines, "on the page", "in fact", lineterm="")
            )
            if all(difference.line != block.line for difference in differences):
                new[block.line] = lines  # what a failed command printed is no output to keep
            differences.append(Difference(block.line, diff))
    return differences, replaced(page, new)


def _answers(block: Block, folder: Path, differences: list[Difference]) -> Iterator[Command]:
    """Run the commands of a block; the last one may have an exit code of its own."""
    asked = commands(block)
    if not asked:
        raise PageError(f"line {block.line}: a console block without a `$ ` command")
    for number, command in enumerate(asked, start=1):
        run = subprocess.run(
            ["bash", "-c", command.text],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        expected = block.exit_code if number == len(asked) else 0
        wrong = f"{run.returncode}, not {expected}" if run.returncode != expected else ""
        if CRASH in run.stdout:
            wrong = "a traceback"
        if wrong:
            message = f"`{command.text}` ended with {wrong}:\n{run.stdout}"
            differences.append(Difference(block.line, message))
        yield Command(command.text, [line.rstrip() for line in run.stdout.splitlines()])


def _environment() -> dict[str, str]:
    """80 columns, no colour, and the commands of the environment that runs the tests first."""
    here = str(Path(sys.executable).parent)
    return {
        **os.environ,
        "PATH": os.pathsep.join([here, os.environ.get("PATH", "")]),
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MYPYPATH": str(ROOT / ".typing"),
    }


def _steady(lines: list[str] | tuple[str, ...]) -> list[str]:
    """Lines without what differs from run to run."""
    return [RATE.sub("N ", DURATION.sub("N ", line)).rstrip() for line in lines]
