# SPDX-License-Identifier: Apache-2.0
"""The stages of fovea.spark.dedupe: what Spark stores, brings together and joins."""

from fovea import __version__, stages
from fovea._errors import InputError
from fovea._spark import codes_of_partitions, column, content_of, fingerprint, partitions_for

_SHIFT = 33  # of the number of a partition in that of a chunk


class Deduplication:
    """One call of fovea.spark.dedupe: run() returns (records, clusters, pairs, report)."""

    def __init__(self, df, plan, id, cluster_column, partitions, storage):
        self._df, self._plan, self._id, self._cluster_column = df, plan, id, cluster_column
        self._spark, self._storage, self._partitions = df.sparkSession, storage, partitions

    def run(self, wants_pairs):
        chunks = self._number()
        self._count_contexts(chunks)
        by_blocks = self._find_special_blocks(chunks, wants_pairs) and not wants_pairs
        blocks = self._brought_together(chunks.mapInArrow(_block_buckets(self._plan, self._tasks), _BUCKETS))
        pairs = None
        if by_blocks:
            components = blocks
        else:
            if wants_pairs:
                pairs = self._stage("4-pairs", lambda: blocks.mapInArrow(_links(self._plan), _PAIRS))
                forest = self._stage("4-forest", lambda: pairs.mapInArrow(stages.forest, _LINKS))
                pairs = pairs.dropDuplicates(["first", "second"])
            else:
                forest = self._stage("4-forest", lambda: blocks.mapInArrow(_forest(self._plan), _LINKS))
            labelled = chunks.join(self._components(forest), "chunk")
            components = self._brought_together(
                labelled.mapInArrow(_component_buckets(self._plan, self._tasks), _BUCKETS)
            )
        schema = _CLUSTERS + (", confidence double" if self._plan.has_samples else "")
        clusters = self._stage(
            "5-clusters", lambda: components.mapInArrow(_clusters(self._plan, by_blocks, self._begin), schema)
        )
        records = self._stage("6-records", lambda: self._with_clusters(chunks, clusters), self._spark)
        return records, clusters.drop("chunk"), pairs, self._report()

    def _stage(self, name, make, spark=None):
        self._mark = fingerprint(self._mark, name)
        return self._storage.stage(name, self._mark, make, spark)

    def _brought_together(self, buckets):
        """Each bucket in a task of its own."""
        return buckets.repartition(self._tasks, self._code_of_bucket)

    def _number(self):
        """Stores the records in chunks, whose numbers stay, however often a task runs."""
        from pyspark.sql import functions as F

        df = self._df
        self._check_ids()
        content = None if self._storage.is_temporary else content_of(df)
        self._mark = fingerprint(__version__, df.schema.json(), content)
        stored = self._stage("1-records", lambda: df.mapInArrow(_pack, _CHUNKS))
        sizes = sorted((row.chunk, row.rows) for row in stored.select("chunk", "rows").collect())
        self._begin, self._rows = {}, 0
        for chunk, rows in sizes:
            self._begin[chunk] = self._rows
            self._rows += rows
        if self._rows == 0:
            raise InputError("the table has no records: give at least one")
        if self._rows >= 2**32 - 1:
            raise InputError(f"{self._rows} records: at most {2**32 - 2} can be brought together")
        self._tasks = self._partitions or partitions_for(self._spark, self._rows * len(self._plan.rules))
        self._code_of_bucket = codes_of_partitions(self._spark, self._tasks)
        self._mark = fingerprint(self._mark, self._plan.identity(), self._tasks, self._cluster_column)
        begin = self._storage.session.createDataFrame(list(self._begin.items()), "chunk long, begin long")
        return stored.join(F.broadcast(begin), "chunk")

    def _check_ids(self):
        from pyspark.sql import functions as F

        if not self._id:
            return
        ids = self._df.select(column(self._id).alias("id")).groupBy("id").count()
        wrong = ids.filter(F.col("id").isNull() | (F.col("count") > 1)).limit(1).collect()
        if not wrong:
            return
        name, count = wrong[0]
        what = f"{count} records have none" if name is None else f"{count} records have the id '{name}'"
        raise InputError(f"column '{self._id}' of ids: {what}; give each record its own")

    def _count_contexts(self, chunks):
        if not self._plan.has_contexts:
            return
        counted = self._stage("2-contexts", lambda: chunks.mapInArrow(_contexts(self._plan), "counts binary"))
        self._plan.use_contexts(stages.merge_contexts(bytes(row.counts) for row in counted.toLocalIterator()))

    def _find_special_blocks(self, chunks, wants_pairs):
        """Finds blocks that are left out or cut; True if the other blocks are components as they are."""
        self._sizes = []
        if not (wants_pairs or self._plan.may_have_special_blocks()):
            return False

        def sizes():
            keys = chunks.mapInArrow(_block_buckets(self._plan, self._tasks, records=False), _BUCKETS)
            return self._brought_together(keys).mapInArrow(_block_sizes(self._plan), _SIZES)

        self._sizes = [tuple(row) for row in self._stage("3-sizes", sizes).collect()]
        self._plan.use_blocks(self._plan.special_blocks(self._sizes))
        return self._plan.blocks_are_components(self._sizes)

    def _components(self, forest):
        """(chunk, components) of each chunk."""
        with self._storage.described("components"):
            components = stages.Components(self._rows)
            for row in forest.toLocalIterator(prefetchPartitions=True):
                if row.links is not None:
                    components.add_links(row.links)
                else:
                    self._sizes.append((row.rule, row.key, row["count"]))
            self._plan.use_blocks(self._plan.special_blocks(sorted(set(self._sizes))))
            first = components.first_records()
            ends = [*self._begin.values(), self._rows][1:]
            labels = [(chunk, first[begin:end].tobytes()) for (chunk, begin), end in zip(self._begin.items(), ends)]
        return self._storage.session.createDataFrame(labels, "chunk long, components binary")

    def _with_clusters(self, chunks, clusters):
        """The records of chunks with their clusters."""
        from pyspark.sql import functions as F
        from pyspark.sql.types import LongType, StructType

        more = ["row", "cluster", *(["confidence"] if self._plan.has_samples else [])]
        if self._id:
            ids = chunks.mapInArrow(_ids(self._id), f"row long, name {self._df.schema[self._id].dataType.simpleString()}")
            firsts = clusters.select("cluster").distinct().withColumnRenamed("cluster", "row")
            names = ids.join(firsts, "row").withColumnRenamed("row", "cluster")
            clusters = clusters.join(names, "cluster")
            more.append("name")
        grouped = clusters.groupBy("chunk").agg(*(F.collect_list(name).alias(name) for name in more))
        schema = StructType(list(self._df.schema.fields))
        schema = schema.add(self._cluster_column, self._df.schema[self._id].dataType if self._id else LongType())
        if self._plan.has_samples:
            schema = schema.add("confidence", "double")
        found = chunks.join(grouped, "chunk", "left")
        return found.mapInArrow(_records(self._id, schema.names), schema)

    def _report(self):
        return {
            "records": self._rows,
            "left_out_blocks": sum(parts == 0 for _, _, parts in self._plan.special_blocks(set(self._sizes))),
            "tasks": self._tasks,
            "skipped": self._storage.skipped,
            "seconds": self._storage.seconds,
        }


