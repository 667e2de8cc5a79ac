# SPDX-License-Identifier: Apache-2.0
"""The same posteriors by Stan (PyStan 3, the models of posteriordb as they are) and by `fovea fit`.

Both draw four chains of 1,000 draws after 1,000 of warm-up, with their defaults otherwise, on all cores, in turns.
Seconds of Stan hold its server, through which PyStan talks to it, but not the compilation of its model, which is
shown apart; those of fovea are of the whole process. Effective draws are the fewest of all numbers that posteriordb
has references for, by one estimator (bulk, Vehtari et al. 2021). The cost is the seconds for 10,000 effective draws:
a standard error of every mean of 1 % of its standard deviation.
"""
import contextlib
import io
import json
import statistics
import sys
import time

from harness import task
from harness.results import Report
from posteriors.run import compared, database, is_right, reference, unpacked, written

COMMAND = "bench/run.sh posteriors_peers"
SEEDS = 5
WANTED = 10_000  # effective draws
NAMES = ("eight_schools-eight_schools_noncentered", "kidiq-kidscore_interaction", "earnings-logearn_interaction",
         "mesquite-logmesquite", "nes1976-nes", "sblrc-blr", "arK-arK", "garch-garch11",
         "low_dim_gauss_mix-low_dim_gauss_mix", "hmm_example-hmm_example")


def fewest(draws):
    """The fewest effective draws of several numbers: [number][chain][draw]."""
    from fovea import mcmc
    import numpy
    return float(numpy.nanmin(mcmc.diagnose(numpy.moveaxis(numpy.asarray(draws), 0, 2)).effective_draws))


class Stan:
    """One model of posteriordb, compiled once."""

    def __init__(self, root, name):
        import stan
        model = json.loads((root / "posteriors" / f"{name}.json").read_text(encoding="utf-8"))["model_name"]
        code = (root / "models" / "stan" / f"{model}.stan").read_text(encoding="utf-8")
        self.data = unpacked(root / "data" / "data" / f"{name.split('-')[0]}.json.zip")
        began = time.monotonic()
        with silence():
            self.build = lambda seed: stan.build(code, data=self.data, random_seed=seed)
            self.build(1)
        self.compiling = time.monotonic() - began

    def run(self, seed, expected):
        with silence():
            model = self.build(seed)  # from the cache
            began = time.monotonic()
            fit = model.sample(num_chains=4, num_samples=1000, num_warmup=1000)
            seconds = time.monotonic() - began
        # fit[...]: [index][draw and chain], the chains of a draw one after the other
        draws, gaps, ratios = [], [], []
        for name, (mean, sd) in expected.items():
            base, _, index = name.partition("[")
            values = fit[base]
            if index:
                for place in index.rstrip("]").split(","):
                    values = values[int(place) - 1]
            values = values.reshape(-1)
            draws.append(values.reshape(-1, 4).T)
            gaps.append(abs(values.mean() - mean) / sd)
            ratios.append(values.std(ddof=1) / sd)
        return {"seconds": seconds, "effective": fewest(draws), "gap": float(max(gaps)), "low": float(min(ratios)),
                "high": float(max(ratios))}


@contextlib.contextmanager
def silence():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def cost(run):
    return run["seconds"] * WANTED / run["effective"]


def shown(runs, key, digits=2):
    values = [run[key] if isinstance(key, str) else key(run) for run in runs]
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def measured(root, name, seeds):
    """Fits of one posterior by both, in turns, and the seconds that Stan took to compile."""
    expected = reference(root, name)
    words, names = written(root, name)
    stan = Stan(root, name)
    runs = {"fovea": [], "stan": [], "compiling": stan.compiling}
    for seed in range(1, seeds + 1):
        runs["fovea"].append(compared([*words, "--seed", seed], names, expected))
        runs["stan"].append(stan.run(seed, expected))
        print(name, runs["fovea"][-1], runs["stan"][-1], file=sys.stderr, flush=True)
    return runs


def row_of(name, runs):
    pairs = list(zip(runs["fovea"], runs["stan"]))
    return {"posterior": name, "fovea, s": shown(runs["fovea"], "seconds"), "Stan, s": shown(runs["stan"], "seconds"),
            "fovea, effective draws": shown(runs["fovea"], "effective", 0),
            "Stan, effective draws": shown(runs["stan"], "effective", 0),
            "fovea, s for 10,000": shown(runs["fovea"], cost), "Stan, s for 10,000": shown(runs["stan"], cost),
            "times cheaper": round(statistics.median(cost(s) / cost(f) for f, s in pairs), 2),
            "compiling by Stan, s": round(runs["compiling"], 1) if runs["compiling"] > 2 else "kept from before",
            "right": f"{sum(map(is_right, runs['fovea']))} and {sum(map(is_right, runs['stan']))} of {len(pairs)}"}


def main():
    is_quick = task.wants_quick_run(__doc__)
    root = database()
    report = Report("posteriors_peers")
    report.add(text=__doc__)
    rows = [row_of(name, measured(root, name, 1 if is_quick else SEEDS)) for name in (NAMES[:2] if is_quick else NAMES)]
    for row in rows:
        report.add(table="Against Stan", row=row)
    ratios = [row["times cheaper"] for row in rows]
    report.bar("posteriors/stan", statistics.median(ratios), COMMAND, f"median of {len(rows)} posteriors",
               spread={"min": min(ratios), "max": max(ratios)})
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
