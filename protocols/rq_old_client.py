"""Lost replies with redis-py 5 and older: no resends, but an exception inside RQ."""

from __future__ import annotations

from twice.model import fault, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import PREPARE, RETRY
from twice.protocols.rq_listing import LIST
from twice.protocols.rq_replies import LostReplies
from twice.protocols.rq_state import HORSE, MAINTENANCE, Entry, Phase, Status
from twice.protocols.rq_time import HEARTBEAT
from twice.protocols.rq_worker import LOOP, READ, REGISTER

PERSIST = "rq {version}: job.py:perform"
ENDED = "rq {version}: worker/base.py:handle_execution_ended"


class RaisedReplies(LostReplies):
    """What RQ makes of the exception.

    It is caught where a worker waits for a job, taken for a failure of the job in the horse, only
    logged where a failure is recorded, and the end of the worker elsewhere.
    """

    @fault(
        kind="reply_lost",
        source=READ,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_to_read(self, t: Task, w: Worker) -> None:
        """{w} does not get the hash of {t}, forgets the id it popped, and pops again."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.becomes_idle(t, w)

    @fault(
        kind="reply_lost",
        source=REGISTER,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends and not m.entry_by_job,
    )
    def lose_reply_to_registration(self, w: Worker) -> None:
        """{w} registers the execution, hears nothing, and quits."""
        require(self.phase[w] == Phase.FETCHED, self.acts(w), self.redis_answers())
        self.entry[w] = Entry.VALID
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=LOOP,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_to_worker(self, w: Worker) -> None:
        """{w} hears no answer, does not catch that, and quits."""
        talks = (Phase.FETCHED, Phase.EXITING, Phase.HORSE_DEAD, *MAINTENANCE)
        require(self.phase[w].is_in(*talks), self.acts(w), self.redis_answers())
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=HEARTBEAT,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends and m.watches_horses,
    )
    def lose_reply_to_heartbeat(self, w: Worker) -> None:
        """{w} hears no answer to a heartbeat and quits; its horse goes on."""
        require(self.phase[w].is_in(*HORSE), self.acts(w), self.redis_answers())
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=PREPARE,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends,
    )
    def fail_by_lost_reply_to_registration(self, t: Task, w: Worker) -> None:
        """The horse of {w} registers {t}, hears nothing, and takes that for a failed job."""
        require(self.phase[w] == self.registers_from, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.mark_started(t)
        self.phase[w] = Phase.RAISED

    @fault(
        kind="reply_lost",
        source=ENDED,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends,
    )
    def fail_by_lost_reply_after_body(self, w: Worker) -> None:
        """The horse of {w}, its job done, hears no answer, and takes that for a failed job."""
        require(self.phase[w] == Phase.RETURNED, self.horse_acts(w), self.redis_answers())
        self.phase[w] = Phase.RAISED

    @fault(
        kind="reply_lost",
        source=ENDED,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends and m.reports_end,
    )
    def die_by_lost_reply_after_failure(self, w: Worker) -> None:
        """The horse of {w}, its job failed, hears no answer, and exits with code 1."""
        require(self.phase[w] == Phase.RAISED, self.horse_acts(w), self.redis_answers())
        self.horse_dies(w)

    @fault(
        kind="reply_lost",
        source=RETRY,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends and m.retries_later,
    )
    def die_by_lost_reply_to_scheduled(self, t: Task, w: Worker) -> None:
        """The horse of {w} sets {t} to scheduled, hears nothing, and exits with code 1."""
        require(self.phase[w] == self.fails_from, self.job[w] == t, self.horse_memory(w) > 0)
        require(self.horse_acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.horse_dies(w)

    @fault(
        kind="reply_lost",
        source=RETRY,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends and m.retries_later,
    )
    def quit_by_lost_reply_to_scheduled(self, t: Task, w: Worker) -> None:
        """{w} sets {t} to scheduled, hears nothing, and quits."""
        judges = (Phase.VERDICT, Phase.ABANDONED, Phase.STUCK)
        require(self.phase[w].is_in(*judges), self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=LIST,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends and m.lists_first,
    )
    def die_by_lost_reply_to_listing(self, t: Task, w: Worker) -> None:
        """The horse of {w} lists the retry of {t}, hears nothing, and exits with code 1."""
        require(self.phase[w] == Phase.HORSE_SCHEDULING, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.scheduled[t] = True
        self.horse_dies(w)

    @fault(
        kind="reply_lost",
        source=LIST,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends and m.lists_first,
    )
    def quit_by_lost_reply_to_listing(self, t: Task, w: Worker) -> None:
        """{w} lists the retry of {t}, hears nothing, and quits."""
        judges = (Phase.VERDICT_SCHEDULING, Phase.ABANDONED_SCHEDULING, Phase.STUCK_SCHEDULING)
        require(self.phase[w].is_in(*judges), self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.scheduled[t] = True
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=PERSIST,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends and m.persists_apart,
    )
    def fail_by_lost_reply_before_body(self, w: Worker) -> None:
        """The horse of {w} hears nothing of its PERSIST, and takes that for a failed job."""
        require(self.phase[w] == Phase.HORSE_READY, self.horse_acts(w), self.redis_answers())
        self.phase[w] = Phase.RAISED
