"""The sweep: whoever looks first moves what is older than the visibility timeout back."""

from __future__ import annotations

from twice.model import Bool, action, forall, ite, require
from twice.protocols.celery_redis_moves import RESTORE, Moves
from twice.protocols.celery_redis_state import Message, Process
from twice.protocols.celery_redis_times import MOST_SWEEPS
from twice.protocols.delivery import Worker

SWEEP = "kombu 5.7.0: transport/redis.py:QoS.restore_visible"


class SweepSteps(Moves):
    """A worker takes the lock, lists what is old enough, and restores it by its tag.

    One sweep restores many messages; here each has a sweep of its own, which changes nothing for
    it. When a sweep comes (every 100 s, unless changed) only decides how late a message is. But a
    worker without event loop, gevent's, sweeps only when it connects, and while its prefetch window
    is full: the empty reply of its BRPOP, every second, keeps it from it.

    Between listing and restoring lies a moment in which the entry may be deleted, or even made
    anew. The lock of a worker that died in it expires after `unacked_mutex_expire`, so that it
    delays the next sweep and nothing else; that of a frozen worker too, and then two may sweep at
    once.
    """

    def may_sweep(self, w: Worker) -> Bool:
        """Whether the worker gets to a sweep."""
        if not self.gevent:
            return self.main_acts(w, Process.UP)
        full = self.main_acts(w, Process.UP) & ~self.has_credit(w)
        return full | self.main_acts(w, Process.CONNECTING)

    def gets_lock(self) -> Bool:
        """Whether nobody has the lock, or it has expired."""
        return forall(
            Worker, lambda v: self.sweeps[v].is_none() | (self.process[v] == Process.FROZEN)
        )

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.ack_emulation)
    def find_expired(self, m: Message, w: Worker) -> None:
        """{w}, in a sweep, finds {m} unacknowledged for longer than the visibility timeout."""
        require(self.may_sweep(w), self.gets_lock(), self.unacked[m], *self.overdue(m))
        self.sweeps[w] = m

    @action(source=RESTORE, by="{w}", to="Redis", given=lambda m: m.ack_emulation)
    def restore_expired(self, m: Message, w: Worker) -> None:
        """{w} moves the entry of {m}, if there is one by now, to the head of its list."""
        require(self.sweeps[w] == m, self.process[w] != Process.FROZEN, self.redis_answers())
        self.restore(m, w)
        self.count_sweep(m)
        self.sweeps[w] = None

    @action(
        source="kombu 3.0.35: transport/redis.py:QoS.restore_by_tag",
        by="{w}",
        to="Redis",
        given=lambda m: not m.restores_at_once,
    )
    def push_taken_out(self, m: Message, w: Worker) -> None:
        """{w} pushes {m}, which it has taken out of the unacknowledged ones, to its list."""
        require(self.carried[w] == m, self.process[w] != Process.FROZEN, self.redis_answers())
        self.push_restored(m)
        self.carried[w] = None

    @action(
        source=SWEEP,
        by="another app",
        to="Redis",
        given=lambda m: m.ack_emulation and m.other_apps_visibility_timeout > 0,
    )
    def sweep_by_other_app(self, m: Message) -> None:
        """A worker of another app moves {m} back, by its own visibility timeout."""
        require(self.unacked[m], *self.overdue(m), self.redis_answers())
        self.put_back(m)
        self.count_sweep(m)

    def count_sweep(self, m: Message) -> None:
        """Another visibility timeout has passed."""
        if self.counts_sweeps:
            self.swept[m] = ite(self.swept[m] < MOST_SWEEPS, self.swept[m] + 1, MOST_SWEEPS)
