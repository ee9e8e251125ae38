"""Delivery protocols."""

from __future__ import annotations

from twice.protocols.registry import Registry

PROTOCOLS = Registry(
    {
        "celery-amqp": "twice.protocols.celery_amqp:CeleryAMQP",
        "celery-redis": "twice.protocols.celery_redis:CeleryRedis",
        "rq": "twice.protocols.rq:RQ",
    }
)
"""Every protocol by its name on the command line."""
