"""Processes of a worker that die without a word: a child, or the main process with its children."""

from __future__ import annotations

from twice.model import Bool, action, fault, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_settings import Poison
from twice.protocols.celery_amqp_state import (
    AFTER_BODY,
    AFTER_RESULT,
    AFTER_RETRY,
    CHILD_GONE,
    IN_BODY,
    MID_TASK,
    Held,
    Phase,
)
from twice.protocols.delivery import Task, Worker

PDEATHSIG = "celery 5.7.0: concurrency/prefork.py:process_initializer"
EXITED = "billiard 4.3.2: pool.py:Pool._join_exited_workers"
PUT_BACK = "celery 5.7.0: concurrency/asynpool.py:AsynPool._put_back"
MEMORY = "celery 5.7.0: worker/request.py:Request.on_failure, MemoryError"

RETRIED = (*AFTER_RETRY, Phase.READY_RETRIED)
OVER = (*AFTER_RESULT, Phase.READY, Phase.READY_FAILED, Phase.READY_REJECTED)


class ChildKills(Moves):
    """A pool child is killed: SIGKILL, the OOM killer, a segfault, sys.exit in the task."""

    def kill_child(self, t: Task, w: Worker, *phases: Phase) -> None:
        """The child ends in one of these phases."""
        require(self.has_job(t, w, *phases))
        self.child_ends(t, w)

    @fault(
        kind="child_kill",
        source=PUT_BACK,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def kill_child_before_accept(self, t: Task, w: Worker) -> None:
        """A child of {w} is killed before it reads {t} from its pipe; another child will."""
        self.kill_child(t, w, Phase.WRITTEN)

    @fault(
        kind="child_kill",
        source=EXITED,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def kill_child_before_start(self, t: Task, w: Worker) -> None:
        """The child of {w} is killed after it accepted {t}, before the body starts."""
        self.kill_child(t, w, Phase.ACCEPTED)

    @fault(
        kind="child_kill",
        source=EXITED,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def kill_child_mid_task(self, t: Task, w: Worker) -> None:
        """The child of {w} that runs {t} is killed."""
        self.kill_child(t, w, *IN_BODY)

    @fault(
        kind="child_kill",
        source=EXITED,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def kill_child_after_body(self, t: Task, w: Worker) -> None:
        """The child of {w} is killed after the body of {t} ended, before any result is stored."""
        self.kill_child(t, w, *AFTER_BODY)

    @fault(
        kind="child_kill",
        source=EXITED,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die and m.stores_results,
    )
    def kill_child_after_result(self, t: Task, w: Worker) -> None:
        """The child of {w} is killed after it stored the result of {t}, before it says so."""
        self.kill_child(t, w, *AFTER_RESULT)

    @fault(
        kind="child_kill",
        source=EXITED,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.children_die and m.task_retries,
    )
    def kill_child_after_retry(self, t: Task, w: Worker) -> None:
        """The child of {w} is killed after it published a retry of {t}, before it says so."""
        self.kill_child(t, w, *AFTER_RETRY)


class WorkerKills(Moves):
    """A main process is killed: SIGKILL, the OOM killer, the end of its container.

    Since Celery 5.2, on Linux, its children are killed with it; in 3.1 they go on as orphans. What
    it had written to its socket still arrives. Points go by what the pool does, and by whether an
    ack, of this task or of an earlier one, is still to be sent.
    """

    def kill_worker(self, w: Worker, when_: Bool) -> None:
        """The main process ends."""
        require(when_, self.lives(w))
        self.worker_ends(w, orphans=self.children_survive)

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG)
    def kill_waiting_worker(self, t: Task, w: Worker) -> None:
        """{w} is killed while {t} waits in it, reserved or for its ETA, and its pool is idle."""
        waits = self.held[t, w].is_in(Held.ETA, Held.RESERVED) & (self.phase[w] == Phase.IDLE)
        self.kill_worker(w, waits & self.owes_nothing(w))

    @fault(
        kind="worker_kill",
        by="environment",
        to="{w}",
        source=PDEATHSIG,
        given=lambda m: m.runs and not m.solo,
    )
    def kill_worker_before_accept(self, t: Task, w: Worker) -> None:
        """{w} is killed after it gave {t} to its pool, which has not accepted it."""
        self.kill_worker(w, self.has_job(t, w, Phase.WRITTEN))

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG, given=lambda m: m.runs)
    def kill_worker_before_ack(self, t: Task, w: Worker) -> None:
        """{w} is killed while it runs {t}, and has an ack still to send."""
        self.kill_worker(w, self.has_job(t, w, *MID_TASK) & ~self.owes_nothing(w))

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG, given=lambda m: m.runs)
    def kill_worker_after_ack(self, t: Task, w: Worker) -> None:
        """{w} is killed while it runs {t}, and has no ack to send."""
        self.kill_worker(w, self.has_job(t, w, *MID_TASK) & self.owes_nothing(w))

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG, given=lambda m: m.runs)
    def kill_worker_after_body(self, t: Task, w: Worker) -> None:
        """{w} is killed after the body of {t} ended, before any result is stored."""
        self.kill_worker(w, self.has_job(t, w, *AFTER_BODY))

    @fault(
        kind="worker_kill",
        by="environment",
        to="{w}",
        source=PDEATHSIG,
        given=lambda m: m.runs and m.task_retries,
    )
    def kill_worker_after_retry_before_ack(self, t: Task, w: Worker) -> None:
        """{w} is killed after it published a retry of {t}, and has an ack still to send."""
        self.kill_worker(w, self.has_job(t, w, *RETRIED) & ~self.owes_nothing(w))

    @fault(
        kind="worker_kill",
        by="environment",
        to="{w}",
        source=PDEATHSIG,
        given=lambda m: m.runs and m.task_retries,
    )
    def kill_worker_after_retry(self, t: Task, w: Worker) -> None:
        """{w} is killed after it published a retry of {t}, and has no ack to send."""
        self.kill_worker(w, self.has_job(t, w, *RETRIED) & self.owes_nothing(w))

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG, given=lambda m: m.runs)
    def kill_worker_after_result_before_ack(self, t: Task, w: Worker) -> None:
        """{w} is killed after the result of {t} was stored, and has an ack still to send."""
        over = self.has_job(t, w, *OVER) & ~self.owes_nothing(w)
        idle = (self.phase[w] == Phase.IDLE) & self.ack_is_unsent(t, w)
        self.kill_worker(w, over | idle)

    @fault(kind="worker_kill", by="environment", to="{w}", source=PDEATHSIG, given=lambda m: m.runs)
    def kill_worker_after_result(self, t: Task, w: Worker) -> None:
        """{w} is killed after the result of {t} was stored, and has no ack to send."""
        self.kill_worker(w, self.has_job(t, w, *OVER) & self.owes_nothing(w))

    @fault(
        kind="worker_kill",
        by="environment",
        to="{w}",
        source=PDEATHSIG,
        given=lambda m: m.children_die,
    )
    def kill_worker_at_verdict(self, t: Task, w: Worker) -> None:
        """{w} is killed after its child died with {t}, before anything came of that."""
        self.kill_worker(w, self.has_job(t, w, *CHILD_GONE, Phase.OVERDUE))

    @fault(
        kind="worker_kill",
        by="environment",
        to="{w}",
        source=PDEATHSIG,
        given=lambda m: not m.supervised,
    )
    def kill_idle_worker(self, w: Worker) -> None:
        """{w} is killed while its pool is idle, and nobody starts it again."""
        self.kill_worker(w, self.phase[w] == Phase.IDLE)


