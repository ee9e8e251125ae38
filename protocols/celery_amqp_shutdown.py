"""Workers are stopped: warm, soft and cold, and by a signal that reaches their children too."""

from __future__ import annotations

from twice.model import Bool, action, each, fault, forall, require, when
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_settings import Version
from twice.protocols.celery_amqp_state import (
    AFTER_BODY,
    AFTER_RESULT,
    AFTER_RETRY,
    IN_BODY,
    LEAVING,
    MID_TASK,
    SAID,
    UNAWARE,
    Held,
    Main,
    Phase,
    Result,
)
from twice.protocols.delivery import Task, Worker

WARM = "celery 5.7.0: worker/worker.py:WorkController.stop"
COLD = "celery 5.7.0: apps/worker.py:on_cold_shutdown"
CANCEL = "celery 5.7.0: worker/consumer/consumer.py:Consumer.cancel_active_requests"
GROUP = "systemd: KillMode=control-group; celery 5.7.0: worker/request.py:Request.on_failure"

WORKING = (Main.UP, *UNAWARE)
RUNNING = (*MID_TASK, *AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY)


class ShutdownSteps(Moves):
    """Stopping is a fault only in that it comes at any time. A stopped worker is started again."""

    def stops_warm(self, w: Worker, how: Main = Main.STOPPING) -> None:
        """The worker takes nothing new. What its channel lost already, it forgets."""
        lost = self.main[w].is_in(*UNAWARE)
        for t in each(Task):
            with when(lost):
                self.forgets_message(t, w)
        self.main[w] = how

    def stops_cold(self, w: Worker) -> None:
        """The worker kills the child that runs a task, and exits, perhaps after a grace.

        A task with an early ack is said to be retried, which it never is. A child that has said
        that its task is over is heard first.
        """
        if self.worker_soft_shutdown_timeout > 0:
            self.stops_warm(w, Main.SOFT)
            return
        over = self.phase[w].is_in(*SAID)
        with when(over):
            self.stops_warm(w)
        with when(~over):
            self.cancels(w)

    def cancels(self, w: Worker) -> None:
        """The running task is cancelled, and the worker exits."""
        if self.early and self.version is not Version.V3_1:
            for t in each(Task):
                with when(self.has_job(t, w, *RUNNING)):
                    self.stores(t, Result.RETRY)
        self.worker_ends(w)

    @fault(kind="sigterm", source=WARM, by="environment", to="{w}")
    def stop_worker(self, w: Worker) -> None:
        """{w} gets SIGTERM: it takes nothing new and lets its running task end."""
        require(self.main[w].is_in(*WORKING))
        if self.remap_sigterm:
            self.stops_cold(w)
        else:
            self.stops_warm(w)

    @action(source=WARM, by="{w}", to="RabbitMQ")
    def exit_when_done(self, w: Worker) -> None:
        """{w} has nothing to wait for any more and exits; RabbitMQ takes back what {w} had left."""
        require(self.main[w].is_in(*LEAVING), self.phase[w] == Phase.IDLE)
        waits: tuple[Held, ...] = (Held.NONE, Held.ETA, Held.RESERVED)
        if self.runs_prefetched_in_shutdown:
            waits = (Held.NONE, Held.ETA)
        require(forall(Task, lambda t: self.held[t, w].is_in(*waits)))
        self.worker_ends(w)

    def stop_cold(self, w: Worker, condition: Bool) -> None:
        """The child has a task, and the worker gets SIGQUIT."""
        require(condition, self.main[w].is_in(*WORKING))
        self.stops_cold(w)

    @fault(
        kind="sigquit",
        source=CANCEL,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_worker_cold_before_ack(self, t: Task, w: Worker) -> None:
        """{w} gets SIGQUIT and cancels {t}, which it runs and whose ack it has not sent."""
        self.stop_cold(w, self.has_job(t, w, *MID_TASK) & self.ack_is_unsent(t, w))

    @fault(
        kind="sigquit",
        source=CANCEL,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_worker_cold_after_ack(self, t: Task, w: Worker) -> None:
        """{w} gets SIGQUIT and cancels {t}, which it runs and whose message it has no more."""
        self.stop_cold(w, self.has_job(t, w, *MID_TASK) & ~self.ack_is_unsent(t, w))

    @fault(
        kind="sigquit",
        source=CANCEL,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_worker_cold_after_body(self, t: Task, w: Worker) -> None:
        """{w} gets SIGQUIT and cancels {t}, whose body has ended, but whose child says not so."""
        self.stop_cold(w, self.has_job(t, w, *AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY))

    @fault(kind="sigquit", source=COLD, by="environment", to="{w}", given=lambda m: m.prefork)
    def stop_worker_cold(self, w: Worker) -> None:
        """{w} gets SIGQUIT while no child of it runs a task."""
        require(~self.phase[w].is_in(*RUNNING), self.main[w].is_in(*WORKING))
        self.stops_cold(w)

    @action(
        source=CANCEL,
        by="{w}",
        to="pool of {w}",
        given=lambda m: m.children_die and m.outlasts_soft_shutdown,
    )
    def end_soft_shutdown(self, w: Worker) -> None:
        """{w} has waited {worker_soft_shutdown_timeout} s for its running task, and cancels it."""
        require(self.main[w] == Main.SOFT, self.phase[w].is_in(*RUNNING))
        self.cancels(w)


class GroupSigterm(ShutdownSteps):
    """SIGTERM reaches the whole process group: the main process stops, and its children die.

    Other pools than prefork have no children, so that it is the same as SIGTERM.
    """

    def stop_group(self, t: Task, w: Worker, *phases: Phase) -> None:
        """The child dies, and the main process takes nothing new."""
        require(self.has_job(t, w, *phases), self.main[w].is_in(*WORKING))
        if self.remap_sigterm:
            self.stops_cold(w)
        else:
            self.child_ends(t, w)
            self.stops_warm(w)

    @fault(
        kind="group_sigterm",
        source=GROUP,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_group_before_accept(self, t: Task, w: Worker) -> None:
        """{w} and its children get SIGTERM before one of them has read {t} from its pipe."""
        self.stop_group(t, w, Phase.WRITTEN)

    @fault(
        kind="group_sigterm",
        source=GROUP,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_group_before_start(self, t: Task, w: Worker) -> None:
        """{w} and its children get SIGTERM after one accepted {t}, before the body starts."""
        self.stop_group(t, w, Phase.ACCEPTED)

    @fault(
        kind="group_sigterm",
        source=GROUP,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_group_mid_task(self, t: Task, w: Worker) -> None:
        """{w} and the child that runs {t} get SIGTERM."""
        self.stop_group(t, w, *IN_BODY)

    @fault(
        kind="group_sigterm",
        source=GROUP,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die,
    )
    def stop_group_after_body(self, t: Task, w: Worker) -> None:
        """{w} and its child get SIGTERM after the body of {t} ended, before the child said so."""
        self.stop_group(t, w, *AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY)

    @fault(kind="group_sigterm", source=GROUP, by="environment", to="{w}")
    def stop_group_without_run(self, w: Worker) -> None:
        """{w} gets SIGTERM, and no child of it runs anything."""
        if self.prefork:
            require(~self.phase[w].is_in(Phase.WRITTEN, *RUNNING))
        require(self.main[w].is_in(*WORKING))
        if self.remap_sigterm:
            self.stops_cold(w)
        else:
            self.stops_warm(w)
