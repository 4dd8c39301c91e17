import json
from typing import Any

import pytest

from sentinel.llm._fault import Fault, Kind
from sentinel.llm._openai_compatible import _find_proxy, read_completion
from sentinel.llm._price import Price

PRICE = Price(1e-6, 5e-7, 2e-6)


def answer(content: Any = "hi", **fields: Any) -> str:
    return json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}], **fields})


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hi", "hi"),
        ("", ""),
        (None, None),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"),
    ],
)
def test_the_text_is_taken_as_it_is(content: Any, text: str | None) -> None:
    assert read_completion(answer(content), (), None).text == text


def test_cost_is_what_was_charged_else_the_listed_price_else_unknown() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    assert read_completion(answer(usage=usage), (), None).cost is None
    assert read_completion(answer(), (), PRICE).cost is None
    assert read_completion(answer(usage=usage), (), PRICE).cost == pytest.approx(120e-6)
    reused = {**usage, "prompt_tokens_details": {"cached_tokens": 40}}
    assert read_completion(answer(usage=reused), (), PRICE).cost == pytest.approx(100e-6)
    assert read_completion(answer(usage={**usage, "cost": 0.5}), (), PRICE).cost == 0.5
    assert read_completion(answer(usage={**usage, "cost": 0}), (), None).cost == 0.0


def test_usage_is_unknown_unless_complete() -> None:
    assert read_completion(answer(), (), None).usage is None
    assert read_completion(answer(usage={"prompt_tokens": 3}), (), None).usage is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<html>", Kind.TRANSIENT),
        ("", Kind.TRANSIENT),
        ("[]", Kind.TRANSIENT),
        ("[" * 100_000, Kind.TRANSIENT),
        ("{}", Kind.TRANSIENT),
        ('{"choices": []}', Kind.TRANSIENT),
        ('{"choices": [{}]}', Kind.TRANSIENT),
        ('{"error": {"code": 429, "message": "slow down"}}', Kind.OVERLOADED),
        ('{"error": "broken"}', Kind.TRANSIENT),
        ('{"choices": [{"error": {"code": 502, "message": "upstream"}, "message": {"content": ""}}]}', Kind.TRANSIENT),
        ('{"error": {"code": 401, "message": "no"}}', Kind.CREDENTIAL),
    ],
)
def test_a_success_that_is_none_is_a_fault(body: str, kind: Kind) -> None:
    with pytest.raises(Fault) as caught:
        read_completion(body, (), None)
    assert caught.value.kind is kind


def test_a_server_on_this_machine_is_never_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert _find_proxy("https://api.openai.com/v1") is None
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    assert _find_proxy("https://api.openai.com/v1") == "http://proxy:3128"
    assert _find_proxy("http://127.0.0.1:11434/v1") is None
    assert _find_proxy("http://localhost:8000/v1") is None
    monkeypatch.setenv("no_proxy", "intern.example")
    assert _find_proxy("http://gpu.intern.example/v1") is None
