# SPDX-License-Identifier: Apache-2.0
"""Records that outgrow a machine, on Spark: the same clusters as on one machine, record by record.

    import fovea.spark as fs                         # pip install 'fovea-engine[spark]', and Java 17

    result = fs.dedupe(df, model="people.er", id="id")
    result.records.write.parquet("...")              # df with a column of clusters

A match model comes from one machine: `fovea dedupe sample.csv --save-model people.er`, or Dedupe.save.
"""

from __future__ import annotations

import os
from typing import Any

from fovea import stages
from fovea._errors import InputError, UsageError
from fovea._spark import (
    Storage,
    check_session,
    check_workers,
    codes_of_partitions,
    column,
    content_of,
    fingerprint,
    partitions_for,
)

__all__ = ["DedupeResult", "dedupe"]

_ID = "fovea_id"  # of a stored record: its partition, shifted, and its place there
_SHIFT = 33  # as monotonically_increasing_id has it
_FIRST = "fovea_first"  # number of the first record of a cluster


class DedupeResult:
    """The clusters of a table's records.

    records: the DataFrame with a column of clusters: the id of a cluster's first record, or its number from 0 in the
        table where there are no ids.
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
    partitions: number of tasks of each stage; None: one for each 100,000 rows, at least one for each core.
    threads_per_task: cores of each task, as spark.task.cpus has them.
    storage: folder that all workers reach, for what each stage finds: a job that is started again with the same input
        and folder skips the stages that were whole. None: a temporary one, if the workers are on this machine."""
    spark = check_session(df)
    plan = stages.Plan(
        _model_text(model),
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
    return _Dedupe(df, plan, id, cluster_column, partitions, Storage(spark, storage)).run(pairs)


class _Dedupe:
    """One call of dedupe()."""

    def __init__(self, df, plan, id, cluster_column, partitions, storage):
        self._df, self._plan, self._id, self._cluster_column = df, plan, id, cluster_column
        self._spark, self._storage, self._partitions = df.sparkSession, storage, partitions

    def run(self, wants_pairs):
        stored = self._number()
        chunks = self._stage("2-chunks", lambda: self._records(stored).mapInArrow(_pack(self._plan), _CHUNKS))
        self._count_contexts(chunks)
        by_blocks = self._find_special_blocks(chunks, wants_pairs) and not wants_pairs
        blocks = self._brought_together(chunks.mapInArrow(_block_buckets(self._plan, self._tasks), _BUCKETS))
        pairs = None
        if by_blocks:
            components = blocks
        else:
            if wants_pairs:
                pairs = self._stage("5-pairs", lambda: blocks.mapInArrow(_links(self._plan), _PAIRS))
                forest = self._stage("5-forest", lambda: pairs.mapInArrow(stages.forest, _LINKS))
                pairs = pairs.dropDuplicates(["first", "second"])
            else:
                forest = self._stage("5-forest", lambda: blocks.mapInArrow(_forest(self._plan), _LINKS))
            labelled = chunks.join(self._components(chunks, forest), "begin")
            components = self._brought_together(
                labelled.mapInArrow(_component_buckets(self._plan, self._tasks), _BUCKETS)
            )
        schema = "row long, cluster long" + (", confidence double" if self._plan.has_samples else "")
        clusters = self._stage("6-clusters", lambda: components.mapInArrow(_clusters(self._plan, by_blocks), schema))
        return DedupeResult(self._with_clusters(stored, clusters), clusters, pairs, self._report())

    def _stage(self, name, make):
        self._mark = fingerprint(self._mark, name)
        return self._storage.stage(name, self._mark, make)

    def _brought_together(self, buckets):
        """Each bucket in a task of its own."""
        return buckets.repartition(self._tasks, self._code_of_bucket)

    def _number(self):
        """Stores the records with numbers that stay, however often a task runs."""
        from pyspark.sql import functions as F

        df = self._df
        content = None if self._storage.is_temporary else content_of(df)
        self._mark = fingerprint(df.schema.json(), content)
        stored = self._stage("1-records", lambda: df.withColumn(_ID, F.monotonically_increasing_id()))
        counts = {row[0]: row[1] for row in stored.groupBy(F.shiftright(_ID, _SHIFT)).count().collect()}
        self._begin, self._rows = [], 0
        for number in range(max(counts, default=-1) + 1):
            self._begin.append(self._rows)
            self._rows += counts.get(number, 0)
        if self._rows == 0:
            raise InputError("the table has no records: give at least one")
        if self._rows >= 2**32 - 1:
            raise InputError(f"{self._rows} records: at most {2**32 - 2} can be brought together")
        self._tasks = self._partitions or partitions_for(self._spark, self._rows * len(self._plan.rules))
        self._code_of_bucket = codes_of_partitions(self._spark, self._tasks)
        self._mark = fingerprint(self._mark, self._plan.identity(), self._tasks)
        self._check_ids(stored)
        return stored

    def _row(self):
        """The number of a stored record."""
        from pyspark.sql import functions as F

        begin = F.array(*[F.lit(number).cast("long") for number in self._begin])
        place = F.col(_ID).bitwiseAND(F.lit((1 << _SHIFT) - 1))
        return F.element_at(begin, (F.shiftright(_ID, _SHIFT) + 1).cast("int")) + place

    def _records(self, stored):
        return stored.select(self._row().alias(stages.ROW), *map(column, self._plan.columns))

    def _check_ids(self, stored):
        from pyspark.sql import functions as F

        if not self._id:
            return
        if (missing := stored.filter(column(self._id).isNull()).count()) > 0:
            raise InputError(f"column '{self._id}' of ids: {missing} records have none; give each record its own")
        twice = stored.groupBy(column(self._id).alias("id")).count().filter(F.col("count") > 1).limit(1).collect()
        if twice:
            raise InputError(
                f"column '{self._id}' of ids: {twice[0][1]} records have the id '{twice[0][0]}'; give each its own"
            )

    def _count_contexts(self, chunks):
        if not self._plan.has_contexts:
            return
        counted = self._stage("3-contexts", lambda: chunks.mapInArrow(_contexts(self._plan), "counts binary"))
        self._plan.use_contexts(stages.merge_contexts(bytes(row.counts) for row in counted.toLocalIterator()))

    def _find_special_blocks(self, chunks, wants_pairs):
        """Finds blocks that are left out or cut; True if the other blocks are components as they are."""
        self._sizes = []
        if not (wants_pairs or self._plan.may_have_special_blocks()):
            return False

        def sizes():
            keys = chunks.mapInArrow(_block_buckets(self._plan, self._tasks, records=False), _BUCKETS)
            return self._brought_together(keys).mapInArrow(_block_sizes(self._plan), _SIZES)

        self._sizes = [tuple(row) for row in self._stage("4-sizes", sizes).collect()]
        self._plan.use_blocks(self._plan.special_blocks(self._sizes))
        return self._plan.blocks_are_components(self._sizes)

    def _components(self, chunks, forest):
        """(begin, components) of each chunk."""
        with self._storage.described("components"):
            components = stages.Components(self._rows)
            for row in forest.toLocalIterator(prefetchPartitions=True):
                if row.links is not None:
                    components.add_links(row.links)
                else:
                    self._sizes.append((row.rule, row.key, row["count"]))
            self._plan.use_blocks(self._plan.special_blocks(sorted(set(self._sizes))))
            first = components.first_records()
            labels = [
                (row.begin, first[row.begin : row.begin + row.rows].tobytes())
                for row in chunks.select("begin", "rows").collect()
            ]
        return self._spark.createDataFrame(labels, "begin long, components binary")

    def _with_clusters(self, stored, clusters):
        from pyspark.sql import functions as F

        confidence = clusters.columns[2:]
        found = clusters.select(F.col("row").alias(stages.ROW), F.col("cluster").alias(_FIRST), *confidence)
        numbered = stored.withColumn(stages.ROW, self._row()).drop(_ID)
        joined = numbered.join(found, stages.ROW, "left")
        cluster = F.coalesce(F.col(_FIRST), F.col(stages.ROW))
        if self._id:
            names = numbered.join(found.select(_FIRST).distinct().withColumnRenamed(_FIRST, stages.ROW), stages.ROW)
            names = names.select(F.col(stages.ROW).alias(_FIRST), column(self._id).alias("fovea_name"))
            joined = joined.join(names, _FIRST, "left")
            cluster = F.coalesce(F.col("fovea_name"), column(self._id))
        columns = map(column, self._df.columns)
        return joined.select(*columns, cluster.alias(self._cluster_column), *map(F.col, confidence))

    def _report(self):
        return {
            "records": self._rows,
            "left_out_blocks": sum(parts == 0 for _, _, parts in self._plan.special_blocks(set(self._sizes))),
            "tasks": self._tasks,
            "skipped": self._storage.skipped,
            "seconds": self._storage.seconds,
        }


_CHUNKS = "begin long, rows long, records binary"
_BUCKETS = "bucket int, records binary"
_SIZES = "rule int, key string, count long"
_LINKS = f"links binary, {_SIZES}"
_PAIRS = "first long, second long, score double"


# Functions of record batches, which Spark carries to its workers.
def _pack(plan):
    return lambda batches: plan.pack(batches)


def _contexts(plan):
    def count(chunks):
        import pyarrow as pa

        yield pa.record_batch({"counts": [plan.count_contexts(chunks)]})

    return count


def _block_buckets(plan, count, records=True):
    return lambda chunks: plan.block_buckets(chunks, count, records=records)


def _block_sizes(plan):
    return lambda buckets: plan.block_sizes(buckets)


def _links(plan):
    return lambda buckets: plan.links(buckets)


def _forest(plan):
    return lambda buckets: plan.forest(buckets)


def _component_buckets(plan, count):
    return lambda chunks: plan.component_buckets(chunks, count)


def _clusters(plan, by_blocks):
    return lambda buckets: plan.clusters(buckets, by_blocks=by_blocks)


def _model_text(model):
    if isinstance(model, str) and model.lstrip().startswith("{"):
        return model
    try:
        with open(model, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"{os.fspath(model)}: {error.strerror}") from None


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
