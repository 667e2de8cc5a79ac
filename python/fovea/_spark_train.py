# SPDX-License-Identifier: Apache-2.0
"""The stages of fovea.spark.train: shards that do not depend on the workers, and sums in a tree of their numbers."""

import json

import numpy as np

from fovea import __version__, _core, stages
from fovea._errors import InputError
from fovea._spark import codes_of_partitions, column, content_of, fingerprint, library_errors

_SEQUENCES_OF_A_SHARD = 4000
_FEWEST_SHARDS = 8
_SHARDS = "shard int, rows long, records binary"


class ShardedTraining:
    """One call of fovea.spark.train: run() returns the tagger as bytes, the report as JSON, and whether it was stopped.

    Sequences go to shards by what they hold, whatever their order in the table; their number depends on that of the
    sequences alone, and is a power of two. A task has a whole subtree of the tree in which the shards' sums are added
    up, so that the sums do not depend on the number of tasks."""

    def __init__(self, df, text, labels, template, options, storage):
        self._df, self._spark, self._storage = df, df.sparkSession, storage
        self._text, self._labels, self._template, self._options = text, labels, template, options

    def run(self, **run):
        stored = self._deal_to_shards()
        features = self._find_features(stored)
        shards = self._placed(stored).persist()
        sums = _Sums(self._spark, self._storage, shards, self._shards // self._tasks, features, self._key)
        try:
            return _core.train_on_shards(features, sums.evaluate, sums.curvature, **run, **self._options)
        finally:
            sums.close()
            shards.unpersist()

    def _deal_to_shards(self):
        from pyspark.sql import functions as F

        df = self._df.select(column(self._text).alias("text"), column(self._labels).alias("labels"))
        wrong = F.col("text").isNull() | F.col("labels").isNull() | (F.size("text") != F.size("labels"))
        if broken := df.filter(wrong).limit(1).collect():
            found = broken[0]
            sizes = [0 if cell is None else len(cell) for cell in (found.text, found.labels)]
            raise InputError(
                f"a sequence has {sizes[0]} items in column '{self._text}' and {sizes[1]} labels in column "
                f"'{self._labels}': give each item its label, None where it is not known"
            )
        df = df.filter(F.size("text") > 0)
        count, digest = content_of(df)
        if count == "0":
            raise InputError(f"column '{self._text}': no sequence has items: training needs some")
        self._count_shards(int(count))
        dealt = df.withColumn("hash", F.xxhash64("text", "labels"))
        dealt = dealt.withColumn("shard", F.pmod("hash", F.lit(self._shards)).cast("int"))
        self._mark = fingerprint(__version__, df.schema.json(), count, digest, self._template, self._options)
        return self._storage.stage(
            "1-sequences",
            self._mark,
            lambda: (
                self._by_tasks(dealt)
                .sortWithinPartitions("shard", "hash", "text", "labels")
                .select("shard", "text", "labels")
                .mapInArrow(_pack_shards, _SHARDS)
            ),
        )

    def _count_shards(self, sequences):
        self._shards = _FEWEST_SHARDS
        while sequences > self._shards * _SEQUENCES_OF_A_SHARD:
            self._shards *= 2
        self._tasks = 1
        while self._tasks < min(self._shards, self._most_tasks()):
            self._tasks *= 2
        self._code = codes_of_partitions(self._spark, self._tasks, "task")

    def _most_tasks(self):
        return self._spark.sparkContext.defaultParallelism

    def _by_tasks(self, df):
        """Each task with its shards, next to each other in the tree."""
        from pyspark.sql import functions as F

        task = F.floor(F.col("shard") * self._tasks / self._shards).cast("int")
        return df.withColumn("task", task).repartition(self._tasks, self._code).drop("task")

    def _placed(self, stored):
        return self._by_tasks(stored).sortWithinPartitions("shard")

    def _find_features(self, stored):
        counting = _counted(self._template, self._options)
        self._key = fingerprint(self._mark, "features")
        counted = self._storage.stage("2-features", self._key, lambda: stored.mapInArrow(counting, "features binary"))
        parts = [bytes(row.features) for row in counted.toLocalIterator()]
        return _core.merge_features(parts, self._options.get("cut_off", 1))


class _Sums:
    """Sums over all shards at given weights."""

    def __init__(self, spark, storage, placed, shards_of_task, features, key):
        self._context, self._storage, self._placed = spark.sparkContext, storage, placed
        self._shards_of_task = shards_of_task
        self._features, self._key = spark.sparkContext.broadcast(features), key

    def close(self):
        self._features.destroy()

    def evaluate(self, x):
        found = self._summed(x, "gradient")
        return found[0], found[1]

    def curvature(self, x):
        return self._summed(x, "curvature")[1]

    def _summed(self, x, kind):
        weights = self._context.broadcast(x.tobytes())
        try:
            with self._storage.described(f"train, {kind}"), library_errors():
                rows = self._placed.mapInArrow(
                    _sums(self._key, self._shards_of_task, self._features, weights, kind),
                    "task int, loss double, numbers binary",
                ).collect()
        finally:
            weights.destroy()
        return tree_sum({row.task: (row.loss, np.frombuffer(row.numbers, np.float32)) for row in rows})


def tree_sum(sums):
    """Adds up pairs of a number and an array, by their places: those of places 2 i and 2 i + 1, then these sums in the
    same way, and so on. A place may have none, so that the sums of aligned parts add up as the whole does."""
    while set(sums) != {0}:
        parents = {}
        for place in sorted(sums):
            before = parents.get(place // 2)
            parents[place // 2] = sums[place] if before is None else tuple(a + b for a, b in zip(before, sums[place]))
        sums = parents
    return sums[0]


# Functions of record batches, which Spark carries to its workers.
def _pack_shards(batches):
    """One row for each shard, whose sequences follow each other."""
    import pyarrow as pa

    waiting, shard = [], None

    def packed():
        table = pa.Table.from_batches(waiting).combine_chunks()
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        cells = ([shard], pa.int32()), ([table.num_rows], pa.int64()), ([sink.getvalue().to_pybytes()], pa.binary())
        return pa.record_batch([pa.array(*cell) for cell in cells], ["shard", "rows", "records"])

    for batch in batches:
        numbers = batch.column("shard").to_numpy()
        cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)] if len(numbers) else []
        for begin, end in zip(cuts, cuts[1:]):
            if waiting and numbers[begin] != shard:
                yield packed()
                waiting = []
            shard = int(numbers[begin])
            waiting.append(batch.slice(begin, end - begin).select(["text", "labels"]))
    if waiting:
        yield packed()


def _counted(template, options):
    def count(batches):
        import pyarrow as pa

        parts = [
            _core.count_features(*sequences, *_kind_of(sequences[0], template), **options)
            for _, sequences in _sequences(batches)
        ]
        if any(parts):
            yield pa.record_batch({"features": pa.array([_core.merge_features(parts, 1)], pa.binary())})

    return count


def _sequences(batches, is_known=lambda shard: False):
    """(shard, (items, labels) of its sequences, or None if it is known)."""
    for batch in batches:
        for place, shard in enumerate(batch.column("shard").to_pylist()):
            if is_known(shard):
                yield shard, None
                continue
            (table,) = stages.unpack([batch.slice(place, 1)])
            yield shard, (table["text"].to_pylist(), table["labels"].to_pylist())


def _kind_of(items, template):
    """Whether items are columns, and the template; as CRF has it."""
    return template is not None or isinstance(items[0][0], str), template or ""


_ready_shards = {}  # (key of the training, shard) -> its objective, in a worker


def _sums(key, shards_of_task, features, weights, kind):
    def add_up(batches):
        import pyarrow as pa

        x = np.frombuffer(weights.value, np.float32)
        for known in [known for known in _ready_shards if known[0] != key]:
            del _ready_shards[known]
        found = {}
        for shard, sequences in _sequences(batches, lambda shard: (key, shard) in _ready_shards):
            if sequences is not None:
                columns = _core.Tagger(features.value, "the features").reads_columns
                _ready_shards[key, shard] = _core.ShardObjective(features.value, *sequences, columns, 1)
            objective = _ready_shards[key, shard]
            found[shard] = objective.evaluate(x) if kind == "gradient" else (0.0, objective.curvature(x))
        if found:
            task = min(found) // shards_of_task
            loss, numbers = tree_sum({shard - task * shards_of_task: sums for shard, sums in found.items()})
            columns = ([task], pa.int32()), ([loss], pa.float64()), ([numbers.tobytes()], pa.binary())
            yield pa.record_batch([pa.array(*cells) for cells in columns], ["task", "loss", "numbers"])

    return add_up
