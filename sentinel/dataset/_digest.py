"""Short names for texts, the same on every machine and in every layout."""

import hashlib
import json

_LENGTH = 16


def digest(*parts: object) -> str:
    """Return 16 hexadecimal digits for the parts (texts, numbers, lists of them); runs of white space count as one."""
    content = json.dumps([_collapse(part) for part in parts], ensure_ascii=False)
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()[:_LENGTH]


def _collapse(part: object) -> object:
    if isinstance(part, str):
        return " ".join(part.split())
    if isinstance(part, list | tuple):
        return [_collapse(item) for item in part]
    return part
