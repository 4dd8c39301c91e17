"""A sweep over seeds against a bare loop of the same fits: outer and inner folds, no Hydra, no report (target <= 2).

    python benchmarks/seed_sweep.py [SEEDS]

Both are whole processes, timed in turn; the bare loop reads fingerprints that were computed before.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from sentinel.classifier import assign_folds, make_classifier
from sentinel.fingerprint import FEATURES, Fingerprints, fingerprint_corpus
from sentinel.settings import ClassifierSettings, CorpusSettings, DecisionSettings, FingerprintSettings
from sentinel.simulation import simulate_corpus

FOLDS = 5


def bare_loop(path: Path, seeds: int) -> None:
    table = Fingerprints.load(path).candidates
    X = table.select(FEATURES).to_numpy()
    y = (table["label"] == "minority_correct").to_numpy().astype(np.int64)
    groups = table["question_key"].to_numpy()
    for seed in range(seeds):
        outer = assign_folds(y, groups, FOLDS, seed)
        for k in range(FOLDS):
            train, test = np.flatnonzero(outer != k), np.flatnonzero(outer == k)
            make_classifier(ClassifierSettings(), seed).fit(X[train], y[train]).predict_proba(X[test])
            inner = assign_folds(y[train], groups[train], FOLDS, seed)
            for j in range(FOLDS):
                fit, held_out = train[inner != j], train[inner == j]
                make_classifier(ClassifierSettings(), seed).fit(X[fit], y[fit]).predict_proba(X[held_out])


def timed(*command: str, folder: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main(seeds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fingerprints"
        corpus = simulate_corpus(CorpusSettings())
        settings = FingerprintSettings(), DecisionSettings()
        fingerprint_corpus(corpus, *settings, equations=False, lexical=False, seed=0).save(path)
        ratios = []
        for repeat in range(3):
            bare = timed(str(Path(__file__).resolve()), "--bare", str(path), str(seeds), folder=folder)
            sweep = timed("-m", "sentinel", "--multirun", f"seed=range({seeds})", folder=folder)
            ratios.append(sweep / bare)
            print(f"{repeat + 1}: {seeds} seeds: sweep {sweep:.1f} s, bare loop {bare:.1f} s, ratio {ratios[-1]:.2f}")
    print(f"median ratio {sorted(ratios)[1]:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        bare_loop(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
