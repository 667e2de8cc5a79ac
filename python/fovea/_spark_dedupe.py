# SPDX-License-Identifier: Apache-2.0
"""The stages of fovea.spark.dedupe: what Spark stores, brings together and joins."""

from fovea import stages
from fovea._spark_records import BUCKETS, SIZES, RecordJob, ids_of


class Deduplication(RecordJob):
    """One call of fovea.spark.dedupe: run() returns (records, clusters, pairs, report). See RecordJob."""

    def __init__(self, df, id, cluster_column, *matching):
        super().__init__(df.sparkSession, *matching)
        self._df, self._id, self._cluster_column = df, id, cluster_column

    def run(self, wants_pairs):
        self.check_ids(self._df, self._id)
        chunks, self._begin = self.number("1-records", self._df)
        self.prepare(chunks, self._cluster_column)
        self.count_contexts(chunks)
        by_blocks = self._are_blocks_components(chunks, wants_pairs)
        blocks = self.blocks(chunks)
        pairs = None
        if by_blocks:
            components = blocks
        else:
            if wants_pairs:
                pairs = self.pairs("4-pairs", blocks)
                forest = self.stage("4-forest", lambda: pairs.mapInArrow(stages.forest, _LINKS))
                pairs = pairs.dropDuplicates(["first", "second"])
            else:
                forest = self.stage("4-forest", lambda: blocks.mapInArrow(_forest(self._plan), _LINKS))
            labelled = chunks.join(self._components(forest), "chunk")
            components = self.brought_together(labelled.mapInArrow(_component_buckets(self._plan, self._tasks), BUCKETS))
        schema = _CLUSTERS + (", confidence double" if self._plan.has_samples else "")
        clusters = self.stage(
            "5-clusters", lambda: components.mapInArrow(_clusters(self._plan, by_blocks, self._begin), schema)
        )
        records = self.stage("6-records", lambda: self._with_clusters(chunks, clusters), self._spark)
        return records, clusters.drop("chunk"), pairs, self.report()

    def _are_blocks_components(self, chunks, wants_pairs):
        """Finds blocks that are left out or cut; True if the other blocks are components as they are."""
        self._sizes = []
        if not (wants_pairs or self._plan.may_have_special_blocks()):
            return False
        self.find_special_blocks(chunks)
        return not wants_pairs and self._plan.blocks_are_components(self._sizes)

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
            firsts = clusters.select("cluster").distinct().withColumnRenamed("cluster", "row")
            names = ids_of(chunks, self._id, self._df.schema[self._id].dataType).join(firsts, "row")
            clusters = clusters.join(names.withColumnRenamed("row", "cluster"), "cluster")
            more.append("name")
        grouped = clusters.groupBy("chunk").agg(*(F.collect_list(name).alias(name) for name in more))
        schema = StructType(list(self._df.schema.fields))
        schema = schema.add(self._cluster_column, self._df.schema[self._id].dataType if self._id else LongType())
        if self._plan.has_samples:
            schema = schema.add("confidence", "double")
        found = chunks.join(grouped, "chunk", "left")
        return found.mapInArrow(_records(self._id, schema.names), schema)


_LINKS = f"links binary, {SIZES}"
_CLUSTERS = "chunk long, row long, cluster long"


# Functions of record batches, which Spark carries to its workers.
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
