"""The words simulated agents use: small stocks that combine into sentences. All of it is our own."""

TOPICS = {
    "arc_challenge": (
        "soil layer", "cold front", "root system", "lunar orbit", "heat transfer", "rock sample", "food web",
        "water cycle", "cell wall", "light beam", "plate boundary", "ice sheet", "seed coat", "wind pattern",
    ),
    "commonsense_qa": (
        "kitchen drawer", "office hallway", "garden shed", "bus stop", "school library", "picnic table", "hotel lobby",
        "market stall", "closet shelf", "train platform", "music room", "front porch", "city park", "repair shop",
    ),
    "gsm8k": (
        "delivery crate", "ticket sale", "weekly saving", "garden row", "bakery tray", "paint can", "coin roll",
        "library shelf", "market basket", "fence post", "lamp order", "bottle case", "seed packet", "bus seat",
    ),
    "mmlu_stem": (
        "reaction rate", "boundary condition", "energy level", "binary tree", "circuit loop", "gene locus",
        "wave front", "matrix rank", "vector field", "cache line", "buffer solution", "phase angle", "decay chain",
        "error term",
    ),
    "truthfulqa": (
        "popular belief", "folk remedy", "old proverb", "city legend", "newspaper claim", "historical record",
        "medical survey", "school anecdote", "travel story", "court ruling", "weather saying", "health rumour",
        "family recipe", "museum label",
    ),
    "winogrande": (
        "heavy suitcase", "borrowed ladder", "missed call", "birthday gift", "broken lamp", "spare key",
        "job interview", "piano lesson", "garden gate", "travel plan", "old coat", "shared recipe", "lost ticket",
        "long speech",
    ),
}  # fmt: skip

PEOPLE = (
    "Amira", "Bastian", "Celine", "Dario", "Edda", "Farid", "Greta", "Hakon", "Ines", "Jonas", "Katya", "Leopold",
    "Mirja", "Nabil", "Oksana", "Pavel", "Quirin", "Rosalind", "Stellan", "Tamsin", "Ulrika", "Viggo", "Wanda",
    "Yannis",
)  # fmt: skip

ADJECTIVES = (
    "steady", "visible", "minor", "narrow", "typical", "early", "uneven", "hidden", "central", "familiar", "gradual",
    "remote", "plain", "partial", "sudden", "stable", "direct", "usual", "distant", "modest", "sharp", "common", "late",
    "regular", "loose", "bright", "formal", "quiet",
)  # fmt: skip

VERBS = (
    "limits", "explains", "follows", "shapes", "supports", "replaces", "mirrors", "precedes", "feeds", "outweighs",
    "restricts", "balances", "signals", "reverses", "delays", "carries", "absorbs", "frames", "settles", "governs",
    "drives", "weakens", "confirms", "narrows",
)  # fmt: skip

# Body sentences of every data set; {o} is the option argued for.
CLAIMS = (
    "Because the {a} {n} {v} the {m}, {o} fits best.",
    "The {n} {v} the {a} {m}, which points to {o}.",
    "First, the {a} {n} {v} whatever the {b} {m} leaves open.",
    "If the {n} were {a}, the {m} would look {b}, and it does not.",
    "Since the {m} stays {a}, the {b} {n} {v} it.",
    "Next, no {a} {m} {v} every {b} {n}.",
    "Therefore the {a} {m} {v} the {n}, as {o} says.",
    "What the {b} {m} {v} is the {a} {n}.",
    "In this setting the {n} is {a} while the {m} is {b}, so {o} remains.",
    "Wherever the {m} {v} the {n}, the {a} part turns {b}.",
)

# Body sentences around one arithmetic step; {e} is the step, such as "12 x 4 = 48".
STEPS = (
    "First, the {a} {n} {v} the {m}: {e}.",
    "With the {a} {m} in view, the {n} comes to {e}.",
    "Next the {b} {n} {v} the {a} {m}, so {e}.",
    "Since the {m} {v} the {a} {n}, we get {e}.",
    "The {a} {n} and the {b} {m} together give {e}.",
)

# Sentences that commit to nothing: no number, and no adjective before a noun, which is how options read.
REMARKS = (
    "The {n} {v} the {m} before anything else is counted.",
    "It is open whether the {m} {v} the {n} or merely looks {b}.",
    "The {n} stays {a} only as long as the {m} {v} it.",
    "From here the {n} looks {a} and the {m} looks {b}.",
)

QUESTIONS = (
    "Consider the {a} {n} next to the {b} {m}: which statement fits?",
    "The {a} {n} meets the {b} {m}. Which of these accounts is sound?",
    "Someone describes the {n} as {a} and the {m} as {b}. Which option agrees with that?",
    "When the {a} {m} {v} the {n}, which choice is left?",
)

PRONOUN_QUESTIONS = (
    "{p} spoke to {q} about the {a} {n} after the {m} had turned {b}. Who was more concerned?",
    "{p} left the {n} with {q} because the {m} seemed {a}. Who had the {b} one?",
    "The {a} {n} reached {p} before {q} saw the {b} {m}. Who waited longer?",
)

NUMBER_QUESTIONS = (
    "The {a} list for the {n} shows {numbers}. Once the {b} {m} is settled, how many are left?",
    "For the {n} a clerk notes {numbers}; the {m} is {a}. What is the {b} total?",
    "The {a} {m} takes {numbers} of the {b} {n}. How many is that in the end?",
)

CHOICE_CLOSINGS = ("Final answer: ({x}).", "My answer is ({x}).", "The answer is ({x}).")
NUMBER_CLOSINGS = ("Final answer: {x}.", "My answer is {x}.", "The answer is {x}.")
OPEN_CLOSINGS = ("I cannot settle this yet.", "Nothing here convinces me so far.", "I would rather leave it open.")

ALLY_PHRASES = (
    "I agree with {t}.",
    "I agree with {t} about the {a} {n}.",
    "{t} is right about the {n}.",
    "{t} is right.",
)
BOTH_PHRASES = ("Both agents are right about the {n}.", "I agree with both agents about the {a} {n}.")
CONCEDE_PHRASES = (
    "I agree with {t} about the {a} {n}, yet my conclusion stands.",
    "{t} is right about the {n}, and still I keep my answer.",
)
CRITICISE_PHRASES = (
    "{t} made a mistake with the {a} {n}.",
    "I disagree with {t}: the step about the {n} is incorrect.",
    "{t} overlooks the {a} {n}, which is an error.",
)
SILENT_PHRASES = ("I looked at the {n} again.", "The {n} still decides it for me.", "I went through it once more.")

BLIND_REASONS = ("Most of the panel holds this view.", "The others seem sure of it.")
REASONED_CHANGES = ("The {a} {n} {v} the {m} after all.", "I had taken the {n} for the {m}.")
