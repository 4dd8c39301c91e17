"""Debates read, voted and fingerprinted a second on one core, and the peak memory of doing so.

python benchmarks/reading.py LOG [LOG ...]
"""

import resource
import sys
import time

import polars

from sentinel.fingerprint import fingerprint_corpus
from sentinel.log_store import load_debates
from sentinel.settings import DecisionSettings, FingerprintSettings


def main(paths: list[str]) -> None:
    polars.thread_pool_size()
    started = time.perf_counter()
    corpus = load_debates(paths)
    read = time.perf_counter()
    table = fingerprint_corpus(corpus, FingerprintSettings(), DecisionSettings(), equations=True, lexical=False, seed=0)
    done = time.perf_counter()
    total, divergent = len(corpus), int(table.debates["divergent"].sum())
    print(f"{total} debates, {divergent} divergent")
    print(f"read                 {total / (read - started):10.0f} debates/s   {read - started:6.2f} s")
    print(f"vote + fingerprint   {total / (done - read):10.0f} debates/s   {done - read:6.2f} s")
    print(f"all together         {total / (done - started):10.0f} debates/s   {done - started:6.2f} s")
    print(f"divergent ones alone {divergent / (done - read):10.0f} debates/s (vote + fingerprint)")
    print(f"peak memory          {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
