"""A cluster of two worker processes for all tests of the dask engine, and bounds around each."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from two_workers import TwoWorkers

from twice.model import engine_choice

TIME_LIMIT = 120
"""Seconds for one test, its cluster included."""


@pytest.fixture(scope="session")
def workers() -> Iterator[TwoWorkers]:
    """Two worker processes, which are gone at the end."""
    pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")
    with TwoWorkers() as started:
        yield started


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses a cluster as slow; let Dask leave behind a socket to a dead worker."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            if "workers" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.slow)
            item.add_marker(
                pytest.mark.filterwarnings(
                    "ignore:Exception ignored in. <socket.socket"
                    ":pytest.PytestUnraisableExceptionWarning"
                )
            )


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """What a test leaves behind is found in it, not in a later one."""
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A test that waits for a cluster for ever fails instead."""

    def stop(*_: Any) -> NoReturn:
        raise AssertionError(f"the test took more than {TIME_LIMIT} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(TIME_LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small spaces go to the cluster too, from their second level on."""
    monkeypatch.setattr(engine_choice, "OUTGROWN", 0)
    monkeypatch.setattr(engine_choice, "WIDE", 0)
    monkeypatch.setattr(engine_choice, "SPREAD", 0)
