from __future__ import annotations

import threading

import celery
import pytest
from django.conf import settings

from config.celery import app


def test_scheduled_tasks_exist() -> None:
    app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in app.tasks


def test_threads_of_the_web_server_see_our_application() -> None:
    seen: list[object] = []
    thread = threading.Thread(target=lambda: seen.append(celery.current_app._get_current_object()))
    thread.start()
    thread.join()
    assert seen == [app]


def test_lost_worker_gives_its_task_back_and_none_is_hoarded() -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert app.conf.worker_prefetch_multiplier == 1


@pytest.mark.django_db
def test_worker_and_beat_use_the_tests_own_broker() -> None:
    assert app.conf.broker_url.startswith("redis+socket:///")
    assert str(settings.HOME.path) in app.conf.broker_url


def test_worker_takes_from_every_queue_that_a_task_is_sent_to() -> None:
    app.loader.import_default_modules()
    routed = {route["queue"] for route in app.conf.task_routes.values()}
    assert set(app.amqp.queues.consume_from) == {"celery", *routed}
    assert set(app.conf.task_routes) <= set(app.tasks)
