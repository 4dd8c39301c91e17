"""Each case is a text and what its statements come to, worked out by hand: + right, - wrong, with the result."""

import pytest

from sentinel.fingerprint import _arithmetic
from sentinel.fingerprint._arithmetic import find_equations, read_numbers, read_value
from sentinel.fingerprint._expression import tokenise

RIGHT_OR_WRONG = [
    ("12 x 4 = 48", "+48"),
    ("12 x 4 = 46", "-46"),
    ("12 X 4 = 48", "+48"),
    ("3 × 4 = 12, 12 ÷ 4 = 3, 7 − 10 = −3", "+12 +3 +-3"),
    ("2 * 3 + 4 * 5 = 26", "+26"),
    ("2 + 3 * 4 = 20", "-20"),  # precedence
    ("(2 + 3) * 4 = 20", "+20"),
    ("[(2 + 3) * (1 + 1)] / 5 = 2", "+2"),
    ("2(100) = 200 cases", "+200"),
    ("(1 + 2)(3 + 4) = 21", "+21"),
    ("20 - 5 - 3 = 12", "+12"),  # from left to right
    ("100 / 5 / 2 = 10", "+10"),
    ("-5 + 3 = -2", "+-2"),
    ("5 * -3 = -15", "+-15"),
    ("$5 + $7 = $12", "+12"),
    ("$1,200 * 3 = $3,600.00", "+3600"),
    ("€5 + £2 = 7", "+7"),
    ("3 + 4 = 7 + 1 = 8", "+7 +8"),  # a running total: each step is right
    ("2 + 3 = 6 - 1 = 5", "+5 +5"),  # both sides are 5
    ("24 + 416 - 243 = 440 - 243 = 187", "+197 -187"),
    ("24 + 16\n= 40\n= 40", "+40"),  # a chain over lines; "40 = 40" computes nothing
    ("10 / 3 = 3.33", "+3.33"),
    ("10 / 3 = 3.3", "+3.3"),
    ("10 / 3 = 3.34", "-3.34"),
    ("40 / 6 = 6.66", "-6.66"),  # cut off, not rounded
    ("7 / 2 = 4", "+4"),  # half a unit is still right
    ("7 / 2 = 5", "-5"),
    ("1 / 8 = 0.13", "+0.13"),
    ("0.1 + 0.2 = 0.3", "+0.3"),
    ("1/2 + 1/3 = 5/6", "+0.8333333333333334"),
    ("22 / 7 ≈ 3.14", "+3.14"),
    ("22 / 7 = approximately 3.14", "+3.14"),
    ("16*26, which equals 416", "+416"),
    ("12 divided by 4 is equal to 3", "+3"),
    ("5 plus 7 equals 12", "+12"),
    ("6 times 7 equals 42 and 9 minus 2 equals 8", "+42 -8"),
    ("25% of 80 = 20", "+20"),
    ("80 * 25% = 20", "+20"),
    ("9 / 12 = 75%", "+75"),
    ("9 / 12 * 100 = 75%", "+75"),
    ("9 / 12 = 70%", "-70"),
    ("$50 + 20% = $60", "+60"),
    ("100% - 20% = 80%", "+80"),
    ("1/3 of 60 = 20", "+20"),
    ("240 employees + 20 new hires = 260 employees", "+260"),
    ("2 rubies * $1200/ruby = $2400", "+2400"),
    ("10 km/h * 2 h = 20 km", "+20"),
    ("1.5 inches * 100 pages/inch = 150 pages.", "+150"),
    ("20 (dogs) + 8 (cats, all big) = 28 legs", ""),  # a comma inside the remark ends what is read
    ("20 (dogs) + 8 (cats) = 28 legs", "+28"),
    ("- 30 + 5 = 35\n* 2 + 2 = 5", "+35 -5"),  # bullets
    ("1. 3 + 4 = 7\n2) 3 + 5 = 9", "+7 -9"),  # list numbers
    ("**3 + 4 = 7** and **3 + 4** = 8", "+7 -8"),
    ("so 5 + 3 = 8, 8 * 2 = 16; then 16 / 4 = 4.", "+8 +16 +4"),
    ("6 clusters with a total of 6 x 20 = 120", "+120"),
    ("25 x 15 = <<25*15=375>>375 students", "+375"),  # the mark repeats the statement
    ("He has <<5+3=9>>9 left", "-9"),
    ("\\(28 \\div 2 = 14\\)", "+14"),
    ("$2\\cdot20=40$ and $20+40=\\boxed{60}$", "+40 +60"),
    ("\\[\n3 \\times 4 = 12\n\\]", "+12"),
    ("\\frac{320 \\text{ pages}}{20 \\text{ pages per hour}} = 16 \\text{ hours}", "+16"),
    ("$$\\frac{80 + 60 + 100}{3} = \\frac{240}{3} = \\boxed{80}$$", "+80 +80"),
    ("\\frac{\\frac{1}{2}}{2} = 0.25", "+0.25"),
    ("\\$5 \\times 1{,}000 = \\$5{,}000", "+5000"),
    ("15\\% \\times 200 = 30", "+30"),
]


