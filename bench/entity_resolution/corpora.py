# SPDX-License-Identifier: Apache-2.0
"""The author mentions that are clustered, and a match model for each, kept in build/bench/entity_resolution."""
import dataclasses
import gzip
import pathlib

from harness import data, fovea, measure

FOLDER = data.CACHE / "entity_resolution"
PAPERS = "first:given_name, coauthors:words, venue, year:number, title:words"


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


def learn(name, table, compare, block):
    """Weights are learned from a fifth of the blocks."""
    model = FOLDER / f"{name}.model"
    measure.run([f"{fovea.folder()}/entity_resolution_weights", table, compare, block, "entity", model])
    return model


def generate(mentions, seed):
    table = FOLDER / f"authors-{mentions}-{seed}.tsv"
    if not table.exists():
        measure.run(fovea.command("generate", "authors", "--mentions", mentions, "--seed", seed, "-o", table))
    return table


def beard72k():
    """The name, "Last, First M.", is cut in two."""
    table = FOLDER / "beard72k.tsv"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with gzip.open(source("beard72k.tsv.gz"), "rt", encoding="utf-8") as lines, open(table, "w", encoding="utf-8") as out:
        for mention, name, affiliation, entity in (line.rstrip("\n").split("\t") for line in lines):
            last, given = ("surname", "given") if name == "name" else map(str.strip, name.partition(",")[::2])
            print(mention, last, given, affiliation, entity, sep="\t", file=out)
    return Corpus("beard72k", "beard72k", table,
                  learn("beard72k", table, "given:given_name, affiliation:words", "initial(given)+surname"))


def acl187k():
    table = source("acl187k_abbrev.tsv.gz")
    FOLDER.mkdir(parents=True, exist_ok=True)
    return Corpus("acl187k", "acl187k_abbrev", table, learn("acl187k_abbrev", table, PAPERS, "initial(first)+last"))


def generated(mentions):
    """Weights come from another corpus of 200,000 mentions."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    model = learn("generated", generate(200_000, 2), PAPERS, "initial(first)+last")
    return Corpus("generated", f"{mentions:,} generated mentions", generate(mentions, 1), model)
