"""The Dask cluster that a search runs on: which one, how tasks get there, and what is lost with it.

A cluster of one's own is a Dask matter, not one of Twice's: whatever `distributed.Client` can reach
will do. Dask computes again what a lost worker held. Where it cannot, the search ends with one
sentence.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from twice.model.dask_client import Client, client
from twice.model.engine import Look
from twice.model.errors import UsageError

Future = Any
"""A `distributed.Future`."""

GRACE = 30.0
"""Seconds without any worker after which a search gives up; Dask restarts workers in a few."""

_BETWEEN_LOOKS = 0.1
"""Seconds of waiting between two looks at the limits."""

_BETWEEN_CHECKS = 1.0
"""Seconds of waiting between two looks at the workers."""


class EngineLost(UsageError):
    """The cluster lost what it cannot compute again, so there is no answer."""


class Cluster:
    """A connection to a Dask cluster.

    Parameters
    ----------
    where : str, distributed.Client or None
        The address of a scheduler, or a client; None for what Dask itself would take.

    Attributes
    ----------
    parts : int
        Into how many parts states are spread: as many as the workers had threads at the start.

    Raises
    ------
    UsageError
        When Dask is not installed, or the cluster cannot be reached.
    """

    def __init__(self, where: str | Client | None = None) -> None:
        self._client = client(where)
        self._owners: list[str] = []
        self._seen = self._checked = time.monotonic()
        while not self._owners:
            self._check()
            time.sleep(0 if self._owners else _BETWEEN_LOOKS)
        self.parts = len(self._owners)

    def submit(self, function: Callable[..., Any], *args: Any, part: int | None = None) -> Future:
        """Have a task computed, if possible where the other tasks of its part are."""
        if part is None:
            return self._client.submit(function, *args, pure=False)
        owner = self._owners[part % len(self._owners)]
        return self._client.submit(
            function, *args, pure=False, workers=[owner], allow_other_workers=True
        )

    def results(self, tasks: Sequence[Future], look: Look = lambda: None) -> list[Any]:
        """Wait for tasks.

        Raises
        ------
        EngineLost
            When their results cannot be had any more.
        UsageError
            Where a worker lacks what a task needs.
        """
        from distributed import KilledWorker
        from distributed.scheduler import NoWorkerError

        waiting = self._begun(self._client.gather(list(tasks), asynchronous=True))
        try:
            return self._wait(waiting, look)
        except (KilledWorker, MemoryError) as error:
            raise EngineLost(
                "workers of the Dask cluster died again and again on the same part of the "
                "search, most likely for want of memory, so there is no answer"
            ) from error
        except NoWorkerError as error:
            raise _deserted() from error
        except (CancelledError, asyncio.CancelledError, OSError) as error:
            reason = str(error) or type(error).__name__
            raise EngineLost(
                f"the Dask cluster failed in the middle of the search ({reason}), so there is no "
                "answer"
            ) from error
        except ImportError as error:
            raise UsageError(
                f"a worker of the Dask cluster cannot load this ({error}); install "
                "'twice[dask]' where the workers run, too"
            ) from error
        finally:
            waiting.cancel()

    def _begun(self, work: Coroutine[Any, Any, Any]) -> concurrent.futures.Future[Any]:
        """Something the connection does while this thread looks at the limits."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    def _wait(self, waiting: concurrent.futures.Future[Any], look: Look) -> list[Any]:
        while True:
            try:
                results: list[Any] = waiting.result(timeout=_BETWEEN_LOOKS)
                return results
            except TimeoutError:
                look()
                if time.monotonic() - self._checked > _BETWEEN_CHECKS:
                    self._check()

    def _check(self) -> None:
        """See which workers there are now."""
        asked = self._begun(self._client.scheduler.ncores())
        threads: dict[str, int] = {}
        with suppress(OSError, CancelledError):  # the scheduler does not answer, at least for now
            threads = asked.result(timeout=_BETWEEN_CHECKS)
        asked.cancel()
        self._checked = time.monotonic()
        if threads:
            self._seen = self._checked
            self._owners = [address for address in sorted(threads) for _ in range(threads[address])]
        elif self._checked - self._seen > GRACE:
            raise _deserted()


def _deserted() -> EngineLost:
    return EngineLost(
        f"the Dask cluster had no worker for {GRACE:g} seconds, so there is no answer"
    )
