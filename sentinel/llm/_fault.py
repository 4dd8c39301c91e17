"""What can go wrong with one attempt, and how a server's status, headers and words tell which of these it was."""

import json
import re
import time
from collections.abc import Collection, Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from sentinel.llm._redact import redact

_MESSAGE_LENGTH = 300
_CONTEXT = re.compile(
    r"context[ _]length|context window|context size|context_size|prompt is too long|input is too long|"
    r"too many (input )?tokens|maximum (input|prompt) length",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"not support|unsupported|unrecognized|unknown|unexpected|not permitted|not allowed|extra_forbidden|not available",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(r"not a valid model|model\b.{0,80}\b(not found|does not exist|not exist)", re.IGNORECASE)
_MODERATED = re.compile(r"moderation|flagged|content (policy|filter)", re.IGNORECASE)
_OUT_OF_FUNDS = re.compile(r"insufficient_quota|billing_hard_limit|insufficient (credits|balance|funds)", re.IGNORECASE)


class Kind(StrEnum):
    """Kinds of fault; only the first two are worth another attempt as it stands."""

    OVERLOADED = "overloaded"
    TRANSIENT = "transient"
    PARAMETER = "parameter"
    CREDENTIAL = "credential"
    FUNDS = "funds"
    MODEL = "model"
    CONTEXT = "context"
    REFUSED = "refused"


class Fault(Exception):
    """A failed attempt.

    `retry_after` is in seconds, `parameter` is what to leave out of the request; `unreachable`: no connection.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        retry_after: float | None = None,
        parameter: str | None = None,
        unreachable: bool = False,
    ) -> None:
        super().__init__(redact(" ".join(message.split()))[:_MESSAGE_LENGTH])
        self.kind = kind
        self.retry_after = retry_after
        self.parameter = parameter
        self.unreachable = unreachable


def read_fault(status: int, body: str, headers: Mapping[str, str], sent: Collection[str]) -> Fault:
    """Return what an HTTP answer other than success means; `sent` are the names of the parameters of the request."""
    message, code, parameter = _read_error(body)
    wait = read_retry_after(headers)
    words = f"{code} {message}"
    text = f"HTTP {status}: {message}" if message else f"HTTP {status}"
    if status == 402 or (status in (403, 429) and _OUT_OF_FUNDS.search(words)):
        return Fault(Kind.FUNDS, text)
    if status in (429, 503, 529):
        return Fault(Kind.OVERLOADED, text, retry_after=wait)
    if status in (408, 409, 425) or status >= 500:
        return Fault(Kind.TRANSIENT, text, retry_after=wait)
    if status == 401 or (status == 403 and not _MODERATED.search(words)):
        return Fault(Kind.CREDENTIAL, text)
    if status == 404 or (status == 400 and _NO_MODEL.search(words)):
        return Fault(Kind.MODEL, text)
    if status == 413 or _CONTEXT.search(words):
        return Fault(Kind.CONTEXT, text)
    refused = _refused_parameter(words, parameter, sent)
    if status in (400, 422) and refused is not None:
        return Fault(Kind.PARAMETER, text, parameter=refused)
    return Fault(Kind.REFUSED, text)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a server asks to wait, given as seconds, a date or milliseconds; None where it does not."""
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        if "retry-after-ms" in lower:
            return max(0.0, float(lower["retry-after-ms"]) / 1000)
        value = lower.get("retry-after", "").strip()
        if not value:
            return None
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _refused_parameter(words: str, named: str | None, sent: Collection[str]) -> str | None:
    """Return the parameter of the request that the server will not take, if it names one."""
    if not _UNSUPPORTED.search(words):
        return None
    if named in sent:
        return named
    return next((name for name in sorted(sent) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words)), None)


def _read_error(body: str) -> tuple[str, str, str | None]:
    """Return message, code and parameter of an error in any of the shapes that servers use."""
    try:
        found: Any = json.loads(body)
    except ValueError:
        return re.sub(r"<[^>]{0,200}>", " ", body), "", None
    if isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, dict):
        return str(found), "", None
    error = found.get("error", found)
    if not isinstance(error, dict):
        return str(error), "", None
    message = error.get("message") or error.get("detail") or json.dumps(error)
    named = error.get("param")
    code = f"{error.get('code') or ''} {error.get('type') or ''}"
    return str(message), code, named if isinstance(named, str) else None
