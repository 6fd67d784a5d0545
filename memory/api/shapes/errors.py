from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memory.api.fields import AnyField


class ProblemSerializer(serializers.Serializer[Any]):
    """Of every error of the memory API. ``detail`` is a sentence for people."""

    detail = serializers.CharField()


class ProblemsSerializer(serializers.Serializer[Any]):
    """``detail``: a sentence, or a list of ``{loc, msg, type}``, one for each field that does not fit."""

    detail = AnyField()
