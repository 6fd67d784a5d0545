"""Retain: content becomes a document, its passages, their facts, and what connects them.

    item ── content ──▶ Document ── passages ──▶ L0 ── extractor ──▶ L1 ── alike, twice ──▶ L2
                                                  └── derived_from ◀──┘──── derived_from ◀──┘

``engine`` is the way in; ``planning`` decides what changes, ``writing`` stores it, ``linking`` connects
facts, ``observing`` merges what several documents say.
"""
