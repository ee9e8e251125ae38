"""Every mistake in a definition is refused: where, what was written, why, what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mistakes_in_assignments
import mistakes_in_blocks
import mistakes_in_conditions
import mistakes_in_declarations
import mistakes_in_values
import pytest
from refusals import Mistake, make

from twice.model import ModelError
from twice.model.errors import CODES

MODULES: list[Any] = [
    mistakes_in_conditions,
    mistakes_in_values,
    mistakes_in_assignments,
    mistakes_in_blocks,
    mistakes_in_declarations,
]
MISTAKES: list[Mistake] = [mistake for module in MODULES for mistake in module.MISTAKES]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_mistake_is_refused_with_place_reason_and_cure(mistake: Mistake) -> None:
    with pytest.raises(ModelError) as caught:
        make(mistake)
    error = caught.value
    assert error.code == mistake.code, str(error)
    assert error.place is not None, f"no place: {error}"
    assert error.place.file == mistake.build.__code__.co_filename
    assert error.place.text.endswith(f"# <- {mistake.code}"), str(error)
    assert mistake.reason in error.what
    assert mistake.cure in error.cure


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_message_shows_place_line_reason_code_and_cure(mistake: Mistake) -> None:
    with pytest.raises(ModelError) as caught:
        make(mistake)
    error = caught.value
    assert error.place is not None
    first, line, last = str(error).split("\n")
    file = mistake.build.__code__.co_filename.rpartition("/")[2]
    assert first == f"{file}:{error.place.line}: {error.what} [{error.code}]"
    assert line == f"    {error.place.text}"
    assert last == f"    Write instead: {error.cure}"


def test_every_code_is_met_by_a_mistake() -> None:
    assert {mistake.code for mistake in MISTAKES} == set(CODES)


def test_every_function_with_a_mistake_is_collected() -> None:
    for module in MODULES:
        written = Path(module.__file__).read_text(encoding="utf-8")
        assert written.count("@refused(") == len(module.MISTAKES)
