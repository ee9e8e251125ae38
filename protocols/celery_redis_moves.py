"""Effects that several steps share: what one transaction writes, how a run or process ends."""

from __future__ import annotations

from twice.model import Bool, each, forall, ite, require, when
from twice.protocols.celery_redis_state import (
    IN_CHILD,
    Binding,
    Message,
    Phase,
    Process,
    Result,
    State,
)
from twice.protocols.delivery import Task, Worker

LOOP = "kombu 5.7.0: transport/redis.py:MultiChannelPoller.on_poll_start"
PUT = "kombu 5.7.0: transport/redis.py:Channel._put"
APPEND = "kombu 5.7.0: transport/redis.py:QoS.append"
ACK = "kombu 5.7.0: transport/redis.py:QoS.ack"
RESTORE = "kombu 5.7.0: transport/redis.py:QoS.restore_by_tag"
CLOSE = "kombu 5.7.0: transport/redis.py:Channel.close"
TRACE = "celery 5.7.0: app/trace.py:trace_task"
ON_FAILURE = "celery 5.7.0: worker/request.py:Request.on_failure"
OPERATING_SYSTEM = "operating system"


class Moves(State):
    """The moves; none is an action of its own."""

    # Redis.

    def push(self, m: Message) -> None:
        """One more copy of the message is on its list."""
        self.listed[m] = ite(self.listed[m] > 0, 2, 1)

    def put_back(self, m: Message) -> None:
        """Move the message from `unacked`, if it is there, to its list, whoever holds it.

        Without its binding, a named exchange leads to no list, and the message is gone.
        """
        with when(self.unacked[m]):
            self.unacked[m] = False
            self.push_restored(m)

    def restore(self, m: Message, w: Worker) -> None:
        """The worker puts the message back: in one step, or, before kombu 5.2.3, by two."""
        if not self.ack_emulation:
            self.push_restored(m)
        elif self.restores_at_once:
            self.put_back(m)
        else:
            with when(self.unacked[m]):
                self.unacked[m] = False
                self.carried[w] = m

    def push_restored(self, m: Message) -> None:
        """Push a message that was taken out of `unacked`."""
        if self.deduplicates:
            self.marked[m] = True
        self.push_if_bound(m)

    def push_if_bound(self, m: Message) -> None:
        """Push a message, if its exchange leads to a list."""
        if self.named_exchange:
            with when(self.binding == Binding.THERE):
                self.push(m)
        else:
            self.push(m)

    def save_entry(self, m: Message) -> None:
        """Write the entry in `unacked` and its index."""
        if self.ack_emulation:
            self.unacked[m] = True

    def delete_entry(self, m: Message) -> None:
        """Delete whatever entry is there under the message's tag."""
        if self.ack_emulation:
            self.unacked[m] = False

    def first_send(self, t: Task, m: Message) -> None:
        """The message goes to the list of its queue, which a named exchange may not know."""
        self.task[m] = t
        self.push_if_bound(m)

    # The memory of a main process.

    def take_in(self, m: Message, w: Worker) -> None:
        """One more copy of the message waits in the worker."""
        self.held[m, w] = ite(self.held[m, w] > 0, 2, 1)
        if self.deduplicates:
            with when(~self.marked[m]):
                self.fresh[m] = w

    def drop_waiting(self, w: Worker) -> None:
        """The worker forgets every copy that waits in it."""
        for m in each(Message):
            self.held[m, w] = 0
            if self.deduplicates:
                with when(self.fresh[m] == w):
                    self.fresh[m] = None

    def forget(self, w: Worker) -> None:
        """Nothing is left of the memory of the main process."""
        self.drop_waiting(w)
        self.wire[w] = None
        self.leftover[w] = False
        self.sweeps[w] = None
        self.carried[w] = None

    # The pool.

    def release(self, w: Worker) -> None:
        """The slot of the pool is free."""
        self.phase[w] = Phase.IDLE
        self.job[w] = None
        self.acked[w] = False
        self.detached[w] = False
        self.again[w] = False
        if self.window_may_shrink:
            with when(self.process[w] == Process.UP):
                self.leftover[w] = False

    def require_early_ack(self, m: Message, w: Worker) -> None:
        """The main process writes the early ack: in its loop, or in the callback of the accept."""
        require(self.job[w] == m, ~self.acked[w], self.redis_answers())
        working = self.process[w].is_in(Process.UP, Process.STOPPING)
        require(working if self.acks_before_start else working & self.loop_is_free(w))

    def have_acked(self, w: Worker) -> None:
        """The main process counts the message as acknowledged, and a slot that is done as free."""
        done = self.phase[w] == Phase.STORED
        with when(done):
            self.release(w)
        with when(~done):
            self.acked[w] = True

    def end_run(self, w: Worker) -> None:
        """What became of the run is stored.

        An orphan ends with that. If the message is acknowledged, the slot is free; else the main
        process has to acknowledge it.
        """
        free = self.acked[w] | (self.process[w] == Process.DEAD)
        with when(free):
            self.release(w)
        with when(~free):
            self.phase[w] = Phase.STORED

    def write_result(self, t: Task, result: Result) -> None:
        """Store a state, unless none is stored or SUCCESS is there, which nothing overwrites."""
        if self.stores_results:
            self.result[t] = ite(self.result[t] == Result.SUCCESS, Result.SUCCESS, result)

    def lose_child(self, w: Worker) -> None:
        """The child is gone; only a parent that lives will notice."""
        orphan = self.process[w] == Process.DEAD
        with when(orphan):
            self.release(w)
        with when(~orphan):
            self.phase[w] = Phase.LOST

    # Main processes.

    def die(self, w: Worker) -> None:
        """The main process is gone, and, since Celery 5, its children with it."""
        self.forget(w)
        self.process[w] = Process.DEAD
        if self.children_survive:
            with when(~self.phase[w].is_in(*IN_CHILD)):
                self.release(w)
        else:
            self.release(w)

    def lose_connection(self, w: Worker) -> None:
        """The connection of the main process breaks; what was on its way through it is nowhere."""
        self.wire[w] = None
        self.leftover[w] = False
        self.sweeps[w] = None
        self.carried[w] = None
        self.process[w] = Process.RECONNECTING

    def begin_warm_shutdown(self, w: Worker) -> None:
        """The main process leaves its loop; a BRPOP may still be under way."""
        self.leftover[w] = self.waits_in_brpop(w)
        self.process[w] = Process.STOPPING

    def begin_cold_shutdown(self, w: Worker) -> None:
        """The main process leaves its loop and terminates its children.

        A message that is not acknowledged waits to be given back when the channel is closed. Of an
        acknowledged one RETRY is stored, although nothing was sent.
        """
        self.leftover[w] = self.waits_in_brpop(w)
        self.process[w] = Process.STOPPING
        terminated = self.phase[w].is_in(*IN_CHILD)
        if self.stores_results and not self.task_acks_late:
            for t in each(Task):
                with when(terminated & self.runs_for(t, w) & (self.result[t] != Result.SUCCESS)):
                    self.result[t] = Result.RETRY
        for m in each(Message):
            with when(terminated & (self.job[w] == m) & ~self.acked[w] & ~self.detached[w]):
                self.held[m, w] = ite(self.held[m, w] > 0, 2, 1)
        with when(terminated):
            self.release(w)

    def runs_for(self, t: Task, w: Worker) -> Bool:
        """Whether the job in the pool is one of this task."""
        return ~forall(Message, lambda m: ~((self.job[w] == m) & (self.task[m] == t)))

    def stop_cut_off(self, w: Worker) -> None:
        """The main process meets an unrecoverable error, and can tell Redis nothing any more."""
        self.forget(w)
        self.process[w] = Process.BROKEN
