"""Checks LightGBM's text model before its parser sees it.

That parser trusts its input: a damaged file ends the whole process, and child indices out of range read foreign memory.
"""

import re

_HEADER = {
    *(
        "version",
        "num_class",
        "num_tree_per_iteration",
        "label_index",
        "max_feature_idx",
        "objective",
        "average_output",
    ),
    *("feature_names", "monotone_constraints", "feature_infos", "tree_sizes"),
}
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?|inf|nan)")
_FINITE = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?")
_SCALARS = {"num_leaves": _INTEGER, "num_cat": _INTEGER, "is_linear": _INTEGER, "shrinkage": _FINITE}
_PER_SPLIT = {
    "split_feature": _INTEGER,
    "split_gain": _NUMBER,
    "threshold": _FINITE,
    "decision_type": _INTEGER,
    "left_child": _INTEGER,
    "right_child": _INTEGER,
    "internal_value": _NUMBER,
    "internal_weight": _NUMBER,
    "internal_count": _INTEGER,
}
_PER_LEAF = {"leaf_value": _FINITE, "leaf_weight": _NUMBER, "leaf_count": _INTEGER}


def check_model_text(text: str, n_features: int) -> str:
    """Return the trees of a binary model on `n_features` numeric features, without what the parser can do without.

    Left out are the sizes of the trees, which it would use as offsets, and all that follows the trees. Raises
    ValueError for anything else than such a model.
    """
    body, end, _ = text.partition("\nend of trees\n")
    head, *trees = re.split(r"^Tree=[0-9]+\n", body, flags=re.MULTILINE)
    lines = head.split("\n")
    header = _read_fields(lines[1:], _HEADER)
    if not end or lines[0] != "tree" or not trees:
        raise ValueError("it does not hold whole trees")
    if header.get("num_class") != "1" or header.get("num_tree_per_iteration") != "1":
        raise ValueError("it does not tell two classes apart")
    if header.get("max_feature_idx") != str(n_features - 1) or len(header["feature_infos"].split()) != n_features:
        raise ValueError(f"it is not for {n_features} features")
    for tree in trees:
        _check_tree(tree, n_features)
    kept = "\n".join(line for line in lines if not line.startswith("tree_sizes="))
    return kept + "".join(f"Tree={i}\n{tree}" for i, tree in enumerate(trees)) + end


def _check_tree(tree: str, n_features: int) -> None:
    fields = _read_fields(tree.split("\n"), {*_SCALARS, *_PER_SPLIT, *_PER_LEAF})
    for name, pattern in _SCALARS.items():
        _read_cells(fields, name, 1, pattern)
    leaves = int(fields["num_leaves"])
    if leaves < 1 or fields["num_cat"] != "0" or fields["is_linear"] != "0":
        raise ValueError("it has trees of a kind that sentinel never trains")
    cells = {name: _read_cells(fields, name, leaves - 1, pattern) for name, pattern in _PER_SPLIT.items()}
    for name, pattern in _PER_LEAF.items():
        # A tree without a split has no leaf weight.
        _read_cells(fields, name, 0 if leaves == 1 and not fields.get(name) else leaves, pattern)
    if any(not 0 <= int(cell) < n_features for cell in cells["split_feature"]):
        raise ValueError("a tree splits on a feature that does not exist")
    if any(int(cell) & 1 for cell in cells["decision_type"]):
        raise ValueError("a tree splits by category")
    # Splits are numbered in the order in which they were made, so a child has the larger number; leaves are negative.
    for side in ("left_child", "right_child"):
        for i, cell in enumerate(cells[side]):
            if not (i < int(cell) < leaves - 1 or -leaves <= int(cell) < 0):
                raise ValueError("a tree has a branch that leads nowhere")


def _read_fields(lines: list[str], known: set[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition("=")
        if line and (name not in known or name in fields):
            raise ValueError(f"it has an unexpected line ({line[:40]})")
        if line:
            fields[name] = value
    return fields


def _read_cells(fields: dict[str, str], name: str, count: int, pattern: re.Pattern[str]) -> list[str]:
    cells = fields[name].split() if name in fields else []
    if len(cells) != count or not all(pattern.fullmatch(cell) for cell in cells):
        raise ValueError(f"a tree has no {count} proper values of {name}")
    return cells
