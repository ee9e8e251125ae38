"""Delivery protocols."""

from __future__ import annotations

from twice.protocols.delivery import Delivery
from twice.protocols.rq import RQ

PROTOCOLS: dict[str, type[Delivery]] = {"rq": RQ}
"""Every protocol by its name on the command line."""
