"""How much memory this process holds."""

from __future__ import annotations

import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of memory in use; where the system does not tell, the most ever used, or 0."""
    try:
        import resource

        if _STATM.exists():
            return int(_STATM.read_text().split()[1]) * resource.getpagesize()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10
    except ImportError:
        return 0
