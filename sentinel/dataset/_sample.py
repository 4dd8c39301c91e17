"""Takes a seeded sample: the same questions for the same seed, and a smaller limit takes a part of a larger one's."""

from collections import defaultdict
from collections.abc import Sequence

from sentinel.dataset._digest import digest
from sentinel.errors import DatasetError
from sentinel.foreign import list_names, near_names
from sentinel.records import Question
from sentinel.settings import DatasetSettings


def select_subjects(questions: Sequence[Question], subset: Sequence[str]) -> Sequence[Question]:
    """Return the questions whose subject is in `subset` (all where it is empty); every name must occur."""
    if not subset:
        return questions
    known = {question.subject for question in questions if question.subject is not None}
    if not known:
        raise DatasetError(f"dataset.subset={list_names(subset)}: these files name no subjects; use dataset.subset=[]")
    absent = [name for name in subset if name not in known]
    if absent:
        near = near_names(absent[0], known) if len(absent) == 1 else ""
        held = f"; the files hold: {list_names(sorted(known))}; name only these"
        raise DatasetError(f"dataset.subset: no questions on {list_names(absent)}{near or held}")
    wanted = set(subset)
    return [question for question in questions if question.subject in wanted]


def take_sample(questions: Sequence[Question], settings: DatasetSettings) -> Sequence[Question]:
    """Return `limit` of the questions in file order, drawn by seed and id; stratified: in proportion to subjects."""
    limit = settings.limit
    if limit is None or limit >= len(questions):
        return questions
    ranked = sorted(questions, key=lambda question: digest("sample", settings.seed, question.id))
    if settings.stratify:
        ranked = _stratify(ranked)
    chosen = {question.id for question in ranked[:limit]}
    return [question for question in questions if question.id in chosen]


def _stratify(ranked: Sequence[Question]) -> list[Question]:
    """Return the ranking in which every beginning holds the subjects in about their proportion."""
    subjects: dict[str | None, list[Question]] = defaultdict(list)
    for question in ranked:
        subjects[question.subject].append(question)
    if None in subjects:
        raise DatasetError("dataset.stratify=true: some questions have no subject; use dataset.stratify=false")
    position = {
        question.id: (i + 0.5) / len(members) for members in subjects.values() for i, question in enumerate(members)
    }
    return sorted(ranked, key=lambda question: position[question.id])
