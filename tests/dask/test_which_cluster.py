"""Which cluster a search takes, and what is said when it cannot have one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import ack
import pytest
from drawn import Drawn
from two_workers import TwoWorkers, wait_until_gone

from twice.model import Regime, UsageError, check, dask_client, explore
from twice.model.dask_client import client
from twice.model.dask_tasks import SharedEngine

SYSTEM = ack.Ack().compile({ack.Task: 2, ack.Worker: 2})
CRASH = [Regime("crash", {"crash": 1})]

SCRIPT = """
import multiprocessing
from twice.model import Regime, check, engine_choice
import ack

def main():
    engine_choice.OUTGROWN = engine_choice.WIDE = engine_choice.SPREAD = 0
    system = ack.Ack().compile({ack.Task: 2, ack.Worker: 1})
    report = check(system, [Regime("none")], symmetry=False, engine="dask")
    print(report.states, *(child.pid for child in multiprocessing.active_children()))
"""


def script(tmp_path: Path, ending: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "script.py"
    text = f"import sys\nsys.path[:] = {sys.path!r}\n{SCRIPT}\n{ending}\n"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, str(file)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


def test_without_a_cluster_it_starts_one_and_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")
    ran = script(tmp_path, 'if __name__ == "__main__":\n    main()')
    assert (ran.returncode, ran.stderr) == (0, "")
    states, *pids = map(int, ran.stdout.split())
    system = ack.Ack().compile({ack.Task: 2, ack.Worker: 1})
    assert states == explore(system, [Regime("none")], symmetry=False).size
    assert pids
    wait_until_gone(*pids)


def test_a_script_that_starts_itself_again_is_told_how_to_avoid_it(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")
    ran = script(tmp_path, "main()")
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == (
        "twice.model.errors.UsageError: the worker processes did not start; in a script, the call "
        'that starts them must stand under `if __name__ == "__main__":`'
    )


def test_an_address_and_the_variable_of_dask_name_a_scheduler(
    workers: TwoWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask

    address = workers.local.scheduler_address
    named = client(address)
    assert named.scheduler.address == address
    with dask.config.set(scheduler_address=address):
        assert client(None) is named
    named.close()


def test_the_client_of_this_process_is_taken(workers: TwoWorkers) -> None:
    assert client(workers.client) is workers.client
    with workers.client.as_current():
        assert client(None) is workers.client


def test_small_spaces_do_not_leave_this_process(workers: TwoWorkers) -> None:
    space = explore(SYSTEM, CRASH, engine="dask", cluster=workers.client)
    assert space.engine.name == "python"


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")
    monkeypatch.setattr(dask_client, "PATIENCE", 0.5)
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        check(SYSTEM, CRASH, engine="dask", cluster="tcp://127.0.0.1:9")


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"^the dask engine needs Dask: pip install 'twice\[dask"):
        check(SYSTEM, CRASH, engine="dask")


@pytest.mark.parametrize("engine", ["auto", "python", "numpy", "counter"])
def test_a_cluster_that_nobody_uses_is_refused(engine: str) -> None:
    with pytest.raises(UsageError, match=f"the {engine} engine uses no cluster; use dask, or"):
        check(SYSTEM, CRASH, engine=engine, cluster="tcp://127.0.0.1:9")


def test_a_hand_written_system_is_refused() -> None:
    with pytest.raises(UsageError, match="the dask engine cannot explore this: it needs a model"):
        check(Drawn(["ab"]), engine="dask", symmetry=False)


def test_an_asynchronous_client_is_refused() -> None:
    distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")

    class Asynchronous(distributed.Client):  # type: ignore[misc, name-defined]
        asynchronous = True

        def __init__(self) -> None:
            """Connect to nothing."""

        def __del__(self) -> None:
            """Nothing was opened."""

    with pytest.raises(UsageError, match="needs a client made without asynchronous=True"):
        client(Asynchronous())


def test_a_worker_with_another_version_refuses() -> None:
    with pytest.raises(UsageError, match=r"has twice .*, and 0.0 is what asks it; install one"):
        SharedEngine("0.0", b"")


def test_a_worker_without_twice_is_told(workers: TwoWorkers) -> None:
    from twice.model.dask_cluster import Cluster

    cluster: Any = Cluster(workers.client)
    with pytest.raises(UsageError, match=r"cannot load this .*; install 'twice\[dask\]' where"):
        cluster.results([cluster.submit(__import__, "no_such_module")])
