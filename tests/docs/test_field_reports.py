"""docs/field-reports.md shows the specs of the field reports as they are.

`pytest tests/docs --update-docs` rewrites its tables.
"""

from __future__ import annotations

import pytest
from field_reports import PAGE, put_into, reports


def test_the_page_shows_the_specs(pytestconfig: pytest.Config) -> None:
    page = PAGE.read_text(encoding="utf-8")
    current = put_into(page, reports())
    if pytestconfig.getoption("--update-docs"):
        PAGE.write_text(current, encoding="utf-8")
    assert page == current, "pytest tests/docs --update-docs puts it right"
