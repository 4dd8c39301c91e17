"""Choices with labels of their own, as ARC and CommonsenseQA have them in two layouts.

Owner: `question` = {`stem`, `choices`: [{`text`, `label`}]}. Hub: `question` a text, `choices` = {`text`: [],
`label`: []}. The key is `answerKey` in both.
"""

from sentinel.dataset._draft import Draft
from sentinel.dataset._row import Row


def draft_labelled(row: Row) -> Draft:
    """Return the question of a row; the key is looked up among the labels, which may be A-E or 1-4."""
    if isinstance(row.need("question"), str):
        question, choices = row.text("question"), row.inside("choices")
        texts, labels = choices.texts("text"), choices.texts("label")
    else:
        inner = row.inside("question")
        question, pairs = inner.text("stem"), inner.each("choices")
        texts, labels = [pair.text("text") for pair in pairs], [pair.text("label") for pair in pairs]
    if len(texts) != len(labels):
        raise row.error(f"{len(texts)} choices with {len(labels)} labels")
    return Draft(
        id=row.name("id"),
        place=row.place,
        question=question,
        gold=row.index_of("answerKey", labels),
        choices=texts,
    )
