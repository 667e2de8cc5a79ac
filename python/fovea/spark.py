# SPDX-License-Identifier: Apache-2.0
"""Records and sequences that outgrow a machine, on Spark: the same answers as on one machine.

    import fovea.spark as fs                         # pip install 'fovea-engine[spark]', and Java 17

    result = fs.dedupe(df, compare="given:jaro_winkler, surname:jaro_winkler, born:date", block="surname, born", id="id")
    result.records.write.parquet("...")              # df with a column of clusters
    fs.link(first, second, model="people.er")        # the pairs of two tables
    fs.tag(df, model="ner.model", text="tokens")     # df with a column of labels
    fs.train(df, text="tokens", labels="tags")       # a CRF

A match model is learned on the way, or comes from one machine: `fovea dedupe sample.csv --save-model people.er`,
Dedupe.save. As a job of its own: `python -m fovea.spark dedupe --help`, or spark-submit with
examples/spark/job.py.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from fovea import _core, stages
from fovea._errors import InputError, UsageError
from fovea._run import run_arguments, seed_of
from fovea._spark import Storage, check_session, check_workers
from fovea._spark_dedupe import Deduplication
from fovea._spark_link import Linking, shared
from fovea._spark_records import Learner
from fovea._spark_train import ShardedTraining
from fovea.linkage import Dedupe, Link
from fovea.tagging import CRF

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DedupeResult", "LinkResult", "dedupe", "link", "main", "tag", "train"]


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
        self.records, self.clusters, self.pairs, self.model, self.report = records, clusters, pairs, model, report

    def __repr__(self) -> str:
        return f"<DedupeResult: {self.report['records']} records>"


class LinkResult:
    """The pairs of records of two tables that refer to the same entity.

    links: a DataFrame with first and second (numbers of the records in their own tables, from 0), first_id and second_id
        where there are ids, score (log odds) and probability.
    model, report: as DedupeResult has them; the report has the number of links, too.
    """

    def __init__(self, links: Any, model: str | None, report: dict[str, Any]) -> None:
        self.links, self.model, self.report = links, model, report

    def __repr__(self) -> str:
        return f"<LinkResult: {self.report['links']} links>"


def dedupe(
    df: Any,
    *,
    model: str | os.PathLike[str] | None = None,
    compare: str | None = None,
    block: str | None = None,
    preset: str | None = None,
    id: str | None = None,
    cluster_column: str = "cluster",
    pairs: bool = False,
    threshold: float = 0.5,
    date_format: str = "",
    random_state: int = 1,
    learn_records: int = 500_000,
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
        and folder skips the stages that were whole. None: a temporary one, if the workers are on this machine."""
    spark = check_session(df)
    matching = _Matching(
        Dedupe, model, df.columns, compare=compare, block=block, preset=preset, threshold=threshold, date_format=date_format
    )
    plan, learner, make_plan = matching.prepare(
        [df], {"id": id}, random_state, threads_per_task, learn_records, learning, clustering
    )
    _check_columns(df, cluster_column)
    check_workers(spark)
    job = Deduplication(df, id, cluster_column, plan, make_plan, learner, partitions, Storage(spark, storage))
    records, clusters, found, report = job.run(pairs)
    return DedupeResult(records, clusters, found, job.model, report)


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
    date_format: str = "",
    random_state: int = 1,
    learn_records: int = 500_000,
    learning: dict[str, Any] | None = None,
    partitions: int | None = None,
    threads_per_task: int = 1,
    storage: str | None = None,
) -> LinkResult:
    """Finds the pairs of records of two DataFrames that refer to the same entity, by the columns that both have.

    id, second_id: columns of unique ids, of the first table and of the second; second_id None: both have the same name.
    one_to_one: link no record with two of the other table: the links with the largest sum of scores, which the driver
    chooses among all. Without a model, it learns as Link does. All else: as in dedupe."""
    spark = check_session(first)
    if check_session(second) is not spark:
        raise UsageError("argument second: is of another session of Spark")
    ids = (id, second_id or id)
    if second_id and not id:
        raise UsageError(f"argument second_id={second_id!r}: needs id=, the column of ids of the first table")
    for name, df, own in zip(("first", "second"), (first, second), ids):
        if own and own not in df.columns:
            raise InputError(f"argument {name}: no column is called '{own}'; the columns are {', '.join(df.columns)}")
    frames, names = shared((first, second), ids)
    matching = _Matching(
        Link, model, names, compare=compare, block=block, preset=preset, threshold=threshold, date_format=date_format
    )
    own_ids = {"id": id, "second_id": second_id}
    plan, learner, make_plan = matching.prepare(
        frames, own_ids, random_state, threads_per_task, learn_records, learning, {}
    )
    check_workers(spark)
    job = Linking(frames, ids, plan, make_plan, learner, partitions, Storage(spark, storage))
    links, report = job.run(one_to_one)
    return LinkResult(links, job.model, report)


class _Matching:
    """How records are matched: by a model, or by what an estimator, Dedupe or Link, is to learn."""

    def __init__(self, kind, model, columns, *, compare, block, preset, **options):
        self._kind, self._columns, self._options = kind, columns, options
        self._lists = {"compare": compare, "block": block, "preset": preset}
        self._model = None if model is None else _file_text(model)
        if model is not None and any(self._lists.values()):
            raise UsageError("argument model: has its own compare, block and preset; leave these out")

    def prepare(self, frames, ids, seed, threads, most, learning, clustering):
        """A plan or None, a Learner or None, and the function that makes a plan from a model as JSON."""
        seed = seed_of(seed)

        def make_plan(model):
            own = {"for_links": True} if self._kind is Link else {"id": ids["id"] or "", **clustering}
            plan = stages.Plan(model, self._columns, **self._options, seed=seed, threads=threads, **own)
            _check_types(frames, plan.columns)
            return plan

        if self._model is not None:
            return make_plan(self._model), None, make_plan
        _core.check_clustering(**clustering)
        if not isinstance(most, int) or most < 1:
            raise UsageError(f"argument learn_records={most!r}: needs a number from 1 on")
        lists = self._lists
        if not lists["preset"]:
            _check_types(frames, _core.columns_of_lists(lists["compare"] or "", lists["block"] or "", self._columns))
        given = {name: value for name, value in {**lists, **self._options, **ids}.items() if value}
        estimator = self._kind(random_state=seed, **{**given, **(learning or {})})
        return None, Learner(estimator, most, seed), make_plan


