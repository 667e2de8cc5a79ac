# SPDX-License-Identifier: Apache-2.0
"""The stages of finding duplicates in a table that is too large for one machine, for engines that carry them out.

Each stage is a function of Arrow record batches that yields Arrow record batches, and sees only a part of the table. The
engine stores chunks of records once, with the number of each chunk's first record in the whole table, and carries
buckets of records about as bytes; fovea.spark is one. The clusters are
those that Dedupe finds in the whole table by the same model, record by record, however the table is cut. Where two
tables are linked, they are numbered one after the other (plan.use_tables), and plan.links finds the links of Link.

    plan = Plan(model, columns)    a match model, made ready for parts of a table with these columns

    pack                           records -> chunks of records, as bytes
    sample                         chunks -> some of their records, to learn a model from on one machine
    plan.count_contexts            chunks -> how many namesakes records have, if the model asks; merge_contexts
    plan.block_buckets             chunks -> bytes for each bucket, of records that may match
    plan.block_sizes               a bucket -> sizes of large blocks, if there may be some; special_blocks, use_blocks
    plan.forest, plan.links        a bucket -> pairs of records that match; the forest has those that connect
    Components                     the forests of all buckets -> the first record of each component
    plan.component_buckets         chunks, components -> bytes for each bucket, of whole components
    plan.clusters                  a bucket -> the cluster of each record
    unpack                         chunks -> the records

Buckets with the same number, from all parts of the table, must be brought together.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

__all__ = ["Components", "Plan", "forest", "merge_contexts", "pack", "sample", "unpack"]

_LARGE_BLOCK = 20_000  # records above which a block is cut into tiles
_ROWS_OF_A_PART = 5_000  # of such a block: 25 million pairs for two of them
_BYTES_OF_BUCKETS = 1 << 26  # that a task gathers before it passes them on
_ROWS_OF_A_CHUNK = 1 << 14
_ROWS_OF_A_COUNT = 1 << 17


class Plan:
    """A match model for parts of a table. It can be pickled, and is made ready once in each process.

    model: the model as JSON, as Dedupe.model and `fovea dedupe --save-model` have it. columns: names of the table's
    columns. threshold, date_format: as Dedupe has them. id: the column of ids, which a model that draws by id needs, unless
    the plan is for_links, not for clusters. seed: as random_state of Dedupe. threads: of each call of a stage; 0: all cores. clustering: further options of Dedupe,
    such as sweeps and samples.
    """

    def __init__(
        self,
        model: str,
        columns: Iterable[str],
        *,
        threshold: float = 0.5,
        date_format: str = "",
        id: str = "",
        for_links: bool = False,
        seed: int = 1,
        threads: int = 1,
        **clustering: Any,
    ) -> None:
        self._model, self._all_columns, self._id, self._for_links = model, list(columns), id, for_links
        self._matching = {"threshold": threshold, "date_format": date_format}
        self._seed, self._threads, self._clustering = seed, threads, clustering
        self._contexts: bytes | None = None
        self._blocks: list[tuple[int, str, int]] = []
        self._second_table: int | None = None
        _core.check_clustering(**clustering)
        self._ready()

    def _ready(self):
        """The library's plan; read from JSON once in each process."""
        options = self._id, self._for_links, *self._matching.values()
        key = (self._model, tuple(self._all_columns), options, self._contexts, self._second_table)
        if key not in _ready_plans:
            plan = _core.MatchPlan(self._model, self._all_columns, self._id, self._for_links, **self._matching)
            if self._contexts is not None:
                plan.use_contexts(self._contexts)
            if self._second_table is not None:
                plan.second_table = self._second_table
            _ready_plans.clear()  # one is enough: stages follow each other
            _ready_plans[key] = plan
        return _ready_plans[key]

    def identity(self) -> list[Any]:
        """All that the stages' results depend on besides the records, as JSON can hold it."""
        model = hashlib.sha256(self._model.encode()).hexdigest()
        return [model, self._all_columns, self._matching, self._id, self._seed, self._clustering]

    @property
    def columns(self) -> list[str]:
        """The columns that the stages need, in the order of the table."""
        return self._ready().columns

    @property
    def rules(self) -> list[str]:
        """The blocking rules."""
        return self._ready().rules

    @property
    def has_samples(self) -> bool:
        """Whether clusters come with their confidence."""
        return bool(self._clustering.get("samples"))

    @property
    def has_contexts(self) -> bool:
        """Whether scores depend on how many namesakes records have, which must be counted."""
        return self._ready().has_contexts

    def use_tables(self, second: int) -> None:
        """Says that two tables are linked, and which number the second one's first record has."""
        self._second_table = second

    def best_links(self, pairs: Any) -> Any:
        """The links of which no two share a record, with the largest sum of scores; sorted. pairs, and what is returned:
        an Arrow table of first, second and score, each pair once."""
        import numpy as np

        pairs = pairs.sort_by([("first", "ascending"), ("second", "ascending")])
        first, second = (pairs[name].to_numpy().astype(np.uint32) for name in ("first", "second"))
        score = pairs["score"].to_numpy().astype(np.float32)
        return pairs.take(_core.best_assignment(first, second, score, self._ready().least_score))

    def count_contexts(self, chunks: Iterable[Any]) -> bytes:
        """Counts the namesakes in chunks, for merge_contexts."""
        import pyarrow as pa

        counts = []

        def count(tables):
            counts.append(self._ready().count_contexts(_table(pa.concat_tables(tables), self.columns)))

        waiting = []
        for _, table, _ in _unpacked(chunks):
            table = table.select(self.columns)
            are_alike = not waiting or table.schema.equals(waiting[0].schema)  # two tables may have other types
            if not are_alike or sum(one.num_rows for one in waiting) >= _ROWS_OF_A_COUNT:
                count(waiting)
                waiting = []
            waiting.append(table)
        if waiting or not counts:
            count(waiting or [pa.table({name: pa.array([], pa.string()) for name in self.columns})])
        return merge_contexts(counts)

    def use_contexts(self, counted: bytes) -> None:
        """Takes what merge_contexts made of the counts of all parts."""
        self._contexts = counted

    def may_have_special_blocks(self) -> bool:
        """Whether block_sizes must be asked before forest and links: blocks may have to be cut, or may be clustered as
        they are. Blocks that are only too large are found by forest and links themselves."""
        return self._ready().most_rows_of_components > 0 or max(self._ready().most_rows) > _LARGE_BLOCK

    def block_sizes(self, buckets: Iterable[Any]) -> Iterator[Any]:
        """Yields blocks that special_blocks must know of: rule, key, count (of records).

        buckets: those of one number that block_buckets filled with records=False."""
        plan = self._ready()
        most_whole = plan.most_rows_of_components
        least = [min(most, _LARGE_BLOCK, most_whole or most) for most in plan.most_rows]
        yield _sizes(_core.block_sizes(_bytes(buckets), least))

    def special_blocks(self, sizes: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Says which blocks are left out, (rule, key, 0), and which are cut, (rule, key, number of parts); sizes: (rule,
        key, records)."""
        most = self._ready().most_rows
        special = []
        for rule, key, records in sizes:
            if records > most[rule]:
                special.append((rule, key, 0))
            elif records > _LARGE_BLOCK:
                special.append((rule, key, math.ceil(records / _ROWS_OF_A_PART)))
        return special

    def use_blocks(self, special: list[tuple[int, str, int]]) -> None:
        """Takes what special_blocks said of all blocks, those that forest or links have left out included."""
        self._blocks = sorted(special)

    def blocks_are_components(self, sizes: Iterable[tuple[int, str, int]]) -> bool:
        """Whether blocks are clustered as they are, without links: those of a single rule, if none is large."""
        plan = self._ready()
        largest = max((records for rule, _, records in sizes if records <= plan.most_rows[rule]), default=0)
        return 0 < plan.most_rows_of_components and largest <= plan.most_rows_of_components

    def block_buckets(self, chunks: Iterable[Any], count: int, *, records: bool = True) -> Iterator[Any]:
        """Yields bucket (a number below count), records (bytes): the records of chunks by the blocks that they are in.

        chunks: with a column begin: the number of the first record in the whole table.
        records: False for bytes without the records' cells, which block_sizes takes."""
        plan, buckets = self._ready(), _core.RecordBuckets(count)
        for begin, table, _ in _unpacked(chunks):
            buckets.add_blocks(plan, _table(table, plan.columns), begin, self._blocks, records)
            if buckets.size > _BYTES_OF_BUCKETS:
                yield _buckets_of(buckets.take())
        yield _buckets_of(buckets.take())

    def component_buckets(self, chunks: Iterable[Any], count: int) -> Iterator[Any]:
        """Yields bucket, records (bytes): the records of chunks by their components.

        chunks: with their begin and components: for each record, the first record of its component, as Components has it."""
        import numpy as np

        plan, buckets = self._ready(), _core.RecordBuckets(count)
        for begin, table, components in _unpacked(chunks):
            buckets.add_components(plan, _table(table, plan.columns), begin, np.frombuffer(components, np.uint32))
            if buckets.size > _BYTES_OF_BUCKETS:
                yield _buckets_of(buckets.take())
        yield _buckets_of(buckets.take())

    def links(self, buckets: Iterable[Any], *, floor: float | None = None) -> Iterator[Any]:
        """Yields the pairs of records of a bucket's blocks that match: first, second (numbers), score (log odds). A pair
        that several rules bring together comes once for each.

        floor: the least score; None: that of two records that match."""
        import pyarrow as pa

        plan = self._ready()
        found, _ = plan.links(_bytes(buckets), plan.least_score if floor is None else floor, self._threads)
        yield from pa.table(_Stream(found)).to_batches()

    def forest(self, buckets: Iterable[Any]) -> Iterator[Any]:
        """Yields what connects the records of a bucket's blocks that match, and the blocks that were left out: links
        (bytes of two rows of uint32, first and second), rule, key, count; in each row, one or the other is missing."""
        import numpy as np

        first, second, left_out = self._ready().forest(_bytes(buckets), self._threads)
        yield _links(np.concatenate([first, second]).tobytes() if len(first) else None, left_out)

    def clusters(self, buckets: Iterable[Any], *, by_blocks: bool = False) -> Iterator[Any]:
        """Yields the cluster of each record of a bucket's components: row, cluster (the row of its first record), and its
        confidence if samples were asked for.

        by_blocks: the bucket is one of block_buckets, as blocks_are_components."""
        import pyarrow as pa

        options = {"seed": self._seed, "threads": self._threads, **self._clustering}
        found = self._ready().clusters(_bytes(buckets), by_blocks, self._blocks, **options)
        yield from pa.table(_Stream(found)).to_batches()


_ready_plans: dict[Any, Any] = {}


class Components:
    """The components that the forests of all buckets connect, at four bytes a record.

    records: number of records."""

    def __init__(self, records: int) -> None:
        if not 0 <= records < 2**32 - 1:
            raise UsageError(f"{records} records: at most {2**32 - 2} can be brought together")
        self._forest = _core.RecordForest(records)

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds links: arrays of uint32."""
        self._forest.add(first, second)

    def add_links(self, links: bytes) -> None:
        """Adds the links of a forest, as Plan.forest yields them."""
        import numpy as np

        if len(links) % 8:
            raise InputError("the links of a forest are damaged: start with an empty folder for what stages find")
        self.add(*np.frombuffer(links, np.uint32).reshape(2, -1))

    def first_records(self) -> np.ndarray:
        """[record] the first record of its component, uint32; 2**32 - 1 for a record that is alone. Ends this object."""
        return self._forest.components()


def pack(batches: Iterable[Any]) -> Iterator[Any]:
    """Yields chunks of records, as bytes: place (the records before it in this part), rows, records."""
    import pyarrow as pa

    place = 0
    for batch in batches:
        for begin in range(0, batch.num_rows, _ROWS_OF_A_CHUNK):
            chunk = batch.slice(begin, _ROWS_OF_A_CHUNK)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, chunk.schema) as writer:
                writer.write_batch(chunk)
            cells = ([place], pa.int64()), ([chunk.num_rows], pa.int64()), ([sink.getvalue().to_pybytes()], pa.binary())
            yield pa.record_batch([pa.array(*cell) for cell in cells], ["place", "rows", "records"])
            place += chunk.num_rows


def sample(chunks: Iterable[Any], share: float, seed: int = 1) -> Iterator[Any]:
    """Yields chunks with the records of other chunks, each with probability share, decided by its number in the whole
    table: begin (of the chunk that they come from), rows, records.

    chunks: with their begin."""
    import numpy as np
    import pyarrow as pa

    for begin, table, _ in _unpacked(chunks):
        if share < 1:
            draws = np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, 0, begin])).random(table.num_rows)
            table = table.filter(pa.array(draws < share))
        if table.num_rows:
            for packed in pack(table.combine_chunks().to_batches()):
                columns = [pa.array([begin], pa.int64()), packed["rows"], packed["records"]]
                yield pa.record_batch(columns, ["begin", "rows", "records"])


def unpack(chunks: Iterable[Any]) -> Iterator[Any]:
    """Yields the records of chunks, a table for each."""
    return (table for _, table, _ in _unpacked(chunks))


def forest(pairs: Iterable[Any]) -> Iterator[Any]:
    """Yields, of the pairs that Plan.links found, those that connect what all connect, as Plan.forest does."""
    import numpy as np

    seen = _core.LinkForest()
    for batch in pairs:
        first, second = (batch.column(name).to_numpy().astype(np.uint32) for name in ("first", "second"))
        places = seen.connecting(first, second)
        if len(places):
            yield _links(np.concatenate([first[places], second[places]]).tobytes(), [])


def merge_contexts(parts: Iterable[bytes]) -> bytes:
    """Adds up what Plan.count_contexts counted in parts of the table, in any order with the same result."""
    return _core.merge_contexts(list(parts))


class _Stream:
    """Lets pyarrow take columns of results."""

    def __init__(self, columns):
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema=None):
        return self._columns.stream()


def _table(table, columns):
    return _core.Table(table.select(columns), "the table", [])


def _unpacked(chunks):
    """The number of the first record, the table and the components of each chunk; None for what batches lack."""
    import pyarrow as pa

    for batch in chunks:
        records = batch.column("records")
        begin = batch.column("begin").to_pylist() if "begin" in batch.schema.names else None
        components = batch.column("components") if "components" in batch.schema.names else None
        for i in range(batch.num_rows):
            with pa.ipc.open_stream(records[i].as_buffer()) as reader:
                yield begin and begin[i], reader.read_all(), components and components[i].as_buffer()


def _buckets_of(taken):
    import pyarrow as pa

    return pa.record_batch(
        {
            "bucket": pa.array([bucket for bucket, _ in taken], pa.int32()),
            "records": pa.array([records for _, records in taken], pa.binary()),
        }
    )


def _bytes(buckets):
    return [record.as_py() for batch in buckets for record in batch.column("records")]


def _sizes(blocks):
    import pyarrow as pa

    types = {"rule": pa.int32(), "key": pa.string(), "count": pa.int64()}
    columns = list(zip(*blocks)) or [[], [], []]
    return pa.record_batch({name: pa.array(cells, kind) for (name, kind), cells in zip(types.items(), columns)})


def _links(links, left_out):
    import pyarrow as pa

    sizes = _sizes([*left_out, *([(None, None, None)] if links is not None else [])])
    cells = [None] * len(left_out) + ([links] if links is not None else [])
    return pa.record_batch({"links": pa.array(cells, pa.binary()), **{name: sizes.column(name) for name in sizes.schema.names}})
