"""The templates of the auditor's and the judge's prompts, which lie beside this module."""

import hashlib
from functools import cache
from importlib import resources
from string import Template


@cache
def load_prompt(name: str) -> Template:
    """Return the template prompts/NAME.txt."""
    return Template((resources.files("sentinel.audit") / "prompts" / f"{name}.txt").read_text(encoding="utf-8"))


def fill_prompt(name: str, **values: object) -> str:
    """Return a template with its values set in; a "$" inside a value is left alone."""
    return load_prompt(name).substitute(values).strip()


@cache
def hash_prompts(*names: str) -> str:
    """Return 16 hexadecimal digits over the templates' texts."""
    texts = "\0".join(load_prompt(name).template for name in names)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]
