# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator
from fovea._report import Report


__all__ = ['Components', 'Plan', 'forest', 'merge_contexts', 'pack', 'sample', 'unpack']

class Components:
    """The components that the forests of all buckets connect, at four bytes a record.

    records: number of records.
    """
    def __init__(self, records: int) -> None:
        ...
    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds links: arrays of uint32."""
    def add_links(self, links: bytes) -> None:
        """Adds the links of a forest, as Plan.forest yields them."""
    def first_records(self) -> np.ndarray:
        """[record] the first record of its component, uint32; 2**32 - 1 for a record that is alone. Ends this object."""

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
        date_format: str = '',
        id: str = '',
        for_links: bool = False,
        seed: int = 1,
        threads: int = 1,
        **clustering: Any,
    ) -> None:
        ...
    def identity(self) -> list[Any]:
        """All that the stages' results depend on besides the records, as JSON can hold it."""
    @property
    def columns(self) -> list[str]:
        """The columns that the stages need, in the order of the table."""
    @property
    def rules(self) -> list[str]:
        """The blocking rules."""
    @property
    def has_samples(self) -> bool:
        """Whether clusters come with their confidence."""
    @property
    def has_contexts(self) -> bool:
        """Whether scores depend on how many namesakes records have, which must be counted."""
    def use_tables(self, second: int) -> None:
        """Says that two tables are linked, and which number the second one's first record has."""
    def best_links(self, pairs: Any) -> Any:
        """The links of which no two share a record, with the largest sum of scores; sorted. pairs, and what is returned:
        an Arrow table of first, second and score, each pair once.
        """
    def count_contexts(self, chunks: Iterable[Any]) -> bytes:
        """Counts the namesakes in chunks, for merge_contexts."""
    def use_contexts(self, counted: bytes) -> None:
        """Takes what merge_contexts made of the counts of all parts."""
    def may_have_special_blocks(self) -> bool:
        """Whether block_sizes must be asked before forest and links: blocks may have to be cut, or may be clustered as
        they are. Blocks that are only too large are found by forest and links themselves.
        """
    def block_sizes(self, buckets: Iterable[Any]) -> Iterator[Any]:
        """Yields blocks that special_blocks must know of: rule, key, count (of records).

        buckets: those of one number that block_buckets filled with records=False.
        """
    def special_blocks(self, sizes: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Says which blocks are left out, (rule, key, 0), and which are cut, (rule, key, number of parts); sizes: (rule,
        key, records).
        """
    def use_blocks(self, special: list[tuple[int, str, int]]) -> None:
        """Takes what special_blocks said of all blocks, those that forest or links have left out included."""
    def blocks_are_components(self, sizes: Iterable[tuple[int, str, int]]) -> bool:
        """Whether blocks are clustered as they are, without links: those of a single rule, if none is large."""
    def block_buckets(self, chunks: Iterable[Any], count: int, *, records: bool = True) -> Iterator[Any]:
        """Yields bucket (a number below count), records (bytes): the records of chunks by the blocks that they are in.

        chunks: with a column begin: the number of the first record in the whole table.
        records: False for bytes without the records' cells, which block_sizes takes.
        """
    def component_buckets(self, chunks: Iterable[Any], count: int) -> Iterator[Any]:
        """Yields bucket, records (bytes): the records of chunks by their components.

        chunks: with their begin and components: for each record, the first record of its component, as Components has it.
        """
    def links(self, buckets: Iterable[Any], *, floor: float | None = None) -> Iterator[Any]:
        """Yields the pairs of records of a bucket's blocks that match: first, second (numbers), score (log odds). A pair
        that several rules bring together comes once for each.

        floor: the least score; None: that of two records that match.
        """
    def forest(self, buckets: Iterable[Any]) -> Iterator[Any]:
        """Yields what connects the records of a bucket's blocks that match, and the blocks that were left out: links
        (bytes of two rows of uint32, first and second), rule, key, count; in each row, one or the other is missing.
        """
    def clusters(self, buckets: Iterable[Any], *, by_blocks: bool = False) -> Iterator[Any]:
        """Yields the cluster of each record of a bucket's components: row, cluster (the row of its first record), and its
        confidence if samples were asked for.

        by_blocks: the bucket is one of block_buckets, as blocks_are_components.
        """

def forest(pairs: Iterable[Any]) -> Iterator[Any]:
    """Yields, of the pairs that Plan.links found, those that connect what all connect, as Plan.forest does."""

def merge_contexts(parts: Iterable[bytes]) -> bytes:
    """Adds up what Plan.count_contexts counted in parts of the table, in any order with the same result."""

def pack(batches: Iterable[Any]) -> Iterator[Any]:
    """Yields chunks of records, as bytes: place (the records before it in this part), rows, records."""

def sample(chunks: Iterable[Any], share: float, seed: int = 1) -> Iterator[Any]:
    """Yields chunks with the records of other chunks, each with probability share, decided by its number in the whole
    table: begin (of the chunk that they come from), rows, records.

    chunks: with their begin.
    """

def unpack(chunks: Iterable[Any]) -> Iterator[Any]:
    """Yields the records of chunks, a table for each."""
