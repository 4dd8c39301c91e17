"""Agents' texts: each case was written and read by hand."""

import pytest

from sentinel.answer import Parsed, parse_answer
from sentinel.records import AnswerType, Status

CITIES = ["Paris", "Rome", "Oslo", "A rancher's town"]
LETTERED = ["hurts savers", "helps savers", "hurts nobody", "both A and C"]
COUNTS = ["4", "3", "2", "1"]

CHOICE_TEXTS = [
    # tags
    ("<answer>C</answer>", CITIES, "C"),
    ("<reasoning>A or B?</reasoning>\n<answer> (c) </answer><stance_change>no</stance_change>", CITIES, "C"),
    ("<answer>A</answer> wait <answer>B</answer>", CITIES, "B"),
    ("<answer>A</answer> wait <answer>B", CITIES, "A"),
    ("It is Rome. <answer>B", CITIES, "B"),
    ("<Answer>\nB. Rome\n</Answer>", CITIES, "B"),
    ("<final_answer>Rome</final_answer>", CITIES, "B"),
    ("<answer>both A and C</answer> The answer is A.", CITIES, None),
    ("<answer>I cannot say</answer> A", CITIES, None),
    ("<answer>E</answer>", CITIES, None),
    ("<answer>your answer</answer> The answer is D.", CITIES, "D"),
    ("<answer></answer> The answer is D.", CITIES, "D"),
    ("<answer>\\boxed{B}</answer>", CITIES, "B"),
    ("<answer>The correct option is B, since Rome is older than A.</answer>", CITIES, "B"),
    # boxes
    ("So \\boxed{B}.", CITIES, "B"),
    ("First \\boxed{A}, then \\boxed{\\text{C}}.", CITIES, "C"),
    ("\\boxed{\\text{(C) Oslo}}", CITIES, "C"),
    ("\\boxed{Rome}", CITIES, "B"),
    ("\\boxed{\\textbf{B}} is my pick, not (C).", CITIES, "B"),
    ("\x08oxed{B}", CITIES, "B"),
    ("My answer: \\boxed{C", CITIES, "C"),
    ("\\boxed{A and B}", CITIES, None),
    ("\\boxed{\\mathbf{C}", CITIES, "C"),
    # statements
    ("The answer is B.", CITIES, "B"),
    ("The correct answer is (B).", CITIES, "B"),
    ("Answer: b", CITIES, "B"),
    ("The answer is (b).", CITIES, "B"),
    ("Answer: B", CITIES, "B"),
    ("Final answer: **C**", CITIES, "C"),
    ('{"reasoning": "A is wrong", "answer": "C"}', CITIES, "C"),
    ("The answer is A. On reflection the answer is D.", CITIES, "D"),
    ("The answer is not B.", CITIES, None),
    ("The answer is not B but C.", CITIES, "C"),
    ("The answer isn't (B). The answer is (C).", CITIES, "C"),
    ("I choose option C because it is cold there.", CITIES, "C"),
    ("I would go with (D) here.", CITIES, "D"),
    ("I update my answer to (A).", CITIES, "A"),
    ("Option B is correct, as the others are in the wrong country.", CITIES, "B"),
    ("(B) is the best choice here.", CITIES, "B"),
    ("The correct answer is:\n\n(C) Oslo", CITIES, "C"),
    ("The correct answer is Oslo.", CITIES, "C"),
    ("The correct answer is indeed oslo", CITIES, "C"),
    ("Oslo is the correct answer, although A is close.", CITIES, "C"),
    ("Therefore the capital must be Rome.", CITIES, "B"),
    ("The answer is A rancher's town.", CITIES, "D"),
    ("A rancher lives here. The answer is B.", CITIES, "B"),
    ("A rancher lives here, and a son too.", CITIES, None),
    ("The answer is (F).", CITIES, None),
    ("The answer is a.", CITIES, "A"),
    ("The answer is a town.", CITIES, None),
    ("The answer is C (i.e. the northern one).", CITIES, "C"),
    # placeholders that were copied from the instruction
    ("(X) B", CITIES, "B"),
    ("It is cold. (X) (C) Oslo", CITIES, "C"),
    ("(X) Rome", CITIES, "B"),
    ("It must be (B) Rome. (X)", CITIES, "B"),
    ("(X) None of the above.", CITIES, None),
    ("(X) A and B", CITIES, None),
    ("(B) Rome is sunny. (X) Unable to determine.", CITIES, None),
    # where a letter stands
    ("C", CITIES, "C"),
    ("(B)", CITIES, "B"),
    ("**B) Rome**", CITIES, "B"),
    ("Rome lies on the Tiber. (B)", CITIES, "B"),
    ("Rome lies on the Tiber.\n\nB", CITIES, "B"),
    ("(B) Rome. It lies on the Tiber, which is a river.", CITIES, "B"),
    ("Oslo (C) is too cold and Paris (A) too far north, so take the one on the Tiber. (B)", CITIES, "B"),
    ("Based on the river, this points to (B) Rome.", CITIES, "B"),
    ("\uff08\uff22\uff09", CITIES, "B"),
    # denied letters
    ("(A) and (C) are wrong.", CITIES, None),
    ("(A) and (C) are wrong, so the answer is (B).", CITIES, "B"),
    ("The answer is (B). The other options, (A), (C) and (D), lie elsewhere.", CITIES, "B"),
    ("I rule out (A). I choose (B) rather than (C).", CITIES, "B"),
    ("(C) is incorrect. (D) is not right.", CITIES, None),
    ("The answer is:\n(B) Rome\n\nThe other options are wrong:\n* (A) Paris\n* (C) Oslo\n* (D) a town", CITIES, "B"),
    # several, none
    ("Both (A) and (C) are correct.", CITIES, None),
    ("The answer is (A) or (B).", CITIES, None),
    ("The answer is (A+B).", CITIES, None),
    ("The final answer is (A), (B), and (D).", CITIES, None),
    ("The answer is a combination of (A) and (C).", CITIES, None),
    ("None of the options fit.", CITIES, None),
    ("Neither of them.", CITIES, None),
    ("The correct answer is not among the options.", CITIES, None),
    ("A) Paris\nB) Rome\nC) Oslo\nD) A rancher's town", CITIES, None),
    ("Let me look at each option:\n\n(A) Paris is far.\n(B) Rome is near.\n(C) Oslo is cold.", CITIES, None),
    # options that name letters, letters that are words
    ("(D) both A and C", LETTERED, "D"),
    ("Therefore the answer is both A and C.", LETTERED, "D"),
    ("Take vitamin C and avoid hepatitis B.", CITIES, None),
    ("I think that I am sure.", [str(i) for i in range(10)], None),
    # options that are numbers
    ("The answer is 4.", COUNTS, "A"),
    ("The answer is 1", COUNTS, "D"),
    ("<answer>2</answer>", COUNTS, "C"),
    ("There are 4 of them, 2 on each side, so the answer is (A).", COUNTS, "A"),
    ("The answer is 4.5.", COUNTS, None),
    ("\\boxed{3}", COUNTS, "B"),
    # no choices known
    ("The answer is (C).", None, "C"),
    ("Step 1: x. (B)", None, "B"),
    ("I am not sure.", None, None),
    ("Put it in the form (X). The answer is (D).", None, "D"),
    # cut short, thoughts
    ("The correct answer is (", CITIES, None),
    ("Let us compare them one by one, starting with the", CITIES, None),
    ("<think>Maybe (A)? No, (B).</think>\nThe answer is (C).", CITIES, "C"),
    ("<think>The answer is (A), but then again the", CITIES, None),
    ("<think>First A, then B, hm", CITIES, None),
    ("<think>hm</think><answer>A</answer>", CITIES, "A"),
]

