"""Processes that die without a word, SIGKILL or out of memory, and processes that stand still."""

from __future__ import annotations

from twice.model import Bool, action, exists, fault, require
from twice.protocols.celery_redis_moves import OPERATING_SYSTEM, Moves
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    CHILD_GONE,
    IN_CHILD,
    MID_TASK,
    Message,
    Phase,
    Process,
)
from twice.protocols.delivery import Worker

AT_WORK = (Process.UP, Process.CONNECTING, Process.FROZEN)
LEAVING = (Process.STOPPING, Process.SOFT)


class WorkerKills(Moves):
    """A main process is killed. Since Celery 5 its children die with it; before, they finish."""

    def kill(self, w: Worker, *conditions: Bool) -> None:
        """The main process dies at work, at this point."""
        require(self.process[w].is_in(*AT_WORK), *conditions)
        self.die(w)

    def kill_leaving(self, w: Worker, *conditions: Bool) -> None:
        """The main process dies in a shutdown, at this point."""
        require(self.process[w].is_in(*LEAVING), *conditions)
        self.die(w)

    def holds_waiting(self, w: Worker) -> Bool:
        """Whether a message waits in the worker."""
        return exists(Message, lambda m: self.held[m, w] > 0)

    def has_settled_ack(self, w: Worker) -> Bool:
        """Whether no early ack is due; under late acks none ever is."""
        return self.acked[w] == (not self.acks_after_run)

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_idle_worker(self, w: Worker) -> None:
        """{w} is killed while it has nothing."""
        self.kill(
            w,
            self.phase[w] == Phase.IDLE,
            self.wire[w].is_none(),
            ~self.holds_waiting(w),
            self.sweeps[w].is_none(),
        )

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_after_pop(self, m: Message, w: Worker) -> None:
        """{w} is killed after Redis popped {m} for it, before it saved {m}."""
        self.kill(w, self.wire[w] == m)

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is killed while {m} waits in it."""
        self.kill(w, self.held[m, w] > 0)

    @fault(
        kind="worker_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: not m.acks_after_run,
    )
    def kill_worker_before_early_ack(self, m: Message, w: Worker) -> None:
        """{w} is killed after its pool accepted {m}, before the early ack of {m} reached Redis."""
        self.kill(w, self.has_job(m, w, *IN_CHILD, Phase.STORED), ~self.acked[w])

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_before_body(self, w: Worker) -> None:
        """{w} is killed after its pool accepted a job, before the body starts."""
        accepted = self.phase[w].is_in(Phase.ACCEPTED, Phase.CHECKED)
        self.kill(w, accepted, self.has_settled_ack(w))

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_mid_task(self, w: Worker) -> None:
        """{w} is killed in the middle of a body."""
        self.kill(w, self.phase[w].is_in(*MID_TASK), self.has_settled_ack(w))

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_after_body(self, w: Worker) -> None:
        """{w} is killed after the body ended, before its result is stored."""
        self.kill(w, self.phase[w].is_in(*AFTER_BODY), self.has_settled_ack(w))

    @fault(
        kind="worker_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: m.acks_after_run,
    )
    def kill_worker_before_late_ack(self, w: Worker) -> None:
        """{w} is killed after the result is stored, before the ack."""
        self.kill(w, self.phase[w] == Phase.STORED)

    @fault(
        kind="worker_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: m.prefork,
    )
    def kill_worker_handling_lost_child(self, w: Worker) -> None:
        """{w} is killed after a child of it died, before it has dealt with that."""
        self.kill(w, self.phase[w].is_in(*CHILD_GONE))

    @fault(
        kind="worker_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: m.ack_emulation,
    )
    def kill_sweeping_worker(self, w: Worker) -> None:
        """{w} is killed in a sweep; its lock expires after {unacked_mutex_expire} s."""
        self.kill(w, ~(self.sweeps[w].is_none() & self.carried[w].is_none()))

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_reconnecting_worker(self, w: Worker) -> None:
        """{w} is killed after it lost its connection, before it has a new one."""
        require(self.process[w] == Process.RECONNECTING)
        self.die(w)

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_worker_holding_last_reply(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, with {m}, which its last BRPOP brought, unread."""
        self.kill_leaving(w, self.wire[w] == m)

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_stopping_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, while {m} still waits in it."""
        self.kill_leaving(w, self.held[m, w] > 0)

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_stopping_worker_mid_task(self, w: Worker) -> None:
        """{w} is killed in its shutdown, which waits for a body."""
        self.kill_leaving(w, self.phase[w].is_in(Phase.ACCEPTED, Phase.CHECKED, *MID_TASK))

    @fault(kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def kill_stopping_worker_after_body(self, w: Worker) -> None:
        """{w} is killed in its shutdown, after a body ended and before all that follows is done."""
        self.kill_leaving(w, self.phase[w].is_in(*AFTER_BODY, Phase.STORED, *CHILD_GONE))

    @fault(
        kind="worker_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: not m.restores_at_once,
    )
    def kill_worker_giving_back(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, with {m} deleted from `unacked` and not yet pushed."""
        self.kill_leaving(w, self.carried[w] == m)


