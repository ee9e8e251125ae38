"""Taking a message: Redis pops it, the worker saves it. Between the two it is nowhere."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.celery_redis_moves import APPEND, LOOP, Moves
from twice.protocols.celery_redis_state import Message, Process
from twice.protocols.delivery import Worker


class TakeSteps(Moves):
    """Pop and save.

    Redis pops when it likes, as long as a BRPOP is under way: also while the main process of solo
    runs a body, while a worker that is stopping has left its loop, and when the prefetch window has
    shrunk since the BRPOP was sent. The reply then waits in the socket.
    """

    @action(source=LOOP, by="Redis", to="{w}")
    def pop(self, m: Message, w: Worker) -> None:
        """Redis pops {m} for the BRPOP of {w}: it is in no structure of Redis now."""
        require(self.listed[m] > 0, self.waits_in_brpop(w), self.redis_answers())
        self.listed[m] = self.listed[m] - 1
        self.wire[w] = m
        self.leftover[w] = False

    @action(source=APPEND, by="{w}", to="Redis")
    def save(self, m: Message, w: Worker) -> None:
        """{w} reads {m} and records it as unacknowledged (ZADD and HSET in one MULTI)."""
        require(self.wire[w] == m, self.main_acts(w, Process.UP))
        if self.window_may_shrink:
            require(self.has_credit(w))
        self.wire[w] = None
        self.save_entry(m)
        self.take_in(m, w)
