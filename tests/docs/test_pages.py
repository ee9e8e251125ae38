"""Every command and every output in README.md, CONTRIBUTING.md and docs/ is run and compared.

`pytest tests/docs --update-docs` rewrites the outputs; read the difference before you commit it.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from frame import ROOT
from literate import blocks
from page_runner import run_page

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_page_shows_what_happens(path: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    differences, page = run_page(path.read_text(encoding="utf-8"), tmp_path, path.parent)
    if pytestconfig.getoption("--update-docs"):
        path.write_text(page, encoding="utf-8")
    told = [f"{name(path)}:{difference.line}: {difference.message}" for difference in differences]
    assert not told, "\n\n".join(told)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in LINK.finditer(path.read_text(encoding="utf-8")):
        target, _, anchor = link["target"].partition("#")
        if target.startswith(("https://", "http://")):
            continue
        page = path.parent / target if target else path
        assert page.exists(), link["target"]
        if anchor:
            assert anchor in anchors(page.read_text(encoding="utf-8")), link["target"]


def anchors(page: str) -> set[str]:
    """The anchors that headings of a page get."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def set_up_commands() -> dict[str, tuple[str, ...]]:
    """The commands that set Twice up, by name."""
    found = {}
    for block in blocks((ROOT / "README.md").read_text(encoding="utf-8")):
        if (purpose := block.directive("set-up:")) is not None:
            assert purpose not in found
            found[purpose] = block.body
    return found


def test_exactly_two_commands_do_all_the_set_up() -> None:
    found = set_up_commands()
    assert set(found) == {"main job", "tests"}
    assert all(len(body) == 1 for body in found.values())


@pytest.mark.parametrize("purpose", ["main job", "tests"])
def test_ci_runs_the_commands_of_the_readme(purpose: str) -> None:
    run = subprocess.run(
        ["bash", ROOT / ".ci" / "run", "--show", purpose],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == list(set_up_commands()[purpose])
