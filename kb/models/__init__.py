"""Models of the knowledge base: pages, what was cut from them, and what was asked."""

from kb.models.attachments import Attachment
from kb.models.autosaves import Autosave
from kb.models.docs import (
    Category,
    Doc,
    DocLink,
    Revision,
    SlugRedirect,
    SourceFormat,
    Status,
    Visibility,
)
from kb.models.importing import ImportedFile, ImportJob, ImportState
from kb.models.index import Chunk, IndexState
from kb.models.qa import (
    AskedQuestion,
    AskTicket,
    BaseQuestion,
    Feedback,
    QaQuestion,
    QaTrace,
    Vote,
)
from kb.models.sharing import ShareLink

__all__ = [
    "AskTicket",
    "AskedQuestion",
    "Attachment",
    "Autosave",
    "BaseQuestion",
    "Category",
    "Chunk",
    "Doc",
    "DocLink",
    "Feedback",
    "ImportJob",
    "ImportState",
    "ImportedFile",
    "IndexState",
    "QaQuestion",
    "QaTrace",
    "Revision",
    "ShareLink",
    "SlugRedirect",
    "SourceFormat",
    "Status",
    "Visibility",
    "Vote",
]
