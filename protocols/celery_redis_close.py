"""Closing a channel: what its main process holds unacknowledged is given back, tag by tag."""

from __future__ import annotations

from twice.model import Bool, action, forall, require
from twice.protocols.celery_redis_moves import CLOSE, Moves
from twice.protocols.celery_redis_state import (
    IN_CHILD,
    Binding,
    Message,
    Phase,
    Process,
    Result,
)
from twice.protocols.delivery import Task, Worker

GIVE_BACK = "kombu 5.7.0: transport/redis.py:QoS.restore_unacked"
RECONNECT = "celery 5.7.0: worker/consumer/consumer.py:Consumer.start"
CANCEL = "celery 5.7.0: worker/consumer/consumer.py:Consumer.on_connection_error_after_connected"
SHUTDOWN = "celery 5.7.0: worker/worker.py:WorkController._shutdown"


class CloseSteps(Moves):
    """A worker that is done, or lost its connection, closes its channel.

    It gives back by tag, so that of two copies in it one goes back, and another's entry goes too.
    """

    @action(source=GIVE_BACK, by="{w}", to="Redis")
    def give_back(self, m: Message, w: Worker) -> None:
        """{w}, closing its channel, moves the entry of {m} back to the list."""
        require(self.held[m, w] > 0)
        require(self.closes(w) | self.main_acts(w, Process.RECONNECTING))
        self.restore(m, w)
        self.held[m, w] = 0

    @action(source=CLOSE, by="{w}", to="Redis", given=lambda m: m.reads_last_reply)
    def read_last_reply(self, m: Message, w: Worker) -> None:
        """{w}, closing its channel, reads the {m} that Redis popped for it, and records it."""
        require(self.wire[w] == m, self.closes(w))
        self.wire[w] = None
        self.save_entry(m)
        self.take_in(m, w)

    @action(source=SHUTDOWN, by="{w}")
    def exit(self, w: Worker) -> None:
        """{w} has closed its channel and exits."""
        require(self.closes(w), self.holds_nothing(w), self.wire[w].is_none())
        self.leftover[w] = False
        self.process[w] = Process.DEAD

    @action(
        source="kombu 5.3.1: transport/redis.py:Channel.close",
        by="{w}",
        given=lambda m: not m.reads_last_reply,
    )
    def exit_without_last_reply(self, m: Message, w: Worker) -> None:
        """{w} closes its channel and exits; {m}, which Redis popped for it, is never read."""
        require(self.wire[w] == m, self.closes(w), self.holds_nothing(w))
        self.wire[w] = None
        self.process[w] = Process.DEAD

    @action(source=SHUTDOWN, by="{w}")
    def exit_cut_off(self, w: Worker) -> None:
        """{w}, cut off from Redis, exits when its pool is done; it could give nothing back."""
        require(self.process[w] == Process.BROKEN, self.phase[w] == Phase.IDLE)
        self.process[w] = Process.DEAD

    @action(source="supervisor", by="environment", to="{w}", given=lambda m: m.supervised)
    def start_worker(self, w: Worker) -> None:
        """A new worker is started in place of {w}."""
        require(self.process[w] == Process.DEAD, self.phase[w] == Phase.IDLE, self.redis_answers())
        self.become_connected(w)

    def become_connected(self, w: Worker) -> None:
        """The main process has a connection and declares its queue."""
        self.process[w] = Process.CONNECTING if self.gevent else Process.UP
        if self.named_exchange:
            self.binding = Binding.THERE

    @action(
        source="kombu 5.7.0: transport/redis.py:MultiChannelPoller.on_poll_init",
        by="{w}",
        given=lambda m: m.gevent,
    )
    def enter_loop(self, w: Worker) -> None:
        """{w} has looked for expired messages, once, and waits for new ones."""
        require(self.main_acts(w, Process.CONNECTING))
        self.process[w] = Process.UP

    @action(
        source="kombu 5.7.0: transport/virtual/base.py:Channel.queue_bind",
        by="workers",
        to="Redis",
        given=lambda m: m.named_exchange,
    )
    def declare_binding(self) -> None:
        """The workers, connected again, declare the binding of their queue."""
        require(self.binding == Binding.AWAITED, self.redis_answers())
        self.binding = Binding.THERE


class ReconnectSteps(CloseSteps):
    """A worker whose connection broke, with Redis alive: its runs go on, their messages go back."""

    def has_to_give_back(self, m: Message, w: Worker) -> Bool:
        """Whether the message of the run is one that the lost channel had to acknowledge."""
        return (self.job[w] == m) & ~self.acked[w] & ~self.detached[w]

    @action(source=GIVE_BACK, by="{w}", to="Redis")
    def give_back_running(self, m: Message, w: Worker) -> None:
        """{w}, closing its lost channel, moves the entry of {m} back to the list while {m} runs."""
        require(self.has_to_give_back(m, w), self.main_acts(w, Process.RECONNECTING))
        self.restore(m, w)
        self.detached[w] = True

    @action(source=CANCEL, by="{w}", to="pool of {w}", given=lambda m: m.cancels_on_loss)
    def cancel_running(self, t: Task, m: Message, w: Worker) -> None:
        """{w} kills the run of {t}, whose message it has given back."""
        require(self.has_job(m, w, *IN_CHILD), self.task[m] == t)
        require(self.main_acts(w, Process.RECONNECTING), self.detached[w])
        self.write_result(t, Result.RETRY)
        self.release(w)

    @action(source=RECONNECT, by="{w}", to="Redis")
    def reconnect(self, w: Worker) -> None:
        """{w} connects again."""
        require(self.main_acts(w, Process.RECONNECTING), self.holds_nothing(w))
        require(forall(Message, lambda m: ~self.has_to_give_back(m, w)))
        if self.cancels_on_loss:
            require(~self.phase[w].is_in(*IN_CHILD))
        self.become_connected(w)
