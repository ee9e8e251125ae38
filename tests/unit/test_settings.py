"""Settings: declared in a model, given by name, read from text, refused with what is allowed."""

from __future__ import annotations

from enum import Enum

import pytest

from twice.model import Model, Setting, SettingError, Var, action, setting


class Mode(Enum):
    """How messages are acknowledged."""

    EARLY = "early"
    LATE = "late"


class Size(Enum):
    """An enumeration whose values are numbers."""

    SMALL = 1
    LARGE = 2


class Queue(Model):
    """A queue with every kind of setting."""

    acks_late: bool = True
    mode: Mode = setting(Mode.LATE, "When it acknowledges.")
    size: Size = setting(Size.SMALL)
    workers: int = setting(1, "How many.", within=range(1, 5))
    retries: int = setting(3, minimum=0)
    timeout: float = setting(180, "How long.", unit="s", minimum=-1)
    rate: float = 1.5
    name: str = "default"

    constant = 7
    _hidden: int = 3

    n: Var[int] = Var(0, within=range(2))

    @action
    def act(self) -> None:
        """It acts after {timeout} s in {mode}, {acks_late}, {rate}, {name}."""


SETTINGS = {entry.name: entry for entry in Queue.settings()}


def test_settings_are_what_is_annotated_and_has_a_plain_value() -> None:
    assert list(SETTINGS) == [
        "acks_late",
        "mode",
        "size",
        "workers",
        "retries",
        "timeout",
        "rate",
        "name",
    ]
    assert SETTINGS["mode"].meaning == "When it acknowledges."
    assert SETTINGS["timeout"].unit == "s"


def test_a_setting_is_a_plain_value_in_the_model() -> None:
    queue = Queue(acks_late=False, workers=3)
    assert (queue.acks_late, queue.workers, queue.mode, queue.timeout) == (
        False,
        3,
        Mode.LATE,
        180,
    )
    assert Queue().acks_late is True


def test_sentences_show_settings_as_people_write_them() -> None:
    (command,) = Queue(mode=Mode.EARLY, timeout=0.5).program().commands
    assert command.sentence == "It acts after 0.5 s in early, true, 1.5, default."


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("acks_late", "true", True),
        ("acks_late", "False", False),
        ("mode", "early", Mode.EARLY),
        ("size", "2", Size.LARGE),
        ("workers", " 4 ", 4),
        ("retries", "0", 0),
        ("timeout", "90", 90.0),
        ("timeout", "90s", 90.0),
        ("timeout", "1.5m", 90.0),
        ("timeout", "2min", 120.0),
        ("timeout", "1h", 3600.0),
        ("timeout", "1 d", 86400.0),
        ("timeout", "-1", -1.0),
        ("rate", "1e3", 1000.0),
        ("name", " high ", "high"),
    ],
)
def test_a_text_is_read(name: str, text: str, value: object) -> None:
    read = SETTINGS[name].parse(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("acks_late", "yes", "true, false"),
        ("acks_late", "1", "true, false"),
        ("mode", "LATE", "early, late"),
        ("size", "3", "1, 2"),
        ("workers", "0", "1, 2, 3, 4"),
        ("workers", "two", "1, 2, 3, 4"),
        ("workers", "1.0", "1, 2, 3, 4"),
        ("retries", "-1", "a whole number, at least 0"),
        ("timeout", "soon", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("timeout", "-2", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("timeout", "inf", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("timeout", "1e999s", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("timeout", "5 years", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("timeout", "", "a duration in seconds (or with s, m, h, d), at least -1"),
        ("rate", "nan", "a number"),
        ("rate", "5s", "a number"),
    ],
)
def test_a_text_that_is_not_allowed_is_refused(name: str, text: str, allowed: str) -> None:
    with pytest.raises(SettingError) as caught:
        SETTINGS[name].parse(text)
    assert str(caught.value) == f"`{name}` cannot be {text!r}; allowed: {allowed}"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"acks_lat": True}, "Queue has no setting `acks_lat`; did you mean `acks_late`?"),
        ({"acks_late": 1}, "`acks_late` cannot be '1'; allowed: true, false"),
        ({"acks_late": "true"}, "`acks_late` cannot be 'true'; allowed: true, false"),
        ({"workers": True}, "`workers` cannot be 'true'; allowed: 1, 2, 3, 4"),
        ({"workers": 5}, "`workers` cannot be '5'; allowed: 1, 2, 3, 4"),
        ({"workers": 2.0}, "`workers` cannot be '2'; allowed: 1, 2, 3, 4"),
        ({"mode": "soon"}, "`mode` cannot be 'soon'; allowed: early, late"),
        ({"mode": None}, "`mode` cannot be 'None'; allowed: early, late"),
        ({"rate": float("nan")}, "`rate` cannot be 'nan'; allowed: a number"),
        ({"timeout": float("inf")}, "`timeout` cannot be 'inf'; allowed: a duration in seconds"),
        ({"n": 1}, "Queue has no setting `n`"),
        ({"constant": 1}, "Queue has no setting `constant`"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        Queue(**given)
    assert str(caught.value).startswith(message)


def test_an_enumeration_may_be_given_by_its_text_and_a_number_as_a_whole_one() -> None:
    queue = Queue(mode="early", timeout=10)
    assert queue.mode is Mode.EARLY
    assert type(queue.timeout) is float


def test_a_subclass_changes_a_default_and_adds_a_setting() -> None:
    class Priority(Queue):
        """A queue with levels."""

        acks_late: bool = False
        levels: int = setting(10, within=range(1, 11))

    assert Priority().acks_late is False
    assert Queue().acks_late is True
    assert [entry.name for entry in Priority.settings()][:1] == ["acks_late"]
    assert Priority(levels=3).levels == 3


def test_a_setting_can_be_asked_of_the_class() -> None:
    assert isinstance(Queue.__dict__["acks_late"], Setting)
    assert SETTINGS["workers"].choices == ("1", "2", "3", "4")
    assert SETTINGS["rate"].choices == ()
