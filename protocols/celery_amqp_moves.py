"""Effects that several steps share: how messages leave and return, how jobs and workers end."""

from __future__ import annotations

from twice.model import Expr, each, ite, when
from twice.protocols.celery_amqp_state import (
    CHILD_ACTS,
    LEAVING,
    Held,
    Main,
    Phase,
    Result,
    State,
)
from twice.protocols.delivery import Task, Worker


class BrokerMoves(State):
    """What happens to the copies of a message at the broker.

    A third copy of one task in the queue is not counted: no outcome asks for it.
    """

    def enters_queue(self, t: Task, *, written: bool = False) -> None:
        """A new copy is in the queue, and in memory first."""
        self.ready[t] = capped(self.ready[t] + 1)
        if self.on_disk and not written:
            self.unwritten[t] = capped(self.unwritten[t] + 1)

    def leaves_queue(self, t: Task) -> None:
        """The broker forgets one copy that a worker had.

        Copies are written and delivered in the order in which they came, so the one that leaves is
        unwritten only if all are.
        """
        if self.on_disk:
            none_written = self.unwritten[t] >= self.copies(t)
            if self.acks_reach_disk_later:
                with when(~none_written):
                    self.undead[t] = capped(self.undead[t] + 1)
            with when(none_written):
                self.unwritten[t] = self.unwritten[t] - 1
        if self.delivery_limit is not None:
            self.returns_counted[t] = 0

    def is_dropped(self, t: Task) -> None:
        """The broker gives a copy up; it is parked if there is a dead letter exchange."""
        self.leaves_queue(t)
        if self.x_dead_letter_exchange:
            self.dead_lettered[t] = True

    def returns(self, t: Task, copies: int | Expr[int] = 1, *, counted: bool = True) -> None:
        """Copies that workers had are in the queue again, unless that happened too often."""
        if self.delivery_limit is None or not counted:
            self._is_back(t, copies)
            return
        over = self.returns_counted[t] >= self.delivery_limit
        with when(over):
            self.is_dropped(t)
        with when(~over):
            self._is_back(t, copies)
            self.returns_counted[t] = self.returns_counted[t] + 1

    def _is_back(self, t: Task, copies: int | Expr[int]) -> None:
        self.ready[t] = capped(self.ready[t] + copies)
        if self.deduplicates:
            self.redelivered[t] = capped(self.redelivered[t] + copies)

    def takes_back(self, w: Worker, *, counted: bool) -> None:
        """The worker's channel is gone for the broker: what it had not acknowledged returns."""
        for t in each(Task):
            with when(self.unacked(t, w)):
                self.returns(t, counted=counted)

    def takes_back_after_last_frames(self, w: Worker) -> None:
        """The worker's process is gone: its last frames still arrive, and the rest returns."""
        for t in each(Task):
            with when(self.held[t, w] == Held.ACK_SENT):
                self.leaves_queue(t)
            if self.may_drop:
                with when(self.held[t, w] == Held.DROP_SENT):
                    self.is_dropped(t)
            with when(self.unacked(t, w) & ~self.held[t, w].is_in(Held.ACK_SENT, Held.DROP_SENT)):
                self.returns(t)


