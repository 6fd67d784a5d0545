"""Every operation of the OpenAPI schema, with requests made from it: as it says, and as it says not.

No 5xx, and every response is one that the schema declares. Seeded, so that a failure is one again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.sweep.world import World

EXAMPLES = 12  # for each operation and mode
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ACTORS = ("key of owner", "key of admin", "key of reader", "key of outsider", "anonymous")


def load() -> Any:
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    schema = schemathesis.openapi.from_dict(json.loads(OpenApiJsonRenderer().render(described)))
    schema.app = get_wsgi_application()
    return schema


OPERATIONS = [result.ok() for result in load().get_all_operations()]


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """As Django's own test client does: the end of a request is not the end of the test's connection."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("kept_connection")
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_operation_does_what_the_schema_says(
    world: World, operation: Any, mode: GenerationMode
) -> None:
    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        is_there=st.booleans(),
        actor=st.sampled_from(ACTORS),
    )
    def holds(case: Any, is_there: bool, actor: str) -> None:
        if is_there:
            known = set(case.path_parameters) & set(world.page.values)
            case.path_parameters |= {name: str(world.page.values[name]) for name in known}
        key = world.clients[actor].defaults.get("HTTP_AUTHORIZATION")
        headers = {"Authorization": key} if key else {}
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        # A blank in the query counts as not given, so that a form may send all of its fields.
        strict = [negative_data_rejection] if operation.body else []
        case.validate_response(response, checks=CHECKS + strict)

    holds()
