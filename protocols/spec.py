"""A spec: what is asked of a protocol, and which verdicts are expected or required, read from TOML.

```toml
title = "Worker killed right after the pop, several queues, no Retry"
source = "where this is known from"
observed = "LOST"
protocol = "rq"

[settings]
queues = 2

[scope]
tasks = 1
workers = 2

[faults]               # how many faults of each kind may happen
worker_kill = 1

[points]               # optional: which faults of a kind may happen
worker_kill = ["kill_worker_after_pop"]

[expect]               # each outcome: "possible" or "never"
lost = "possible"

[counts]               # optional: how many states there are, exactly
states = 123

[bounds]               # optional: how late what is only late may be, in seconds
redelivered = 3700
```

A file may ask the same of several configurations, such as before and after a fix. What stands at
the top holds for all of them; each `[[case]]` has a name, and tables whose keys come on top or
replace those at the top:

```toml
[[case]]
name = "before: two queues"

[case.settings]
queues = 2

[case.expect]
lost = "possible"
```

What was observed and cannot be asked of the protocol is told all the same: such a spec, or such a
case, has `outside = "the reason"`, and expects nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Spec:
    """One question to a protocol with the answers that are expected.

    Attributes
    ----------
    path : Path
        The file it was read from.
    title : str
        What is asked, in a sentence.
    protocol : str
        A name in `twice.protocols.PROTOCOLS`.
    source : str
        Where the expected answer is known from.
    observed : str
        The answer in the source's own words.
    case : str
        The name of the case, in a file that has several; else empty.
    settings, scope, faults : Mapping
        The protocol's settings, how many tasks and workers there are, how many faults of a kind.
    points : Mapping[str, frozenset[str]]
        For a fault kind, the only faults of it that may happen; the default is all.
    expect : Mapping[str, str]
        For an outcome word, `"possible"` or `"never"`.
    counts : Mapping[str, int]
        Exact numbers of `states` and `transitions`.
    bounds : Mapping[str, float]
        For a bound of the protocol, its seconds under these settings.
    outside : str
        Why the protocol cannot be asked for what was observed; empty where it can.
    """

    path: Path
    title: str
    protocol: str
    source: str = ""
    observed: str = ""
    case: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    scope: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    points: Mapping[str, frozenset[str]] = field(default_factory=dict)
    expect: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    outside: str = ""

    @property
    def name(self) -> str:
        """The title, and the case where there are several."""
        return f"{self.title} [{self.case}]" if self.case else self.title
