"""Sentinel decides when to overturn the majority vote of a multi-agent LLM debate."""
