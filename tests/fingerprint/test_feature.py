import pytest

from sentinel.fingerprint import FEATURE_GROUPS, FEATURES, select_features
from sentinel.settings import FeatureGroup, FeatureGroupsSettings

DESIGN_ORDER = """
    total_stance_changes majority_convert_ratio minority_persistence minority_new_info_ratio majority_new_info_ratio
    majority_agreement_count minority_agreement_count agreement_diff explicit_changes_majority explicit_changes_minority
    vote_margin num_unique_answers_r0 num_unique_answers_final answers_changed
    minority_new_evidence majority_echo_chamber minority_finds_error majority_logical_gap
    minority_reasoning_score majority_reasoning_score reasoning_score_diff blind_follower_count
""".split()


def test_the_22_features_in_order():
    assert list(FEATURES) == DESIGN_ORDER
    assert [len(FEATURE_GROUPS[group]) for group in ("dynamics", "meta", "audit", "equations")] == [10, 4, 8, 6]


def test_equations_have_their_own_prefix():
    assert all(name.startswith("equation_") for name in FEATURE_GROUPS[FeatureGroup.equations])
    assert not set(FEATURE_GROUPS[FeatureGroup.equations]) & set(FEATURES)


@pytest.mark.parametrize(
    ("groups", "extra", "expected"),
    [
        (["dynamics", "meta", "audit"], [], DESIGN_ORDER),
        (["audit", "dynamics"], [], DESIGN_ORDER[:10] + DESIGN_ORDER[14:]),
        (["meta"], [], DESIGN_ORDER[10:14]),
        (["meta"], ["equations"], [*DESIGN_ORDER[10:14], *FEATURE_GROUPS[FeatureGroup.equations]]),
        ([], ["equations"], list(FEATURE_GROUPS[FeatureGroup.equations])),
        (["meta"], ["meta"], DESIGN_ORDER[10:14]),
    ],
)
def test_select_features(groups, extra, expected):
    settings = FeatureGroupsSettings(
        groups=[FeatureGroup(name) for name in groups], extra=[FeatureGroup(name) for name in extra]
    )
    assert list(select_features(settings)) == expected
