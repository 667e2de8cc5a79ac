# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator


__all__ = ['DedupeResult', 'dedupe', 'main', 'tag']

class DedupeResult:
    """The clusters of a table's records.

    records: the DataFrame with a column of clusters: the id of a cluster's first record or, without ids, the number of
        that record, from 0.
    clusters: of the records that were compared: row and cluster (numbers of the record and of its cluster's first one),
        and confidence where samples were asked for.
    pairs: with pairs=True, the pairs that match: first, second (numbers of records) and score, log odds; else None.
    report: a dict with the number of records, blocks that were left out, stages that were skipped as they were whole in
        storage, and the seconds of each stage.
    """
    def __init__(self, records: Any, clusters: Any, pairs: Any, report: dict[str, Any]) -> None:
        ...
    def __repr__(self) -> str:
        ...

def dedupe(
    df: Any,
    *,
    model: str | os.PathLike[str],
    id: str | None = None,
    cluster_column: str = 'cluster',
    pairs: bool = False,
    threshold: float = 0.5,
    date_format: str = '',
    random_state: int = 1,
    partitions: int | None = None,
    threads_per_task: int = 1,
    storage: str | None = None,
    **clustering: Any,
) -> DedupeResult:
    """Finds the records of a DataFrame that refer to the same entity.

    model: file of a match model, or the model as JSON. id: column of unique ids. pairs: also return the pairs that match.
    threshold, date_format, random_state, and further options such as sweeps and samples: as Dedupe has them.
    partitions: number of tasks of each stage; None: one for each 400,000 keys of records, at least one for each core.
    threads_per_task: cores of each task, as spark.task.cpus has them.
    storage: folder that all workers reach, for what each stage finds: a job that is started again with the same input
        and folder skips the stages that were whole. None: a temporary one, if the workers are on this machine.
    """

def main(arguments: list[str] | None = None) -> int:
    """Runs the job that the arguments name (None: those of the command line); returns its exit code.

    For spark-submit, in a file of its own: sys.exit(main()). See `python -m fovea.spark --help`.
    """

def tag(df: Any, *, model: Any, text: str, labels: str = 'labels', **options: Any) -> Any:
    """Labels the sequences of a DataFrame; returns it with a column of labels, an array of texts. It is computed where
    the result is used.

    model: file of a tagger, or a fitted tagger of fovea.tagging. text: column of sequences: arrays of tokens, or of what
    else the tagger takes as items. labels: name of the new column. options: as the tagger's predict has them; those that
    draw at random draw for each task anew.
    """