class WorkerMoves(BrokerMoves):
    """What a worker does with messages and jobs."""

    @property
    def ack(self) -> Held:
        """How far an ack is once it is decided on."""
        return Held.ACK_QUEUED if self.frames_wait else Held.ACK_SENT

    @property
    def requeue(self) -> Held:
        """How far a reject(requeue=True) is once it is decided on."""
        return Held.REQUEUE_QUEUED if self.frames_wait else Held.REQUEUE_SENT

    @property
    def drop(self) -> Held:
        """How far a reject(requeue=False) is once it is decided on."""
        return Held.DROP_QUEUED if self.frames_wait else Held.DROP_SENT

    def forgets_message(self, t: Task, w: Worker) -> None:
        """The worker has nothing to do with the message any more."""
        self.held[t, w] = Held.NONE
        if self.deduplicates:
            self.again[t, w] = False

    def answers(self, t: Task, w: Worker, frame: Held) -> None:
        """The worker decides on the message of its job; on a dead channel nothing comes of it."""
        with when(self.held[t, w] == Held.IN_POOL):
            self.held[t, w] = ite(self.connected(w), frame, Held.NONE)

    def stores(self, t: Task, state: Result) -> None:
        """A state is written to the result backend, if there is one."""
        if self.stores_results:
            kept = self.result[t] == Result.SUCCESS
            self.result[t] = ite(kept, self.result[t], state) if self.keeps_success else state

    def frees_slot(self, w: Worker) -> None:
        """The pool is done with its job."""
        self.phase[w] = Phase.IDLE
        self.job[w] = None
        self.ghost[w] = False

    def job_is_over(self, t: Task, w: Worker, frame: Held) -> None:
        """The pool is free; a message that is still to be answered for, is."""
        self.answers(t, w, frame)
        self.frees_slot(w)

    def child_ends(self, t: Task, w: Worker) -> None:
        """The child dies with its job, and its parent finds out, if it still cares and lives.

        A job that the child had not accepted goes to another child.
        """
        unaccepted = self.phase[w] == Phase.WRITTEN
        unwatched = self.ghost[w]
        if self.children_survive:
            orphan = self.main[w] == Main.ORPHANED
            unwatched = unwatched | orphan
            self.main[w] = ite(orphan, self.after_exit, self.main[w])
        with when(~unwatched & unaccepted & (self.held[t, w] == Held.IN_POOL)):
            self.held[t, w] = Held.RESERVED
        with when(unwatched | unaccepted):
            self.frees_slot(w)
        with when(~unwatched & ~unaccepted):
            self.phase[w] = Phase.LOST


class Moves(WorkerMoves):
    """How workers and their connections end; no move is an action of its own."""

    @property
    def after_exit(self) -> Main:
        """What becomes of a main process that ended."""
        return Main.UP if self.supervised else Main.DEAD

    def worker_ends(self, w: Worker, *, orphans: bool = False) -> None:
        """The main process ends, and its children with it, unless they go on as orphans."""
        self.takes_back_after_last_frames(w)
        for t in each(Task):
            self.forgets_message(t, w)
            self.revoked[t, w] = False
        if orphans:
            goes_on = self.phase[w].is_in(*CHILD_ACTS)
            self.main[w] = ite(goes_on, Main.ORPHANED, self.after_exit)
            self.ghost[w] = False
            with when(~goes_on):
                self.frees_slot(w)
        else:
            self.main[w] = self.after_exit
            self.frees_slot(w)
        if self.supervised:  # the new one declares the queue
            self.queue_gone = False

    def connection_breaks(
        self, w: Worker, unaware: Main = Main.CUT, *, counted: bool = True
    ) -> None:
        """The broker loses a worker's channel; the worker has yet to notice."""
        self.takes_back(w, counted=counted)
        self._loses_frames(w, unaware)

    def every_connection_breaks(self) -> None:
        """The broker loses all channels at once."""
        for t in each(Task):
            held = self.holders(t)
            with when(held > 0):
                self.returns(t, held)
        self.frames_are_lost()

    def frames_are_lost(self) -> None:
        """No connected worker reaches the broker any more."""
        for w in each(Worker):
            with when(self.connected(w)):
                self._loses_frames(w, Main.CUT)

    def _loses_frames(self, w: Worker, unaware: Main) -> None:
        """Frames on their way are lost, and those in the worker's loop will be.

        What the worker keeps in memory is a copy of what is in the queue again. A worker that is
        leaving starts nothing of it, and only waits for its pool.
        """
        leaving = self.main[w].is_in(*LEAVING)
        for t in each(Task):
            kept = self.held[t, w].is_in(Held.ETA, Held.RESERVED, Held.IN_POOL) & ~leaving
            with when(~kept):
                self.forgets_message(t, w)
        self.main[w] = ite(leaving, self.main[w], unaware)

    def notices_loss(self, w: Worker, becomes: Main) -> None:
        """The main process learns that its channel is gone, and forgets what is not running.

        It forgets a job that its pool has not accepted too, and that runs all the same.
        """
        unaccepted = self.phase[w] == Phase.WRITTEN
        if self.early and self.prefork:
            unaccepted = unaccepted | self.in_pool(w)
        died = self.phase[w] == Phase.LOST
        for t in each(Task):
            self.forgets_message(t, w)
        self.main[w] = becomes
        with when(unaccepted & died):
            self.frees_slot(w)
        with when(unaccepted & ~died):
            self.ghost[w] = True


def capped(number: Expr[int]) -> Expr[int]:
    """At most two."""
    return ite(number < 2, number, 2)
