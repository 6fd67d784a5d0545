"""Retain: content becomes a document, its passages, their facts, and what connects them.

    item ── content ──▶ Document ── passages ──▶ L0 ── extractor ──▶ L1 ── alike, twice ──▶ L2
                                                  └── derived_from ◀──┘──── derived_from ◀──┘

``engine.retain`` in reading order:

    read       items ─▶ wanted (content, passages)           what a caller gave, as documents
    plan       planning ─▶ plans (drafts, former_nodes,      which nodes stay, move, go and are new
               unchanged, corrections, extractor_cache)
    encode     encoding                                      vectors that the tenant has not yet
    write      writing (indexing)                            rows, terms, tags, vectors
    connect    linking (neighbours ◀ nearest_vectors,        entities and edges
               shared_words, nearness; edges)
    conclude   consequences ─▶ comparing ─▶ settling         which of two rivals holds
                                        ╰─▶ observing        what several documents say alike
                                            (scopes, observation_rows)

Other ways in: ``changing`` deletes (``unsubmitting``), relabels and reads again (``rereading``),
``consolidating`` compares a whole bank, ``working`` does this and retains in the background
(``payloads``). ``proofs`` tells whether observations say what their sources say.
"""
