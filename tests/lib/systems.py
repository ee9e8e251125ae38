"""The systems that there are protocols for, as people call them."""

from __future__ import annotations

SYSTEMS = {
    "celery-amqp": "Celery over AMQP (RabbitMQ)",
    "celery-redis": "Celery over Redis",
    "rq": "RQ",
}
