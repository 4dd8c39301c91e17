"""Benchmark questions and the user's own: files in, `Question` records with canonical gold answers out.

One small module per owner's layout, local or of the hub; then what holds for all: choices shuffled with the key
remapped, ids that leak nothing, keys that repeats share, and a seeded sample.
"""

from sentinel.dataset._load import load_questions

__all__ = ["load_questions"]
