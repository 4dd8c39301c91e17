"""What the lexical auditor takes from a text."""

import pytest

from sentinel.audit._reading import list_content_words, read_text


def test_content_words_leave_out_stopwords_reasons_and_list_marks() -> None:
    text = "1. The red fox, since it runs, is fast.\n2) It costs $3.50 (not 1,000)."
    assert list_content_words(text) == ("red", "fox", "runs", "fast", "costs", "3.50", "1,000")


def test_a_number_that_ends_a_sentence_is_kept() -> None:
    assert list_content_words("The total is 12.") == ("total", "12")


def test_a_reading_counts_what_it_promises() -> None:
    reading = read_text("First, 2 + 2 = 4. Because 4 x 3 = 13, we stop!\n2. So the fence holds")
    assert reading is not None
    # Three sentences; the first opens as a step, the third has a list mark; two signs of equality.
    assert len(reading.sentences) == 3
    assert reading.steps == 2 + 2
    assert reading.reasons == 2  # because, so
    assert (reading.right_sums, reading.wrong_sums) == (1, 1)
    assert reading.numbers == {"2", "4", "3", "13"}


def test_trigrams_run_over_content_words() -> None:
    reading = read_text("The red fox runs to the hill")
    assert reading is not None
    assert reading.trigrams == {("red", "fox", "runs"), ("fox", "runs", "hill")}


@pytest.mark.parametrize("text", ["", "  \n ", "..."])
def test_no_text_is_no_reading(text: str) -> None:
    assert read_text(text) is None
