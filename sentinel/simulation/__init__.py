"""Debates that no model ever held: a seeded behavioural simulation with planted, known effects.

In: the corpus settings. Out: a `Corpus` marked `simulated`, with the paper's Table 2 counts, audits, judge rulings and
samples. It says nothing about real models; it lets tests require that what was planted is found, and nothing else.
"""

from sentinel.simulation._corpus import simulate_corpus

__all__ = ["simulate_corpus"]
