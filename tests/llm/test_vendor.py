import logging

import pytest

from sentinel.errors import ConfigError, CredentialError
from sentinel.llm import Endpoint, check_credentials
from sentinel.llm._price import Price, find_price
from sentinel.llm._vendor import find_key, is_self_hosted, serving_address
from sentinel.settings import LlmSettings


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0:5000", "http://127.0.0.1:5000/v1"),
        ("gpu-box", "http://gpu-box:11434/v1"),
        ("http://gpu-box:8080/", "http://gpu-box:8080/v1"),
        ("https://ollama.example.org", "https://ollama.example.org:443/v1"),
        ("http://gpu-box:8080/v1", "http://gpu-box:8080/v1"),
        ("[::1]:7000", "http://[::1]:7000/v1"),
        (":5000", "http://127.0.0.1:5000/v1"),
    ],
)
def test_ollama_is_found_where_its_own_variable_says(host: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert serving_address(Endpoint("ollama/qwen3")) == address


def test_the_address_of_the_configuration_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serving_address(Endpoint("openai/x")) == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy/v1/")
    assert serving_address(Endpoint("openai/x")) == "http://proxy/v1"
    assert serving_address(Endpoint("openai/x", "http://mine:1/v1/")) == "http://mine:1/v1"
    assert serving_address(Endpoint("anthropic/claude", "http://mine:1")) is None


def test_a_key_comes_from_the_named_variable_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "general")
    assert find_key(Endpoint("openai/x")) == "general"
    assert find_key(Endpoint("openai/x", api_key_env="MINE")) is None
    monkeypatch.setenv("MINE", " special\n")
    assert find_key(Endpoint("openai/x", api_key_env="MINE")) == "special"
    assert find_key(Endpoint("vllm/x", "http://host/v1")) is None


