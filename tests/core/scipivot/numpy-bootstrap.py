"""Writes numpy-bootstrap.json: what numpy itself says, for bootstrap.test.ts. Run with numpy 2.4.6 at hand."""
import json
import os

import numpy as np

SIZES = [1, 2, 3, 4, 5, 7, 10, 16, 31, 64, 99, 100, 127, 128, 200, 247, 248, 249, 255, 256, 257, 496, 1000, 4099]
SEEDS = [20261004, 0, 42, 2**32, 2**53 - 1]


def row(name, twice, seed, resamples, level):
    scores = np.array(twice) / 2
    rng = np.random.default_rng(seed)
    idx = rng.integers(0, len(scores), size=(resamples, len(scores)))
    means = scores[idx].mean(axis=1)
    tail = round((1 - level) * 50, 10)
    low, high = np.percentile(means, [tail, 100 - tail])
    return {
        "name": name,
        "twice_the_scores": "".join(str(int(t)) for t in twice),
        "seed": seed,
        "resamples": resamples,
        "level": level,
        "mean": float(scores.mean()),
        "low": float(low),
        "high": float(high),
    }


rows = []
draw = np.random.default_rng(7)
for n in SIZES:
    for k, seed in enumerate(SEEDS if n in (5, 10, 248) else [20261004]):
        weights = draw.dirichlet([1, 1, 1])
        twice = draw.choice(3, size=n, p=weights)
        resamples = 10000 if n in (10, 248) and seed in (20261004, 42) else 500
        rows.append(row(f"{n} cases, seed {seed}", twice, seed, resamples, 0.95))
for resamples in (1, 2, 3, 39, 40, 41, 999, 1000, 1001):
    rows.append(row(f"60 cases, {resamples} resamples", draw.choice(3, size=60), 20261004, resamples, 0.95))
for level in (0.5, 0.8, 0.9, 0.99, 0.999):
    rows.append(row(f"60 cases, level {level}", draw.choice(3, size=60), 20261004, 2000, level))
for name, twice in (("all wrong", [0] * 248), ("all half", [1] * 248), ("all right", [2] * 248)):
    rows.append(row(f"248 cases, {name}", twice, 20261004, 100, 0.95))
# Where interpolating from below and from above differ in the last bit for some: thirds, sevenths, elevenths.
for n in (3, 7, 11):
    for resamples in (2, 3, 5):
        for level in (0.9, 0.95):
            for seed in (20261004, 1, 2):
                name = f"{n} cases, {resamples} resamples, level {level}, seed {seed}"
                rows.append(row(name, draw.choice(3, size=n), seed, resamples, level))

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "numpy-bootstrap.json"), "w") as out:
    out.write(json.dumps({"made_by": "numpy-bootstrap.py", "numpy": np.__version__, "rows": rows}, indent=2) + "\n")
