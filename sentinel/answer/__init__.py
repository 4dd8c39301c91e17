"""Reads answers: an agent's text, a recorded answer or a gold answer becomes one canonical string or none.

In: text of any quality and the question's answer type and choices. Out: strings that are equal exactly when the answers
are. Text is data here: nothing is evaluated, and reading takes time linear in its length.
"""

from sentinel.answer._parse import Parsed, canonical_answer, infer_answer_type, parse_answer

__all__ = ["Parsed", "canonical_answer", "infer_answer_type", "parse_answer"]
