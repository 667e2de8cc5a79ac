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
    column,
    content_of,
    fingerprint,
    library_errors,
    partitions_for,
)

__all__ = ["DedupeResult", "dedupe"]

_ID = "fovea_id"  # of a stored record: its partition, shifted, and its place there
_SHIFT = 33  # as monotonically_increasing_id has it
_COMPONENT = stages.SORTED_COMPONENTS[0]
_LABELS_OF_A_CHUNK = 1 << 20


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
        self._mark = None

    def run(self, wants_pairs):
        stored = self._number()
        records = stored.select(self._row(stored).alias(stages.ROW), *map(column, self._plan.columns))
        self._count_contexts(records)
        by_blocks = self._find_special_blocks(records) and not wants_pairs
        blocks = self._sorted(records.mapInArrow(_keys(self._plan), self._schema_of_keys(records)))
        pairs = None
        if by_blocks:
            clusters = self._cluster(blocks, by_blocks)
        else:
            if wants_pairs:
                pairs = self._stage("3-pairs", lambda: blocks.mapInArrow(_links(self._plan), _PAIRS))
                forest = self._stage("4-forest", lambda: pairs.mapInArrow(_forest, "links binary"))
                pairs = pairs.dropDuplicates(["first", "second"])
            else:
                forest = self._stage("4-forest", lambda: blocks.mapInArrow(_linked_forest(self._plan), "links binary"))
            components = self._components(forest)
            joined = records.join(components, stages.ROW)
            grouped = joined.repartition(self._tasks, _COMPONENT).sortWithinPartitions(*stages.SORTED_COMPONENTS)
            clusters = self._cluster(grouped, by_blocks)
        return DedupeResult(self._with_clusters(stored, clusters), clusters, pairs, self._report())

    def _stage(self, name, make):
        self._mark = fingerprint(self._mark, name)
        return self._storage.stage(name, self._mark, make)

    def _number(self):
        """Stores the records with numbers that stay, however often a task runs."""
        from pyspark.sql import functions as F

        df = self._df
        content = None if self._storage.is_temporary else content_of(df)
        self._mark = fingerprint(df.schema.json(), content)
        stored = self._stage("1-records", lambda: df.withColumn(_ID, F.monotonically_increasing_id()))
        part = F.shiftright(_ID, _SHIFT)
        counts = {row[0]: row[1] for row in stored.groupBy(part).count().collect()}
        self._begin, self._rows = [], 0
        for number in range(max(counts, default=-1) + 1):
            self._begin.append(self._rows)
            self._rows += counts.get(number, 0)
        if self._rows == 0:
            raise InputError("the table has no records: give at least one")
        if self._rows >= 2**32:
            raise InputError(f"{self._rows} records: at most {2**32 - 1} can be brought together")
        self._tasks = self._partitions or partitions_for(self._spark, self._rows * len(self._plan.rules))
        self._mark = fingerprint(self._mark, self._plan.identity(), self._tasks)
        self._check_ids(stored)
        return stored

    def _row(self, stored):
        from pyspark.sql import functions as F

        begin = F.array(*[F.lit(number).cast("long") for number in self._begin])
        place = F.col(_ID).bitwiseAND(F.lit((1 << _SHIFT) - 1))
        return F.element_at(begin, (F.shiftright(_ID, _SHIFT) + 1).cast("int")) + place

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

    def _count_contexts(self, records):
        if not self._plan.has_contexts:
            return
        counted = self._stage("2-contexts", lambda: records.mapInArrow(_contexts(self._plan), "counts binary"))
        parts = [bytes(row.counts) for row in counted.toLocalIterator()]
        if parts:
            self._plan.use_contexts(stages.merge_contexts(parts))

    def _find_special_blocks(self, records):
        """Finds blocks that are left out or cut; True if the other blocks are components as they are."""
        from pyspark.sql import functions as F

        least = self._plan.least_special()

        def sizes():
            keys = records.mapInArrow(_keys_alone(self._plan), "fovea_rule long, fovea_key string")
            counts = keys.groupBy("fovea_rule", "fovea_key").count()
            limit = F.element_at(F.array(*[F.lit(n) for n in least]), (F.col("fovea_rule") + 1).cast("int"))
            return counts.filter(F.col("count") > limit)

        found = [tuple(row) for row in self._stage("2-sizes", sizes).collect()]
        special = self._plan.special_blocks(found)
        self._plan.use_blocks(special)
        self._left_out = sum(parts == 0 for _, _, parts in special)
        left_out = {(rule, key) for rule, key, parts in special if parts == 0}
        largest = max((count for rule, key, count in found if (rule, key) not in left_out), default=0)
        return self._plan.blocks_are_components(largest)

    def _schema_of_keys(self, records):
        of_records = {field.name: field for field in records.schema.fields}
        keys = "fovea_rule long, fovea_key string, fovea_tile long, fovea_side long, fovea_row long"
        from pyspark.sql.types import StructType

        schema = StructType.fromDDL(keys)
        for name in self._plan.columns:
            schema = schema.add(of_records[name])
        return schema

    def _sorted(self, keys):
        blocks = stages.SORTED_BLOCKS
        return keys.repartition(self._tasks, *blocks[:3]).sortWithinPartitions(*blocks)

    def _components(self, forest):
        """(fovea_row, fovea_component) of the records that are not alone."""
        import numpy as np

        with self._storage.described("components"):
            components = stages.Components(self._rows)
            for row in forest.toLocalIterator(prefetchPartitions=True):
                first, second = np.frombuffer(row.links, np.uint32).reshape(2, -1)
                components.add(first, second)
            labels = components.first_records()
            chunks = [
                (begin, labels[begin : begin + _LABELS_OF_A_CHUNK].tobytes())
                for begin in range(0, self._rows, _LABELS_OF_A_CHUNK)
            ]
        return self._spark.createDataFrame(chunks, "begin long, labels binary").mapInArrow(_labels, _LABELS)

    def _cluster(self, grouped, by_blocks):
        schema = "row long, cluster long" + (", confidence double" if self._plan.has_samples else "")
        return self._stage("5-clusters", lambda: grouped.mapInArrow(_clusters(self._plan, by_blocks), schema))

    def _with_clusters(self, stored, clusters):
        from pyspark.sql import functions as F

        found = clusters.select(F.col("row").alias(stages.ROW), F.col("cluster").alias(_COMPONENT), *clusters.columns[2:])
        numbered = stored.withColumn(stages.ROW, self._row(stored)).drop(_ID)
        joined = numbered.join(found, stages.ROW, "left")
        first = F.coalesce(F.col(_COMPONENT), F.col(stages.ROW))
        if self._id:
            names = numbered.select(F.col(stages.ROW).alias(_COMPONENT), column(self._id).alias("fovea_name"))
            joined = joined.withColumn(_COMPONENT, first).join(names, _COMPONENT)
            first = F.col("fovea_name")
        columns = [column(name) for name in self._df.columns]
        return joined.select(*columns, first.alias(self._cluster_column), *map(F.col, clusters.columns[2:]))

    def _report(self):
        return {
            "records": self._rows,
            "left_out_blocks": self._left_out,
            "skipped": self._storage.skipped,
            "seconds": self._storage.seconds,
        }


