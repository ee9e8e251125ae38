"""The machinery that runs the docs notices what it is there to notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from literate import PageError, blocks
from page_runner import run_page

GREETING = """\
```python title="greet.py"
import sys
```

The rest of the file:

```python title="greet.py"
print("hello", sys.argv[1])
```

```console
$ python greet.py you
{shown}
```
"""


def test_a_page_that_tells_the_truth_passes(tmp_path: Path) -> None:
    page = GREETING.format(shown="hello you")
    assert run_page(page, tmp_path) == ([], page)


def test_wrong_output_is_found_and_the_page_put_right(tmp_path: Path) -> None:
    differences, page = run_page(GREETING.format(shown="goodbye"), tmp_path)
    assert [difference.line for difference in differences] == [11]
    assert "+hello you" in differences[0].message
    assert page == GREETING.format(shown="hello you")


def test_an_unexpected_exit_code_is_found(tmp_path: Path) -> None:
    broken = "```console\n$ echo oh; exit 3\n```\n"
    differences, page = run_page(broken, tmp_path)
    assert "ended with 3, not 0" in differences[0].message
    assert page == broken, "the output of a failed command is not kept"
    assert run_page("<!-- exit 3 -->\n```console\n$ exit 3\n```\n", tmp_path)[0] == []


def test_a_traceback_is_never_what_a_page_should_show(tmp_path: Path) -> None:
    crash = "<!-- exit 1 -->\n```console\n$ python -c '1 / 0'\n```\n"
    differences, page = run_page(crash, tmp_path)
    assert "ended with a traceback" in differences[0].message
    assert page == crash


def test_a_fence_may_hold_what_a_hidden_command_prints(tmp_path: Path) -> None:
    page = "<!-- $ echo graph -->\n```mermaid\ngraph\n```\n"
    assert run_page(page, tmp_path) == ([], page)
    assert run_page(page.replace("\ngraph", "\nold"), tmp_path)[1] == page


def test_a_block_that_would_not_be_checked_is_refused(tmp_path: Path) -> None:
    (difference,) = run_page("```python\nprint(1)\n```\n", tmp_path)[0]
    assert "what is it?" in difference.message
    assert run_page("<!-- not run: a sketch -->\n```python\nx\n```\n", tmp_path)[0] == []


def test_times_may_differ(tmp_path: Path) -> None:
    page = "```console\n$ echo 5 states in 0.31 s\n5 states in 0.07 s\n```\n"
    assert run_page(page, tmp_path)[0] == []


def test_a_long_command_goes_on_in_the_next_line(tmp_path: Path) -> None:
    page = "```console\n$ echo a \\\n    b\na b\n```\n"
    assert run_page(page, tmp_path) == ([], page)


def test_a_page_may_use_a_file_of_another(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "first.md").write_text(GREETING.format(shown="hello you"), encoding="utf-8")
    page = "<!-- uses greet.py of first.md -->\n\n```console\n$ python greet.py x\nhello x\n```\n"
    assert run_page(page, tmp_path, home) == ([], page)
    with pytest.raises(PageError, match="builds no file"):
        run_page(page.replace("greet.py of", "other.py of"), tmp_path, home)


@pytest.mark.parametrize("page", ["```console\n$ ls\n", "```console\nls\n```\n"])
def test_a_broken_block_is_refused(page: str, tmp_path: Path) -> None:
    with pytest.raises(PageError):
        run_page(page, tmp_path)


def test_a_directive_holds_for_the_next_block_only() -> None:
    page = "<!-- exit 2 -->\n```console\n$ a\n```\n\n```console\n$ b\n```\n"
    assert [block.exit_code for block in blocks(page)] == [2, 0]
