"""RQ's SimpleWorker: it runs each job in its own process, and has no horse."""

from __future__ import annotations

from dataclasses import replace

from twice.model import action, fault, require
from twice.model.program import Command, Program
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_kills import KILLED
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_signals import FORCE
from twice.protocols.rq_state import AFTER_BODY, MID_JOB, RETURNED, Phase, Process

SIMPLE = "rq {version}: worker/worker_classes.py:SimpleWorker.execute_job"

PLACES = {
    "worker/base.py:main_work_horse": "worker/base.py:work",
    "worker/base.py:get_heartbeat_ttl": "worker/worker_classes.py:SimpleWorker.get_heartbeat_ttl",
}
"""What a SimpleWorker has of its own, in place of that of all workers."""

WORDS = {
    "{w} and its horse are": "{w} is",
    "{w} and its horse go on where they were": "{w} goes on where it was",
    "{w} and its horse go on": "{w} goes on",
    "before the horse calls the job's function": "before the job's function is called",
    "before it forks the horse": "before it sets the job to started",
    "before the horse registers": "before the job is set to started",
    "before its horse registers": "before the job is set to started",
    "after the horse is done or dead": "after it is done with the job",
    "; its horse goes on alone": "",
    " in its horse": "",
    "and exits with code 1": "and quits",
    "logs that, and exits normally": "and logs that",
    "The horse of {w}": "{w}",
    "the horse of {w}": "{w}",
    "horse of {w}": "{w}",
}
"""How the steps that a horse takes elsewhere are told, the longest phrases first."""


class SimpleSteps(RQMoves):
    """What else is different: the rest are the steps of a horse, taken by the worker.

    No heartbeat is sent for a job that runs: its entry in the StartedJobRegistry lasts for the
    job's timeout and 60 s, or 420 s if there is none, whether the job still runs then or not. And
    nobody is left to judge a job whose process died. A second SIGTERM raises SystemExit where the
    worker is: from the registration of the job to its success that is taken for its failure.
    """

    def program(self) -> Program:
        """The guarded commands, in the words for a worker without a horse."""
        program = super().program()
        if self.has_horses:
            return program
        return replace(program, commands=tuple(_without_horse(c) for c in program.commands))

    @action(source=SIMPLE, by="{w}", to="Redis", given=lambda m: not m.has_horses)
    def be_idle_again(self, t: Task, w: Worker) -> None:
        """{w} is done with {t} and idle."""
        require(self.phase[w] == Phase.EXITING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.becomes_idle(t, w)

    @fault(
        kind="worker_kill",
        source=KILLED,
        by="environment",
        to="{w}",
        given=lambda m: not m.has_horses,
    )
    def kill_worker_before_body(self, w: Worker) -> None:
        """{w} is killed after it set the job to started, before it calls the job's function."""
        require(self.phase[w] == Phase.HORSE_READY, self.process[w] == Process.RUNNING)
        self.worker_ends(w)

    @fault(
        kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: not m.has_horses
    )
    def second_sigterm_raised_in_job(self, w: Worker) -> None:
        """{w} gets a second SIGTERM mid-job: SystemExit, taken for a failure of the job."""
        require(self.phase[w].is_in(*MID_JOB), self.acts(w), self.stop_requested[w])
        self.phase[w] = Phase.RAISED

    @fault(
        kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: not m.has_horses
    )
    def second_sigterm_raised_after_return(self, w: Worker) -> None:
        """{w} gets a second SIGTERM after the body returned: taken for a failure of the job."""
        require(self.phase[w].is_in(*RETURNED), self.acts(w), self.stop_requested[w])
        self.phase[w] = Phase.RAISED

    @fault(
        kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: not m.has_horses
    )
    def second_sigterm_raised_after_commit(self, t: Task, w: Worker) -> None:
        """{w} gets a second SIGTERM as it has recorded {t} as finished: taken for its failure."""
        require(self.phase[w] == self.commits_from, self.job[w] == t, self.acts(w))
        require(self.stop_requested[w], self.redis_answers())
        self.put_in_finished(t, w)
        self.phase[w] = Phase.RAISED

    @fault(
        kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: not m.has_horses
    )
    def second_sigterm_raised_in_failure(self, w: Worker) -> None:
        """{w} gets a second SIGTERM while it records a failure, or when it is done: it leaves."""
        failing = tuple(phase for phase in AFTER_BODY if phase not in RETURNED)
        require(self.phase[w].is_in(*failing, Phase.EXITING))
        require(self.acts(w), self.stop_requested[w])
        self.worker_ends(w)


def _without_horse(command: Command) -> Command:
    """A step as it is told of a worker that runs its jobs itself."""
    project, _, place = command.source.partition(": ")
    return command._replace(
        sentence=_told(command.sentence),
        by=_told(command.by),
        to=_told(command.to),
        source=f"{project}: {PLACES.get(place, place)}",
    )


def _told(words: str) -> str:
    for phrase, instead in WORDS.items():
        words = words.replace(phrase, instead)
    return words
