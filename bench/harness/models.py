# SPDX-License-Identifier: Apache-2.0
"""Trains the models that several tasks share once and keeps them in build/bench/models."""
from harness import data, fovea, measure

TASKS = {"ner-f2": ("ner", 2), "ner-f4": ("ner", 4), "pos-f2": ("pos", 2), "pos-f4": ("pos", 4),
         "chunk-f2": ("chunk", 2)}


def score(task):
    return data.DATA_SETS[TASKS[task][0]].score


def tuned(task, *recipe):
    """(model, tuning file, dev file). The model is trained on four fifths of train, by maximum likelihood unless
    options of `fovea train` say otherwise. Learn the policy on the other fifth; only score dev."""
    name, factor_size = TASKS[task]
    rest, held = data.split(name)
    model = data.CACHE / "models" / f"{'-'.join([task, *(option.lstrip('-') for option in recipe)])}.rest.model"
    if not model.exists() or model.stat().st_mtime < rest.stat().st_mtime:
        model.parent.mkdir(parents=True, exist_ok=True)
        measure.run(fovea.command("train", "--factor-size", factor_size, *recipe, rest, "-o", model))
    return model, held, data.prepare(name, "dev")
