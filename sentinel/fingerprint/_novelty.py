"""How much of a turn was said before: by content trigrams, or by sentence vectors (extra `embeddings`).

In: the question and the texts of all turns (rounds x agents, None where there is none). Out: for every turn of a debate
round the share of it that is found in no earlier round of any agent nor in the question; NaN for a turn without text.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sentinel.errors import FingerprintError
from sentinel.settings import Novelty

Texts = Sequence[Sequence[str | None]]
Shares = tuple[tuple[float, ...], ...]
Trigrams = frozenset[tuple[str, str, str]]
Encode = Callable[[list[str]], Any]

EMBEDDER = "sentence-transformers/all-MiniLM-L6-v2"
# A sentence whose nearest earlier sentence is at least this close (cosine) says nothing new.
SAME_MEANING = 0.8

_PUNCTUATION = "\"'“”‘’«»`*_.,;:!?()[]{}<>$€£\\/|=+-–—#~…"
# Scripts without spaces between words: each character counts as a word, or no text in them would have trigrams.
_IDEOGRAM = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")

STOP_WORDS = frozenset(
    """a about after all also an and any are as at be because been but by can could did do does for from had has have he
    her here him his how i if in into is it it's its just may me might more most my no nor not now of on only or other
    our out over she should since so some such than that the their them then there therefore these they this those
    through thus to too up upon us very was we were what when where which while who whom why will with would you your
    """.split()
)


def measure_novelty(question: str, texts: Texts, kind: Novelty) -> Shares:
    """Return the new share of every turn, as rounds x agents; NaN in round 0 and where there is no text.

    Raises FingerprintError for `embedding` where its extra is not installed.
    """
    if kind is Novelty.embedding:
        return embedding_novelty(question, texts, _load_encoder())
    return lexical_novelty(question, texts)


class _Words(dict[str, str]):
    """Words without their punctuation; "" for a stop word. Kept from debate to debate, since most words come again."""

    def __missing__(self, raw: str) -> str:
        word = raw.strip(_PUNCTUATION)
        self[raw] = "" if word in STOP_WORDS else word
        return self[raw]


_WORDS = _Words()
_WORDS_KEPT = 200_000


def content_trigrams(text: str) -> Trigrams:
    """Return the distinct runs of three content words: casefolded, stop words left out.

    "The cat sat on the mat." has one: (cat, sat, mat). A text with fewer than three content words has none.
    """
    if len(_WORDS) > _WORDS_KEPT:
        _WORDS.clear()
    if not text.isascii():
        text = _IDEOGRAM.sub(r" \1 ", text)
    content = list(filter(None, map(_WORDS.__getitem__, text.casefold().split())))
    return frozenset(zip(content, content[1:], content[2:], strict=False))


def lexical_novelty(question: str, texts: Texts) -> Shares:
    """Return the share of each turn's content trigrams that are new; 0 for a text too short to have any.

    Example: "red fox runs fast" in round 0, then "red fox runs home": one of two trigrams is new, so 0.5.
    """
    said = set(content_trigrams(question))
    shares: list[tuple[float, ...]] = []
    known: dict[str, Trigrams] = {}
    for r, row in enumerate(texts):
        for text in row:
            if text and text not in known:
                known[text] = content_trigrams(text)
        if r == 0:
            shares.append((math.nan,) * len(row))
        else:
            shares.append(tuple(_new_share(known[text], said) if text else math.nan for text in row))
        said.update(*(known[text] for text in row if text))
    return tuple(shares)


def embedding_novelty(question: str, texts: Texts, encode: Encode) -> Shares:
    """Return the share of each turn's sentences that no earlier sentence means: cosine below `SAME_MEANING`.

    `encode` maps n sentences to n unit vectors, shape (n, d).
    """
    said = [np.asarray(encode(_split_sentences(question) or [question]))]
    shares: list[tuple[float, ...]] = []
    for r, row in enumerate(texts):
        vectors = [np.asarray(encode(_split_sentences(text))) if text else None for text in row]
        earlier = np.concatenate(said)
        shares.append(
            tuple(
                math.nan if r == 0 or new is None else float(np.mean((new @ earlier.T).max(axis=1) < SAME_MEANING))
                for new in vectors
            )
        )
        said += [new for new in vectors if new is not None]
    return tuple(shares)


def _new_share(trigrams: Trigrams, said: set[tuple[str, str, str]]) -> float:
    return len(trigrams - said) / len(trigrams) if trigrams else 0.0


def _split_sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


@lru_cache(maxsize=1)
def _load_encoder() -> Encode:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise FingerprintError(
            "fingerprint.novelty=embedding: sentence-transformers is not installed; "
            "pip install sentence-transformers, or choose fingerprint.novelty=lexical"
        ) from None
    model = SentenceTransformer(EMBEDDER)
    return lambda sentences: model.encode(sentences, normalize_embeddings=True)
