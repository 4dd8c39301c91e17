"""What outsiders make of a simulated debate: an auditor, a judge, and one model sampled without any debate.

The auditor and the judge see what happened and, as far as the planted effect lets them, who is right; where the
majority fell into a blind spot that they share, they see much less of it.
"""

from collections.abc import Sequence

from sentinel.records import Audit, Ruling, Samples, Status
from sentinel.simulation._behaviour import Mode, Move, Script, Truth, tilt, weigh
from sentinel.simulation._draws import Draws

BLIND_SPOT_SHARE = 0.5  # of the debates in which the majority is wrong
SHARED, OPEN = 0.35, 1.25  # of the lean, in a shared blind spot and outside

# Log-odds between a right and a wrong answer at effect 1 and clarity 1, in the auditor's eyes.
NEW_EVIDENCE = 0.5
ECHO_CHAMBER = -0.4
FINDS_ERROR = 0.5
LOGICAL_GAP = -0.5
SCORE = 0.36  # points of the score, not log-odds
# Log-odds between a right minority and a right majority at effect 1, in every data set: how the judge rules.
RULING = 1.1
RULING_RATE = 0.27
# Log-weight between a right and a wrong answer at effect 1 and clarity 1, for one sample of a model on its own.
SAMPLING = 0.4


def draw_outlook(draws: Draws, truth: Truth) -> Truth:
    """Return the truth as auditor and judge perceive it."""
    blind = draws.chance(BLIND_SPOT_SHARE) and truth.right != 0
    return Truth(truth.right, truth.lean * (SHARED if blind else OPEN))


def audit_candidate(
    draws: Draws, script: Script, outlook: Truth, slot: int, debate_id: str, answers: Sequence[str]
) -> Audit:
    """Return the simulated auditor's view of the camp that holds `slot` against the majority."""
    finals = script.finals
    minority = [k for k, final in enumerate(finals.slots) if final == slot and finals.readable[k]]
    majority = [k for k, final in enumerate(finals.slots) if final == 0 and finals.readable[k]]
    ours = _moves(script, minority)
    theirs = _moves(script, majority)
    everyone = _moves(script, range(len(finals.slots)))
    merit, counter_merit = outlook.merit(slot), outlook.merit(0)
    renewed = sum(move.fresh for move in theirs) / len(theirs)
    evidence = tilt(0.65 if any(move.fresh for move in ours) else 0.25, NEW_EVIDENCE * merit)
    echo = tilt(0.3 if renewed > 0.4 else 0.6, ECHO_CHAMBER * counter_merit)
    error = tilt(0.6 if any(move.mode is Mode.CRITICISE for move in ours) else 0.2, FINDS_ERROR * merit)
    gap = tilt(0.35, LOGICAL_GAP * counter_merit)
    followers = sum(move.blind for move in everyone)
    seen = sum(draws.chance(0.8) for _ in range(followers)) + draws.chance(0.1)
    return Audit(
        id=debate_id,
        candidate=answers[slot],
        auditor="simulated",
        minority_new_evidence=float(draws.chance(evidence)),
        majority_echo_chamber=float(draws.chance(echo)),
        minority_finds_error=float(draws.chance(error)),
        majority_logical_gap=float(draws.chance(gap)),
        minority_reasoning_score=_score(draws, 3.1 + SCORE * merit),
        majority_reasoning_score=_score(draws, 3.4 + SCORE * counter_merit),
        blind_follower_count=float(min(seen, len(finals.slots) - 1)),
    )


def _moves(script: Script, agents: Sequence[int]) -> list[Move]:
    """Return the debate-round moves of these agents."""
    return [moves[k] for moves in script.rounds[1:] for k in agents]


def _score(draws: Draws, quality: float) -> float:
    """Return a whole score from 1 to 5 around the quality."""
    return float(min(5, max(1, round(quality + draws.bell()))))


def rule_debate(
    draws: Draws, script: Script, outlook: Truth, effect: float, debate_id: str, answers: Sequence[str]
) -> Ruling:
    """Return the simulated judge's ruling on a divergent debate: the majority's answer, or that of a minority camp.

    The judge reads for itself, so the clarity of the debate does not matter: only the effect and the blind spot do.
    """
    own = Truth(outlook.right, effect)
    camps = range(1, script.finals.camps)
    favourite = camps[draws.weighted([weigh(1.0, RULING * own.merit(slot)) for slot in camps])]
    swayed = draws.chance(tilt(RULING_RATE, 0.5 * RULING * (own.merit(favourite) - own.merit(0))))
    return Ruling(debate_id, answers[favourite if swayed else 0], Status.OK, "simulated")


def sample_answers(draws: Draws, script: Script, outlook: Truth, debate_id: str, answers: Sequence[str]) -> Samples:
    """Return as many independent answers as the debate had turns; they share a pull that differs between questions."""
    slots = range(script.finals.n_slots)
    base = [4.0 if slot == 0 else 1.5 if slot < script.finals.camps else 0.5 for slot in slots]
    pulls = [weigh(base[slot] * (0.2 + 2.0 * draws.uniform()), SAMPLING * outlook.merit(slot)) for slot in slots]
    count = len(script.rounds) * len(script.finals.slots)
    return Samples(debate_id, tuple(answers[draws.weighted(pulls)] for _ in range(count)), "simulated")
