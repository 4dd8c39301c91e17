from pathlib import Path

import pytest
import yaml

from sentinel.errors import ConfigError
from sentinel.llm import Completion, Endpoint, Params, add_up, seed_for
from sentinel.llm._cache import request_key
from sentinel.paths import conf_dir
from sentinel.settings import LlmSettings


def test_a_model_is_provider_and_name() -> None:
    endpoint = Endpoint("openrouter/meta-llama/llama-3-8b")
    assert (endpoint.provider, endpoint.name) == ("openrouter", "meta-llama/llama-3-8b")
    assert Endpoint("gguf//models/x.gguf").name == "/models/x.gguf"


@pytest.mark.parametrize("model", ["gpt-4o", "openai/", "/x", ""])
def test_a_model_without_a_provider_is_refused(model: str) -> None:
    with pytest.raises(ConfigError, match="provider/name"):
        Endpoint(model)


def test_secrets_cannot_be_put_into_the_configuration() -> None:
    with pytest.raises(ConfigError, match="api_key_env") as caught:
        Endpoint("openai/x", "http://user:hunter22@host/v1")
    assert "hunter22" not in str(caught.value)
    with pytest.raises(ConfigError, match="params.api_key"):
        Params(extra={"api_key": "sk-123"})


@pytest.mark.parametrize("address", ["host:8000/v1", "ftp://host/v1", "http://"])
def test_an_address_must_be_one(address: str) -> None:
    with pytest.raises(ConfigError, match="http://localhost:8000/v1"):
        Endpoint("openai/x", address)


def test_fields_are_those_that_are_set_and_extra_ones_win() -> None:
    params = Params(0.7, 100, 5, ("END",), {"top_p": 0.9, "seed": None})
    assert params.to_fields() == {"temperature": 0.7, "max_tokens": 100, "stop": ["END"], "top_p": 0.9}
    assert Params().to_fields() == {}


def test_a_refused_token_limit_is_sent_by_its_newer_name() -> None:
    assert Params(0.7, 100).to_fields({"max_tokens"}) == {"temperature": 0.7, "max_completion_tokens": 100}
    assert Params(0.7, 100).to_fields({"max_tokens", "max_completion_tokens"}) == {"temperature": 0.7}


def test_the_key_is_of_content_not_of_order() -> None:
    assert request_key({"a": 1, "b": {"x": 1, "y": 2}}) == request_key({"b": {"y": 2, "x": 1}, "a": 1})
    assert request_key({"a": 1}) != request_key({"a": 2})
    # sha256 of {"a":"\u00e9","version":1}, worked out with the sha256sum command.
    assert request_key({"a": "é"}) == "9e9c32df573e1284052e76cec2b8ab0ffb56a87a4ab5c6eb96c0941cd51d5e7b"


@pytest.mark.parametrize("path", sorted((conf_dir() / "llm").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_option_holds_known_settings(path: Path) -> None:
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    settings = LlmSettings(**given)
    assert all(getattr(settings, name) == value for name, value in given.items())


def test_the_default_option_says_what_the_schema_says() -> None:
    given = yaml.safe_load((conf_dir() / "llm" / "default.yaml").read_text(encoding="utf-8"))
    assert LlmSettings(**given) == LlmSettings()


@pytest.mark.parametrize("name", ["backoff", "retry_after_max", "timeout", "concurrency"])
def test_settings_out_of_range_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"llm.{name}=-1"):
        LlmSettings(**{name: -1})


def test_seeds_tell_calls_apart_and_suit_every_provider() -> None:
    seeds = {
        seed_for(seed, debate, agent, round)
        for seed in range(3)
        for debate in ("d1", "d2")
        for agent in ("ann", "bob")
        for round in range(3)
    }
    assert len(seeds) == 36
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert seed_for(1, "d", "ann", 0) == seed_for(1, "d", "ann", 0)


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    known = Completion("x", usage={"prompt_tokens": 3, "completion_tokens": 2}, cost=0.5, latency=1.0)
    assert add_up([known, known]) == ({"prompt_tokens": 6, "completion_tokens": 4}, 1.0, 2.0)
    assert add_up([known, Completion("x", latency=1.0)]) == (None, None, 2.0)
    assert add_up([]) == (None, None, None)
