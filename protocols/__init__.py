"""Delivery protocols."""

from __future__ import annotations

from twice.protocols.registry import Registry

PROTOCOLS = Registry(
    {
        "rq": "twice.protocols.rq:RQ",
    }
)
"""Every protocol by its name on the command line."""
