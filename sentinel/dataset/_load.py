"""The room's one entry: settings in, questions out."""

import logging

from sentinel.dataset._catalogue import LOADERS
from sentinel.dataset._finding import find_files
from sentinel.dataset._finish import finish_questions, warn_of_constant_gold
from sentinel.dataset._sample import select_subjects, take_sample
from sentinel.errors import DatasetError
from sentinel.records import Question
from sentinel.settings import DatasetSettings

_log = logging.getLogger(__name__)


def load_questions(settings: DatasetSettings) -> tuple[Question, ...]:
    """Return the questions of a dataset in file order, ids unique; raises DatasetError naming dataset and record.

    A limit above what is there takes all and says so in the log.
    """
    loader = LOADERS[settings.kind]
    try:
        questions = finish_questions(loader.read(settings, find_files(settings, loader)), settings)
        if not questions:
            raise DatasetError(f"dataset.path={settings.path}: holds no questions")
        selected = select_subjects(questions, settings.subset)
        sample = take_sample(selected, settings)
    except DatasetError as error:
        raise DatasetError(f"dataset={settings.name}: {error}") from None
    if settings.limit is not None and settings.limit > len(sample):
        _log.warning("dataset=%s: limit=%d: there are %d; all are taken", settings.name, settings.limit, len(sample))
    if warning := warn_of_constant_gold(sample):
        _log.warning("dataset=%s: %s", settings.name, warning)
    return tuple(sample)
