"""A job with a dependent in RQ: where it can be asked for, and what it adds."""

from __future__ import annotations

from typing import Any

import pytest

from twice.model import UsageError
from twice.protocols.rq import RQ


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"redis_persistence": False}, "lost with Redis is not followed"),
        ({"worker_class": "SimpleWorker"}, "use worker_class=Worker"),
    ],
    ids=["persistence", "worker class"],
)
def test_a_dependent_is_refused_where_it_is_not_followed(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        RQ(dependent=True, **given)
    assert told in str(refused.value)


def test_without_a_dependent_nothing_of_it_is_there() -> None:
    program = RQ().program()
    assert "child" not in {variable.name for variable in program.variables}
    assert "dependent_is_never_stuck" not in {rule.name for rule in program.properties}
