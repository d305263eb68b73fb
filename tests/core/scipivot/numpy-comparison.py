"""Writes numpy-comparison.json: what numpy makes of the same comparisons, for compare.test.ts. numpy 2.4.6, scipy 1.18."""
import itertools
import json
import os
from statistics import NormalDist

import numpy as np
from scipy import stats

draw = np.random.default_rng(11)


def comparison(name, subjects, seed, resamples, level):
    scores = np.array(subjects) / 2
    n = scores.shape[1]
    idx = np.random.default_rng(seed).integers(0, n, size=(resamples, n))
    means = scores[:, idx].mean(axis=2)
    pairs = []
    for a, b in itertools.combinations(range(len(scores)), 2):
        resampled = means[a] - means[b]
        pairs.append((a, b, scores[a].mean() - scores[b].mean(), resampled, resampled.std()))
    z975, z = (NormalDist().inv_cdf(q) for q in (0.975, (1 + level) / 2))
    # Agresti and Coull's share of which none was seen, and its standard error.
    share = z975**2 / 2 / (n + z975**2)
    least = (share * (1 - share) / (n + z975**2)) ** 0.5
    errors = [max(p[4], least) for p in pairs]
    largest = np.max([abs(p[3] - p[2]) / e for p, e in zip(pairs, errors)], axis=0)
    factor = max(z, float(np.percentile(largest, level * 100)))
    # As far out for Student's t of n − 1 degrees as the factor is for a normal, on errors of that many degrees.
    factor = stats.t.isf(stats.norm.sf(factor), n - 1) * (n / (n - 1)) ** 0.5
    tail = round((1 - level) * 50, 10)
    rows = []
    for (a, b, mean, resampled, seen), error in zip(pairs, errors):
        alone = np.percentile(resampled, [tail, 100 - tail])
        if seen < least:
            alone = [mean - z * error, mean + z * error]
        rows.append(
            {
                "a": a,
                "b": b,
                "mean": float(mean),
                "alone": [float(np.clip(v, -1, 1)) for v in alone],
                "among_all": [float(np.clip(mean + s * factor * error, -1, 1)) for s in (-1, 1)],
            }
        )
    return {
        "name": name,
        "twice_the_scores": ["".join(str(int(t)) for t in row) for row in subjects],
        "seed": seed,
        "resamples": resamples,
        "level": level,
        "pairs": rows,
    }


def answers(n, accuracy):
    return draw.binomial(2, accuracy, size=n)


four = [answers(248, p) for p in (0.5, 0.64, 0.9)] + [np.ones(248, dtype=int)]
rows = [
    comparison("two of 248 cases", [answers(248, 0.5), answers(248, 0.64)], 20261004, 10000, 0.95),
    comparison("four of 248 cases", four, 20261004, 10000, 0.95),
    comparison("eight equals of 60 cases", [answers(60, 0.6) for _ in range(8)], 7, 2000, 0.9),
    comparison("a pair alike on every case, and a third", [four[0][:40], four[0][:40], four[1][:40]], 3, 1000, 0.95),
    comparison("all right against all wrong", [[2] * 25, [0] * 25, [1, 2, 0, 1, 1] * 5], 5, 500, 0.95),
    comparison("apart by a half on every case", [[2, 1] * 20, [1, 0] * 20], 5, 500, 0.95),
]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "numpy-comparison.json"), "w") as out:
    out.write(json.dumps({"made_by": "numpy-comparison.py", "numpy": np.__version__, "rows": rows}, indent=2) + "\n")
