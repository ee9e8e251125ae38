"""The lists written by hand in pyproject.toml and .typing/ equal the folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from frame import ROOT, package_folders, pyproject, top_folders

LINKS = ROOT / ".typing" / "twice"


def test_pyproject_lists_every_package_folder() -> None:
    found = {
        package + "".join(f".{part}" for part in init.parent.relative_to(folder).parts)
        for package, folder in top_folders().items()
        for init in folder.rglob("__init__.py")
    }
    assert set(pyproject()["tool"]["setuptools"]["packages"]) == found


def test_no_python_file_lies_outside_a_listed_package() -> None:
    listed = set(package_folders().values())
    strays = [
        path.relative_to(ROOT)
        for folder in top_folders().values()
        for path in folder.rglob("*.py")
        if path.parent not in listed
    ]
    assert strays == []


def test_every_top_level_folder_has_a_bare_name_that_ruff_bans() -> None:
    tidy = pyproject()["tool"]["ruff"]["lint"]["flake8-tidy-imports"]
    assert set(tidy["banned-api"]) == {folder.name for folder in top_folders().values()}


def test_type_checkers_see_every_file_of_the_face_and_every_folder() -> None:
    face = {path.name for path in (ROOT / "api").iterdir() if path.is_file()}
    folders = {folder.name for package, folder in top_folders().items() if package != "twice"}
    assert {link.name for link in LINKS.iterdir()} == face | folders


@pytest.mark.parametrize("link", sorted(LINKS.iterdir()), ids=lambda link: link.name)
def test_typing_links_are_relative_and_lead_somewhere(link: Path) -> None:
    assert link.is_symlink()
    assert not os.path.isabs(os.readlink(link))
    assert link.exists()
