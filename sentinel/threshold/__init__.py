"""From probabilities to cuts: when P is high enough to overturn the majority.

In: `Picks`, one candidate a debate with what a flip to it would do. Out: `Thresholds` by domain and overall.
"""

from sentinel.threshold._picks import FlipCounts, Picks, count_flips, pick_candidates
from sentinel.threshold._selector import ThresholdSelector
from sentinel.threshold._sweep import Sweep, grid, sweep
from sentinel.threshold._thresholds import Thresholds

__all__ = [
    "FlipCounts",
    "Picks",
    "Sweep",
    "ThresholdSelector",
    "Thresholds",
    "count_flips",
    "grid",
    "pick_candidates",
    "sweep",
]
