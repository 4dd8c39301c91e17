"""Names of hyper-parameters: which a library knows, and which are not the user's to set."""

import difflib
from collections.abc import Collection, Mapping
from typing import Any

from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind

OWNED = "set by seed, classifier.n_jobs or sentinel itself"


def check_names(
    kind: ClassifierKind, params: Mapping[str, Any], known: Collection[str], owned: Collection[str]
) -> None:
    """Raise ClassifierError for a name that is not `known`, with near names, or that is `owned` by sentinel."""
    for name in params:
        if name in owned:
            raise ClassifierError(f"classifier.params.{name}: {OWNED}; leave it out")
        if name not in known:
            near = difflib.get_close_matches(name, sorted(set(known) - set(owned)), n=3)
            hint = f"did you mean {', '.join(near)}?" if near else f"see the parameters of {kind}"
            raise ClassifierError(f"classifier.params.{name}: no such parameter of {kind}; {hint}")
