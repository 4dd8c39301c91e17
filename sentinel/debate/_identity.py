"""What a debate is known by, and what its randomness starts from: both follow from content, never from the clock."""

import hashlib
import json

from sentinel.records import Question

_SEED_BITS = 31


def debate_id(question: Question, rules_hash: str) -> str:
    """Return the question's id and 16 hexadecimal digits over all that agents see of it and over the run's rules.

    The gold answer is left out: nobody sees it.
    """
    seen = [
        question.id,
        question.dataset,
        question.source,
        question.context,
        question.question,
        question.choices,
        question.answer_type.value,
    ]
    return f"{question.id}-{digest(rules_hash, seen)[:16]}"


def digest(*content: object) -> str:
    """Return the SHA-256 of the content's canonical JSON."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def seed_for(seed: int, debate: str, agent: str, round: int) -> int:
    """Return the seed of one call, a number below 2**31, which every provider takes."""
    hashed = hashlib.sha256(f"{seed}\0{debate}\0{agent}\0{round}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(hashed[:8], "big") >> (64 - _SEED_BITS)