NUMBER_TEXTS = [
    ("<answer>1,250</answer>", "1250"),
    ("<answer>$18.00 per day</answer>", "18"),
    ("<answer>12</answer> and later 99", "12"),
    ("<answer>no idea</answer> 12", None),
    ("There were 5. \\boxed{3} and then \\boxed{\\frac{7}{2}}. In 2001.", "3.5"),
    ("\\boxed{3 + 15 = \\boxed{18}}", "18"),
    ("\\boxed{18\\text{ dollars}}", "18"),
    ("$\\boxed{-4}$", "-4"),
    ("\\boxed{\\$1{,}200}", "1200"),
    ("\\boxed{answer} = 7", "7"),
    ("\\boxed{not possible} 7", None),
    ("\\boxed{3x + 19}", None),
    ("\\boxed{2:40 \\text{ pm}}", None),
    ("\\boxed{18 \\text{ hours and } 48 \\text{ minutes}}", None),
    ("\\boxed{30 items (20 hats + 10 coats)}", "30"),
    ("5 * 3 = 15\n#### 15", "15"),
    ("#### -1,200 dollars\nThat was in 2004.", "-1200"),
    ("The answer is 12. That took me 3 steps.", "12"),
    ("The answer is 12. No, wait: the answer is 14.", "14"),
    ("The answer is not 5. It is 6.", "6"),
    ("The first answer is 5, but the answer is 6 and not 7.", "6"),
    ("The answer is 5, not 7.", "5"),
    ("The answer is either 5 or 7.", None),
    ("The answer is 3 + 4 = 7.", "7"),
    ("The answer is:\n\n\\[ 42 \\]", "42"),
    ("The answer is:\n\n2 + 3 * 4\n= 2 + 12\n= 14", "14"),
    ("Answer: -7", "-7"),
    ('{"answer": 18}', "18"),
    ("The correct answer is 55. Their answer is 49.", "55"),
    ("The result of 6 + 4 * 2 is 14. Agent 2's response of 20 is wrong.", "14"),
    ("She pays 3 * 4 = 12 dollars.", "12"),
    ("She pays 12 dollars every day.", "12"),
    ("So 60% remain.", "60"),
    ("So 1/3 of it remains.", "1/3"),
    ("It is 7 below zero: -7", "-7"),
    ("10 - 7 leaves 3", "3"),
    ("We get 12, and I agree with Agent 2.", "12"),
    ("The total is 40, as found in step 3.", "40"),
    ("1. Add.\n2. Multiply, which gives 40.\n3. Done", "40"),
    ("It was the 4th day, and 9 were left on the 5th.", "9"),
    ("Total: 9 x 2 =", None),
    ("It starts at 3:15.", None),
    ("No number here.", None),
    ("The value is 2^10.", None),
    ("<think>3 * 4 = 12, so maybe 12, or", None),
    ("<think>3 * 4 = 12</think>It is 12.", "12"),
    ("\uff11\uff12 apples", "12"),
    ("It costs \u22123,5 or so", None),
    ("About 2.5 million people", "2500000"),
]

