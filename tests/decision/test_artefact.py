"""A sentinel on disk: whole or not there, checked before use, and never a way to run code."""

import hashlib
import json
import os
import re

import pytest

from sentinel.decision import Sentinel
from sentinel.decision._artefact import _checksum
from sentinel.errors import DecisionError
from sentinel.settings import (
    ClassifierKind,
    ClassifierSettings,
    DecisionSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)
from sentinel.vote import TieBreak

FILES = ["MODEL_CARD.md", "classifier.json", "model.txt", "sentinel.json"]


@pytest.fixture
def saved(trained, tmp_path):
    trained.save(tmp_path / "model")
    return tmp_path / "model"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def edit(folder, change):
    """Change the main file and make its checksums fit again, as a careful forger would."""
    path = folder / "sentinel.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    change(content)
    for name in content["files"]:
        if (folder / name).is_file():
            content["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    content["checksum"] = _checksum(content)
    path.write_text(json.dumps(content))


def test_a_loaded_sentinel_decides_the_same(trained, saved, corpus):
    loaded = Sentinel.load(saved)
    assert names(saved) == FILES
    assert loaded.decide_many(corpus) == trained.decide_many(corpus)
    assert (loaded.training_, loaded.thresholds_) == (trained.training_, trained.thresholds_)
    for path in saved.iterdir():
        path.read_text(encoding="utf-8")


def test_every_setting_survives(corpus, tmp_path):
    sentinel = Sentinel(
        classifier=ClassifierSettings(ClassifierKind.logistic_regression, 1, {"C": 0.5}),
        threshold=ThresholdSettings(kind=ThresholdKind.risk_controlled, per=ThresholdScope.all, alpha=0.1),
        decision=DecisionSettings(tie_break=TieBreak.seeded, strict=True),
        folds=4,
        random_state=9,
    ).fit(corpus)
    sentinel.save(str(tmp_path / "model"))
    loaded = Sentinel.load(str(tmp_path / "model"))
    for name in (
        "classifier",
        "threshold",
        "feature_groups",
        "fingerprint",
        "decision",
        "audit",
        "folds",
        "random_state",
    ):
        assert getattr(loaded, name) == getattr(sentinel, name)
    assert loaded.decide_many(corpus) == sentinel.decide_many(corpus)


def test_saving_is_repeatable_and_replaces_an_older_sentinel(trained, saved, corpus):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    checksum = json.loads(before["sentinel.json"])["checksum"][:12]
    os.utime(saved / "sentinel.json", (0, 86400 * 366))
    assert re.fullmatch(rf"the same sentinel, saved 1971-01-0\d \d\d:\d\d \(checksum {checksum}\)", trained.save(saved))
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before
    other = Sentinel(classifier=ClassifierSettings(ClassifierKind.single_feature)).fit(corpus)
    assert re.fullmatch(rf"another sentinel, saved .* \(checksum {checksum}\)", other.save(saved))
    assert names(saved) == ["MODEL_CARD.md", "classifier.json", "model.json", "sentinel.json"]
    assert names(saved.parent) == ["model"]
    assert Sentinel.load(saved).classifier.kind == "single_feature"


def test_a_folder_of_something_else_is_left_alone(trained, saved, tmp_path):
    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("years of work")
    with pytest.raises(DecisionError, match="holds files that are not a sentinel's"):
        trained.save(thesis)
    assert names(thesis) == ["chapter.txt"]
    (saved / "notes.txt").write_text("mine")
    with pytest.raises(DecisionError, match="holds files that are not a sentinel's"):
        trained.save(saved)
    with pytest.raises(DecisionError, match="is a file"):
        trained.save(thesis / "chapter.txt")
    with pytest.raises(DecisionError, match=r"chapter\.txt/model: cannot be made \(.*\); choose another folder"):
        trained.save(thesis / "chapter.txt" / "model")
    namesake = tmp_path / "namesake"
    namesake.mkdir()
    (namesake / "sentinel.json").write_text('{"format": "another program\'s"}')
    with pytest.raises(DecisionError, match="holds files that are not a sentinel's"):
        trained.save(namesake)
    empty = tmp_path / "deep" / "empty"
    empty.mkdir(parents=True)
    assert trained.save(empty) is None
    assert names(empty) == FILES


def test_a_failure_half_way_leaves_what_was_there(trained, saved, monkeypatch):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}

    def full(classifier, folder):
        (folder / "model.txt").write_text("half")
        raise OSError("no space left")

    monkeypatch.setattr("sentinel.decision._artefact.save_classifier", full)
    with pytest.raises(OSError, match="no space left"):
        trained.save(saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before
    assert names(saved.parent) == ["model"]


@pytest.mark.parametrize("refused", [1, 2])
def test_a_failed_move_leaves_what_was_there(trained, saved, monkeypatch, refused):
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    real, calls = os.replace, []

    def replace(source, target):
        calls.append(target)
        if len(calls) == refused:
            raise KeyboardInterrupt
        real(source, target)

    monkeypatch.setattr("sentinel.decision._artefact.os.replace", replace)
    with pytest.raises(KeyboardInterrupt):
        trained.save(saved)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before
    assert names(saved.parent) == ["model"]


def test_a_kill_between_the_two_moves_loses_nothing(trained, saved, corpus):
    # What such a kill leaves: the older sentinel is out of the way, its successor not yet in place.
    saved.rename(saved.parent / ".model.replaced")
    assert Sentinel.load(saved).thresholds_ == trained.thresholds_
    other = Sentinel(classifier=ClassifierSettings(ClassifierKind.single_feature)).fit(corpus)
    assert other.save(saved).startswith("another sentinel")
    assert Sentinel.load(saved).classifier.kind == "single_feature"
    assert names(saved.parent) == ["model"]


def test_a_link_stays_a_link(trained, saved):
    link = saved.parent / "current"
    link.symlink_to(saved, target_is_directory=True)
    trained.save(link)
    assert link.is_symlink() and names(saved) == FILES


def test_an_unfitted_sentinel_is_not_saved(tmp_path):
    with pytest.raises(DecisionError, match="not fitted"):
        Sentinel().save(tmp_path / "model")


@pytest.mark.parametrize("name", ["classifier.json", "model.txt", "sentinel.json"])
def test_missing_and_changed_files_are_named(saved, name):
    path = saved / name
    original = path.read_text()
    path.write_text(original.replace("0", "1", 1))
    with pytest.raises(DecisionError, match=rf"{name}: changed since it was saved; copy it anew, or train again"):
        Sentinel.load(saved)
    path.write_text(original[: len(original) // 2])
    with pytest.raises(DecisionError, match=rf"{name}: .*copy it anew, or train again"):
        Sentinel.load(saved)
    path.unlink()
    with pytest.raises(DecisionError, match=rf"{name}: missing; "):
        Sentinel.load(saved)


def test_the_card_may_be_edited(saved, trained, corpus):
    (saved / "MODEL_CARD.md").write_text("Ask us first.")
    assert Sentinel.load(saved).thresholds_ == trained.thresholds_


def test_a_missing_card_is_said_and_written_again(saved, caplog):
    card = (saved / "MODEL_CARD.md").read_text()
    Sentinel.load(saved)
    assert not caplog.records
    (saved / "MODEL_CARD.md").unlink()
    loaded = Sentinel.load(saved)
    assert caplog.messages == [f"{saved / 'MODEL_CARD.md'}: missing; saving the loaded sentinel writes it again"]
    loaded.save(saved)
    assert (saved / "MODEL_CARD.md").read_text() == card


def test_a_number_that_json_does_not_have_is_a_change(saved):
    path = saved / "sentinel.json"
    path.write_text(re.sub(r'"overall": [^,\n]+', '"overall": NaN', path.read_text()))
    with pytest.raises(DecisionError, match=r"sentinel\.json: changed since it was saved"):
        Sentinel.load(saved)


@pytest.mark.parametrize("content", ["[]", '{"format": "other"}'])
def test_other_json_is_not_a_sentinel(saved, content):
    (saved / "sentinel.json").write_text(content)
    with pytest.raises(DecisionError, match="sentinel.json: not a sentinel's; name the folder"):
        Sentinel.load(saved)


def test_no_folder_at_all(tmp_path):
    with pytest.raises(DecisionError, match="nowhere: no such folder; name the folder of a trained sentinel"):
        Sentinel.load(tmp_path / "nowhere")


def test_a_file_is_not_a_folder(saved):
    with pytest.raises(DecisionError, match=r"sentinel\.json: a file; name the folder of a trained sentinel"):
        Sentinel.load(saved / "sentinel.json")


def test_another_version_says_so(saved):
    edit(saved, lambda content: content.update(format_version=2))
    with pytest.raises(DecisionError, match="sentinel.json: format version 2, this sentinel reads 1; train again"):
        Sentinel.load(saved)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("thresholds"),
        lambda c: c["thresholds"].update(overall=3.0),
        lambda c: c["settings"]["threshold"].update(kind="guess"),
        lambda c: c["settings"]["threshold"].update(extra=1),
        lambda c: c["settings"].update(fingerprint=None),
        lambda c: c.update(folds="many"),
        lambda c: c["features"].reverse(),
        lambda c: c["features"].append("mood"),
        lambda c: c["training"]["ranges"].popitem(),
        lambda c: c["training"].update(ranges=3),
        lambda c: c["training"]["record"].pop("brier"),
        lambda c: c["files"].update({"../../outside": "0"}),
    ],
)
def test_a_forged_main_file_is_an_error_that_names_it(saved, change):
    edit(saved, change)
    with pytest.raises(DecisionError, match=r"sentinel\.json.*train again"):
        Sentinel.load(saved)


def test_classifier_and_features_must_belong_together(saved):
    path = saved / "classifier.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"kind": "mlp"}))
    edit(saved, lambda content: None)
    with pytest.raises(DecisionError, match="classifier.json: does not say which scikit-learn"):
        Sentinel.load(saved)


class Trap:
    """Stands for foreign code: building one is what loading must not do."""

    built = 0

    def __init__(self):
        Trap.built += 1
        self.value = 1


def test_a_forged_model_of_foreign_types_is_refused_unbuilt(corpus, tmp_path):
    from skops.io import dump

    folder = tmp_path / "model"
    Sentinel(classifier=ClassifierSettings(ClassifierKind.logistic_regression)).fit(corpus).save(folder)
    dump(Trap(), folder / "model.skops")
    edit(folder, lambda content: None)
    with pytest.raises(DecisionError, match=r"model\.skops: asks for .*Trap, which sentinel never saves"):
        Sentinel.load(folder)
    assert Trap.built == 1
