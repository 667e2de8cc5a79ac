# SPDX-License-Identifier: Apache-2.0
"""The author mentions to be clustered, and a match model for each corpus, kept in build/bench/entity_resolution."""
import csv
import dataclasses
import gzip
import pathlib
import zlib

from harness import data, fovea, measure

FOLDER = data.CACHE / "entity_resolution"
FOLDS = 5


@dataclasses.dataclass(frozen=True)
class Corpus:
    name: str
    title: str
    table: pathlib.Path
    model: pathlib.Path


def source(name):
    path = data.directory() / "entity_resolution" / name
    if not path.exists():
        raise data.Missing(f"{path} is not there; set FOVEA_DATA")
    return path


def block(row):
    """First initial and surname."""
    if "name" not in row:
        return f"{row['first'][:1]} {row['last']}".lower()
    surname, _, given = row["name"].partition(",")
    return f"{given.strip()[:1]} {surname}".lower()


def learn(name, table):
    """A match model of the authors preset, learned from the labels of a fifth of the blocks."""
    labelled, model = FOLDER / f"{name}.labelled.tsv", FOLDER / f"{name}.er"
    FOLDER.mkdir(parents=True, exist_ok=True)
    opened = gzip.open if table.suffix == ".gz" else open
    with opened(table, "rt", encoding="utf-8") as lines, open(labelled, "w", encoding="utf-8") as output:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        print(*rows.fieldnames, "known", sep="\t", file=output)
        for row in rows:
            is_known = zlib.crc32(block(row).encode()) % FOLDS == 0
            print(*row.values(), row["entity"] if is_known else "", sep="\t", file=output)
    measure.run(fovea.command("dedupe", labelled, "--preset", "authors", "--labels", "known", "-o", model))
    return model


def generate(mentions, seed):
    table = FOLDER / f"authors-{mentions}-{seed}.tsv"
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not table.exists():
        measure.run(fovea.command("generate", "authors", "--mentions", mentions, "--seed", seed, "-o", table))
    return table


def beard72k():
    table = source("beard72k.tsv.gz")
    return Corpus("beard72k", "beard72k", table, learn("beard72k", table))


def acl187k():
    table = source("acl187k_abbrev.tsv.gz")
    return Corpus("acl187k", "acl187k_abbrev", table, learn("acl187k", table))


def generated(mentions):
    """Made-up mentions; weights come from another corpus, of 200,000 mentions."""
    model = learn("generated", generate(200_000, 2))
    return Corpus(f"generated-{mentions}", f"{mentions:,} generated mentions", generate(mentions, 1), model)
