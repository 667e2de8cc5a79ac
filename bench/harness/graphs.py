# SPDX-License-Identifier: Apache-2.0
"""The discrete models, unpacked where both Fovea and its peers can read them, with their reference answers."""
import dataclasses
import lzma
import pathlib
import shutil

from harness.data import CACHE, Missing, directory

FOLDER = CACHE / "graphs"


@dataclasses.dataclass(frozen=True)
class Graph:
    name: str
    model: pathlib.Path
    evidence: pathlib.Path = None
    reference: pathlib.Path = None  # the file of answers next to the model

    def words(self):
        """The model and its evidence as `fovea solve` takes them."""
        return [self.model, *(["--evidence", self.evidence] if self.evidence else [])]

    def reference_numbers(self):
        """The numbers of a solution file after its first line."""
        return [float(word) for word in self.reference.read_text(encoding="ascii").split("\n", 1)[1].split()]


def _source(relative):
    path = directory() / relative
    if not path.exists():
        raise Missing(f"{path} is not there; set FOVEA_DATA")
    return path


def uai(task):
    """The models of the UAI 2014 competition for a task (MAP, MAR, PR) that come with a reference, by name."""
    source = _source(f"uai2014/{task}.tar.xz")
    target = FOLDER / task
    if not target.exists():
        target.mkdir(parents=True)
        shutil.unpack_archive(source, target)
    graphs = []
    for model in sorted(target.rglob("*.uai")):
        evidence, reference = (model.with_name(model.name + ending) for ending in (".evid", f".{task}"))
        if reference.exists():
            graphs.append(Graph(model.name.removesuffix(".uai"), model, evidence if evidence.exists() else None, reference))
    return graphs


def published_map_scores():
    """Model name -> best published log10 score."""
    lines = _source("uai2014/MAP_best_published_log10.tsv").read_text(encoding="ascii").splitlines()[1:]
    return {name: float(score) for name, score in (line.split("\t")[:2] for line in lines)}


def generated(name):
    """One of the models that were made up for comparisons."""
    source = _source(f"generated/{name}.uai.xz")
    target = FOLDER / f"{name}.uai"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(lzma.decompress(source.read_bytes()))
    return Graph(name, target)


def bayesian_networks():
    return [Graph(path.name.removesuffix(".bif.gz"), path) for path in sorted(_source("bif").glob("*.bif.gz"))]
