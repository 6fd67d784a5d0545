"""The administration of the knowledge base: pages with their index, and the history of questions."""

from kb.admin import pages, questions

__all__ = ["pages", "questions"]
