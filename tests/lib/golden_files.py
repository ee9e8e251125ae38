"""Texts that people read, kept as files; TWICE_UPDATE_GOLDEN=1 rewrites them."""

from __future__ import annotations

import os

from frame import ROOT

FOLDER = ROOT / "tests" / "golden" / "texts"


def compare(name: str, text: str) -> None:
    """Assert that a text is what its file holds."""
    path = FOLDER / name
    if os.environ.get("TWICE_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
