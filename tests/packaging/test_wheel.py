"""What a user gets by `pip install`: the sdist builds the wheel, and nothing is missing from it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from frame import ROOT, package_folders, pyproject

NEEDED_TO_BUILD = ("pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made from an sdist made from a clean copy: a left-over build/ folder would hide gaps."""
    copy = tmp_path_factory.mktemp("copy")
    skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in NEEDED_TO_BUILD:
        shutil.copy(ROOT / name, copy)
    for folder in pyproject()["tool"]["setuptools"]["package-dir"].values():
        shutil.copytree(ROOT / folder, copy / folder, ignore=skip)
    dist = tmp_path_factory.mktemp("dist")
    run = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (path,) = dist.glob("*.whl")
    return path


def test_wheel_holds_exactly_the_files_of_the_folders(wheel: Path) -> None:
    expected: set[str] = set()
    for package, folder in package_folders().items():
        place = package.replace(".", "/")
        expected |= {f"{place}/{path.name}" for path in folder.glob("*.py")}
    specs = ROOT / "specs"
    expected |= {f"twice/specs/{path.relative_to(specs)}" for path in specs.rglob("*.toml")}
    expected.add("twice/py.typed")
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("twice/")}
    assert held == expected


def test_wheel_works_outside_the_repository(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "twice", "list"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "rq" in run.stdout


def test_wheel_names_its_command_licence_and_few_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (info,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        metadata = archive.read(f"{info}/METADATA").decode()
        scripts = archive.read(f"{info}/entry_points.txt").decode()
    assert "twice = twice.cli.main:main" in scripts
    assert "License-Expression: MIT" in metadata
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    at_run_time = {line.split()[1].split(">")[0] for line in required if "extra ==" not in line}
    assert at_run_time == {"networkx", "click", "rich", "numpy"}
