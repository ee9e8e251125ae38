"""Processes that die without a word, SIGKILL or out of memory, and processes that stand still."""

from __future__ import annotations

from functools import partial

from twice.model import Bool, action, exists, fault, require
from twice.protocols.celery_redis_moves import OPERATING_SYSTEM, Moves
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    BEFORE_BODY,
    CHILD_GONE,
    IN_PARENT,
    MID_TASK,
    Message,
    Phase,
    Process,
)
from twice.protocols.delivery import Worker

AT_WORK = (Process.UP, Process.CONNECTING, Process.FROZEN)
LEAVING = (Process.STOPPING, Process.SOFT)
worker_kill = partial(
    fault, kind="worker_kill", source=OPERATING_SYSTEM, by="environment", to="{w}"
)
child_kill = partial(
    fault, kind="child_kill", source=OPERATING_SYSTEM, by="environment", to="pool of {w}"
)
pause = partial(fault, kind="pause", source=OPERATING_SYSTEM, by="environment", to="{w}")


class WorkerKills(Moves):
    """A main process is killed. Since Celery 5 its children die with it; before, they finish.

    A worker that has a popped message unsaved is killed "after the pop", whatever else it does.
    """

    def kill(self, w: Worker, *conditions: Bool) -> None:
        """The main process dies at work, at this point, with nothing popped and unsaved."""
        require(self.process[w].is_in(*AT_WORK), self.wire[w].is_none(), *conditions)
        self.die(w)

    def kill_leaving(self, w: Worker, *conditions: Bool) -> None:
        """The main process dies in a shutdown, at this point, with nothing popped and unsaved."""
        require(self.process[w].is_in(*LEAVING), self.wire[w].is_none(), *conditions)
        self.die(w)

    @worker_kill()
    def kill_idle_worker(self, w: Worker) -> None:
        """{w} is killed while it has nothing."""
        self.kill(
            w,
            self.phase[w] == Phase.IDLE,
            ~exists(Message, lambda m: self.waits(m, w)),
            self.sweeps[w].is_none(),
        )

    @worker_kill()
    def kill_worker_after_pop(self, m: Message, w: Worker) -> None:
        """{w} is killed after Redis popped {m} for it, before it saved {m}."""
        require(self.process[w].is_in(*AT_WORK), self.wire[w] == m)
        self.die(w)

    @worker_kill(given=lambda m: m.window_may_shrink)
    def kill_worker_with_paused_reply(self, m: Message, w: Worker) -> None:
        """{w} is killed with {m} unread in its socket: no message may be taken until a run ends."""
        require(self.process[w].is_in(*AT_WORK), self.wire[w] == m, ~self.has_credit(w))
        self.die(w)

    @worker_kill()
    def kill_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is killed while {m} waits in it."""
        self.kill(w, self.waits(m, w))

    @worker_kill(given=lambda m: not m.acks_after_run)
    def kill_worker_before_early_ack(self, m: Message, w: Worker) -> None:
        """{w} is killed after its pool accepted {m}, before the early ack of {m} reached Redis."""
        self.kill(w, self.job[w] == m, self.owes_early_ack(w))

    @worker_kill()
    def kill_worker_before_body(self, w: Worker) -> None:
        """{w} is killed after its pool accepted a job, before the body starts."""
        self.kill(w, self.is_in_pool(w, *BEFORE_BODY))

    @worker_kill()
    def kill_worker_mid_task(self, w: Worker) -> None:
        """{w} is killed in the middle of a body."""
        self.kill(w, self.is_in_pool(w, *MID_TASK))

    @worker_kill()
    def kill_worker_after_body(self, w: Worker) -> None:
        """{w} is killed after the body ended, before its result is stored."""
        self.kill(w, self.is_in_pool(w, *AFTER_BODY))

    @worker_kill(given=lambda m: m.acks_after_run)
    def kill_worker_before_late_ack(self, w: Worker) -> None:
        """{w} is killed after the result is stored, before the ack."""
        self.kill(w, self.phase[w] == Phase.STORED)

    @worker_kill(given=lambda m: m.prefork)
    def kill_worker_handling_lost_child(self, w: Worker) -> None:
        """{w} is killed after a child of it died, before it has dealt with that."""
        self.kill(w, self.is_in_pool(w, *CHILD_GONE))

    @worker_kill(given=lambda m: m.ack_emulation)
    def kill_sweeping_worker(self, w: Worker) -> None:
        """{w} is killed in a sweep; its lock expires after {unacked_mutex_expire} s."""
        self.kill(w, ~(self.sweeps[w].is_none() & self.carried[w].is_none()))

    @worker_kill()
    def kill_reconnecting_worker(self, w: Worker) -> None:
        """{w} is killed after it lost its connection, before it has a new one."""
        require(self.process[w] == Process.RECONNECTING)
        self.die(w)

    @worker_kill()
    def kill_worker_holding_last_reply(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, with {m}, which its last BRPOP brought, unread."""
        require(self.process[w].is_in(*LEAVING), self.wire[w] == m)
        self.die(w)

    @worker_kill()
    def kill_stopping_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, while {m} still waits in it."""
        self.kill_leaving(w, self.waits(m, w))

    @worker_kill()
    def kill_stopping_worker_mid_task(self, w: Worker) -> None:
        """{w} is killed in its shutdown, which waits for a body."""
        self.kill_leaving(w, self.is_in_pool(w, *BEFORE_BODY, *MID_TASK))

    @worker_kill(given=lambda m: not m.acks_after_run)
    def kill_stopping_worker_before_early_ack(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, before the early ack of {m} reached Redis."""
        self.kill_leaving(w, self.job[w] == m, self.owes_early_ack(w))

    @worker_kill()
    def kill_stopping_worker_after_body(self, w: Worker) -> None:
        """{w} is killed in its shutdown, after a body ended and before all that follows is done."""
        self.kill_leaving(w, self.is_in_pool(w, *AFTER_BODY, *IN_PARENT))

    @worker_kill(given=lambda m: not m.restores_at_once)
    def kill_worker_giving_back(self, m: Message, w: Worker) -> None:
        """{w} is killed in its shutdown, with {m} deleted from `unacked` and not yet pushed."""
        self.kill_leaving(w, self.carried[w] == m)


