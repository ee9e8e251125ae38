"""Two Dask workers on this machine, in processes that a test may end."""

from __future__ import annotations

import logging
import os
import signal
import time
from typing import Any

_PATIENCE = 60.0  # seconds for a process to start or to end


class TwoWorkers:
    """A cluster of two worker processes, which Dask restarts when they end.

    Attributes
    ----------
    client : distributed.Client
    local : distributed.LocalCluster
    """

    def __enter__(self) -> TwoWorkers:
        import distributed

        start: Any = distributed.LocalCluster  # it has no types
        connect: Any = distributed.Client
        self.local: Any = start(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        )
        self.client: Any = connect(self.local, set_as_default=False)
        self._started = set(self.pids())
        return self

    def __exit__(self, *_: object) -> None:
        self._started |= set(self.pids())
        self.client.close()
        self.local.close()
        wait_until_gone(*self._started)

    def pids(self) -> list[int]:
        """The worker processes that run now."""
        return [nanny.pid for nanny in self.local.workers.values() if nanny.pid]

    def kill(self, number: int) -> None:
        """End one of the worker processes, as `kill -9` does, and wait until it is gone."""
        pid = self.pids()[number]
        self._started.add(pid)
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(pid)

    def wait_for_both(self) -> None:
        """Wait until Dask has restarted what was killed; what takes it long it gives up."""
        deadline = time.monotonic() + _PATIENCE
        while len(self.pids()) < 2 or len(self.client.nthreads()) < 2:
            assert time.monotonic() < deadline, "the workers were not restarted"
            time.sleep(0.05)
            if len(self.local.workers) < 2:
                self.local.scale(2)


def wait_until_gone(*pids: int) -> None:
    """Wait until processes have ended."""
    deadline = time.monotonic() + _PATIENCE
    while any(map(_runs, pids)):
        assert time.monotonic() < deadline, "a worker process is left over"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
