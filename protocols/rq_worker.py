"""The worker's loop in RQ: pop, read, register, fork, and notice that the horse is done."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Entry, Phase, Process, Producer, Status

LOOP = "rq {version}: worker/base.py:work"
POP = "rq {version}: queue.py:dequeue_any"
READ = "rq {version}: queue.py:_fetch_dequeued_job"
REGISTER = "rq {version}: executions.py:prepare_execution"
EXECUTE = "rq {version}: worker/worker_classes.py:execute_job"
FORK = "rq {version}: worker/worker_classes.py:fork_work_horse"
MONITOR = "rq {version}: worker/worker_classes.py:monitor_work_horse"
SUPERVISOR = "rq {version}: worker_pool.py:check_workers, or any supervisor"


class WorkerSteps(RQMoves):
    """A worker takes one job after another."""

    @action(source=POP, by="{w}", to="Redis", given=lambda m: m.pops_by_move)
    def pop_by_move(self, t: Task, w: Worker) -> None:
        """{w} moves {t} from the queue to the intermediate list (BLMOVE)."""
        self._pop(t, w)

    @action(source=POP, by="{w}", to="Redis", given=lambda m: not m.pops_by_move)
    def pop_for_good(self, t: Task, w: Worker) -> None:
        """{w} pops {t} from its queues (BLPOP), and its id is in no list any more."""
        self._pop(t, w)

    def _pop(self, t: Task, w: Worker) -> None:
        """Take an id from the queue, whatever the status of the job."""
        require(self.phase[w] == Phase.IDLE, self.acts(w), ~self.stop_requested[w])
        require(self.queue[t] > 0, self.producer[t] != Producer.PUSHED, self.redis_answers())
        self.leave_queue(t)
        self.job[w] = t
        self.phase[w] = Phase.POPPED

    @action(source=READ, by="{w}", to="Redis")
    def read_job(self, t: Task, w: Worker) -> None:
        """{w} reads the hash of {t}, and keeps to its retries_left until the end."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t, self.acts(w))
        require(self.status[t] != Status.NONE, self.redis_answers())
        self.remember(t, w)
        self.phase[w] = Phase.FETCHED

    @action(source=READ, by="{w}", to="Redis", given=lambda m: m.hash_may_be_missing)
    def skip_missing_job(self, t: Task, w: Worker) -> None:
        """{w} finds no hash of {t} and silently pops the next id."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t, self.acts(w))
        require(self.status[t] == Status.NONE, self.redis_answers())
        self.becomes_idle(t, w)

    @action(source=REGISTER, by="{w}", to="Redis", given=lambda m: not m.entry_by_job)
    def register_execution(self, t: Task, w: Worker) -> None:
        """{w} becomes busy and enters this execution of {t} in the StartedJobRegistry."""
        require(self.phase[w] == Phase.FETCHED, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.entry[w] = Entry.VALID
        self.phase[w] = Phase.REGISTERED

    @action(
        source=FORK,
        by="{w}",
        to="horse of {w}",
        given=lambda m: m.has_horses and not m.rereads_job,
    )
    def fork_horse(self, w: Worker) -> None:
        """{w} forks a work horse."""
        require(self.phase[w] == self.forks_from, self.acts(w))
        self.phase[w] = Phase.FORKED

    @action(source=MONITOR, by="{w}", to="horse of {w}", given=lambda m: m.has_horses)
    def see_normal_exit(self, t: Task, w: Worker) -> None:
        """{w} sees its horse exit normally, asks no further, and is idle."""
        require(self.phase[w] == Phase.EXITING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.becomes_idle(t, w)

    @action(source=LOOP, by="{w}")
    def leave_on_request(self, w: Worker) -> None:
        """{w}, which was asked to stop, has no job in hand and leaves."""
        require(self.phase[w] == Phase.IDLE, self.acts(w), self.stop_requested[w])
        self.worker_ends(w)

    @action(source=SUPERVISOR, by="environment", to="{w}", given=lambda m: m.respawn)
    def replace_worker(self, w: Worker) -> None:
        """A supervisor starts a new worker in place of {w}."""
        require(self.phase[w] == Phase.IDLE, self.process[w] == Process.DEAD)
        require(self.job[w].is_none())
        self.process[w] = Process.RUNNING

    @action(
        source=SUPERVISOR,
        by="environment",
        to="{w}",
        given=lambda m: m.respawn and not m.entry_by_job,
    )
    def replace_worker_before_expiry(self, t: Task, w: Worker) -> None:
        """A supervisor starts a new worker in place of {w}; the old entry of {t} stays."""
        require(self.phase[w] == Phase.IDLE, self.process[w] == Process.DEAD, self.job[w] == t)
        self.becomes_idle(t, w)
        self.process[w] = Process.RUNNING
