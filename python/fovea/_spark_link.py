# SPDX-License-Identifier: Apache-2.0
"""The stages of fovea.spark.link."""

from fovea._errors import InputError
from fovea._spark import column
from fovea._spark_records import PAIRS, RecordJob, ids_of


class Linking(RecordJob):
    """One call of fovea.spark.link: run() returns (links, report). frames, ids: of the first table and of the second.
    See RecordJob."""

    def __init__(self, frames, ids, *matching):
        super().__init__(frames[0].sparkSession, *matching)
        self._frames, self._ids = frames, ids

    def run(self, one_to_one):
        tables = []
        for name, df, id in zip(("1-first", "1-second"), self._frames, self._ids):
            self.check_ids(df, id)
            tables.append(self.number(name, df))
            if len(tables) == 1:
                self._second = self._rows
        (first, _), (second, _) = tables
        chunks = first.union(second)
        self.prepare(chunks, self._ids, one_to_one)
        self._plan.use_tables(self._second)
        self.count_contexts(chunks)
        self.find_special_blocks(chunks)
        pairs = self.pairs("4-pairs", self.blocks(chunks))
        pairs = pairs.dropDuplicates(["first", "second"])
        if one_to_one:
            pairs = self.stage("5-assigned", lambda: self._assigned(pairs))
        links = self.stage("6-links", lambda: self._named(pairs, first, second), self._spark)
        return links, {**self.report(), "links": links.count()}

    def _assigned(self, pairs):
        """Those of which no two share a record, with the largest sum of scores."""
        with self._storage.described("assignment"):
            return self._storage.session.createDataFrame(self._plan.best_links(pairs.toArrow()), PAIRS)

    def _named(self, pairs, first, second):
        """Rows in their own tables, with their ids and probabilities."""
        from pyspark.sql import functions as F

        found = pairs
        for chunks, df, id, side in zip((first, second), self._frames, self._ids, ("first", "second")):
            if id:
                names = ids_of(chunks, id, df.schema[id].dataType)
                found = found.join(names.withColumnsRenamed({"row": side, "name": f"{side}_id"}), side)
        names = [f"{side}_id" for side, id in zip(("first", "second"), self._ids) if id]
        return found.select(
            "first",
            (F.col("second") - self._second).alias("second"),
            *names,
            "score",
            (1 / (1 + F.exp(-F.col("score")))).alias("probability"),
        )


def shared(frames, ids):
    """The frames with the columns that both have, and their ids; and the names of these columns."""
    first, second = frames
    names = [name for name in first.columns if name in second.columns]
    if not names:
        raise InputError("the tables have no column in common: rename those of one by withColumnRenamed")
    kept = [[*names, *([id] if id and id not in names else [])] for id in ids]
    return [df.select(*map(column, wanted)) for df, wanted in zip(frames, kept)], names