def test_a_missing_key_is_named_before_any_call(monkeypatch: pytest.MonkeyPatch) -> None:
    for model, variable in (
        ("openai/gpt-4o-mini", "OPENAI_API_KEY"),
        ("openrouter/a/b", "OPENROUTER_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("litellm/openai/gpt-4o-mini", "OPENAI_API_KEY"),
    ):
        with pytest.raises(CredentialError, match=f"model={model}: no key; set the environment variable {variable}"):
            check_credentials([Endpoint(model)])
        monkeypatch.setenv(variable, "set")
        check_credentials([Endpoint(model)])
        monkeypatch.delenv(variable)
    with pytest.raises(CredentialError, match="MY_KEY"):
        check_credentials([Endpoint("openai/x", "http://host/v1", "MY_KEY")])


def test_what_cannot_be_a_key_is_said_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("sk-abc\nX-Other: 1", "sk-abcé"):
        monkeypatch.setenv("OPENAI_API_KEY", value)
        with pytest.raises(CredentialError, match="OPENAI_API_KEY holds characters") as caught:
            check_credentials([Endpoint("openai/x")])
        assert "abc" not in str(caught.value)


def test_ones_own_server_needs_no_key() -> None:
    check_credentials([Endpoint("ollama/x"), Endpoint("vllm/x"), Endpoint("openai/x", "http://127.0.0.1:1/v1")])


def test_what_does_not_exist_is_said_before_any_call() -> None:
    with pytest.raises(ConfigError, match="mock/agreable: no such mock; have: agreeable, stubborn"):
        check_credentials([Endpoint("mock/agreable")])
    check_credentials([Endpoint("mock/anything")], scripted=True)


def test_prices_hold_for_the_vendors_own_servers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {
        "gpt-x": {
            "litellm_provider": "openai",
            "input_cost_per_token": 2e-6,
            "output_cost_per_token": 8e-6,
            "cache_read_input_token_cost": 1e-6,
        },
        "gemini/flash-x": {"input_cost_per_token": 1e-6, "output_cost_per_token": 4e-6},
        "ollama/qwen3": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
        "free-x": {"litellm_provider": "openai", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    }
    monkeypatch.setattr("sentinel.llm._price._price_list", lambda: listed)
    price = find_price(Endpoint("openai/gpt-x"), {})
    assert price is not None
    # 700 fresh, 300 reused and 100 replied: 1400 + 300 + 800 millionths of a dollar.
    assert price.cost({"prompt_tokens": 1000, "completion_tokens": 100}, 300) == pytest.approx(0.0025)
    assert find_price(Endpoint("gemini/flash-x"), {}) == Price(1e-6, 1e-6, 4e-6)
    assert find_price(Endpoint("openai/gpt-x", "http://mine/v1"), {}) is None
    assert find_price(Endpoint("anthropic/gpt-x"), {}) is None
    assert find_price(Endpoint("ollama/qwen3"), {}) is None
    assert find_price(Endpoint("openai/free-x"), {}) is None
    assert is_self_hosted(Endpoint("ollama/qwen3")) and not is_self_hosted(Endpoint("openai/gpt-x"))


def test_the_price_list_that_is_installed_is_read() -> None:
    price = find_price(Endpoint("openai/gpt-4o-mini"), {})
    assert price is not None and 0 < price.reused <= price.prompt < price.reply < 1e-4


@pytest.mark.parametrize(
    ("variable", "model"),
    [
        ("OPENAI_BASE_URL", "openai/x"),
        ("OPENAI_BASE_URL", "litellm/openai/x"),
        ("VLLM_BASE_URL", "vllm/x"),
        ("HOSTED_VLLM_API_BASE", "hosted_vllm/x"),
        ("OLLAMA_HOST", "ollama/x"),
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        "http://user:CANARY@host/v1",
        "http://host/v1?key=CANARY",
        "http://host/v1#CANARY",
        "user:CANARY@host",
        "ftp://CANARY",
        "http://CANARY:port/v1",
        "http://[CANARY/v1",
        "http://a CANARY/v1",
    ],
)
def test_a_variable_that_holds_no_address_is_named_and_not_shown(
    variable: str, model: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "set")
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=f"^{variable}: ") as refused:
        check_credentials([Endpoint(model)])
    assert "CANARY" not in str(refused.value) and "\n" not in str(refused.value)
    with pytest.raises(ConfigError, match=f"^base_url of {model}: ") as refused:
        Endpoint(model, "nonsense" if value.startswith("user") else value)
    assert "CANARY" not in str(refused.value)


def test_an_address_without_scheme_is_one_for_ollama_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_BASE_URL", "nonsense")
    with pytest.raises(ConfigError, match="^VLLM_BASE_URL: expected an address such as"):
        check_credentials([Endpoint("vllm/x")])


def test_a_bound_on_cost_needs_the_price_of_every_model_before_the_first_call(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for key in ("OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(key, "set")
    free = [Endpoint("mock/stubborn"), Endpoint("openrouter/a/b"), Endpoint("ollama/x"), Endpoint("vllm/x")]
    bound = LlmSettings(max_cost_usd=1.0)
    with caplog.at_level(logging.WARNING):
        check_credentials(free, llm=bound)
    assert [message.split("what ")[1][:8] for message in caplog.messages] == ["ollama/x", "vllm/x c"]
    for unpriced in (
        Endpoint("openai/gpt-unheard-of"),
        Endpoint("openai/mine", "http://host/v1"),
        Endpoint("openrouter/a/b", "http://host/v1"),
        Endpoint("litellm/openai/mine", "http://host/v1"),
    ):
        check_credentials([*free, unpriced], llm=LlmSettings())
        with pytest.raises(ConfigError, match=f"the price of {unpriced.model} is not known") as refused:
            check_credentials([*free, unpriced], llm=bound)
        assert f"+llm.prices={{{unpriced.model}:[READ,WRITTEN]}}" in str(refused.value)
        check_credentials([*free, unpriced], llm=LlmSettings(max_cost_usd=1.0, prices={unpriced.model: [0, 0]}))
