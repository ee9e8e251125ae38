"""Imports run one way: cli -> protocols -> model. A module's place in that order is its folder."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from frame import ROOT, is_within, sources, top_folders

# What the modules of each package may import of twice, besides their own package.
ALLOWED = {
    "twice.model": (),
    "twice.specs": (),
    "twice.protocols": ("twice.model", "twice.specs"),
    "twice.cli": ("twice.model", "twice.protocols", "twice.specs"),
    "twice": ("twice.model", "twice.protocols", "twice.specs", "twice.cli"),
}
# The face is for users: from inside, `from twice import X` would make the order a circle.
LAYERS = [name for name in ALLOWED if name != "twice"]


def layer(module: str) -> str:
    """The layer that a module of twice belongs to."""
    return next((name for name in LAYERS if is_within(module, name)), "twice")


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that a source file names in an import, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            assert node.module is not None
            if node.module == "twice":
                yield from (f"twice.{alias.name}" for alias in node.names)
            else:
                yield node.module


@pytest.mark.parametrize(("module", "path"), sources().items(), ids=list(sources()))
def test_module_imports_only_what_lies_below_it(module: str, path: Path) -> None:
    here = layer(module)
    allowed = (*ALLOWED[here], here)
    named = imports(ast.parse(path.read_text(encoding="utf-8")))
    wrong = [name for name in named if is_within(name, "twice") and layer(name) not in allowed]
    assert wrong == []


def test_every_package_has_a_place_in_the_order() -> None:
    assert set(top_folders()) == set(ALLOWED)


@pytest.mark.parametrize("package", ["twice.model", "twice.specs"])
def test_the_lower_layers_name_no_broker(package: str) -> None:
    brokers = ("celery", "rabbitmq", "redis", "amqp")
    for module, path in sources().items():
        if is_within(module, package):
            names = {
                node.id.lower()
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Name)
            }
            assert not [name for name in names for broker in brokers if broker in name], module


def test_no_module_was_loaded_a_second_time_under_its_bare_name() -> None:
    bare = {folder.name for folder in top_folders().values()}
    loaded = [
        name
        for name, module in sys.modules.items()
        if name.split(".")[0] in bare and str(ROOT) in (getattr(module, "__file__", None) or "")
    ]
    assert loaded == []
