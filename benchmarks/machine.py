"""The machine that measures: what a reader must know to compare with another one."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path


def machine() -> dict[str, str]:
    """Names and numbers, by what they are."""
    kibibytes = int(_first(r"MemTotal:\s*(\d+)", "/proc/meminfo") or 0)
    return {
        "processor": _first(r"model name\s*: (.+)", "/proc/cpuinfo") or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{kibibytes / 2**20:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
        **{name: metadata.version(name) for name in ("twice", "numpy", "minicheck")},
        "SPIN": _said(["spin", "-V"], r"Version ([\d.]+)"),
        "gcc": _said(["gcc", "--version"], r"(\d+\.\d+\.\d+)"),
    }


def _first(pattern: str, path: str) -> str:
    file = Path(path)
    found = re.search(pattern, file.read_text(encoding="utf-8")) if file.exists() else None
    return found[1] if found else ""


def _said(command: list[str], pattern: str) -> str:
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(pattern, said)
    return found[1] if found else ""