def tag(df: Any, *, model: Any, text: str, labels: str = "labels", **options: Any) -> Any:
    """Labels the sequences of a DataFrame; returns it with a column of labels, an array of texts. It is computed where
    the result is used.

    model: file of a tagger, or a fitted tagger of fovea.tagging. text: column of sequences: arrays of tokens, or of what
    else the tagger takes as items. labels: name of the new column. options: as the tagger's predict has them; those that
    draw at random draw for each task anew."""
    from pyspark.sql.types import ArrayType, StringType, StructType

    spark = check_session(df)
    _check_sequences(df, text)
    if not labels or labels in df.columns:
        raise UsageError(f"argument labels={labels!r}: needs a name that no column has")
    tagger = _tagger_of(model)
    tagger.predict([], **options)  # refuses options that are wrong
    check_workers(spark)
    schema = StructType(list(df.schema.fields)).add(labels, ArrayType(StringType()))
    return df.mapInArrow(_labelled(tagger, text, labels, options), schema)


def _check_sequences(df, text):
    from pyspark.sql.types import ArrayType

    if text not in df.columns:
        raise InputError(f"argument text={text!r}: no column is called that; the columns are {', '.join(df.columns)}")
    kind = df.schema[text].dataType
    if not isinstance(kind, ArrayType):
        raise InputError(f"column '{text}' is of type {kind.simpleString()}: needs arrays of tokens, such as split(text, ' ')")


def _labelled(tagger, text, labels, options):
    def add(batches):
        import pyarrow as pa

        for batch in batches:
            sequences = batch.column(text).to_pylist()
            if None in sequences:
                raise InputError(f"column '{text}': a sequence is missing; leave such rows out")
            found = pa.array(tagger.predict(sequences, **options), pa.list_(pa.string()))
            yield pa.record_batch([*batch.columns, found], [*batch.schema.names, labels])

    return add


def _tagger_of(model):
    from fovea import tagging
    from fovea._core import Tagger

    if not isinstance(model, (str, os.PathLike)):
        if not hasattr(model, "predict_n_best"):
            raise UsageError(f"argument model: needs a file or a fitted tagger, not {type(model).__name__}")
        return model
    data = _file_bytes(model)
    family = Tagger(data, os.fspath(model)).family
    classes = {cls._family: cls for cls in (tagging.CRF, tagging.Doeblin, tagging.SVM, tagging.GP)}
    return classes[family]._from_bytes(data, os.fspath(model))


def _file_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: {error.strerror}") from None


def _file_text(model):
    """A model as JSON, from a file unless it is that already."""
    if isinstance(model, str) and model.lstrip().startswith("{"):
        return model
    return _file_bytes(model).decode()


def _check_columns(df, cluster_column):
    if not cluster_column or cluster_column in df.columns:
        raise UsageError(f"argument cluster_column={cluster_column!r}: needs a name that no column has")
    if taken := [name for name in df.columns if name.startswith("fovea_")]:
        raise UsageError(f"column '{taken[0]}': names that begin with fovea_ are for the stages; rename it")


def _check_types(frames, needed):
    from pyspark.sql.types import ArrayType, BinaryType, MapType, StructType, VariantType

    for df, name in ((df, name) for df in frames for name in needed):
        kind = df.schema[name].dataType
        element = kind.elementType if isinstance(kind, ArrayType) else kind
        if isinstance(element, (ArrayType, BinaryType, MapType, StructType, VariantType)):
            raise InputError(
                f"column '{name}' is of type {kind.simpleString()}, which has no text: give text, numbers, dates or lists "
                "of these, or leave the column out of the model"
            )


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
    storage: as in dedupe. time_limit: of the iterations."""
    from pyspark.sql.types import ArrayType, StringType

    spark = check_session(df)
    _check_sequences(df, text)
    if labels not in df.columns or df.schema[labels].dataType.simpleString() != "array<string>":
        raise InputError(f"argument labels={labels!r}: needs a column of arrays of texts, one for each item")
    item = df.schema[text].dataType.elementType
    if not isinstance(item.elementType if isinstance(item, ArrayType) else item, StringType):
        raise InputError(f"column '{text}' is of type array<{item.simpleString()}>: needs arrays of texts, or of arrays of texts")
    tagger = CRF(template=template, **options)
    _core.check_shard_options(**options)
    check_workers(spark)
    _, template_text = tagger._template_of([])
    job = ShardedTraining(df, text, labels, None if template is None else template_text, options, Storage(spark, storage))
    data, report, interrupted = job.run(**run_arguments(time_limit, None, 1, 1, progress))
    fitted = CRF._from_bytes(data, "the tagger").set_params(template=template, **options)
    fitted.report_, fitted.interrupted_ = json.loads(report), interrupted
    return fitted


def main(arguments: list[str] | None = None) -> int:
    """Runs the job that the arguments name (None: those of the command line); returns its exit code.

    For spark-submit, in a file of its own: sys.exit(main()). See `python -m fovea.spark --help`."""
    from fovea._spark_job import main as run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
