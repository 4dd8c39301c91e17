"""Plain characters out of Unicode, Markdown and LaTeX, so that the readers see one spelling of everything."""

import re
import unicodedata

_SUPERSCRIPTS = {"⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9"}
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
# NFKC would turn 10³ into 103 and 2½ into 21/2, so both are rewritten before it runs.
_REPLACED = {
    **dict.fromkeys("−﹣－‐‑–", "-"),
    **dict.fromkeys("‘’ʼ", "'"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("⁄∕", "/"),
    **{half: " " + unicodedata.normalize("NFKC", half).replace("⁄", "/") for half in _VULGAR},
    "٫": ".",
    "٬": ",",
}
_REPLACEABLE = re.compile(f"[{''.join(_REPLACED)}]")
_RAISED = re.compile("([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_THIN_GROUP = re.compile("[\u2009\u202f\u00a0](?<=[0-9].)(?=[0-9]{3}(?![0-9]))")
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")

# Between digits ** is a power, not the end of bold type.
_BOLD = re.compile(r"\*\*(?:(?<![0-9]..)|(?![0-9]))")
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|rm|it|sf|tt)|mbox|operatorname|boxed|fbox)\s?\{([^{}]*)\}"
)
_FRACTION = re.compile(r"(\d?)[ ]?\\[dtc]?frac\s?(?:\{\s?([^{}]*?)\s?\}\s?\{\s?([^{}]*?)\s?\}|([0-9])\s?([0-9]))")
_GROUP_GAP = re.compile(r"(?<=[0-9]),?\\[,!;: ](?=[0-9]{3}(?![0-9]))")
_APOSTROPHE_GROUP = re.compile("'(?<=[0-9]')(?=[0-9]{3}(?![0-9]))")
_SPACING = re.compile(r"\\(?:[,;:!> ]|quad\b|qquad\b|left\b|right\b|displaystyle\b)|~")
_SIMPLE = (
    ("\\%", "%"),
    ("\\$", "$"),
    ("\\times", "×"),
    ("\\cdot", "·"),
    ("\\approx", "≈"),
    ("\\degree", "°"),
    ("^{\\circ}", "°"),
    ("^\\circ", "°"),
    ("\\(", " "),
    ("\\)", " "),
    ("\\[", " "),
    ("\\]", " "),
    ("\\&", "&"),
    ("\\_", "_"),
)


def fold_unicode(text: str) -> str:
    """Return `text` with full-width, styled and foreign-digit characters in ASCII, and one minus, quote and space."""
    if text.isascii():
        return text
    text = _THIN_GROUP.sub("", text)
    text = _RAISED.sub(_lower_exponent, text)
    text = _REPLACEABLE.sub(lambda match: _REPLACED[match[0]], text)
    text = unicodedata.normalize("NFKC", text)
    return _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def strip_markup(text: str) -> str:
    """Return folded `text` without Markdown emphasis and with LaTeX in plain notation: 3/4, 2 1/2, 1000, %, ×, °."""
    text = _BOLD.sub("", text).replace("__", "").replace("`", "").replace("{,}", ",")
    if "'" in text:
        text = _APOSTROPHE_GROUP.sub("", text)
    if "\\" in text:
        text = _GROUP_GAP.sub("", text)
        for _ in range(3):
            unwrapped = _FRACTION.sub(_plain_fraction, _WRAPPER.sub(r"\1", text))
            if unwrapped == text:
                break
            text = unwrapped
        for command, plain in _SIMPLE:
            text = text.replace(command, plain)
        text = _SPACING.sub(" ", text)
    return text


def _lower_exponent(match: re.Match[str]) -> str:
    return "^" + ("-" if match[1] == "⁻" else "") + "".join(_SUPERSCRIPTS[digit] for digit in match[2])


def _plain_fraction(match: re.Match[str]) -> str:
    above, below = (match[2], match[3]) if match[4] is None else (match[4], match[5])
    return f"{match[1]} {above}/{below}" if match[1] else f"{above}/{below}"
