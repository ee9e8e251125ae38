"""`twice list` tells what the models say."""

from __future__ import annotations

import json

from commands import twice

from twice.protocols import PROTOCOLS


def test_it_tells_everything_of_every_protocol() -> None:
    out = twice("list", "--points").stdout
    for name, protocol in PROTOCOLS.items():
        assert f"{name}: " in out
        for setting in protocol.settings():
            assert f"{setting.name}={setting.show(setting.default)}" in out
        for kind, points in protocol.fault_points().items():
            assert f"  {kind}" in out
            assert all(point in out for point in points)
        assert all(word in out for word in protocol.outcomes())


def test_one_protocol_can_be_named() -> None:
    assert twice("list", "post").stdout.startswith("post: ")
    assert list(json.loads(twice("list", "post", "--format", "json").stdout)["protocols"]) == [
        "post"
    ]


def test_sentences_speak_of_any_member() -> None:
    out = twice("list", "--points").stdout
    assert "A carrier falls ill on the way" in out
    assert "{" not in out


def test_the_version_is_shown() -> None:
    assert twice("--version").stdout.startswith("twice ")


def test_a_protocol_that_is_named_tells_what_it_leaves_out() -> None:
    assert "Left out: stamps." in twice("list", "post").stdout
    assert "Left out: stamps." not in twice("list").stdout