class PoisonSteps(Moves):
    """A task whose runs may, each of them, bring down what runs it; no budget bounds that.

    One task of all is the poison: the first whose run does it.
    """

    @action(
        source=EXITED,
        by="{t}",
        to="pool of {w}",
        given=lambda m: m.children_die and m.poison is Poison.CHILD,
    )
    def poison_child(self, t: Task, w: Worker) -> None:
        """{t} kills the child of {w} that runs it."""
        require(self.has_job(t, w, *IN_BODY), self.may_be_poison(t))
        self.culprit = t
        self.child_ends(t, w)

    @action(
        source=PDEATHSIG,
        by="{t}",
        to="{w}",
        given=lambda m: m.runs and m.poison is Poison.WORKER,
    )
    def poison_worker(self, t: Task, w: Worker) -> None:
        """{t} brings down the whole of {w}, which runs it."""
        require(self.has_job(t, w, *IN_BODY), self.may_be_poison(t), self.lives(w))
        self.culprit = t
        self.worker_ends(w)

    def may_be_poison(self, t: Task) -> Bool:
        """Whether no other task is the poison."""
        return self.culprit.is_none() | (self.culprit == t)

    @action(source=MEMORY, by="{w}", given=lambda m: m.runs and m.poison is Poison.MEMORY_ERROR)
    def die_of_memory_error(self, t: Task, w: Worker) -> None:
        """{w} hears of the MemoryError of {t}, raises it again, and exits."""
        require(self.has_job(t, w, Phase.READY_FAILED), self.lives(w))
        if self.early and self.prefork:
            require(self.held[t, w] != Held.IN_POOL)
        self.worker_ends(w)
