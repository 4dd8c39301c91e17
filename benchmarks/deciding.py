"""Time to decide one debate with a loaded LightGBM sentinel (target: under 5 ms).

python benchmarks/deciding.py
"""

import statistics
import tempfile
import time
from pathlib import Path

from sentinel import Sentinel
from sentinel.settings import CorpusSettings
from sentinel.simulation import simulate_corpus


def main() -> None:
    corpus = simulate_corpus(CorpusSettings())
    with tempfile.TemporaryDirectory() as folder:
        Sentinel().fit(corpus).save(Path(folder) / "model")
        started = time.perf_counter()
        sentinel = Sentinel.load(Path(folder) / "model")
        print(f"load {1000 * (time.perf_counter() - started):.1f} ms")
    times, divergent = [], []
    for debate in corpus:
        started = time.perf_counter()
        decision = sentinel.decide(debate, corpus.audits)
        elapsed = 1000 * (time.perf_counter() - started)
        times.append(elapsed)
        if decision.candidate is not None:
            divergent.append(elapsed)
    for name, values in (("all debates", times), ("divergent debates", divergent)):
        worst = sorted(values)[int(0.99 * len(values))]
        print(f"{name}: {len(values)}, median {statistics.median(values):.2f} ms, 99 % under {worst:.2f} ms")


if __name__ == "__main__":
    main()
