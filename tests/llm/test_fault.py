import json
import time
from email.utils import formatdate

import pytest

from sentinel.llm._fault import Kind, read_fault, read_retry_after
from sentinel.llm._redact import redact


def error(message: str, **fields: object) -> str:
    return json.dumps({"error": {"message": message, **fields}})


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, error("Rate limit reached"), Kind.OVERLOADED),
        (503, "<html>Service Unavailable</html>", Kind.OVERLOADED),
        (529, error("Overloaded"), Kind.OVERLOADED),
        (500, "", Kind.TRANSIENT),
        (502, "<html>Bad Gateway</html>", Kind.TRANSIENT),
        (408, "", Kind.TRANSIENT),
        (401, error("Incorrect API key provided", code="invalid_api_key"), Kind.CREDENTIAL),
        (403, error("Country not supported"), Kind.CREDENTIAL),
        (403, error("Your input was flagged by moderation"), Kind.REFUSED),
        (402, error("Insufficient credits"), Kind.FUNDS),
        (429, error("You exceeded your current quota", code="insufficient_quota"), Kind.FUNDS),
        (404, error("The model `gpt-9` does not exist"), Kind.MODEL),
        (400, error("gpt-9 is not a valid model ID"), Kind.MODEL),
        (400, error("This model's maximum context length is 8192 tokens"), Kind.CONTEXT),
        (400, error("prompt is too long: 210000 tokens > 200000 maximum"), Kind.CONTEXT),
        (400, error("the request exceeds the available context size"), Kind.CONTEXT),
        (413, "", Kind.CONTEXT),
        (400, error("Invalid value for temperature: 9"), Kind.REFUSED),
        (400, json.dumps([{"error": {"message": "no"}}]), Kind.REFUSED),
        (418, '"a string"', Kind.REFUSED),
        (301, "", Kind.REFUSED),
    ],
)
def test_status_and_words_tell_the_kind(status: int, body: str, kind: Kind) -> None:
    assert read_fault(status, body, {}, ["temperature", "seed"]).kind is kind


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        (error("Unsupported parameter: 'seed' is not supported with this model.", param="seed"), "seed"),
        (error("Unsupported value: 'temperature' does not support 0.7", param="temperature"), "temperature"),
        (error("Unrecognized request argument supplied: top_k"), "top_k"),
        (json.dumps({"detail": "extra_forbidden: body.reasoning_effort not permitted"}), "reasoning_effort"),
        (error("Use 'max_completion_tokens' instead: 'max_tokens' is not supported"), "max_tokens"),
    ],
)
def test_a_refused_parameter_is_found_by_its_name(body: str, parameter: str) -> None:
    sent = ["max_tokens", "reasoning_effort", "seed", "temperature", "top_k"]
    fault = read_fault(400, body, {}, sent)
    assert (fault.kind, fault.parameter) == (Kind.PARAMETER, parameter)


def test_a_parameter_that_was_not_sent_cannot_be_left_out() -> None:
    assert (
        read_fault(400, error("Unsupported parameter: 'seed'", param="seed"), {}, ["temperature"]).kind is Kind.REFUSED
    )


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"Retry-After-Ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers) == seconds


def test_retry_after_as_a_date_is_the_time_until_then() -> None:
    wait = read_retry_after({"Retry-After": formatdate(time.time() + 90, usegmt=True)})
    assert wait is not None and 85 < wait <= 90


def test_no_secret_is_in_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PANEL_API_KEY", "open-sesame-123")
    said = "key open-sesame-123 and sk-proj-abcdef123 refused; Authorization: Bearer abc.def"
    fault = read_fault(401, error(said), {}, [])
    for secret in ("open-sesame", "abcdef123", "abc.def"):
        assert secret not in str(fault)


def test_redaction_leaves_ordinary_text_alone() -> None:
    text = "The risk-neutral key figure is 7; the bearer of news asks: sk?"
    assert redact(text.replace("the bearer of news", "who")) == text.replace("the bearer of news", "who")
    for words in ("basic arithmetic", "hf_debates.jsonl", "key-by-key", "use key=[value1,value2]", r"key=\'a,b\'"):
        assert redact(words) == words
    assert "dXNlcjpwYXNz=" not in redact("Authorization: Basic dXNlcjpwYXNz=")
    assert redact("http://user:pass@host/v1?api_key=abc123") == "http://[redacted]host/v1?[redacted]"