class ChildKills(Moves):
    """A child of a prefork pool dies: killed, out of memory, or by a crash of its own."""

    def kill_child(self, w: Worker, *phases: Phase) -> None:
        """The child dies at one of these points."""
        require(self.phase[w].is_in(*phases), self.child_acts(w))
        self.lose_child(w)

    @fault(
        kind="child_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.prefork,
    )
    def kill_child_before_body(self, w: Worker) -> None:
        """The child of {w} is killed after it accepted a job, before the body starts."""
        self.kill_child(w, Phase.ACCEPTED, Phase.CHECKED)

    @fault(
        kind="child_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.prefork,
    )
    def kill_child_mid_task(self, w: Worker) -> None:
        """The child of {w} is killed in the middle of a body."""
        self.kill_child(w, *MID_TASK)

    @fault(
        kind="child_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.prefork,
    )
    def kill_child_after_body(self, w: Worker) -> None:
        """The child of {w} is killed after the body ended, before its result is stored."""
        self.kill_child(w, *AFTER_BODY)

    @fault(
        kind="child_kill",
        source=OPERATING_SYSTEM,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.prefork and m.acks_after_run,
    )
    def kill_child_after_result(self, w: Worker) -> None:
        """The child of {w} is killed after it stored the result, before it has said so."""
        self.kill_child(w, Phase.STORED)


class Pauses(Moves):
    """A worker with all its processes stands still for longer than the visibility timeout.

    SIGSTOP, a paused virtual machine. A frozen worker that holds nothing only comes late and is
    left out, as is one with a popped message unsaved: if it is killed then, `worker_kill` tells the
    rest.
    """

    def freeze(self, w: Worker, *conditions: Bool) -> None:
        """Every process of the worker stops at this point."""
        require(self.process[w] == Process.UP, *conditions)
        self.process[w] = Process.FROZEN

    @fault(kind="pause", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def freeze_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is frozen while {m} waits in it."""
        self.freeze(w, self.held[m, w] > 0)

    @fault(kind="pause", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def freeze_worker_mid_task(self, w: Worker) -> None:
        """{w} is frozen with its child, before a body has ended."""
        self.freeze(w, self.phase[w].is_in(Phase.ACCEPTED, Phase.CHECKED, *MID_TASK))

    @fault(kind="pause", source=OPERATING_SYSTEM, by="environment", to="{w}")
    def freeze_worker_after_body(self, w: Worker) -> None:
        """{w} is frozen with its child, after a body ended and before all that follows is done."""
        self.freeze(w, self.phase[w].is_in(*AFTER_BODY, Phase.STORED, *CHILD_GONE))

    @fault(
        kind="pause",
        source=OPERATING_SYSTEM,
        by="environment",
        to="{w}",
        given=lambda m: m.ack_emulation,
    )
    def freeze_sweeping_worker(self, w: Worker) -> None:
        """{w} is frozen in a sweep, for longer than its lock lasts."""
        self.freeze(w, ~self.sweeps[w].is_none())

    @action(source=OPERATING_SYSTEM, by="environment", to="{w}")
    def thaw(self, w: Worker) -> None:
        """{w} goes on where it was."""
        require(self.process[w] == Process.FROZEN)
        self.process[w] = Process.UP
