"""What all lists have in common."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class PageSerializer(serializers.Serializer[Any]):
    """``total`` counts all that there are, ``limit`` and ``offset`` are what was asked for."""

    total = serializers.IntegerField()
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()
