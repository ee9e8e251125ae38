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
from typing import Any

from twice.model.dask_client import Client, client
from twice.model.engine import Look
from twice.model.errors import UsageError

Future = Any
"""A `distributed.Future`."""

GRACE = 60.0
"""Seconds without work after which a search gives up; Dask restarts workers in a few."""

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
        started = time.monotonic()
        while not (threads := self._asked("ncores")):
            if time.monotonic() - started > GRACE:
                raise UsageError(
                    f"the Dask cluster has had no worker for {GRACE:g} seconds; start some"
                )
            time.sleep(_BETWEEN_LOOKS)
        self.parts = sum(threads.values())

    def submit(self, function: Callable[..., Any], *args: Any) -> Future:
        """Have a task computed where Dask finds best, which is mostly where its arguments are.

        Raises
        ------
        EngineLost
            When the connection was closed.
        """
        if self._client.status == "closed":
            raise EngineLost("the Dask cluster was closed, so there is no answer")
        # Tasks bound to one worker would wait for ever if all workers died at once, even where
        # others are allowed: Dask asks only the named ones when a worker has joined.
        return self._client.submit(function, *args, pure=False)

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
            return self._wait(waiting, tasks, look)
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

    def _wait(
        self, waiting: concurrent.futures.Future[Any], tasks: Sequence[Future], look: Look
    ) -> list[Any]:
        checked = busy = time.monotonic()
        while True:
            try:
                results: list[Any] = waiting.result(timeout=_BETWEEN_LOOKS)
                return results
            except TimeoutError:
                look()
            now = time.monotonic()
            if now - checked > _BETWEEN_CHECKS:
                checked = now
                if all(task.done() for task in tasks) or self._works():
                    busy = now
                elif now - busy > GRACE:
                    raise _deserted()

    def _works(self) -> bool:
        """Whether any worker has something to do, as far as the scheduler tells."""
        processing = self._asked("processing")
        return processing is None or any(processing.values())

    def _asked(self, what: str) -> dict[str, Any] | None:
        """What the scheduler says of each worker, or None if it does not answer soon."""
        question = self._begun(getattr(self._client.scheduler, what)())
        try:
            answer: dict[str, Any] = question.result(timeout=_BETWEEN_CHECKS)
            return answer
        except (OSError, CancelledError):
            return None
        finally:
            question.cancel()


def _deserted() -> EngineLost:
    return EngineLost(
        f"no worker of the Dask cluster has worked on the search for {GRACE:g} seconds, so there "
        "is no answer"
    )
