import math
import sys

import numpy as np
import pytest

from sentinel.errors import FingerprintError
from sentinel.fingerprint._novelty import content_trigrams, embedding_novelty, lexical_novelty, measure_novelty
from sentinel.settings import Novelty


def test_trigrams_leave_out_stop_words_case_and_punctuation():
    assert content_trigrams("The cat sat on the mat.") == {("cat", "sat", "mat")}
    assert content_trigrams("**CAT** (sat), the “Mat”!") == {("cat", "sat", "mat")}
    assert content_trigrams("a cost of 1,000.50 euros, plus 3 coins") == {
        ("cost", "1,000.50", "euros"),
        ("1,000.50", "euros", "plus"),
        ("euros", "plus", "3"),
        ("plus", "3", "coins"),
    }


@pytest.mark.parametrize("text", ["", "   ", "yes no", "the of and it is so", "... --- !!!"])
def test_short_texts_have_no_trigrams(text):
    assert content_trigrams(text) == frozenset()


def test_scripts_without_spaces_count_characters():
    assert content_trigrams("猫が座る") == {("猫", "が", "座"), ("が", "座", "る")}


def test_share_of_new_trigrams():
    shares = lexical_novelty("", [["red fox runs fast", None], ["red fox runs home", "red fox runs fast"]])
    assert math.isnan(shares[0][0])
    assert shares[1] == (0.5, 0.0)


def test_the_question_is_not_new():
    assert lexical_novelty("Why does red fox run?", [["", ""], ["red fox run", "red fox swim"]])[1] == (0.0, 1.0)


def test_what_the_same_round_says_stays_new():
    assert lexical_novelty("", [["", ""], ["red fox runs", "red fox runs"], ["red fox runs", ""]])[1:] == (
        (1.0, 1.0),
        (0.0, pytest.approx(math.nan, nan_ok=True)),
    )


def test_a_text_without_trigrams_is_not_new():
    assert lexical_novelty("", [["a", "b"], ["indeed yes", None]])[1][0] == 0.0


def test_embedding_counts_sentences_nobody_meant_before():
    # Unit vectors by first word: "cats" and "felines" point the same way (cosine 1), "dogs" another (cosine 0).
    axes = {"cats": (1.0, 0.0), "felines": (1.0, 0.0), "dogs": (0.0, 1.0)}

    def encode(sentences):
        return np.array([axes[sentence.split()[0]] for sentence in sentences])

    texts = [["cats sleep", None], ["felines nap. dogs bark.", None], ["dogs run", "cats purr"]]
    shares = embedding_novelty("cats", texts, encode)
    assert math.isnan(shares[0][0]) and math.isnan(shares[1][1])
    assert shares[1][0] == 0.5
    assert shares[2] == (0.0, 0.0)


def test_embedding_without_its_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(FingerprintError, match=r"pip install sentence-transformers, or choose"):
        measure_novelty("", [["a"], ["b"]], Novelty.embedding)
