"""Finds keys and passwords in a configuration before they are written: Hydra copies it into every run's folder."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from hydra.core.override_parser.types import ChoiceSweep, QuotedString

_ADVICE = "keys and passwords do not belong here, as a run's settings are recorded"
_WAY_OUT = "put it into an environment variable and name that in api_key_env (the value is not shown)"
_NAME = re.compile(
    r"(?i:(?:.*[_-])?(?:(?:api|access|secret|private|signing)[_-]?key|(?:access|api|auth|bearer|refresh|session)[_-]?token"
    r"|secret|password|passwd|authorization|(?:extra_)?headers))|[A-Z0-9_]*(?:KEY|TOKEN)"
)
# A vendor's prefix and a long run of letters and digits: file names such as hf_debates.jsonl do not have one.
_KEY = re.compile(r"(?<![A-Za-z0-9])(?:(?:sk|pk|gsk|xai|hf)[-_](?:[\w-]*[-_])?|AIza)(?=[A-Za-z]*\d)[A-Za-z0-9]{16,}")
# Where requests are described, a value that is nothing else is not a file's name, however short.
_WHOLE_KEY = re.compile(r"(?:sk|pk|gsk|xai|hf)[-_][\w*.-]{6,}")
_OF_REQUESTS = {"agents", "audit", "judge", "llm", "roles"}
_PASSWORD_IN_URL = re.compile(r"://[^/\s:@]*:[^/\s@]+@")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def find_secret(value: object, path: str = "") -> str | None:
    """Return what is wrong with the first secret in a value of the configuration, without showing it.

    `path` is the value's key with dots; it decides what is looked for. Interpolations such as ${oc.env:NAME} are fine.
    """
    name = path.rpartition(".")[2]
    if isinstance(value, QuotedString):
        value = value.text
    if isinstance(value, ChoiceSweep):
        value = value.list
    if value in (None, "", "???", {}, []):
        return None
    if _NAME.fullmatch(name) and not _is_interpolation(value):
        return f"{path}: {_ADVICE}; {_WAY_OUT}"
    if isinstance(value, Mapping):
        found = (find_secret(inner, f"{path}.{_text_of(key)}".lstrip(".")) for key, inner in value.items())
    elif isinstance(value, list | tuple):
        found = (find_secret(inner, path) for inner in value)
    else:
        return _check_text(value, path, name) if isinstance(value, str) else None
    return next((fault for fault in found if fault), None)


def _text_of(key: object) -> str:
    return key.text if isinstance(key, QuotedString) else str(key)


def _is_interpolation(value: object) -> bool:
    return isinstance(value, str) and value.startswith("${")


def _check_text(text: str, path: str, name: str) -> str | None:
    if name == "api_key_env" and not _is_interpolation(text) and (not _VARIABLE.fullmatch(text) or _is_key(text)):
        return f"{path}: expected the name of an environment variable such as OPENAI_API_KEY (the value is not shown)"
    if name in ("base_url", "api_base") and _has_credentials(text):
        return (
            f"{path}: user names, passwords and query strings do not belong into an address, as it is recorded; "
            f"{_WAY_OUT}"
        )
    parts = set(path.split("."))
    sent = ("params" in parts and _is_key(text)) or (parts & _OF_REQUESTS and _WHOLE_KEY.fullmatch(text))
    if sent or _KEY.search(text) or _PASSWORD_IN_URL.search(text):
        return f"{path}: looks like a key or password; {_WAY_OUT}"
    return None


def _has_credentials(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "@" in address or "?" in address
    return bool(parts.username or parts.password or parts.query) or _is_key(address)


def _is_key(text: str) -> bool:
    return redact(text) != text


def redact(text: str) -> str:
    """Return the text without what looks like a key, as messages of models' servers are treated."""
    # Here, as most command lines need none of it.
    from sentinel.llm._redact import redact

    return redact(text)
