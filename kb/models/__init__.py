"""Models of the knowledge base: pages, what was cut from them, and what was asked."""

from kb.models.docs import Doc, DocLink, Revision, SourceFormat, Status, Visibility
from kb.models.index import Chunk, IndexState
from kb.models.qa import AskTicket, QaQuestion, QaTrace

__all__ = [
    "AskTicket",
    "Chunk",
    "Doc",
    "DocLink",
    "IndexState",
    "QaQuestion",
    "QaTrace",
    "Revision",
    "SourceFormat",
    "Status",
    "Visibility",
]
