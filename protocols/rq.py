"""RQ (Redis Queue) 3.0.0."""

from __future__ import annotations

from typing import ClassVar

from twice.model import Sort
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_kills import HorseKills, MachineLosses, WorkerKills
from twice.protocols.rq_life_cycle import LifeCycle
from twice.protocols.rq_outage import WithoutRedis
from twice.protocols.rq_pauses import Pauses
from twice.protocols.rq_replies import UnresentCommands
from twice.protocols.rq_signals import Signals
from twice.protocols.rq_time import TimeSteps
from twice.protocols.rq_verdict import VerdictSteps
from twice.protocols.rq_worker import WorkerSteps


class RQ(
    WithoutRedis,
    UnresentCommands,
    Signals,
    Pauses,
    MachineLosses,
    HorseKills,
    WorkerKills,
    TimeSteps,
    VerdictSteps,
    WorkerSteps,
    LifeCycle,
):
    """RQ 3.0.0: jobs in Redis lists, a forking worker, maintenance by idle workers.

    Every transaction, and every command sent alone, is one action; a process may die between any two of them. The
    decisions of RQ are modelled as they are made: read first, act later on what was read. Retries go by the copy of
    `retries_left` that was read when the job was popped. A worker that was paused, and a horse whose worker was
    killed, go on as if nothing had happened.

    Left out, and why:

    - The order of a queue, and priorities: any waiting job may be popped next, which allows all that order allows.
    - `maintenance_interval`, `worker_ttl`, the 899 s of the maintenance lock: they decide how late something is
      found, not whether. An idle worker may begin a pass at any time, if no worker that runs is in one.
    - Ends of lives: results (500 s), failures (a year), `first_seen` (a day). They only forget what is settled, or
      give more time.
    - Clocks that disagree, eviction, a failover to old data, and ids chosen by the user and enqueued twice.
    - Dependencies, repeats, callbacks, exception handlers, unique jobs, rate limits, job `ttl`, `rq info` and
      dashboards that clean registries without the lock.
    - SimpleWorker, SpawnWorker, HerokuWorker, burst mode. A worker pool is `respawn` with as many queues as it has.
    - A dead worker is not replaced unless `respawn` is set; with it, one is started at any later time.
    """

    words: ClassVar[dict[type[Sort], str]] = {Task: "job", Worker: "worker"}
