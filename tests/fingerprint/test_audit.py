import math

from sentinel.fingerprint import FEATURE_GROUPS
from sentinel.fingerprint import _audit as audit
from sentinel.records import Audit, Status
from sentinel.settings import FeatureGroup

AUDIT = Audit(
    id="d1",
    candidate="B",
    auditor="hand",
    minority_new_evidence=1,
    majority_echo_chamber=0,
    minority_finds_error=1,
    majority_logical_gap=None,
    minority_reasoning_score=4,
    majority_reasoning_score=2.5,
    blind_follower_count=1,
)


def test_audit_features_are_what_the_audit_says(make_context):
    context = make_context("ABA", audit=AUDIT)
    values = {name: getattr(audit, name)(context) for name in FEATURE_GROUPS[FeatureGroup.audit]}
    assert math.isnan(values.pop("majority_logical_gap"))
    assert values == {
        "minority_new_evidence": 1.0,
        "majority_echo_chamber": 0.0,
        "minority_finds_error": 1.0,
        "minority_reasoning_score": 4.0,
        "majority_reasoning_score": 2.5,
        "reasoning_score_diff": 1.5,
        "blind_follower_count": 1.0,
    }


def test_without_an_audit_everything_is_missing(make_context):
    for context in (make_context("ABA"), make_context("ABA", audit=Audit("d1", "B", "hand", status=Status.FAILED))):
        assert all(math.isnan(getattr(audit, name)(context)) for name in FEATURE_GROUPS[FeatureGroup.audit])
