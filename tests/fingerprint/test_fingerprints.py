import json
import zipfile

import pytest
from polars.testing import assert_frame_equal

from sentinel.errors import FingerprintError
from sentinel.fingerprint import Fingerprints, fingerprint_corpus
from sentinel.records import Corpus
from sentinel.settings import DecisionSettings, FingerprintSettings


@pytest.fixture
def fingerprints(make_debate):
    debates = (make_debate("ABA ABA", gold="B"), make_debate("AAA", id="d2"))
    corpus = Corpus("simulated corpus", debates, data_hash="f00", simulated=True, notes=("größer als √2",))
    return fingerprint_corpus(corpus, FingerprintSettings(), DecisionSettings(), equations=True, seed=0, lexical=False)


def assert_same(one, two):
    assert_frame_equal(one.debates, two.debates, check_exact=True)
    assert_frame_equal(one.candidates, two.candidates, check_exact=True)
    assert (one.name, one.simulated, one.data_hash, one.notes) == (two.name, two.simulated, two.data_hash, two.notes)


def test_what_is_saved_is_loaded(fingerprints, tmp_path):
    path = tmp_path / "cache" / "some.fingerprints"
    fingerprints.save(path)
    assert_same(Fingerprints.load(path), fingerprints)
    assert [file.name for file in path.parent.iterdir()] == ["some.fingerprints"]


def test_saving_again_replaces_and_gives_the_same_bytes(fingerprints, tmp_path):
    path = tmp_path / "some.fingerprints"
    path.write_text("an older file")
    fingerprints.save(path)
    first = path.read_bytes()
    fingerprints.save(path)
    assert path.read_bytes() == first


def test_a_failed_save_leaves_the_old_file_and_no_other(fingerprints, tmp_path, monkeypatch):
    path = tmp_path / "some.fingerprints"
    fingerprints.save(path)
    before = path.read_bytes()

    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="disk full"):
        fingerprints.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 torn"])
def test_other_files_are_refused_by_name(tmp_path, content):
    path = tmp_path / "torn.fingerprints"
    path.write_bytes(content)
    with pytest.raises(FingerprintError, match=r"torn\.fingerprints: not a saved fingerprint"):
        Fingerprints.load(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FingerprintError, match="absent"):
        Fingerprints.load(tmp_path / "absent")


def test_another_format_is_refused(fingerprints, tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    fingerprints.save(old)
    with zipfile.ZipFile(old) as source, zipfile.ZipFile(new, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "about.json":
                content = json.dumps(json.loads(content) | {"format": 99}).encode()
            target.writestr(name, content)
    with pytest.raises(FingerprintError, match="format 99"):
        Fingerprints.load(new)
