#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the figures of the results in bench/results/*.json as SVG into docs/figures/.

A figure record: {"figure": file, "title": ..., "x": label, "y": label, "log_x": bool, "log_y": bool, "curves":
[{"label": ..., "points": [[x, y], ...], "published": bool, "dots": bool}]}. Published curves (another machine, another
corpus) are dashed and grey; dots are not joined. The same records give the same bytes.
"""
import json
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Okabe and Ito's palette, which colour-blind readers can tell apart too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = "os^Dvx+"
MANY = 60  # curves with more points have small markers


def figure_records():
    for path in sorted((ROOT / "bench" / "results").glob("*.json")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "figure" in record:
                yield record


def draw(record, target):
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    for number, curve in enumerate(record["curves"]):
        x, y = zip(*curve["points"])
        marker = MARKERS[number % len(MARKERS)]
        style = ({"color": "0.6", "linestyle": "--"} if curve.get("published")
                 else {"color": COLOURS[number % len(COLOURS)]})
        if curve.get("dots"):
            style["linestyle"] = "none"
        axes.plot(x, y, label=curve["label"], marker="." if len(x) > MANY else marker, markersize=4, linewidth=1.4,
                  **style)
    if record.get("log_x"):
        axes.set_xscale("log")
    if record.get("log_y"):
        axes.set_yscale("log")
    if "y_min" in record:
        axes.set_ylim(bottom=record["y_min"])
    axes.set(title=record["title"], xlabel=record["x"], ylabel=record["y"])
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def main():
    matplotlib.rcParams["svg.hashsalt"] = "fovea"
    matplotlib.rcParams["svg.fonttype"] = "none"
    folder = ROOT / "docs" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for record in figure_records():
        draw(record, folder / record["figure"])


if __name__ == "__main__":
    main()