BOOLEAN_TEXTS = [
    ("<answer>Yes</answer>", "true"),
    ("<answer>false</answer> Yes.", "false"),
    ("\\boxed{\\text{True}}", "true"),
    ("Yes, because water is wet. There is no doubt.", "true"),
    ("There is no reason to doubt it. So the answer is yes.", "true"),
    ("The answer is no.", "false"),
    ("The final answer is definitely **No**.", "false"),
    ("Answer: True", "true"),
    ("He floats, as corks do.\n\nTherefore, yes.", "true"),
    ("The statement is not true.", "false"),
    ("We weighed it twice. Hence the claim is false.", "false"),
    ("No agents were harmed. It rained.", None),
    ("The answer is yes and no.", None),
    ("It depends.", None),
]

TEXT_TEXTS = [
    ("<answer>The Nile</answer>", "the nile"),
    ("\\boxed{\\text{knave}}", "knave"),
    ("They differ in kind.\nSo the answer is Apples & Oranges.", "apples & oranges"),
    ("Final answer: Lake Victoria\nIt is large.", "lake victoria"),
    ("Lake Victoria", "lake victoria"),
    ("The first lake drains to the north. The second one drains to the south, which is odd.", None),
    ("I don't know.", None),
    ("<answer>I am not sure</answer>", None),
]

CASES = [
    *((text, AnswerType.CHOICE, choices, answer) for text, choices, answer in CHOICE_TEXTS),
    *((text, AnswerType.NUMBER, None, answer) for text, answer in NUMBER_TEXTS),
    *((text, AnswerType.BOOLEAN, None, answer) for text, answer in BOOLEAN_TEXTS),
    *((text, AnswerType.TEXT, None, answer) for text, answer in TEXT_TEXTS),
]


@pytest.mark.parametrize(("text", "answer_type", "choices", "answer"), CASES)
def test_texts_read_as_by_hand(
    text: str, answer_type: AnswerType, choices: list[str] | None, answer: str | None
) -> None:
    status = Status.UNPARSED if answer is None else Status.OK
    assert parse_answer(text, answer_type, choices) == Parsed(answer, status)


@pytest.mark.parametrize("text", [None, "", " \n\t", "\u00a0"])
@pytest.mark.parametrize("answer_type", list(AnswerType))
def test_no_text_at_all_has_failed(text: str | None, answer_type: AnswerType) -> None:
    assert parse_answer(text, answer_type, ["x", "y"]) == Parsed(None, Status.FAILED)