class ChildKills(Moves):
    """A child of a prefork pool dies: killed, out of memory, or by a crash of its own."""

    def kill_child(self, w: Worker, *phases: Phase) -> None:
        """The child dies at one of these points."""
        require(self.phase[w].is_in(*phases), self.child_acts(w))
        self.lose_child(w)

    @child_kill(given=lambda m: m.prefork)
    def kill_child_before_body(self, w: Worker) -> None:
        """The child of {w} is killed after it accepted a job, before the body starts."""
        self.kill_child(w, *BEFORE_BODY)

    @child_kill(given=lambda m: m.prefork)
    def kill_child_mid_task(self, w: Worker) -> None:
        """The child of {w} is killed in the middle of a body."""
        self.kill_child(w, *MID_TASK)

    @child_kill(given=lambda m: m.prefork)
    def kill_child_after_body(self, w: Worker) -> None:
        """The child of {w} is killed after the body ended, before its result is stored."""
        self.kill_child(w, *AFTER_BODY)

    @child_kill(given=lambda m: m.prefork and m.acks_after_run)
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

    @pause()
    def freeze_worker_prefetched(self, m: Message, w: Worker) -> None:
        """{w} is frozen while {m} waits in it."""
        self.freeze(w, self.waits(m, w))

    @pause()
    def freeze_worker_mid_task(self, w: Worker) -> None:
        """{w} is frozen with its child, before a body has ended."""
        self.freeze(w, self.phase[w].is_in(*BEFORE_BODY, *MID_TASK))

    @pause()
    def freeze_worker_after_body(self, w: Worker) -> None:
        """{w} is frozen with its child, after a body ended and before all that follows is done."""
        self.freeze(w, self.phase[w].is_in(*AFTER_BODY, *IN_PARENT))

    @pause(given=lambda m: m.ack_emulation)
    def freeze_sweeping_worker(self, w: Worker) -> None:
        """{w} is frozen in a sweep, for longer than its lock lasts."""
        self.freeze(w, ~self.sweeps[w].is_none())

    @action(source=OPERATING_SYSTEM, by="environment", to="{w}")
    def thaw(self, w: Worker) -> None:
        """{w} goes on where it was."""
        require(self.process[w] == Process.FROZEN)
        self.process[w] = Process.UP
