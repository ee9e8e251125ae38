"""RQ's SpawnWorker: a horse that is no copy of its worker, and reads everything from Redis."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.model.program import Program
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Entry, Phase, Status

SPAWN = "rq {version}: worker/worker_classes.py:SpawnWorker.fork_work_horse"


class SpawnSteps(RQMoves):
    """A new process reads worker, job and execution before it becomes a horse (since 2.2).

    So it goes by the retries_left of that moment, while its worker's verdict goes by those read
    at the pop. The hash of the execution expires with its entry in the StartedJobRegistry, which
    heartbeats do not mend; that of the worker lasts longer. A process that finds any of the three
    gone exits with code 1 before it has touched the job.
    """

    def program(self) -> Program:
        """The guarded commands; a horse has a memory of its own only if it read the job."""
        program = super().program()
        return program if self.rereads_job else program.without("reread")

    @action(source=SPAWN, by="{w}", to="horse of {w}", given=lambda m: m.rereads_job)
    def spawn_horse(self, w: Worker) -> None:
        """{w} starts a new process, its work horse."""
        require(self.phase[w] == self.forks_from, self.acts(w))
        self.phase[w] = Phase.FORKED

    @action(source=SPAWN, by="horse of {w}", to="Redis", given=lambda m: m.rereads_job)
    def read_job_again(self, t: Task, w: Worker) -> None:
        """The horse of {w} reads {t} and its execution, and keeps to the retries_left of now."""
        require(self.phase[w] == Phase.FORKED, self.job[w] == t, self.horse_acts(w))
        require(self.status[t] != Status.NONE, self.entry[w] == Entry.VALID, self.redis_answers())
        self.reread[w] = self.retries_left[t]
        self.phase[w] = Phase.HORSE_READ

    @action(source=SPAWN, by="horse of {w}", to="Redis", given=lambda m: m.rereads_job)
    def find_execution_gone(self, t: Task, w: Worker) -> None:
        """The horse of {w} finds the execution of {t}, or all of it, gone; it exits with code 1."""
        require(self.phase[w] == Phase.FORKED, self.job[w] == t, self.horse_acts(w))
        require((self.status[t] == Status.NONE) | (self.entry[w] != Entry.VALID))
        require(self.redis_answers())
        self.horse_dies(w)

    @action(
        source=SPAWN,
        by="horse of {w}",
        given=lambda m: m.rereads_job and m.outage_is_noticed,
    )
    def fail_to_read_again(self, w: Worker) -> None:
        """The horse of {w} cannot read its job, and exits with code 1."""
        require(self.phase[w] == Phase.FORKED, self.horse_acts(w), self.redis_away)
        self.horse_dies(w)

    @fault(
        kind="reply_lost",
        source=SPAWN,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.rereads_job and not m.resends,
    )
    def lose_reply_to_second_reading(self, w: Worker) -> None:
        """The horse of {w} hears nothing of the job it reads, and exits with code 1."""
        require(self.phase[w] == Phase.FORKED, self.horse_acts(w), self.redis_answers())
        self.horse_dies(w)
