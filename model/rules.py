"""Rules: the methods of a model that are actions, faults and properties.

The decorators mark a method and leave it callable; a marked method may also be called by another
rule, whose part it then becomes.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Literal, NamedTuple, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])
Fairness = Literal["unfair", "weak", "strong"]
Given = Callable[[Any], bool]


class PropertyKind(Enum):
    """What a property says about the reachable states."""

    INVARIANT = "in every reachable state"
    REACHABLE = "in some reachable state"
    ALWAYS_REACHABLE = "from every reachable state, without further faults, it can still come true"
    EVENTUALLY = "on every fair run, it comes true"
    LEADS_TO = "on every fair run, each time the premise holds the conclusion follows"
    FINITELY_OFTEN = "on no run the action happens without end"


class ActionMark(NamedTuple):
    """What `@action` and `@fault` say of a method."""

    source: str = ""
    by: str = ""
    to: str = ""
    fair: Fairness = "unfair"
    fault: str | None = None
    given: Given | None = None


class PropertyMark(NamedTuple):
    """What a property's decorator says of a method."""

    kind: PropertyKind
    violation: str = ""
    action: str = ""
    given: Given | None = None


MARK = "__twice__"


def _mark(mark: ActionMark | PropertyMark) -> Callable[[F], F]:
    def apply(function: F) -> F:
        setattr(function, MARK, mark)
        return function

    return apply


@overload
def action(function: F, /) -> F: ...
@overload
def action(
    *,
    source: str = "",
    by: str = "",
    to: str = "",
    fair: Fairness = "unfair",
    given: Given | None = None,
) -> Callable[[F], F]: ...
def action(
    function: F | None = None,
    /,
    *,
    source: str = "",
    by: str = "",
    to: str = "",
    fair: Fairness = "unfair",
    given: Given | None = None,
) -> F | Callable[[F], F]:
    """Mark a method as an action: an atomic step of the system.

    Its parameters are its only choice: members of a sort (``t: Task``) or of an enumeration
    (``s: Expr[Status]``; plain ``Status`` means the same, but misleads a type checker).

    Parameters
    ----------
    source : str
        Project, version, file and function that do this step.
    by, to : str
        Who acts, and on whom: lanes of a diagram; parameters are filled in.
    fair : {"unfair", "weak", "strong"}
        "weak": not postponed for ever while enabled; "strong": nor while enabled again and again.
    given : callable, optional
        Receives the model; the action exists only under settings for which it returns True.
    """
    decorate: Callable[[F], F] = _mark(ActionMark(source, by, to, fair, None, given))
    return decorate if function is None else decorate(function)


def fault(
    *, kind: str, source: str = "", by: str = "", to: str = "", given: Given | None = None
) -> Callable[[F], F]:
    """Mark a method as a fault, an action of the environment paid from the budget of its kind."""
    return _mark(ActionMark(source, by, to, "unfair", kind, given))


class PropertyDecorator:
    """A decorator for properties of one kind; bare, or with the word that names its violation.

    ``violation`` is the outcome a violation stands for (default: the method's name); under settings
    for which ``given`` returns False the property does not exist.
    """

    def __init__(self, kind: PropertyKind) -> None:
        self.kind = kind

    @overload
    def __call__(self, function: F, /) -> F: ...
    @overload
    def __call__(
        self, /, *, violation: str = "", given: Given | None = None
    ) -> Callable[[F], F]: ...
    def __call__(
        self, function: F | None = None, /, *, violation: str = "", given: Given | None = None
    ) -> F | Callable[[F], F]:
        """Mark a method as a property of this kind."""
        decorate: Callable[[F], F] = _mark(PropertyMark(self.kind, violation, "", given))
        return decorate if function is None else decorate(function)


invariant = PropertyDecorator(PropertyKind.INVARIANT)
"""Mark a condition that holds in every reachable state."""

reachable = PropertyDecorator(PropertyKind.REACHABLE)
"""Mark a condition that holds in some reachable state; the witness is shown."""

always_reachable = PropertyDecorator(PropertyKind.ALWAYS_REACHABLE)
"""Mark a condition that can still come true from every reachable state, without further faults (AG
EF).
"""

eventually = PropertyDecorator(PropertyKind.EVENTUALLY)
"""Mark a condition that comes true on every fair run."""

leads_to = PropertyDecorator(PropertyKind.LEADS_TO)
"""Mark a method that returns two conditions: on every fair run, the first is always followed by the
second.
"""


def finitely_often(
    action: str, *, violation: str = "", given: Given | None = None
) -> Callable[[F], F]:
    """Mark a condition under which an action does not happen without end.

    A violation is a reachable cycle, all of it where the condition holds, on which the action is
    taken for the property's own parameters. Fairness plays no part: one such run is enough.
    """
    return _mark(PropertyMark(PropertyKind.FINITELY_OFTEN, violation, action, given))
