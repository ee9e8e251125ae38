"""Shutdowns: warm (SIGTERM), cold and soft (SIGQUIT), of the whole group, and with a deadline."""

from __future__ import annotations

from functools import partial

from twice.model import action, fault, require, when
from twice.protocols.celery_redis_moves import Moves
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    BEFORE_BODY,
    IN_PARENT,
    MID_TASK,
    Phase,
    Process,
)
from twice.protocols.delivery import Worker

WARM = "celery 5.7.0: apps/worker.py:_shutdown_handler"
COLD = "celery 5.7.0: apps/worker.py:on_cold_shutdown"
SOFT = "celery 5.7.0: worker/worker.py:WorkController.wait_for_soft_shutdown"
BUSY = tuple(phase for phase in Phase if phase is not Phase.IDLE)
sigterm = partial(fault, kind="sigterm", source=WARM, by="environment", to="{w}")
sigquit = partial(fault, kind="sigquit", source=COLD, by="environment", to="{w}")
group_sigterm = partial(fault, kind="group_sigterm", source=WARM, by="environment", to="{w}")


class Signals(Moves):
    """A worker is asked to stop.

    Warm, it waits for its bodies; cold, it terminates them; soft, it first sleeps, in the handler
    of the signal, and then is cold. In each, the BRPOP under way may still bring a message, which
    stays in the socket until the channel is closed. A signal during a sweep is heeded after it.
    """

    def signal(self, w: Worker, *phases: Phase) -> None:
        """The main process gets a signal in its loop, with its pool in one of these phases."""
        require(self.main_acts(w, Process.UP), self.phase[w].is_in(*phases))

    @sigterm(given=lambda m: not m.remap_sigterm)
    def sigterm_idle_worker(self, w: Worker) -> None:
        """{w} gets SIGTERM while it runs nothing, and will close its channel."""
        self.signal(w, Phase.IDLE)
        self.begin_warm_shutdown(w)

    @sigterm(given=lambda m: not m.remap_sigterm)
    def sigterm_busy_worker(self, w: Worker) -> None:
        """{w} gets SIGTERM while its pool is busy, and waits for that."""
        self.signal(w, *BUSY)
        self.begin_warm_shutdown(w)

    @fault(
        kind="sigterm",
        source=COLD,
        by="environment",
        to="{w}",
        given=lambda m: m.remap_sigterm,
    )
    def sigterm_remapped(self, w: Worker) -> None:
        """{w} gets SIGTERM, and takes it for SIGQUIT."""
        self.signal(w, *Phase)
        self.begin_cold_or_soft_shutdown(w)

    @sigquit(given=lambda m: m.prefork)
    def sigquit_idle_worker(self, w: Worker) -> None:
        """{w} gets SIGQUIT while it runs nothing."""
        self.signal(w, Phase.IDLE)
        self.begin_cold_or_soft_shutdown(w)

    @sigquit(given=lambda m: m.prefork and not m.acks_after_run)
    def sigquit_before_early_ack(self, w: Worker) -> None:
        """{w} gets SIGQUIT after its pool accepted a job, before the early ack."""
        require(self.owes_early_ack(w))
        self.signal(w, *BUSY)
        self.begin_cold_or_soft_shutdown(w)

    @sigquit(given=lambda m: m.prefork)
    def sigquit_mid_task(self, w: Worker) -> None:
        """{w} gets SIGQUIT before a body in its pool has ended."""
        require(self.is_in_pool(w, *BEFORE_BODY, *MID_TASK))
        self.signal(w, *BUSY)
        self.begin_cold_or_soft_shutdown(w)

    @sigquit(given=lambda m: m.prefork)
    def sigquit_after_body(self, w: Worker) -> None:
        """{w} gets SIGQUIT after a body in its pool ended, before all that follows is done."""
        require(self.is_in_pool(w, *AFTER_BODY, *IN_PARENT))
        self.signal(w, *BUSY)
        self.begin_cold_or_soft_shutdown(w)

    def begin_cold_or_soft_shutdown(self, w: Worker) -> None:
        """Terminate children at once, or sleep first if there is a reason to."""
        if not self.shuts_down_softly:
            self.begin_cold_shutdown(w)
            return
        if self.worker_enable_soft_shutdown_on_idle:
            self.begin_soft_shutdown(w)
            return
        idle = self.phase[w] == Phase.IDLE
        with when(idle):
            self.begin_cold_shutdown(w)
        with when(~idle):
            self.begin_soft_shutdown(w)

    def begin_soft_shutdown(self, w: Worker) -> None:
        """The main process sleeps in its signal handler; a BRPOP may still be under way."""
        self.leftover[w] = self.waits_in_brpop(w)
        self.process[w] = Process.SOFT

    @action(source=SOFT, by="{w}", to="pool of {w}", given=lambda m: m.shuts_down_softly)
    def end_soft_shutdown(self, w: Worker) -> None:
        """{w} has slept for {worker_soft_shutdown_timeout} s and terminates what still runs."""
        require(self.process[w] == Process.SOFT)
        self.begin_cold_shutdown(w)

    def signal_group(self, w: Worker, *phases: Phase) -> None:
        """The main process and its children get SIGTERM; the child dies, the main process stops."""
        self.signal(w, *phases)
        self.begin_warm_shutdown(w)
        self.phase[w] = Phase.LOST

    @group_sigterm(given=lambda m: m.prefork and not m.remap_sigterm)
    def group_sigterm_before_body(self, w: Worker) -> None:
        """{w} and its child get SIGTERM before the body starts: the child dies."""
        self.signal_group(w, *BEFORE_BODY)

    @group_sigterm(given=lambda m: m.prefork and not m.remap_sigterm)
    def group_sigterm_mid_task(self, w: Worker) -> None:
        """{w} and its child get SIGTERM in the middle of a body: the child dies."""
        self.signal_group(w, *MID_TASK)

    @group_sigterm(given=lambda m: m.prefork and not m.remap_sigterm)
    def group_sigterm_after_body(self, w: Worker) -> None:
        """{w} and its child get SIGTERM before the result is stored: the child dies."""
        self.signal_group(w, *AFTER_BODY)

    @group_sigterm(given=lambda m: m.prefork and not m.remap_sigterm)
    def group_sigterm_idle_pool(self, w: Worker) -> None:
        """{w} and its children get SIGTERM while no child runs anything."""
        self.signal(w, Phase.IDLE, *IN_PARENT)
        self.begin_warm_shutdown(w)

    @action(
        source="the platform",
        by="environment",
        to="{w}",
        given=lambda m: m.kills_at_deadline,
    )
    def kill_at_deadline(self, w: Worker) -> None:
        """{w} is killed: {termination_grace_period} s after SIGTERM it still waits for a run."""
        require(self.process[w] == Process.STOPPING, self.phase[w].is_in(*BUSY))
        self.die(w)

    @action(
        source="the platform",
        by="environment",
        to="{w}",
        given=lambda m: m.kills_in_soft_shutdown and m.shuts_down_softly,
    )
    def kill_in_soft_shutdown(self, w: Worker) -> None:
        """{w} is killed: {termination_grace_period} s after the signal it still sleeps."""
        require(self.process[w] == Process.SOFT)
        self.die(w)
