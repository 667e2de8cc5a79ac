# SPDX-License-Identifier: Apache-2.0
"""What the jobs of fovea.spark over records share: numbering, learning, and bringing together what may match."""

from fovea import __version__, stages
from fovea._errors import InputError
from fovea._spark import codes_of_partitions, column, content_of, fingerprint, partitions_for

_SHIFT = 33  # of the number of a partition in that of a chunk

CHUNKS = "chunk long, rows long, records binary"
BUCKETS = "bucket int, records binary"
PAIRS = "first long, second long, score double"
SIZES = "rule int, key string, count long"


class RecordJob:
    """Stages that find duplicates and links alike. A subclass calls them in turn.

    plan: stages.Plan, or None if learner is given. make_plan: makes one from a model as JSON. learner: a Learner."""

    def __init__(self, spark, plan, make_plan, learner, partitions, storage):
        self._spark, self._plan, self._make_plan, self._learner = spark, plan, make_plan, learner
        self._storage, self._partitions = storage, partitions
        self._mark = fingerprint(__version__)
        self._rows, self._second = 0, None

    def stage(self, name, make, spark=None):
        """What a stage found before, or what make() computes now. spark: the session that reads it."""
        self._mark = fingerprint(self._mark, name)
        return self._storage.stage(name, self._mark, make, spark)

    def brought_together(self, buckets):
        """Each bucket in a task of its own."""
        return buckets.repartition(self._tasks, self._code_of_bucket)

    def check_ids(self, df, id):
        """Raises InputError unless each record has an id of its own."""
        from pyspark.sql import functions as F

        if not id:
            return
        ids = df.select(column(id).alias("id")).groupBy("id").count()
        wrong = ids.filter(F.col("id").isNull() | (F.col("count") > 1)).limit(1).collect()
        if not wrong:
            return
        name, count = wrong[0]
        what = f"{count} records have none" if name is None else f"{count} records have the id '{name}'"
        raise InputError(f"column '{id}' of ids: {what}; give each record its own")

    def number(self, name, df):
        """Stores the records in chunks, whose numbers stay, however often a task runs. Returns the chunks with their
        begin, the number of their first record in the whole table, and a dict of these."""
        from pyspark.sql import functions as F

        content = None if self._storage.is_temporary else content_of(df)
        self._mark = fingerprint(self._mark, df.schema.json(), content)
        stored = self.stage(name, lambda: df.mapInArrow(_pack, CHUNKS))
        begins = {}
        for chunk, rows in sorted((row.chunk, row.rows) for row in stored.select("chunk", "rows").collect()):
            begins[chunk] = self._rows
            self._rows += rows
        if not begins:
            raise InputError("the table has no records: give at least one")
        if self._rows >= 2**32 - 1:
            raise InputError(f"{self._rows} records: at most {2**32 - 2} can be brought together")
        begin = self._storage.session.createDataFrame(list(begins.items()), "chunk long, begin long")
        return stored.join(F.broadcast(begin), "chunk"), begins

    def prepare(self, chunks, *more):
        """Learns a model if none was given, and says how many tasks stages have. more: what else decides the result."""
        self.model = None
        if self._plan is None:
            self._mark = fingerprint(self._mark, self._learner.identity())
            learned = self.stage("2-model", lambda: self._learned(chunks))
            self.model = learned.first().model
            self._plan = self._make_plan(self.model)
        self._tasks = self._partitions or partitions_for(self._spark, self._rows * len(self._plan.rules))
        self._code_of_bucket = codes_of_partitions(self._spark, self._tasks)
        self._mark = fingerprint(self._mark, self._plan.identity(), self._tasks, *more)

    def count_contexts(self, chunks):
        """Lets the plan know how many namesakes the records have, if its model asks for it."""
        if not self._plan.has_contexts:
            return
        counted = self.stage("2-contexts", lambda: chunks.mapInArrow(_contexts(self._plan), "counts binary"))
        self._plan.use_contexts(stages.merge_contexts(bytes(row.counts) for row in counted.toLocalIterator()))

    def find_special_blocks(self, chunks):
        """Finds blocks that are left out or cut."""

        def sizes():
            keys = chunks.mapInArrow(_block_buckets(self._plan, self._tasks, records=False), BUCKETS)
            return self.brought_together(keys).mapInArrow(_block_sizes(self._plan), SIZES)

        self._sizes = [tuple(row) for row in self.stage("3-sizes", sizes).collect()]
        self._plan.use_blocks(self._plan.special_blocks(self._sizes))

    def blocks(self, chunks):
        """The records that may match, brought together."""
        return self.brought_together(chunks.mapInArrow(_block_buckets(self._plan, self._tasks), BUCKETS))

    def pairs(self, name, blocks):
        """The stage of all pairs that match; one that several rules bring together comes once for each."""
        return self.stage(name, lambda: blocks.mapInArrow(_links(self._plan), PAIRS))

    def report(self):
        return {
            "records": self._rows,
            "left_out_blocks": sum(parts == 0 for _, _, parts in self._plan.special_blocks(set(self._sizes))),
            "tasks": self._tasks,
            "skipped": self._storage.skipped,
            "seconds": self._storage.seconds,
        }

    def _learned(self, chunks):
        share = min(1.0, self._learner.most / self._rows)
        sample = chunks.mapInArrow(_sample(share, self._learner.seed), "begin long, rows long, records binary")
        model = self._learner.learn(sorted(sample.collect(), key=lambda row: row.begin), self._second)
        return self._storage.session.createDataFrame([(model,)], "model string")


class Learner:
    """Learns a model on the driver, from all records or from a sample of them.

    estimator: a Dedupe or Link that is not fitted. most: number of records to learn from; seed: of the draw."""

    def __init__(self, estimator, most, seed):
        self._estimator, self.most, self.seed = estimator, most, seed

    def identity(self):
        return [self.most, self.seed, repr(self._estimator)]

    def learn(self, rows, second):
        """The model as JSON. rows: the sample's chunks, in the order of the table. second: the number of the first record
        of the second table, or None."""
        parts = [rows] if second is None else [[r for r in rows if (r.begin >= second) == side] for side in (False, True)]
        if not all(parts):
            raise InputError("no records to learn from: raise learn_records, or give a model")
        return self._estimator.fit(*map(_table_of, parts)).model


def _table_of(rows):
    import pyarrow as pa

    return pa.concat_tables(stages.unpack([pa.record_batch({"records": pa.array([row.records for row in rows], pa.binary())})]))


def ids_of(chunks, id, kind):
    """(row, name) of all records. kind: type of the ids."""
    return chunks.mapInArrow(_ids(id), f"row long, name {kind.simpleString()}")


# Functions of record batches, which Spark carries to its workers.
def _pack(batches):
    """Chunks, numbered so that they are in the order of the table."""
    import pyarrow as pa
    from pyspark import TaskContext

    part = TaskContext.get().partitionId()
    for number, chunk in enumerate(stages.pack(batches)):
        numbers = pa.array([(part << _SHIFT) + number], pa.int64())
        yield pa.record_batch([numbers, chunk["rows"], chunk["records"]], ["chunk", "rows", "records"])


def _sample(share, seed):
    return lambda chunks: stages.sample(chunks, share, seed)


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


def _ids(id):
    def select(chunks):
        import numpy as np
        import pyarrow as pa

        for batch in chunks:
            for begin, table in zip(batch["begin"].to_pylist(), stages.unpack([batch])):
                rows = pa.array(np.arange(begin, begin + table.num_rows))
                yield from pa.table([rows, table[id]], ["row", "name"]).to_batches()

    return select
