"""Turns LaTeX arithmetic into plain arithmetic: fractions, \\times, \\cdot, \\div, \\text{...}, \\boxed{...}, \\$."""

import re

_WRAPPER = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox|boxed|operatorname)\s?\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{([^{}]*)\}\s?\{([^{}]*)\}")
_COMMAND = re.compile(r"\\(?:([a-zA-Z]+)|(.))", re.DOTALL)

_PLAIN = {
    "times": "*", "cdot": "*", "ast": "*", "*": "*", "div": "/", "approx": "≈", "simeq": "≈", "$": "$", "%": "%",
    **dict.fromkeys(("left", "right", "displaystyle", "boxed", "text", "textbf", "mathrm", "mathbf", "!"), ""),
    **dict.fromkeys((",", ";", ":", " ", "{", "}"), " "),
    **dict.fromkeys(("\\", "(", ")", "[", "]", "quad", "qquad", "therefore", "implies", "Rightarrow", "to"), "\n"),
}  # fmt: skip
# Nested fractions deeper than this stay unread.
_DEPTH = 4


def flatten_latex(text: str) -> str:
    """Return the text with LaTeX arithmetic written plainly; a command without a plain form becomes "^", unreadable."""
    for _ in range(_DEPTH):
        text, wrappers = _WRAPPER.subn(r" \1 ", text)
        text, fractions = _FRACTION.subn(r"((\1)/(\2))", text)
        if not wrappers and not fractions:
            break
    text = text.replace("{,}", ",")
    text = _COMMAND.sub(lambda match: _PLAIN.get(match[1] or match[2], "^"), text)
    return text.replace("{", " ").replace("}", " ")
