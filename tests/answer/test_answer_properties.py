"""What holds for every text: canonical answers stay as they are, and no text is too long or too odd to read."""

import random

import pytest

from sentinel.answer import canonical_answer, parse_answer
from sentinel.records import AnswerType, Status

FRAGMENTS = (
    "A B C (A) (X) [b] a I rr RR 1 2 0 -3 1,000 .5 1/3 2½ ٣ １２ 10^3 1e5 $ € % yes no true false both and or not"
    " the answer is Answer: correct option <answer> </answer> <think> </think>"
    " \\boxed{ \\text{ \\frac{1}{2} \\frac{ } { ** __ ` ( ) [ ] \" '"
    " . , ; : ! ? - – − / + = ≈ √ #### ß İ ﬃ é 🙂 Paris Oslo none above x \\ \\( \\) \\, ~ null n/a Therefore result of"
).split(" ") + ["\n", "\n\n", "\t", "\u2009", "\u200b", "\x08oxed{", "\u00a0"]
CHOICES = ("Oslo", "1,000", "A rancher", "both A and B", "rr")
LENGTH = 100_000
HOSTILE = (
    "A ",
    "(A) and (B) ",
    "the answer is ",
    "result of a is ",
    "\\boxed{",
    "\\boxed{}",
    "{",
    "<answer>",
    "<answer>a</answer>",
    "</think>",
    "\\frac{1}{",
    "\\text{a",
    "1,11",
    "9",
    "1/",
    "1'000'",
    "10^{9} ",
    "1. x\n",
    "(A)\n",
    "½",
    "²",
    "1\u2009",
    "*",
    "_",
    " a",
    "no ",
    "Therefore ",
    "\\ ",
    "#### 1 ",
)


def random_texts(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    glue = ("", " ", " ")
    return ["".join(rng.choice(FRAGMENTS) + rng.choice(glue) for _ in range(rng.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("answer_type", list(AnswerType))
@pytest.mark.parametrize("choices", [None, CHOICES])
def test_canonical_answers_stay_as_they_are(answer_type: AnswerType, choices: tuple[str, ...] | None) -> None:
    answers = 0
    for text in random_texts(1500, seed=1):
        canonical = canonical_answer(text, answer_type, choices)
        if canonical is not None:
            answers += 1
            assert canonical_answer(canonical, answer_type, choices) == canonical, text
    assert answers > 100


@pytest.mark.parametrize("answer_type", list(AnswerType))
def test_parsed_answers_are_canonical_and_have_status_ok(answer_type: AnswerType) -> None:
    for text in random_texts(1500, seed=2):
        answer, status = parse_answer(text, answer_type, CHOICES)
        assert (answer is not None) == (status is Status.OK), text
        assert (status is Status.FAILED) == (not text.strip()), text
        if answer is not None:
            assert canonical_answer(answer, answer_type, CHOICES) == answer, text


def test_letters_are_in_use() -> None:
    for text in random_texts(1500, seed=3):
        answer = parse_answer(text, AnswerType.CHOICE, CHOICES).answer
        assert answer is None or answer in "ABCDE", text


@pytest.mark.parametrize("unit", HOSTILE)
def test_long_texts_are_read(unit: str) -> None:
    # A reader that is quadratic anywhere would not come back from these.
    text = unit * (LENGTH // len(unit))
    for answer_type in AnswerType:
        assert parse_answer(text, answer_type, CHOICES).status is not Status.FAILED
        canonical_answer(text, answer_type, CHOICES)


def test_text_is_never_evaluated() -> None:
    for text in ("\\boxed{9**9**9}", "<answer>2+2</answer>", "<answer>__import__('os').getpid()</answer>"):
        assert parse_answer(text, AnswerType.NUMBER).answer is None
