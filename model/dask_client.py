"""Which Dask cluster is meant, and the connection to it."""

from __future__ import annotations

import atexit
import logging
from contextlib import suppress
from typing import Any

from twice.model.errors import UsageError

Client = Any
"""A `distributed.Client`."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler."""

_LOCAL = "this machine"

_open: dict[str, Client] = {}
"""The connections made here, by address; they stay open for the next search."""


def client(where: str | Client | None) -> Client:
    """A connection to a Dask cluster.

    Parameters
    ----------
    where : str, distributed.Client or None
        The address of a scheduler, or a client. With None it is what Dask itself would take: the
        client that this process has made, or the scheduler named by ``DASK_SCHEDULER_ADDRESS`` or
        Dask's configuration, or else a cluster of processes on this machine, one for each core.

    Raises
    ------
    UsageError
        When Dask is not installed, or the cluster cannot be reached.
    """
    try:
        import dask
        import distributed
    except ImportError as error:
        raise UsageError("the dask engine needs Dask: pip install 'twice[dask]'") from error

    if isinstance(where, distributed.Client):
        if where.asynchronous:
            raise UsageError("the dask engine needs a client made without asynchronous=True")
        return where
    if where is None:
        with suppress(ValueError):
            return distributed.get_client()
        where = dask.config.get("scheduler-address", None)
    return _reused(_LOCAL if where is None else where)


def _reused(address: str) -> Client:
    known = _open.get(address)
    if known is None or known.status != "running":
        known = _open[address] = _local() if address == _LOCAL else _connected(address)
    return known


def _connected(address: str) -> Client:
    try:
        return _client_of(address)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {address}; start one with `dask scheduler`, or leave "
            "the address out to use this machine"
        ) from error


def _client_of(cluster: Any) -> Client:
    import distributed

    connect: Any = distributed.Client  # it has no types
    made = connect(cluster, set_as_default=False, timeout=PATIENCE)
    atexit.register(made.close)
    return made


def _local() -> Client:
    """A cluster of processes on this machine, closed when this process ends."""
    import distributed
    from dask.system import CPU_COUNT

    start: Any = distributed.LocalCluster
    try:
        cluster = start(
            n_workers=CPU_COUNT,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        )
    except RuntimeError as error:
        raise UsageError(
            "the worker processes did not start; in a script, the call that starts them must stand "
            'under `if __name__ == "__main__":`'
        ) from error
    atexit.register(cluster.close)
    return _client_of(cluster)
