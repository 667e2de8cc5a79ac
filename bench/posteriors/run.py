# SPDX-License-Identifier: Apache-2.0
"""Posteriors with reference draws, of posteriordb (Magnusson et al. 2025), by `fovea fit` with its defaults.

Every number of a posterior is compared with 10,000 reference draws: the gap of the means in reference standard
deviations, and the ratio of the standard deviations. A fit is right if all of its gaps are at most .1 and all ratios lie
between .9 and 1.1. Seconds are those of the whole process, on all cores. Five seeds each. The models were written once, and not
changed after a comparison. The program was: climbs by Newton steps and from four starts came after `diamonds` and
`hmm_drive_0` had failed, so these two are not figures of models that it had not seen.

FOVEA_POSTERIORDB names a clone of https://github.com/stan-dev/posteriordb.
"""
import csv
import json
import os
import pathlib
import statistics
import zipfile

from harness import data, fovea, measure, task
from harness.data import CACHE, Missing
from harness.results import Report
from posteriors.models import MODELS, WITHOUT_MODEL

COMMAND = "bench/run.sh posteriors"
FOLDER = CACHE / "posteriors"
SEEDS = 5
GAP, LOW, HIGH, SECONDS = .1, .9, 1.1, 5


def database():
    folder = os.environ.get("FOVEA_POSTERIORDB")
    root = pathlib.Path(folder) / "posterior_database" if folder else data.directory() / "posteriordb"
    if not root.exists():
        raise Missing("set FOVEA_POSTERIORDB to a clone of https://github.com/stan-dev/posteriordb")
    return root


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(archive.namelist()[0]))


def reference(root, name):
    """name of a number -> (mean, standard deviation) of its reference draws."""
    chains = unpacked(root / "reference_posteriors" / "draws" / "draws" / f"{name}.json.zip")
    draws = {number: [x for chain in chains for x in chain[number]] for number in chains[0]}
    return {number: (statistics.fmean(values), statistics.stdev(values)) for number, values in draws.items()}


def written(root, name):
    """The words of `fovea fit` after its files are written, and the names of numbers."""
    problem = MODELS[name](unpacked(root / "data" / "data" / f"{name.split('-')[0]}.json.zip"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    model, table = FOLDER / f"{name}.fov", FOLDER / f"{name}.csv"
    model.write_text(problem.model, encoding="utf-8")
    with open(table, "w", encoding="utf-8", newline="") as output:
        rows = csv.writer(output)
        rows.writerow(problem.columns)
        rows.writerows(zip(*problem.columns.values(), strict=True))
    given = [word for name, value in problem.numbers.items() for word in ("--given", f"{name}={value}")]
    return ["fit", model, table, *given, "--json"], problem.names


def compared(words, names, expected):
    """One fit: its gap and its ratio that are farthest from right, and its cost."""
    try:
        run = measure.run(fovea.command(*words))
    except measure.Failed as failure:
        return {"failed": str(failure).splitlines()[-1]}
    fit = json.loads(run.output)
    found = {names.get(v["name"], v["name"]): v for v in fit["variables"]}
    gaps, ratios = [], []
    if missing := expected.keys() - found:
        raise measure.Failed(f"the model has no {', '.join(sorted(missing))}")
    for name, (mean, sd) in expected.items():
        gaps.append(abs(found[name]["mean"] - mean) / sd)
        ratios.append(found[name]["sd"] / sd)
    return {"numbers": len(gaps), "gap": max(gaps), "low": min(ratios), "high": max(ratios), "seconds": run.seconds,
            "cpu": run.cpu_seconds, "mixing": fit["mixing"], "divergences": fit["divergences"],
            "evaluations": fit["evaluations"],
            "effective": min(found[name]["bulk_effective_samples"] for name in expected)}


def is_right(fit):
    return "failed" not in fit and fit["gap"] <= GAP and fit["low"] >= LOW and fit["high"] <= HIGH


def is_flagged(fit):
    """True if the program itself says that its figures cannot be trusted."""
    return "failed" in fit or fit["mixing"] != "mixed" or fit["divergences"] > 0


def row_of(name, fits):
    done = [fit for fit in fits if "failed" not in fit]
    row = {"posterior": name, "numbers": done[0]["numbers"] if done else 0}
    if done:
        row.update({"largest gap of means (sd)": round(max(fit["gap"] for fit in done), 3),
                    "sd, ratio": f"{min(fit['low'] for fit in done):.3f} to {max(fit['high'] for fit in done):.3f}",
                    "seconds": f"{statistics.median(fit['seconds'] for fit in done):.2f} "
                               f"(at most {max(fit['seconds'] for fit in done):.2f})",
                    "CPU s": round(statistics.median(fit["cpu"] for fit in done), 2),
                    "evaluations": round(statistics.median(fit["evaluations"] for fit in done))})
    return {**row, "right": f"{sum(map(is_right, fits))} of {len(fits)}",
            "flagged": sum(map(is_flagged, fits))}


def main():
    is_quick = task.wants_quick_run(__doc__)
    root = database()
    report = Report("posteriors")
    report.add(text=__doc__)
    right = missed = 0
    for name in list(MODELS)[:3] if is_quick else MODELS:
        if not (root / "reference_posteriors" / "draws" / "draws" / f"{name}.json.zip").exists():
            raise Missing(f"the reference draws of {name} are not there")
        expected = reference(root, name)
        words, names = written(root, name)
        fits = [compared([*words, "--seed", seed], names, expected) for seed in range(1, 2 if is_quick else SEEDS + 1)]
        report.add(table="Against reference draws", row=row_of(name, fits))
        right += all(is_right(fit) and fit["seconds"] <= SECONDS for fit in fits)
        missed += sum(not is_right(fit) and not is_flagged(fit) for fit in fits)
        print(row_of(name, fits), flush=True)
    for name, reason in WITHOUT_MODEL.items():
        report.add(table="Not run", row={"posterior": name, "reason": reason})
    report.bar("posteriors/right", right, COMMAND, f"of {len(MODELS)}")
    report.bar("posteriors/silent", missed, COMMAND, "fits that are wrong, and are not said to be doubtful")
    report.finish(is_quick)


if __name__ == "__main__":
    task.run(main)
