"""Debates: questions in, finished `Debate` records out, as they end; or independent samples for the same questions.

Agents answer alone in round 0, then read each other and answer again. Everything a debate depends on is in its id, so
that what is done is known by its key, and what was paid for comes from the call cache.
"""

from sentinel.debate._prompts import load_prompts
from sentinel.debate._run import collect_samples, list_debate_ids, run_debates

__all__ = ["collect_samples", "list_debate_ids", "load_prompts", "run_debates"]
