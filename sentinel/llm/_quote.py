"""Sets foreign text into prompts so that it cannot pass for the prompt's own words: every line of it carries a mark."""

_MARK = "| "


def quote(text: str) -> str:
    """Return the text with each line marked, whatever ends its lines; "" stays "".

    A mark on every line cannot be closed from inside, as a tag or a fence could be.
    """
    return "\n".join(_MARK + line for line in clean(text).strip().splitlines())


def clean(text: str) -> str:
    """Return the text without NUL and without halves of surrogate pairs, which have no UTF-8 form."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
