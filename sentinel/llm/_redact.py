"""Takes secrets out of text before it is logged or shown."""

import os
import re

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
# A digit, a mask or padding tells a key from words: "basic arithmetic", hf_debates.jsonl.
_SHAPES = re.compile(
    r"(?i:\bbearer\s+)[^\s\"',;]+|(?i:\bbasic\s+)(?=[^\s\"',;]*[\d*=])[^\s\"',;]+"
    r"|\b(?:sk|gsk|xai|AIza)[-_][\w*.-]{6,}|\b(?:pk|hf|key)[-_](?=[\w*.-]*[\d*])[\w*.-]{6,}|\bAIza[\w-]{10,}"
    r"|(?i:\b(?:api[-_]?key|access[-_]?token|key)=)[^\s&\"'\[\\][^\s&\"']*|(?<=://)[^/\s@]+@"
)
_SHORTEST = 6


def redact(text: str) -> str:
    """Return the text without the values of environment variables named like secrets and what looks like one."""
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST:
            text = text.replace(value, f"[{name}]")
    return _SHAPES.sub("[redacted]", text)
