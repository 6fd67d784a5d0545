"""What requests may carry. Unknown fields are refused, never dropped: a misspelt filter is no filter."""

from __future__ import annotations

from typing import Any

from django.core.validators import ProhibitNullCharactersValidator
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from kb.history import CitationState
from kb.intake import PageFields
from kb.models import Category, SourceFormat, Status, Visibility, Vote
from memory.rest.strict import StrictSerializer
from memory.types import Reason

REASONS = [reason.value for reason in Reason]


class PageTextField(serializers.CharField):
    """Text that ``kb.intake`` normalises: a NUL or half a pair is removed there, not refused here."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)
        self.validators = [
            validator
            for validator in self.validators
            if not isinstance(
                validator, ProhibitNullCharactersValidator | ProhibitSurrogateCharactersValidator
            )
        ]


class PageSerializer(StrictSerializer):
    """The fields of a page that a caller may set. Lengths and texts are checked by ``kb.intake``."""

    title = PageTextField(required=False, allow_blank=True)
    source = PageTextField(required=False, allow_blank=True)  # type: ignore[assignment]
    source_format = serializers.ChoiceField(SourceFormat.choices, required=False)
    slug = serializers.CharField(required=False)
    language = serializers.CharField(required=False, max_length=12)
    category = serializers.ChoiceField(Category.choices, required=False, allow_blank=True)
    owner = serializers.CharField(
        required=False,
        max_length=150,
        help_text="The sign-in name of an editor or admin. Only the owner and admins hand a page over.",
    )
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    allowed_groups = serializers.ListField(
        child=serializers.CharField(max_length=60), required=False, max_length=100
    )
    status = serializers.ChoiceField(Status.choices, required=False)
    base_revision = serializers.IntegerField(required=False, min_value=1)

    def page_fields(self) -> PageFields:
        values = dict(self.validated_data)
        values.pop("base_revision", None)
        return PageFields(**values)


class DocSummarySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    slug = serializers.CharField()
    status = serializers.ChoiceField(Status.choices)
    visibility = serializers.ChoiceField(Visibility.choices)
    language = serializers.CharField()
    category = serializers.ChoiceField(Category.choices, allow_blank=True)
    index_state = serializers.ChoiceField(["pending", "ready", "failed"])
    updated_at = serializers.DateTimeField()


class LinkedDocSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    slug = serializers.CharField()


class DocDetailSerializer(DocSummarySerializer):
    text = serializers.CharField(help_text="The plain text that offsets count, in code points.")
    html = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    source_format = serializers.ChoiceField(SourceFormat.choices)
    revision = serializers.IntegerField()
    links = LinkedDocSerializer(many=True)
    backlinks = LinkedDocSerializer(many=True)
    allowed_groups = serializers.ListField(child=serializers.CharField())
    owner = serializers.CharField(help_text="The sign-in name of the page's owner.")


class QuestionField(serializers.CharField):
    """Whatever was sent, None where nothing was: ``kb.asking`` says what a question is."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return None if data is serializers.empty else data


class QuestionSerializer(StrictSerializer):
    """``question``: text of 1 to 1,000 code points."""

    question = QuestionField(max_length=1000)


class CitationSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField(help_text="The footnote's number.")
    doc_id = serializers.UUIDField()
    doc_title = serializers.CharField()
    revision = serializers.IntegerField()
    chunk_id = serializers.UUIDField()
    char_start = serializers.IntegerField(
        help_text="Code points of the revision's text, half-open."
    )
    char_end = serializers.IntegerField()
    quote = serializers.CharField(help_text="Exactly text[char_start:char_end].")
    snippet = serializers.CharField(help_text="The same as quote.")
    before = serializers.CharField()
    after = serializers.CharField()
    heading_path = serializers.ListField(child=serializers.CharField())
    row = serializers.IntegerField(
        allow_null=True, help_text="Which row of its table, from 1 below the header."
    )
    columns = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The names of that row's columns, one for each cell. No part of the quote.",
    )
    revised_at = serializers.DateTimeField(
        allow_null=True, help_text="When the cited revision was saved."
    )
    url = serializers.CharField(allow_null=True)


class ChecksSerializer(serializers.Serializer[Any]):
    quote = serializers.CharField()
    figures = serializers.CharField()
    names = serializers.CharField()
    negation = serializers.CharField()
    judge = serializers.CharField()


class ClaimSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    citations = serializers.ListField(child=serializers.IntegerField())
    verdict = serializers.ChoiceField(["supported", "unsupported"])
    checks = ChecksSerializer()


