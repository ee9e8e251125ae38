"""Pages of the docs that are partly made by a program: what stands between two marks."""

from __future__ import annotations

from pathlib import Path


def put_between(page: str, name: str, text: str) -> str:
    """The page with a text between the marks that bear a name.

    Raises
    ------
    ValueError
        The page has no such marks.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"the page needs {begin} and {end}, once each")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{text}\n{end}{after}"


def assert_current(path: Path, name: str, text: str, *, update: bool) -> None:
    """Assert that a page shows a text between its marks; put it there first where that is asked."""
    page = path.read_text(encoding="utf-8")
    current = put_between(page, name, text)
    if update:
        path.write_text(current, encoding="utf-8")
    assert page == current, "pytest tests/docs --update-docs puts it right"
