# SPDX-License-Identifier: Apache-2.0
"""Records and sequences that outgrow a machine, on Spark: the same answers as on one machine.

    import fovea.spark as fs                         # pip install 'fovea-engine[spark]', and Java 17

    result = fs.dedupe(df, model="people.er", id="id")
    result.records.write.parquet("...")              # df with a column of clusters

    fs.tag(df, model="ner.model", text="tokens")     # df with a column of labels

Models come from one machine: `fovea dedupe sample.csv --save-model people.er` or Dedupe.save, `fovea train` or CRF.save.
As a job of its own: `python -m fovea.spark dedupe --help`, or spark-submit with examples/spark/dedupe_job.py.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from fovea import stages
from fovea._errors import InputError, UsageError
from fovea._spark import Storage, check_session, check_workers, exists, library_errors
from fovea._spark_dedupe import Deduplication

__all__ = ["DedupeResult", "dedupe", "main", "tag"]


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
        self.records, self.clusters, self.pairs, self.report = records, clusters, pairs, report

    def __repr__(self) -> str:
        return f"<DedupeResult: {self.report['records']} records>"


def dedupe(
    df: Any,
    *,
    model: str | os.PathLike[str],
    id: str | None = None,
    cluster_column: str = "cluster",
    pairs: bool = False,
    threshold: float = 0.5,
    date_format: str = "",
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
        and folder skips the stages that were whole. None: a temporary one, if the workers are on this machine."""
    spark = check_session(df)
    plan = stages.Plan(
        _file_text(model),
        df.columns,
        threshold=threshold,
        date_format=date_format,
        id=id or "",
        seed=random_state,
        threads=threads_per_task,
        **clustering,
    )
    _check_schema(df, plan.columns, cluster_column)
    check_workers(spark)
    job = Deduplication(df, plan, id, cluster_column, partitions, Storage(spark, storage))
    return DedupeResult(*job.run(pairs))


def tag(df: Any, *, model: Any, text: str, labels: str = "labels", **options: Any) -> Any:
    """Labels the sequences of a DataFrame; returns it with a column of labels, an array of texts. It is computed where
    the result is used.

    model: file of a tagger, or a fitted tagger of fovea.tagging. text: column of sequences: arrays of tokens, or of what
    else the tagger takes as items. labels: name of the new column. options: as the tagger's predict has them; those that
    draw at random draw for each task anew."""
    from pyspark.sql.types import ArrayType, StringType, StructType

    spark = check_session(df)
    if text not in df.columns:
        raise InputError(f"argument text={text!r}: no column is called that; the columns are {', '.join(df.columns)}")
    kind = df.schema[text].dataType
    if not isinstance(kind, ArrayType):
        raise InputError(f"column '{text}' is of type {kind.simpleString()}: needs arrays of tokens, such as split(text, ' ')")
    if not labels or labels in df.columns:
        raise UsageError(f"argument labels={labels!r}: needs a name that no column has")
    tagger = _tagger_of(model)
    tagger.predict([], **options)  # refuses options that are wrong
    check_workers(spark)
    schema = StructType(list(df.schema.fields)).add(labels, ArrayType(StringType()))
    return df.mapInArrow(_labelled(tagger, text, labels, options), schema)


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


def _check_schema(df, needed, cluster_column):
    from pyspark.sql.types import ArrayType, BinaryType, MapType, StructType, VariantType

    if not cluster_column or cluster_column in df.columns:
        raise UsageError(f"argument cluster_column={cluster_column!r}: needs a name that no column has")
    if taken := [name for name in df.columns if name.startswith("fovea_")]:
        raise UsageError(f"column '{taken[0]}': names that begin with fovea_ are for the stages; rename it")
    for name in needed:
        kind = df.schema[name].dataType
        element = kind.elementType if isinstance(kind, ArrayType) else kind
        if isinstance(element, (ArrayType, BinaryType, MapType, StructType, VariantType)):
            raise InputError(
                f"column '{name}' is of type {kind.simpleString()}, which has no text: give text, numbers, dates or lists "
                "of these, or leave the column out of the model"
            )


def main(arguments: list[str] | None = None) -> int:
    """Runs the job that the arguments name (None: those of the command line); returns its exit code.

    For spark-submit, in a file of its own: sys.exit(main()). See `python -m fovea.spark --help`."""
    parser = argparse.ArgumentParser(prog="python -m fovea.spark", description="Jobs on Spark, from file to file.")
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    for name, about in (
        ("dedupe", "find the records of a table that refer to the same entity"),
        ("tag", "label the sequences of a table"),
    ):
        job = jobs.add_parser(name, help=about, description=about)
        job.add_argument("input", help="table to read: what Spark reads by --format, from any place that it reaches")
        job.add_argument("-o", "--output", required=True, help="Parquet to write; it must not exist")
        job.add_argument("--model", required=True, help="model to use, a file of the driver's machine")
        job.add_argument("--format", default="parquet", help="format of the input: parquet (default), csv, json, orc")
        job.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="option of Spark's reader")
    dedupe_job, tag_job = (jobs.choices[name] for name in ("dedupe", "tag"))
    dedupe_job.add_argument("--id", help="column of unique ids")
    dedupe_job.add_argument("--cluster-column", default="cluster", help="name of the column of clusters")
    dedupe_job.add_argument("--threshold", type=float, default=0.5, help="two records match above this probability")
    dedupe_job.add_argument("--storage", help="folder for what each stage finds; a job that is started again goes on")
    dedupe_job.add_argument("--partitions", type=int, help="number of tasks of each stage")
    tag_job.add_argument("--text", required=True, help="column of sequences, arrays of tokens")
    tag_job.add_argument("--labels", default="labels", help="name of the column of labels")
    given = parser.parse_args(arguments)
    try:
        return _run(given)
    except (InputError, UsageError) as error:
        print(f"fovea: error: {error}", file=sys.stderr)
        return 3 if isinstance(error, InputError) else 2


def _run(given):
    from pyspark.errors import AnalysisException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName(f"fovea {given.job}").getOrCreate()
    if exists(spark, given.output):
        raise UsageError(f"argument --output: {given.output} exists; remove it, or give another name")
    if wrong := [option for option in given.option if "=" not in option]:
        raise UsageError(f"argument --option {wrong[0]}: needs NAME=VALUE")
    options = dict(option.split("=", 1) for option in given.option)
    if given.format == "csv":
        options = {"header": "true", **options}
    try:
        df = spark.read.format(given.format).options(**options).load(given.input)
    except AnalysisException as error:
        raise InputError(f"{given.input}: {str(error).splitlines()[0]}") from None
    if given.job == "tag":
        with library_errors():
            tag(df, model=given.model, text=given.text, labels=given.labels).write.parquet(given.output)
        return 0
    names = ("model", "id", "cluster_column", "threshold", "storage", "partitions")
    result = dedupe(df, **{name: getattr(given, name) for name in names})
    result.records.write.parquet(given.output)
    print(json.dumps(result.report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
