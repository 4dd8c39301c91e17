"""A classifier as files: `classifier.json` says what it is, one model file beside it holds what it learned.

All are text but for the models of scikit-learn, which are zip archives as skops writes them.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from sentinel.classifier._classifier import Classifier
from sentinel.classifier._factory import make_classifier
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind, ClassifierSettings

DESCRIPTION = "classifier.json"
_MODULES = {ClassifierKind.lightgbm: "lightgbm", ClassifierKind.xgboost: "xgboost", ClassifierKind.catboost: "catboost"}


def save_classifier(classifier: Classifier, folder: Path) -> None:
    """Write a fitted classifier into an existing folder; a constant one has no model file."""
    if not hasattr(classifier, "feature_names_in_"):
        raise ClassifierError(f"classifier={classifier.kind}: not fitted; call fit before saving")
    description = {
        "kind": str(classifier.kind),
        "features": list(classifier.feature_names_in_),
        "constant": classifier.constant_,
        "params": dict(classifier.params),
        "random_state": classifier.random_state,
        "library": _library(classifier.kind),
    }
    if classifier.constant_ is None:
        classifier._save(folder / classifier.model_file)
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")


def load_classifier(folder: Path) -> Classifier:
    """Return the classifier that `save_classifier` wrote. It predicts with one thread.

    Runs no code of the folder's. Raises ClassifierError, naming the file, where one is missing, unreadable, of another
    library version that cannot be relied on, or asks for types that sentinel never saves.
    """
    description = _read_description(folder / DESCRIPTION)
    settings = ClassifierSettings(description["kind"], 1, description["params"])
    classifier = make_classifier(settings, description["random_state"])
    classifier.feature_names_in_ = tuple(description["features"])
    classifier.constant_ = description["constant"]
    if classifier.constant_ is None:
        _check_version(classifier, description["library"])
        path = folder / classifier.model_file
        if not path.is_file():
            raise ClassifierError(f"{path.name}: missing from {folder}; copy the whole folder, or train again")
        try:
            classifier._load(path)
        except ClassifierError:
            raise
        except Exception as error:
            # Some libraries append a stack trace of their own.
            reason = str(error).partition("\n")[0]
            raise ClassifierError(f"{path.name}: unreadable ({reason}); copy it anew, or train again") from error
    return classifier


def _read_description(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {
            "kind": ClassifierKind(content["kind"]),
            "features": [str(name) for name in content["features"]],
            "constant": None if content["constant"] is None else float(content["constant"]),
            "params": dict(content["params"]),
            "random_state": int(content["random_state"]),
            "library": {str(name): str(number) for name, number in content["library"].items()},
        }
    except FileNotFoundError:
        raise ClassifierError(f"{path.name}: missing from {path.parent}; is this a trained sentinel?") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClassifierError(f"{path.name}: unreadable ({error!r}); copy it anew, or train again") from error


def _library(kind: ClassifierKind) -> dict[str, str]:
    """Return the package that a saved model depends on, and its installed version."""
    module = _MODULES.get(kind, "sklearn")
    return {"scikit-learn" if module == "sklearn" else module: str(import_module(module).__version__)}


def _check_version(classifier: Classifier, trained: dict[str, str]) -> None:
    """Refuse scikit-learn's own state across minor versions; the other formats are stable."""
    if classifier.model_file != "model.skops":
        return
    for package, here in _library(classifier.kind).items():
        number = trained.get(package)
        if number is None:
            raise ClassifierError(f"{DESCRIPTION}: does not say which {package} it was trained with; train again")
        if number.split(".")[:2] != here.split(".")[:2]:
            raise ClassifierError(
                f"{DESCRIPTION}: trained with {package} {number}, installed is {here}; "
                f"pip install '{package}=={number}', or train again"
            )
