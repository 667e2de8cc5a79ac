# SPDX-License-Identifier: Apache-2.0
"""Trains CRFsuite on a file of attributes. Prints one JSON object: objective and seconds at each iteration."""
import argparse
import json
import pathlib
import sys
import time

import pycrfsuite

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.attributes import sequences  # noqa: E402


class Trace(pycrfsuite.Trainer):
    """Notes the wall-clock seconds since the script began at every iteration."""

    def __init__(self, started):
        super().__init__(verbose=True)
        self.started = started
        self.iterations = []
        self.log = []

    def message(self, text):
        self.log.append(text)
        if text.startswith("Loss: "):
            self.iterations.append({"objective": float(text.split()[1]), "seconds": time.monotonic() - self.started})


def main():
    started = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("model")
    parser.add_argument("--c1", type=float, default=0.0)
    parser.add_argument("--c2", type=float, default=1.0)
    parser.add_argument("--tight", action="store_true", help="go on until the objective hardly changes at all")
    options = parser.parse_args()

    trainer = Trace(started)
    for items, labels in sequences(options.train):
        trainer.append(items, labels)
    read_seconds = time.monotonic() - started
    trainer.select("lbfgs")
    trainer.set_params({"c1": options.c1, "c2": options.c2, "feature.possible_transitions": False})
    if options.tight:
        trainer.set_params({"epsilon": 1e-9, "delta": 1e-12, "max_iterations": 5000})
    trainer.train(options.model)
    features = [int(line.rsplit(" ", 1)[1]) for line in trainer.log if line.startswith("Number of features: ")]
    print(json.dumps({"read_seconds": read_seconds, "seconds": time.monotonic() - started,
                      "objective": trainer.iterations[-1]["objective"], "features": features[0] if features else None,
                      "iterations": trainer.iterations}))


if __name__ == "__main__":
    main()
