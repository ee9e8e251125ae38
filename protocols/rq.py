"""RQ (Redis Queue), in several versions."""

from __future__ import annotations

from typing import ClassVar

from twice.model import Sort
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_dependents import DependentRefusals
from twice.protocols.rq_job_entry import RenewalSteps
from twice.protocols.rq_kills import HorseKills, MachineLosses, WorkerKills
from twice.protocols.rq_life_cycle import LifeCycle
from twice.protocols.rq_listing import ListingKills
from twice.protocols.rq_no_reconnect import NoReconnectSteps
from twice.protocols.rq_old_client import RaisedReplies
from twice.protocols.rq_pauses import Awakenings
from twice.protocols.rq_places import Places
from twice.protocols.rq_same_id import SecondCalls
from twice.protocols.rq_signals import Signals
from twice.protocols.rq_simple_worker import SimpleSteps
from twice.protocols.rq_spawn_worker import SpawnSteps
from twice.protocols.rq_time import TimeSteps
from twice.protocols.rq_times import Times
from twice.protocols.rq_unique import UniqueRefusals
from twice.protocols.rq_verdict import VerdictSteps
from twice.protocols.rq_worker import WorkerSteps
from twice.protocols.rq_worker_class import WorkerClassRefusals


class RQ(
    NoReconnectSteps,
    RaisedReplies,
    Signals,
    Awakenings,
    MachineLosses,
    HorseKills,
    WorkerKills,
    ListingKills,
    RenewalSteps,
    TimeSteps,
    VerdictSteps,
    WorkerSteps,
    LifeCycle,
    Places,
    Times,
    SimpleSteps,
    SpawnSteps,
    SecondCalls,
    DependentRefusals,
    UniqueRefusals,
    WorkerClassRefusals,
):
    """RQ: jobs in Redis lists, workers that fork, maintenance by idle workers.

    Every transaction, and every command sent alone, is one action; a process may die between any
    two of them. Decisions are made as RQ makes them: read first, act later on what was read. The
    retries of an attempt are those in the hash when the job was popped. A worker that was paused,
    and a horse whose worker was killed, go on as if nothing had happened. Steps of different
    processes interleave in any order; only expiry and the minute of grace wait for time to pass.

    What `version` changes:

    - 0.6.0: a popped id is in no list; a job is saved, then pushed; a failure is marked, then
      listed; nobody asks how a horse ended, nor sends heartbeats for it; passes take no notice of
      each other; no Retry. A worker that waits for a job begins no pass: `maintenance` says that
      others start, or run another job.
    - 1.16.2: one queue alone is popped by BLMOVE; the horse makes the registry entry, one for all
      attempts of a job; heartbeats, verdicts, Retry.
    - 2.12.0: the worker makes an entry for each execution, before it forks.
    - 3.0.0: maintenance leaves a job alone that is not started; a retry that waits is listed and
      saved in one transaction.

    What the job may be given:

    - `enqueued_twice`: another job under its id. Each of the two calls is owed a run with its own
      arguments, which the hash has once; how often a body ran is counted by id.
    - `dependent`: a job that waits for it and is followed until it is pushed. 0.6.0 releases it
      before the job is finished, 1.16.2 and 2.12.0 with that, 3.0.0 afterwards.

    What `worker_class` changes:

    - Worker: forks a horse for each job, which has all that its worker has in memory.
    - SpawnWorker (since 2.2): its horse is a new process and reads the job from Redis once more.
    - SimpleWorker: is its own horse. Nobody sends heartbeats while a job runs, nobody judges a job
      whose process died, and a second SIGTERM is an exception inside the job. What one of 0.6.0
      does is not established, and refused.

    Left out, and why:

    - The order of a queue, and priorities: any waiting job may be popped next.
    - `maintenance_interval`, `worker_ttl`, the 899 s of the maintenance lock in the steps: they
      decide how late something is found, not whether, and are in the bounds. An idle worker may
      begin a pass at any time unless another one that runs is in a pass.
    - The end of results (500 s), of failures (a year), of `first_seen` (a day): what is forgotten
      then is settled, or is only looked at later.
    - Clocks that disagree, eviction, a failover to older data.
    - More than one dependent, those added while their job ends, and those of several jobs.
    - Repeats, callbacks, exception handlers, rate limits, job `ttl`; `rq info` and dashboards,
      which clean registries without the lock.
    - HerokuWorker, burst mode. A worker pool is `respawn`, its scheduler `with_scheduler`.
    - Workers that are started later, unless `respawn` says that dead ones are replaced.
    - Copies of an id beyond two in one list, and old entries of one job beyond two.
    """

    words: ClassVar[dict[type[Sort], str]] = {Task: "job", Worker: "worker"}