_PAIRS = "first long, second long, score double"
_LABELS = f"{stages.ROW} long, {_COMPONENT} long"


def _keys(plan):
    return lambda batches: plan.keys(batches)


def _keys_alone(plan):
    return lambda batches: (b.select(["fovea_rule", "fovea_key"]) for b in plan.keys(batches, records=False))


def _links(plan):
    return lambda batches: plan.links(batches)


def _linked_forest(plan):
    return lambda batches: _forest(plan.links(batches))


def _clusters(plan, by_blocks):
    return lambda batches: plan.clusters(batches, by_blocks=by_blocks)


def _contexts(plan):
    import pyarrow as pa

    return lambda batches: iter([pa.record_batch({"counts": [plan.count_contexts(batches)]})])


def _forest(batches):
    import numpy as np
    import pyarrow as pa

    for links in stages.forest(batches):
        yield pa.record_batch({"links": [np.concatenate(links).tobytes()]})


def _labels(batches):
    """Unpacks chunks of labels into records that are not the only ones of their component."""
    import numpy as np
    import pyarrow as pa

    for batch in batches:
        for begin, packed in zip(batch.column("begin").to_pylist(), batch.column("labels").to_pylist()):
            labels = np.frombuffer(packed, np.uint32)
            rows = np.arange(begin, begin + len(labels))
            yield pa.record_batch({stages.ROW: rows, _COMPONENT: labels.astype(np.int64)})


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
