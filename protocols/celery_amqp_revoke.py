"""Tasks are revoked: before they run, or with terminate=True while they run."""

from __future__ import annotations

from twice.model import action, each, fault, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_state import IN_BODY, Held, Phase, Producer, Result
from twice.protocols.delivery import Task, Worker

REVOKE = "celery 5.7.0: worker/control.py:revoke"
REVOKED = "celery 5.7.0: worker/request.py:Request.revoked"
TERMINATE = "celery 5.7.0: worker/request.py:Request.terminate"
ANNOUNCE = "celery 5.7.0: worker/request.py:Request._announce_revoked"


class RevokeSteps(Moves):
    """A revoke is known to the workers that live, and only as long as they do (no --statedb).

    Whoever revokes a task gives it up: it counts as accepted no longer, and REVOKED is a failure
    that is recorded.
    """

    @fault(kind="revoke", source=REVOKE, by="operator", to="workers")
    def revoke(self, t: Task) -> None:
        """Somebody revokes {t}; every living worker notes its id."""
        require(self.producer[t] == Producer.TOLD, ~self.withdrawn[t])
        self.withdrawn[t] = True
        for w in each(Worker):
            self.revoked[t, w] = True

    @action(source=REVOKED, by="{w}", to="backend")
    def discard_revoked(self, t: Task, w: Worker) -> None:
        """It is the turn of {t}, which {w} knows as revoked: it records that and acknowledges."""
        require(self.held[t, w] == Held.RESERVED, self.revoked[t, w], self.connected(w))
        require(self.loop_turns(w))
        self.stores(t, Result.REVOKED)
        self.held[t, w] = self.ack

    @fault(
        kind="revoke",
        source=TERMINATE,
        by="operator",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def terminate_before_start(self, t: Task, w: Worker) -> None:
        """Somebody revokes {t} with terminate=True; {w} kills the child that will start it."""
        self.kill_revoked(t, w, Phase.ACCEPTED)

    @fault(
        kind="revoke",
        source=TERMINATE,
        by="operator",
        to="pool of {w}",
        given=lambda m: m.children_die,
    )
    def terminate(self, t: Task, w: Worker) -> None:
        """Somebody revokes {t} with terminate=True, and {w} kills the child that runs it."""
        self.kill_revoked(t, w, *IN_BODY)

    def kill_revoked(self, t: Task, w: Worker, *phases: Phase) -> None:
        """The main process knows that its child has the task, and kills it."""
        require(self.has_job(t, w, *phases), self.lives(w), ~self.ghost[w])
        require(~self.withdrawn[t])
        if self.early:
            require(self.held[t, w] != Held.IN_POOL)
        self.withdrawn[t] = True
        for v in each(Worker):
            self.revoked[t, v] = True
        self.phase[w] = Phase.TERMINATED

    @action(source=ANNOUNCE, by="{w}", to="backend", given=lambda m: m.children_die)
    def announce_revoked(self, t: Task, w: Worker) -> None:
        """{w} records REVOKED for {t}, whose child it killed, and lets its message go."""
        require(self.has_job(t, w, Phase.TERMINATED), self.lives(w))
        self.stores(t, Result.REVOKED)
        self.job_is_over(t, w, self.ack)
