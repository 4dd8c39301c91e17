"""What the lexical auditor takes from one text: content words, their trigrams, numbers, sentences, and reasoning."""

from dataclasses import dataclass

from sentinel.audit._sums import check_sums

Trigram = tuple[str, str, str]

STOPWORDS = frozenset(
    """a an and are as at be been being but by can could did do does for from had has have he her his how i in into is
    it its me more my no nor not of on one only or our out she should some such than that the their them there these
    they this those to was we were what when where which while who will with would you your""".split()
)
REASONS = frozenset("because since therefore thus hence so if consequently implies means follows".split())
STEPS = frozenset("step first second third next then finally lastly firstly secondly thirdly".split())

_SKIPPED = STOPWORDS | REASONS
# Splitting at blanks is several times as fast as a regular expression; a full stop inside a number stays.
_BLANKS = str.maketrans(dict.fromkeys('[]{}<>|\\/*+=_~^:;!?"“”«»•–—…·`#&', " "))
_EDGES = "().,'’-$%"


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as read, in lower case. `steps` and `reasons` count marks; `right_sums` and `wrong_sums` statements."""

    words: tuple[str, ...]
    trigrams: frozenset[Trigram]
    numbers: frozenset[str]
    sentences: tuple[str, ...]
    steps: int
    reasons: int
    right_sums: int
    wrong_sums: int


def read_text(text: str) -> Reading | None:
    """Return the reading of a text, or None where there is no text.

    Sentences end at ".", "!", "?" or a new line. Reasons are the words in REASONS. Steps are sentences that open with a
    word in STEPS or a list mark ("2.", "3)"), and signs of equality.
    """
    lowered = text.lower()
    sentences, opened = _split_sentences(lowered)
    if not sentences:
        return None
    tokens = _list_tokens(lowered)
    words = [token for token in tokens if token not in _SKIPPED]
    equalities = lowered.count("=")
    sums = check_sums(lowered) if equalities else []
    return Reading(
        words=tuple(words),
        trigrams=frozenset(zip(words, words[1:], words[2:], strict=False)),
        numbers=frozenset([word for word in words if word[0].isdigit()]),
        sentences=sentences,
        steps=opened + equalities,
        reasons=len([token for token in tokens if token in REASONS]),
        right_sums=sums.count(True),
        wrong_sums=sums.count(False),
    )


def list_content_words(text: str) -> tuple[str, ...]:
    """Return the words and numbers in lower case and order, without stopwords, reasoning words and list marks."""
    return tuple([token for token in _list_tokens(text.lower()) if token not in _SKIPPED])


def _list_tokens(lowered: str) -> list[str]:
    lines = [_drop_list_mark(line) for line in lowered.split("\n")]
    tokens = [token.strip(_EDGES) for token in " ".join(lines).translate(_BLANKS).split()]
    return [token for token in tokens if token]


def _drop_list_mark(line: str) -> str:
    """Return the line without the one or two digits and the full stop or bracket that open it, if they do."""
    if line[:1] == "(" or line[:1].isdigit():
        mark, _, rest = line.partition(" ")
        if mark[-1] in ".)" and mark[:-1].lstrip("(").isdigit() and len(mark) <= 4:
            return rest
    return line


def _split_sentences(lowered: str) -> tuple[tuple[str, ...], int]:
    """Return the sentences of a text, and how many of them open as steps."""
    sentences = []
    opened = 0
    marked = False
    for piece in lowered.replace("\n", ". ").replace("!", ".").replace("?", ".").split(". "):
        opening = piece.split(maxsplit=1)
        if not opening:
            continue
        first = opening[0].strip("*#->().:,'\"")
        if len(opening) == 1 and (not first or first.isdigit()):
            marked = marked or bool(first)  # a list mark that its own full stop has cut off
            continue
        opened += marked or first in STEPS or (first.isdigit() and opening[0][-1] in ").")
        marked = False
        sentences.append(piece)
    return tuple(sentences), opened