class ReplySerializer(serializers.Serializer[Any]):
    question_id = serializers.UUIDField()
    trace_id = serializers.CharField()
    answer_kind = serializers.ChoiceField(
        ["confident", "partial", "decline_no_evidence", "decline_low_confidence"]
    )
    answer_text = serializers.CharField()
    confidence_score = serializers.FloatField(allow_null=True)
    reason = serializers.ChoiceField(REASONS, allow_null=True)
    citations = CitationSerializer(many=True)
    claims = ClaimSerializer(many=True)
    missing = serializers.ListField(child=serializers.CharField())
    unseen = serializers.ListField(child=serializers.CharField())
    stale = serializers.BooleanField()
    degraded = serializers.ListField(child=serializers.CharField())
    doc_id = serializers.UUIDField(allow_null=True)
    doc_revision = serializers.IntegerField(allow_null=True)
    offset_unit = serializers.CharField(default="codepoint")
    remaining = serializers.IntegerField(allow_null=True)
    model = serializers.CharField()


class ScoresSerializer(serializers.Serializer[Any]):
    final = serializers.FloatField(allow_null=True, help_text="What the order goes by.")
    reranker = serializers.FloatField(allow_null=True, help_text="0-1; what the floor is about.")
    semantic = serializers.FloatField(allow_null=True, help_text="A cosine.")
    keyword = serializers.FloatField(allow_null=True, help_text="BM25, unbounded.")


class SearchResultSerializer(serializers.Serializer[Any]):
    doc_id = serializers.UUIDField()
    title = serializers.CharField()
    slug = serializers.CharField()
    language = serializers.CharField()
    category = serializers.ChoiceField(Category.choices, allow_blank=True)
    revision = serializers.IntegerField()
    url = serializers.CharField(help_text="The page, opened at these words.")
    heading_path = serializers.ListField(child=serializers.CharField())
    snippet = serializers.CharField(help_text="Exactly text[char_start:char_end] of the page.")
    marks = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Where words of the query stand: half-open code point ranges in the snippet.",
    )
    char_start = serializers.IntegerField()
    char_end = serializers.IntegerField()
    scores = ScoresSerializer(help_text="All null for a page that was found by its name.")


class SearchSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = SearchResultSerializer(many=True)
    abstained = serializers.BooleanField(
        help_text="Something was found, and all of it fell below the floor."
    )
    best_score = serializers.FloatField(
        allow_null=True, help_text="The best reranked score before the floor."
    )
    floor = serializers.FloatField(allow_null=True)
    reranker = serializers.CharField()
    degraded = serializers.ListField(child=serializers.CharField())
    message = serializers.CharField(
        allow_null=True, help_text="Why there are no results, for people."
    )


class VoteSerializer(StrictSerializer):
    """The last vote of each member counts. The comment is of at most 2,000 code points."""

    vote = serializers.ChoiceField(Vote.choices)
    comment = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)


class GivenVoteSerializer(serializers.Serializer[Any]):
    vote = serializers.ChoiceField(Vote.choices)
    comment = serializers.CharField()
    created_at = serializers.DateTimeField()


class FeedbackSerializer(GivenVoteSerializer):
    question_id = serializers.UUIDField()


class PastCitationSerializer(CitationSerializer):
    """Of a removed one only ``n`` and ``state`` are there."""

    state = serializers.ChoiceField(
        [state.value for state in CitationState],
        help_text="current: the words are at their place. changed: they are not. removed: the page"
        " is gone, or no longer open to you.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        for name in fields.keys() - {"n", "state"}:
            fields[name].required = False
        return fields


class PastReplySerializer(ReplySerializer):
    question_text = serializers.CharField()
    asked_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    doc_title = serializers.CharField(allow_null=True)
    citations = PastCitationSerializer(many=True)
    feedback = GivenVoteSerializer(allow_null=True, help_text="Your own vote.")


class ErrorSerializer(serializers.Serializer[Any]):
    """Of every error. ``detail`` is a sentence for people."""

    detail = serializers.CharField()


class InvalidSerializer(ErrorSerializer):
    """``fields``: what is wrong with each field of the request."""

    fields = serializers.DictField(required=False)  # type: ignore[assignment]


class ConflictSerializer(ErrorSerializer):
    current_revision = serializers.IntegerField(required=False)


class LimitSerializer(ErrorSerializer):
    retry_at = serializers.DateTimeField(required=False)


def paged(name: str, one: type[serializers.Serializer]) -> serializers.Serializer:
    """The envelope of a list of 50 a page."""
    return inline_serializer(
        name,
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": one(many=True),
        },
    )