@pytest.mark.parametrize(("text", "expected"), RIGHT_OR_WRONG, ids=[text for text, _ in RIGHT_OR_WRONG])
def test_statements(text, expected):
    found = [(equation.right, equation.result) for equation in find_equations(text)]
    wanted = [(item[0] == "+", float(item[1:])) for item in expected.split()]
    assert [right for right, _ in found] == [right for right, _ in wanted]
    assert [result for _, result in found] == pytest.approx([result for _, result in wanted])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no numbers at all",
        "x = 5",
        "total = 12",
        "12 = 12",
        "2x = 80",
        "8X + $180 = $100",
        "x - 16 = 8",
        "3 y + 4 = 10",
        "180/n + 5 = 20",
        "5 + 2(x + 3) = 21",
        "2 (x + 3) = 16",
        "f(3) + 2 = 7",
        "C(4, 2) = 6",
        "C(4, 2) * 5 = 30",
        "2^3 + 1 = 9",
        "10^2 * 3 = 300",
        "10² * 3 = 300",
        "2 + 3**2 = 11",
        "5! + 1 = 121",
        "\\sqrt{4} + 1 = 3",
        "5:00 pm - 180 minutes = 2:00 pm",
        "4 - 2 = 1:1",
        "1.38 x 10⁻²³ = 5",
        "6.6e-34 * 2 = 13",
        "$40 billion / 8 = 5",
        "5 / 0 = 7",
        "1 1/2 + 1 = 2.5",  # a mixed number
        "5 + = 6",
        "3 + 4 <= 8",
        "3 + 4 != 8",
        "3 + 4 => 8",
        "price - 5 = 7",
        "12 = 3 x 4",  # nothing is computed left of the sign
        "3 + 4 =",
        "= 7",
        "__import__('os').getcwd() + 1 = 2",
    ],
)
def test_what_is_no_arithmetic_statement(text):
    assert find_equations(text) == ()


def test_numbers_of_a_statement():
    assert find_equations("$1,200 x 25% = 300")[0].numbers == (1200.0, 25.0, 300.0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1000", 1000),
        ("-3", -3),
        ("0.25 mm", 0.25),
        ("5/6", 5 / 6),
        ("$12", 12),
        ("60%", 60),
        ("\\frac{1}{4}", 0.25),
        ("4 apples", 4),
        ("an apple", None),
        ("3 or 4", None),
        ("2x", None),
        ("", None),
    ],
)
def test_value_of_an_answer(text, value):
    assert read_value(text) == (None if value is None else pytest.approx(value))


def test_numbers_of_a_question():
    assert read_numbers("Ann has 1,200 coins, 25% of 3.5 kg, and 25 more. 3 2") == {1200.0, 25.0, 3.5, 3.0, 2.0}


@pytest.mark.parametrize(
    "unit",
    ["(", "((1=", "(1+)=", "1+1=", "1,111,", "-", "\\frac{", "\\frac{1}{2}=", "<<1", " is equal to", "5 a b c +", "\\"],
)
def test_hostile_texts_are_read_in_linear_time(monkeypatch, unit):
    """No part of a text is looked at more than twice: once left and once right of a sign of equality."""
    read = 0

    def counting(text):
        nonlocal read
        read += len(text)
        return tokenise(text)

    monkeypatch.setattr(_arithmetic, "tokenise", counting)
    text = unit * (20_000 // len(unit)) + "=1"
    find_equations(text)
    signs = text.count("=") + text.count("equal")
    assert read <= 2 * (len(text) + signs)


def test_what_stands_too_far_from_its_sign_is_not_read():
    assert find_equations("1 + 1" + " " * 200 + "= 2") == ()
    assert find_equations("1 + " * 100 + "1 = 101") == ()
    assert find_equations("101 + 0 = " + "1 + " * 100 + "1") == ()
