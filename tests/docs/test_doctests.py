"""The examples in docstrings run, module by module and by import name."""

from __future__ import annotations

import doctest
import importlib
import os

import pytest
from frame import sources

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

WITH_EXAMPLES = [
    module for module, path in sources().items() if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_examples_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    results = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert results.attempted > 0, "no docstring holds the examples of this file"
    assert results.failed == 0


def test_some_docstrings_hold_examples() -> None:
    assert WITH_EXAMPLES