_CHUNKS = "chunk long, rows long, records binary"
_BUCKETS = "bucket int, records binary"
_SIZES = "rule int, key string, count long"
_LINKS = f"links binary, {_SIZES}"
_CLUSTERS = "chunk long, row long, cluster long"
_PAIRS = "first long, second long, score double"


# Functions of record batches, which Spark carries to its workers.
def _pack(batches):
    """Chunks, numbered so that they are in the order of the table."""
    import pyarrow as pa
    from pyspark import TaskContext

    part = TaskContext.get().partitionId()
    for number, chunk in enumerate(stages.pack(batches)):
        numbers = pa.array([(part << _SHIFT) + number], pa.int64())
        yield pa.record_batch([numbers, chunk["rows"], chunk["records"]], ["chunk", "rows", "records"])


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


def _clusters(plan, by_blocks, begin):
    def cluster(buckets):
        import numpy as np
        import pyarrow as pa

        chunks, begins = (np.array(numbers, np.int64) for numbers in (list(begin.keys()), list(begin.values())))
        for found in plan.clusters(buckets, by_blocks=by_blocks):
            chunk = chunks[np.searchsorted(begins, found["row"].to_numpy(), "right") - 1]
            yield pa.record_batch([pa.array(chunk), *found.columns], ["chunk", *found.schema.names])

    return cluster


def _ids(id):
    def select(chunks):
        import numpy as np
        import pyarrow as pa

        for batch in chunks:
            for begin, table in zip(batch["begin"].to_pylist(), stages.unpack([batch])):
                rows = pa.array(np.arange(begin, begin + table.num_rows))
                yield from pa.table([rows, table[id]], ["row", "name"]).to_batches()

    return select


def _records(id, names):
    """Unpacks chunks, and adds the clusters: of records that are alone, their ids or numbers."""

    def add(chunks):
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in chunks:
            for place, table in enumerate(stages.unpack([batch])):
                begin = batch["begin"][place].as_py()
                own = table[id].combine_chunks() if id else pa.array(np.arange(begin, begin + table.num_rows))
                found = batch["row"][place].values
                rows = found.to_numpy() - begin if found is not None else np.array([], np.int64)
                mask = np.zeros(table.num_rows, bool)
                mask[rows] = True
                order = pa.array(np.argsort(rows))
                columns = [own]
                if len(rows):
                    clusters = batch["name" if id else "cluster"][place].values.take(order)
                    columns = [pc.replace_with_mask(own, pa.array(mask), clusters.cast(own.type))]
                if "confidence" in batch.schema.names:
                    confidence = pa.array(np.ones(table.num_rows))  # of records that are alone
                    if len(rows):
                        confidence = pc.replace_with_mask(
                            confidence, pa.array(mask), batch["confidence"][place].values.take(order)
                        )
                    columns.append(confidence)
                yield from pa.table([*table.columns, *columns], names).to_batches()

    return add
