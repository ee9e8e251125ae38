"""One id enqueued twice in RQ: what `unique` needs, and how long it knows an id."""

from __future__ import annotations

import pytest

from twice.model import UsageError
from twice.protocols.rq import RQ


@pytest.mark.parametrize("version", ["0.6.0", "1.16.2"])
def test_unique_is_refused_before_it_came(version: str) -> None:
    told = "has no `unique`: it came with RQ 2.8; leave it out, or use version=2.12.0"
    with pytest.raises(UsageError) as refused:
        RQ(version=version, unique=True)
    assert told in str(refused.value)
    RQ(version="2.12.0", unique=True)  # accepted


@pytest.mark.parametrize(
    ("result_ttl", "within", "expires"),
    [(500, 499, False), (500, 500, True), (0, 0, True), (-1, 10**6, False)],
)
def test_a_hash_expires_only_if_the_second_call_may_come_so_late(
    result_ttl: int, within: int, expires: bool
) -> None:
    given = RQ(
        enqueued_twice=True, unique=True, result_ttl=result_ttl, enqueued_again_within=within
    )
    assert given.hash_expires is expires


def test_without_a_second_call_its_variables_are_not_there() -> None:
    names = {variable.name for variable in RQ(enqueued_twice=True).program().variables}
    left = {variable.name for variable in RQ().program().variables}
    assert names - left == {"again", "arguments", "carried", "first_run", "second_run"}
