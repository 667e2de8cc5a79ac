# SPDX-License-Identifier: Apache-2.0
"""The stages of finding duplicates in a table that is too large for one machine, for engines that carry them out.

Each stage is a function of Arrow record batches that yields Arrow record batches, and sees only a part of the table.
The engine numbers the records once, sorts and brings together; fovea.spark is one. The clusters are those that Dedupe
finds in the whole table by the same model, record by record, however the table is cut.

    plan = Plan(model, columns)                  a match model, made ready for parts of a table with these columns
    plan.count_contexts, merge_contexts          how many namesakes records have, if the model asks for it
    plan.keys                                    records with their keys; to be sorted by SORTED_BLOCKS
    plan.links                                   sorted blocks -> pairs of records that match
    forest                                       pairs -> those that are needed to connect what all connect
    Components                                   forests of all parts -> the first record of each component
    plan.clusters                                sorted components -> the cluster of each record

Records carry their number in the whole table, from 0 on, in the column "fovea_row".
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

__all__ = ["ROW", "SORTED_BLOCKS", "SORTED_COMPONENTS", "Components", "Plan", "forest", "merge_contexts"]

ROW: str = "fovea_row"
# Columns by which records are sorted for Plan.links; those with equal first three must be in one part.
SORTED_BLOCKS: tuple[str, ...] = ("fovea_rule", "fovea_key", "fovea_tile", "fovea_side", ROW)
# Columns by which records are sorted for Plan.clusters; those of one component must be in one part.
SORTED_COMPONENTS: tuple[str, ...] = ("fovea_component", ROW)

_LARGE_BLOCK = 20_000  # records above which a block is cut into tiles


class Plan:
    """A match model for parts of a table. It can be pickled, and is made ready once in each process.

    model: the model as JSON, as Dedupe.model and `fovea dedupe --save-model` have it.
    columns: names of the table's columns. threshold, date_format: as Dedupe has them. id: the column of ids, which a
    model that draws by id needs. seed: as random_state of Dedupe. threads: of each call of a stage; 0: all cores.
    clustering: further options of Dedupe, such as sweeps and samples.
    """

    def __init__(
        self,
        model: str,
        columns: Iterable[str],
        *,
        threshold: float = 0.5,
        date_format: str = "",
        id: str = "",
        seed: int = 1,
        threads: int = 1,
        **clustering: Any,
    ) -> None:
        self._model, self._all_columns = model, list(columns)
        self._matching = {"threshold": threshold, "date_format": date_format}
        self._id, self._seed, self._threads, self._clustering = id, seed, threads, clustering
        self._contexts: bytes | None = None
        self._blocks: list[tuple[int, str, int]] = []
        plan = self._ready()
        if id and id not in self._all_columns:
            raise UsageError(f"argument id={id!r}: the table has no such column")
        if plan.draws_by_id and not id:
            raise UsageError("this model draws by id: give id=, the column of ids")
        _core.ComponentClusters(plan, False, [], id, **clustering)  # refuses options that are wrong

    def _ready(self):
        """The library's plan; read from JSON once in each process."""
        key = (self._model, tuple(self._all_columns), tuple(self._matching.items()), self._contexts)
        if key not in _ready_plans:
            plan = _core.MatchPlan(self._model, self._all_columns, **self._matching)
            if self._contexts is not None:
                plan.use_contexts(self._contexts)
            _ready_plans.clear()  # the last one is enough: stages follow each other
            _ready_plans[key] = plan
        return _ready_plans[key]

    def identity(self) -> list[Any]:
        """All that the stages' results depend on besides the records, as JSON can hold it."""
        model = hashlib.sha256(self._model.encode()).hexdigest()
        return [model, self._all_columns, self._matching, self._id, self._seed, self._clustering]

    @property
    def has_samples(self) -> bool:
        """Whether clusters come with their confidence."""
        return bool(self._clustering.get("samples"))

    @property
    def columns(self) -> list[str]:
        """The columns that the stages need, in the order of the table."""
        needed = {*self._ready().columns, *([self._id] if self._id else [])}
        return [name for name in self._all_columns if name in needed]

    @property
    def rules(self) -> list[str]:
        """The blocking rules."""
        return self._ready().rules

    @property
    def has_contexts(self) -> bool:
        """Whether scores depend on how many namesakes records have, which must be counted."""
        return self._ready().has_contexts

    def count_contexts(self, batches: Iterable[Any]) -> bytes:
        """Counts the namesakes in a part of the table, for merge_contexts."""
        import pyarrow as pa

        return self._ready().count_contexts(_table(pa.Table.from_batches(list(batches))))

    def use_contexts(self, counted: bytes) -> None:
        """Takes what merge_contexts made of the counts of all parts."""
        self._contexts = counted

    def special_blocks(self, sizes: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Says which blocks are left out, (rule, key, 0), and which are cut into parts, (rule, key, number of parts).

        sizes: (rule, key, records) of blocks, of those that have more records than least_special() at least."""
        most = self._ready().most_rows
        special = []
        for rule, key, records in sizes:
            if records > most[rule]:
                special.append((rule, key, 0))
            elif records > _LARGE_BLOCK:
                special.append((rule, key, math.ceil(records / _LARGE_BLOCK)))
        return special

    def least_special(self) -> list[int]:
        """[rule] records that a block may have without being special."""
        plan = self._ready()
        return [min(most, _LARGE_BLOCK, plan.most_rows_of_components or most) for most in plan.most_rows]

    def use_blocks(self, special: list[tuple[int, str, int]]) -> None:
        """Takes what special_blocks said of all blocks."""
        self._blocks = sorted(special)

    def blocks_are_components(self, largest: int) -> bool:
        """Whether blocks can be clustered as they are, without links: for a single rule whose blocks have few records.

        largest: number of records of the largest block that is not left out."""
        most = self._ready().most_rows_of_components
        return 0 < most and largest <= most

    def keys(self, batches: Iterable[Any], *, records: bool = True) -> Iterator[Any]:
        """Yields a row for each record and each of its keys: the columns of SORTED_BLOCKS, and those of the records."""
        import pyarrow as pa

        plan = self._ready()
        for batch in batches:
            found = pa.table(_Stream(plan.keys(_table(batch), self._blocks))).combine_chunks()
            places = found["place"]
            columns = {name: found[name] for name in SORTED_BLOCKS[:4]}
            columns["fovea_key"] = columns["fovea_key"].cast(pa.string())
            for name in [ROW, *(self.columns if records else [])]:
                columns[name] = batch.column(name).take(places)
            yield from pa.table(columns).combine_chunks().to_batches()

    def links(self, batches: Iterable[Any], *, floor: float | None = None) -> Iterator[Any]:
        """Yields the pairs of records in sorted blocks that match: first, second (fovea_row), score (log odds). A pair
        that several rules bring together comes once for each.

        floor: the least score; None: that of two records that match."""
        plan = self._ready()
        links = _core.BlockLinks(plan, plan.least_score if floor is None else floor, self._threads)
        yield from _stream(batches, links)

    def clusters(self, batches: Iterable[Any], *, by_blocks: bool = False) -> Iterator[Any]:
        """Yields the cluster of each record of sorted components: row, cluster (the row of its first record), and its
        confidence if samples were asked for.

        by_blocks: components are blocks (blocks_are_components), sorted by SORTED_BLOCKS."""
        options = {"seed": self._seed, "threads": self._threads, **self._clustering}
        clusters = _core.ComponentClusters(self._ready(), by_blocks, self._blocks, self._id, **options)
        yield from _stream(batches, clusters)


_ready_plans: dict[Any, Any] = {}


class Components:
    """The components that the forests of all parts connect, at four bytes a record.

    records: number of records."""

    def __init__(self, records: int) -> None:
        if not 0 <= records < 2**32:
            raise UsageError(f"{records} records: at most {2**32 - 1} can be brought together")
        self._forest = _core.RecordForest(records)

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds the links of a forest: arrays of uint32."""
        self._forest.add(first, second)

    def first_records(self) -> np.ndarray:
        """[record] the first record of its component, uint32. Ends this object."""
        return self._forest.components()


def forest(batches: Iterable[Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields, of the pairs in batches, those that are needed to connect what all connect: first and second, uint32."""
    import numpy as np

    seen = _core.LinkForest()
    for batch in batches:
        first, second = (batch.column(name).to_numpy().astype(np.uint32) for name in ("first", "second"))
        places = seen.connecting(first, second)
        if len(places):
            yield first[places], second[places]


def merge_contexts(parts: Iterable[bytes]) -> bytes:
    """Adds up what Plan.count_contexts counted in parts of the table, in any order with the same result."""
    return _core.merge_contexts(list(parts))


class _Stream:
    """Lets pyarrow take columns of results."""

    def __init__(self, columns):
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema=None):
        return self._columns.stream()


def _table(batch):
    import pyarrow as pa

    table = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
    return _core.Table(table, "the table", [])


def _stream(batches, stage):
    """Lets a stage take batches and yields what it finds."""
    import pyarrow as pa

    for batch in batches:
        if batch.num_rows:
            yield from pa.table(_Stream(stage.add(_table(batch)))).to_batches()
    yield from pa.table(_Stream(stage.finish())).to_batches()
