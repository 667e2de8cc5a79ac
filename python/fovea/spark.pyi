# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator
from fovea._report import Report

from fovea.tagging import CRF

__all__ = ['DedupeResult', 'LinkResult', 'dedupe', 'link', 'main', 'tag', 'train']

class DedupeResult:
    """The clusters of a table's records.

    records: the DataFrame with a column of clusters: the id of a cluster's first record or, without ids, the number of
        that record, from 0.
    clusters: of the records that were compared: row and cluster (numbers of the record and of its cluster's first one),
        and confidence where samples were asked for.
    pairs: with pairs=True, the pairs that match: first, second (numbers of records) and score, log odds; else None.
    model: the match model as JSON if it was learned on the way, for Dedupe and `fovea dedupe`; else None.
    report: a dict with the number of records, blocks that were left out, stages that were skipped as they were whole in
        storage, and the seconds of each stage.
    """
    def __init__(self, records: Any, clusters: Any, pairs: Any, model: str | None, report: dict[str, Any]) -> None:
        ...
    def __repr__(self) -> str:
        ...

class LinkResult:
    """The pairs of records of two tables that refer to the same entity.

    links: a DataFrame with first and second (numbers of the records in their own tables, from 0), first_id and second_id
        where there are ids, score (log odds) and probability.
    model, report: as DedupeResult has them; the report has the number of links, too.
    """
    def __init__(self, links: Any, model: str | None, report: dict[str, Any]) -> None:
        ...
    def __repr__(self) -> str:
        ...

def dedupe(
    df: Any,
    *,
    model: str | os.PathLike[str] | None = None,
    compare: str | None = None,
    block: str | None = None,
    preset: str | None = None,
    id: str | None = None,
    cluster_column: str = 'cluster',
    pairs: bool = False,
    threshold: float = 0.5,
    date_format: str = '',
    random_state: int = 1,
    learn_records: int = 500000,
    learning: dict[str, Any] | None = None,
    partitions: int | None = None,
    threads_per_task: int = 1,
    storage: str | None = None,
    **clustering: Any,
) -> DedupeResult:
    """Finds the records of a DataFrame that refer to the same entity.

    model: file of a match model, or the model as JSON. None: one is learned, on the driver: from all records, as Dedupe
    learns, or from a random sample of about learn_records if there are more. compare, block, preset, and in learning
    further options: as Dedupe has them. Of a table of which the sample holds less than a tenth, few matches are left to
    learn from; a model from a part of the table with all its matches, such as a region, is better.
    id: column of unique ids. pairs: also return the pairs that match.
    threshold, date_format, random_state, and further options such as sweeps and samples: as Dedupe has them.
    partitions: number of tasks of each stage; None: one for each 400,000 keys of records, at least one for each core.
    threads_per_task: cores of each task, as spark.task.cpus has them.
    storage: folder that all workers reach, for what each stage finds: a job that is started again with the same input
        and folder skips the stages that were whole. None: a temporary one, if the workers are on this machine.
    """

def link(
    first: Any,
    second: Any,
    *,
    model: str | os.PathLike[str] | None = None,
    compare: str | None = None,
    block: str | None = None,
    preset: str | None = None,
    id: str | None = None,
    second_id: str | None = None,
    one_to_one: bool = False,
    threshold: float = 0.5,
    date_format: str = '',
    random_state: int = 1,
    learn_records: int = 500000,
    learning: dict[str, Any] | None = None,
    partitions: int | None = None,
    threads_per_task: int = 1,
    storage: str | None = None,
) -> LinkResult:
    """Finds the pairs of records of two DataFrames that refer to the same entity, by the columns that both have.

    id, second_id: columns of unique ids, of the first table and of the second; second_id None: both have the same name.
    one_to_one: link no record with two of the other table: the links with the largest sum of scores, which the driver
    chooses among all. Without a model, it learns as Link does. All else: as in dedupe.
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

def train(
    df: Any,
    *,
    text: str,
    labels: str,
    template: str | os.PathLike[str] | None = None,
    storage: str | None = None,
    time_limit: float | str | None = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> CRF:
    """Trains a CRF on the sequences of a DataFrame; returns the fitted CRF, on the driver.

    The likelihood and its gradient are summed over shards of some thousand sequences in an order that depends on the
    sequences alone: the weights are the same to the bit for any number of workers, of partitions, and order of rows.
    They are those of CRF up to the tolerance of training.
    text: column of sequences, arrays of items. An item is a token; with a template it may be an array of cells, and
    without one an array of attributes.
    labels: column of their labels, arrays of texts; a null label is not known.
    template: as CRF has it. options: factor_size, l1, l2, iterations, tolerance, epsilon and cut_off, as CRF has them.
    storage: as in dedupe. time_limit: of the iterations.
    """
