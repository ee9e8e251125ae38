"""Settings shared by all tests: rewriting the docs, the need for SPIN, steady Hypothesis runs.

Also the runs of all shipped specs, for tests that look at many of them.
"""

from __future__ import annotations

import os
import shutil

import hypothesis
import pytest
import spec_runs

# A test that fails here and passes there helps nobody: the same examples everywhere.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, max_examples=30
)
# pytest tests/property --hypothesis-profile=thorough: other examples every time, for a long search.
hypothesis.settings.register_profile("thorough", deadline=None, database=None, max_examples=1_000)
hypothesis.settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-docs",
        action="store_true",
        help="rewrite the output blocks of README.md and docs/ with what the commands print now",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs SPIN where it is missing; fail instead where it was promised."""
    if item.get_closest_marker("spin") is None:
        return
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    if not missing:
        return
    reason = f"needs {' and '.join(missing)} (Debian: apt-get install spin gcc libc6-dev)"
    if os.environ.get("TWICE_REQUIRE_SPIN") == "1":
        pytest.fail(f"TWICE_REQUIRE_SPIN=1, but the test {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def runs_of() -> spec_runs.RunsOf:
    """The runs of the shipped specs in a folder; each is run once in a session."""
    return spec_runs.runs_of


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What looks at many runs comes last: each spec was then run by the test that is about it."""
    items.sort(key=lambda item: "runs_of" in getattr(item, "fixturenames", ()))
