"""A question to a protocol: which system is meant, which outcomes, under which fault regimes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from twice.cli.console import counted
from twice.cli.errors import explained
from twice.cli.reading import read_outcomes, read_regimes, read_settings

if TYPE_CHECKING:
    from twice.cli.search import Search
    from twice.model import Regime, Report
    from twice.model.compiled import CompiledModel
    from twice.protocols.delivery import Delivery


class Question(NamedTuple):
    """What is asked of a protocol.

    Attributes
    ----------
    name : str
        The protocol's name on the command line.
    protocol : type[Delivery]
        Its class.
    settings : Mapping[str, Any]
        The settings that were given; all others have their defaults.
    jobs, workers : int
        How many there are.
    regimes : Sequence[Regime]
        Which faults may happen, and how many.
    outcomes : Sequence[str]
        The outcome words, worst first.
    """

    name: str
    protocol: type[Delivery]
    settings: Mapping[str, Any]
    jobs: int
    workers: int
    regimes: Sequence[Regime]
    outcomes: Sequence[str]

    def model(self) -> Delivery:
        """Build the model.

        Raises
        ------
        Mistake
            The settings do not go together.
        """
        with explained():
            return self.protocol(**self.settings)

    def compiled(self, model: Delivery) -> CompiledModel:
        """Compile the model for the scope."""
        from twice.protocols.delivery import scope_of

        with explained():
            return model.compile(scope_of(self.jobs, self.workers))

    def ask(self, search: Search) -> Report:
        """Explore, with the progress shown to whoever waits at a terminal."""
        from twice.cli.progress import watched
        from twice.model import check

        system = self.compiled(self.model())
        with explained(), watched() as progress:
            return check(
                system,
                self.regimes,
                properties=self.outcomes,
                progress=progress,
                **search.arguments,
            )

    @property
    def asks_all(self) -> bool:
        """Whether every outcome of the protocol is asked about."""
        return set(self.outcomes) == set(self.protocol.outcomes())

    @property
    def described(self) -> str:
        """The scope and the settings in words."""
        from twice.protocols.delivery import Task, Worker

        given = [f"{name}={shown}" for name, shown in self.shown_settings.items()]
        job, worker = (self.protocol.words.get(kind, kind.noun()) for kind in (Task, Worker))
        scope = f"{counted(self.jobs, job)}, {counted(self.workers, worker)}"
        return f"{scope}; settings: {', '.join(given) if given else 'defaults'}"

    @property
    def shown_settings(self) -> dict[str, str]:
        """The settings that were given, as a user writes them."""
        known = {setting.name: setting for setting in self.protocol.settings()}
        return {name: known[name].show(value) for name, value in self.settings.items()}


def read_question(
    name: str,
    *,
    settings: Sequence[str],
    version: str | None,
    jobs: int,
    workers: int,
    faults: str | None,
    outcomes: Sequence[str] = (),
) -> Question:
    """Read the words of a command line.

    Raises
    ------
    Mistake
        A name is unknown, or a value is not allowed.
    """
    from twice.protocols import PROTOCOLS

    protocol = PROTOCOLS[name]
    values = read_settings(protocol, settings, version)
    return Question(
        name=name,
        protocol=protocol,
        settings=values,
        jobs=jobs,
        workers=workers,
        regimes=read_regimes(protocol, values, faults),
        outcomes=read_outcomes(protocol.outcomes(), outcomes or protocol.outcomes()),
    )
