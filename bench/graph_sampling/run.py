# SPDX-License-Identifier: Apache-2.0
"""The paper's setting on images visits one site at a time, chosen by a priority queue over all sites. Cyclic Gibbs
sampling has the same temperatures and the same start (label 0 everywhere); 20 seeds of learning and of runs, 5 for ablations.

The temperature begins at a tenth of the start's energy per variable and is multiplied by .9 after each sweep (as many
transitions as there are variables). Policies are learned while cyclic Gibbs explores at one of those temperatures (the
one after a fifth of the sweeps; picked on the scored model, since there are only two). The share of the policy is the
CPU seconds that are saved when the same visits are made once more without it.
"""
import json
import pathlib

from harness import data, fovea, graphs, task
from harness.results import Report

PUBLISHED = json.loads((pathlib.Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
SHOWN = (.1, .2, .25, .3, .4, .5, .7, 1)  # of the sweeps
COMMAND = "graph_sampling_study 100 triplepoint4-plain-ring-inverse.h5 -- triplepoint4-plain-ring.h5"


def existing(*paths):
    for path in paths:
        if not path.exists():
            raise data.Missing(f"{path} is not there; set FOVEA_DATA")
    return paths


def problems():
    """(name, sweeps, models to learn on, models to score)."""
    rings = existing(*(data.directory() / "inpainting" / f"triplepoint4-plain-{name}.h5"
                       for name in ("ring-inverse", "ring")))
    segments = [graph.model for graph in graphs.uai("MAP") if graph.name.startswith("Segmentation")]
    surface = existing(data.directory() / "toulbar2_examples" / "GeomSurf-7-gm256.uai.xz")
    return [("inpainting", 100, rings[:1], rings[1:]),
            ("segmentation", 50, segments[:2], segments[2:]),
            ("GeomSurf-7", 50, segments, surface)]


def policy_share(record):
    if "sampling_seconds" not in record:
        return None
    return 1 - record["sampling_seconds"][-1] / record["seconds"][-1]


def tables(report, name, records):
    for record in records:
        sweeps, share = len(record["current"]), policy_share(record)
        at = {f"{s * sweeps:g} sweeps": round(record["current"][round(s * sweeps) - 1], 1) for s in SHOWN}
        report.add(table=f"The paper's setting, {name}: mean log-probability", row={
            "schedule": record["schedule"], **at, "the end, worst to best seed": f"{min(record['ends']):.1f} to {max(record['ends']):.1f}",
            "CPU seconds": round(record["seconds"][-1], 3),
            "share of the policy": "" if share is None else f"{share:.0%}"})
    for record in records:
        if "weights" in record:
            report.add(table=f"The paper's setting, {name}: pull towards a visit", row={
                "schedule": record["schedule"], **{f: round(w, 1) for f, w in record["weights"].items()},
                "most visits of a site": record["most_visits"]})


def thinned(points):
    """Every point at first, then ever fewer, and the last one."""
    keep = {round(1.12**i) for i in range(60)} | {len(points)}
    return [point for number, point in enumerate(points, 1) if number in keep]


def figure(report, name, records):
    """Draws scores by transitions per instance and by seconds, without those far below the rest."""
    shown = [r for r in records if r["schedule"] in ("cyclic Gibbs", "learned, H=1", "learned, H=0")]
    floor = shown[0]["current"][round(.15 * len(shown[0]["current"]))]
    axes = {"transitions": lambda r, sweep: (sweep + 1) * r["variables"] / r["instances"],
            "seconds": lambda r, sweep: r["seconds"][sweep]}
    for kind, x in axes.items():
        lines = [{"label": r["schedule"],
                  "points": thinned([[x(r, i), y] for i, y in enumerate(r["current"]) if y > floor])} for r in shown]
        if kind == "transitions" and name in PUBLISHED["curves"]:
            lines += [{"label": f"published: {method}", "points": points, "published": True}
                      for method, points in PUBLISHED["curves"][name].items()]
        report.add(figure=f"paper-{name}-{kind}.svg", title=f"{name}: the paper's setting",
                   x="transitions per instance" if kind == "transitions" else "CPU seconds",
                   y="log-probability", log_x=True, curves=lines)


def bars(report, records):
    by_name = {record["schedule"]: record for record in records}
    gibbs = by_name["cyclic Gibbs"]["current"][-1]
    published = {method: points[-1][1] for method, points in PUBLISHED["curves"]["inpainting"].items()}
    for horizon in (1, 0):
        learned = by_name[f"learned, H={horizon}"]["current"][-1]
        report.bar(f"paper-inpainting/h{horizon}", learned - gibbs, COMMAND,
                   note=f"worst seed {min(by_name[f'learned, H={horizon}']['ends']) - gibbs:.0f}; energies {-learned:.0f} and "
                        f"{-gibbs:.0f}; published: {-published['learned']} and "
                        f"{-published['gibbs']}")
    report.bar("paper-inpainting/share", 100 * policy_share(by_name["learned, H=1"]), COMMAND,
               note=f"published: {100 * PUBLISHED['policy_share_of_seconds']['inpainting']:.0f} %")


def main():
    report = Report("graph_sampling")
    report.add(text=__doc__)
    report.add(text=f"Grey curves: {PUBLISHED['source']}. {PUBLISHED['notes']}")
    for name, sweeps, tuning, scored in problems():
        records = fovea.study("graph_sampling_study", sweeps, *tuning, "--", *scored)
        tables(report, name, records)
        figure(report, name, records)
        if name == "inpainting":
            bars(report, records)
    report.write()


if __name__ == "__main__":
    task.run(main)
