# SPDX-License-Identifier: Apache-2.0
"""Gives every tool the data sets. They are not shipped: FOVEA_DATA, else ./data, says where they are."""
import dataclasses
import gzip
import os
import pathlib

from harness.results import ROOT

CACHE = ROOT / "build" / "bench"


class Missing(RuntimeError):
    """The data set is not there; the bench says so and skips."""


@dataclasses.dataclass(frozen=True)
class DataSet:
    """The columns kept are the observations, then the label."""
    name: str
    train: str
    dev: str
    columns: tuple
    score: str  # "f1" (entities) or "accuracy"


DATA_SETS = {data.name: data for data in [
    DataSet("ner", "ner_conll2003/train.txt.gz", "ner_conll2003/dev.txt.gz", (0, 1, 2, 3), "f1"),
    DataSet("pos", "pos_ud_ewt/train.tsv.gz", "pos_ud_ewt/dev.tsv.gz", (0, 2), "accuracy"),
    DataSet("chunk", "chunk_conll2000/train.txt.gz", "chunk_conll2000/test.txt.gz", (0, 1, 2), "f1"),
]}


def directory():
    return pathlib.Path(os.environ.get("FOVEA_DATA") or ROOT / "data")


def _select(line, columns):
    cells = line.split("\t") if "\t" in line else line.split()
    return "\t".join(cells[c] for c in columns)


def prepare(name, part):
    """The path of the data set's `train` or `dev` part with the columns in use, tab-separated, not compressed."""
    data = DATA_SETS[name]
    source = directory() / getattr(data, part)
    if not source.exists():
        raise Missing(f"{source} is not there; set FOVEA_DATA")
    target = CACHE / "data" / f"{name}.{part}.tsv"
    if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            line = line.rstrip("\r\n")
            out.write((_select(line, data.columns) if line.strip() else "") + "\n")
    return target


def unpacked(path):
    """The text of a .gz file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return lines.read()


def letters():
    """The folds of the handwritten letters: (those to train on, the one of them to tune on, the one to score)."""
    folds = [directory() / "ocr_letters" / f"fold{fold}.tsv.gz" for fold in range(10)]
    for fold in folds:
        if not fold.exists():
            raise Missing(f"{fold} is not there; set FOVEA_DATA")
    return folds[1:], folds[9], folds[0]


def split(name):
    """The train part, cut in two for learning a policy: (four fifths, every fifth sentence)."""
    source = prepare(name, "train")
    rest, held = (CACHE / "data" / f"{name}.{part}.tsv" for part in ("rest", "tune"))
    if held.exists() and held.stat().st_mtime >= source.stat().st_mtime:
        return rest, held
    blocks = source.read_text(encoding="utf-8").strip("\n").split("\n\n")
    rest.write_text("".join(b + "\n\n" for i, b in enumerate(blocks) if i % 5), encoding="utf-8")
    held.write_text("".join(b + "\n\n" for i, b in enumerate(blocks) if i % 5 == 0), encoding="utf-8")
    return rest, held
