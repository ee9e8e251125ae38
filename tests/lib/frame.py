"""Where the repository lies and which package each of its folders is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def pyproject() -> dict[str, Any]:
    """The contents of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def package_folders() -> dict[str, Path]:
    """Each package listed in pyproject.toml, with its folder."""
    setuptools = pyproject()["tool"]["setuptools"]
    placed: dict[str, str] = setuptools["package-dir"]
    folders: dict[str, Path] = {}
    for package in setuptools["packages"]:
        parent = max((name for name in placed if is_within(package, name)), key=len)
        rest = package[len(parent) :].strip(".").replace(".", "/")
        folders[package] = ROOT / placed[parent] / rest
    return folders


def top_folders() -> dict[str, Path]:
    """The packages that pyproject.toml places by hand, with their folders."""
    placed: dict[str, str] = pyproject()["tool"]["setuptools"]["package-dir"]
    return {package: ROOT / folder for package, folder in placed.items()}


def is_within(module: str, package: str) -> bool:
    """Whether `module` is `package` or lies in it."""
    return module == package or module.startswith(package + ".")


def sources() -> dict[str, Path]:
    """Every Python module of the package by its import name."""
    modules: dict[str, Path] = {}
    for package, folder in package_folders().items():
        for path in sorted(folder.glob("*.py")):
            name = package if path.stem == "__init__" else f"{package}.{path.stem}"
            modules[name] = path
    return modules
