"""A domain names one source and one dataset, whatever they are called."""

from itertools import product

from sentinel.records import OVERALL, AnswerType, Debate


def domain(source: str | None, dataset: str) -> str:
    return Debate("i", dataset, source, "k", "q", None, AnswerType.TEXT, None, (), ()).domain


def test_a_domain_is_source_and_dataset() -> None:
    assert domain("paper", "gsm8k") == "paper/gsm8k"
    assert domain("owner/repository", "mmlu") == "owner/repository/mmlu"
    assert domain(None, "mmlu") == domain("", "mmlu") == "mmlu"


def test_no_two_pairs_share_a_domain_and_none_is_called_like_the_total() -> None:
    assert domain("a", "b/c") == "a/b%2Fc"
    assert domain(None, OVERALL) == "/overall"
    parts = ["a", "b", "a/b", "/", "%", "%2F", "%252F", "a%2Fb", "/a", "a/", OVERALL, f"/{OVERALL}"]
    pairs = list(product([None, *parts], parts))
    names = {domain(*pair) for pair in pairs}
    assert len(names) == len(pairs)
    assert OVERALL not in names
