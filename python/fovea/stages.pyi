# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator


__all__ = ['Components', 'Plan', 'ROW', 'SORTED_BLOCKS', 'SORTED_COMPONENTS', 'forest', 'merge_contexts']

class Components:
    """The components that the forests of all parts connect, at four bytes a record.

    records: number of records.
    """
    def __init__(self, records: int) -> None:
        ...
    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        """Adds the links of a forest: arrays of uint32."""
    def first_records(self) -> np.ndarray:
        """[record] the first record of its component, uint32. Ends this object."""

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
        date_format: str = '',
        id: str = '',
        seed: int = 1,
        threads: int = 1,
        **clustering: Any,
    ) -> None:
        ...
    def identity(self) -> list[Any]:
        """All that the stages' results depend on besides the records, as JSON can hold it."""
    @property
    def has_samples(self) -> bool:
        """Whether clusters come with their confidence."""
    @property
    def columns(self) -> list[str]:
        """The columns that the stages need, in the order of the table."""
    @property
    def rules(self) -> list[str]:
        """The blocking rules."""
    @property
    def has_contexts(self) -> bool:
        """Whether scores depend on how many namesakes records have, which must be counted."""
    def count_contexts(self, batches: Iterable[Any]) -> bytes:
        """Counts the namesakes in a part of the table, for merge_contexts."""
    def use_contexts(self, counted: bytes) -> None:
        """Takes what merge_contexts made of the counts of all parts."""
    def special_blocks(self, sizes: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Says which blocks are left out, (rule, key, 0), and which are cut into parts, (rule, key, number of parts).

        sizes: (rule, key, records) of blocks, of those that have more records than least_special() at least.
        """
    def least_special(self) -> list[int]:
        """[rule] records that a block may have without being special."""
    def use_blocks(self, special: list[tuple[int, str, int]]) -> None:
        """Takes what special_blocks said of all blocks."""
    def blocks_are_components(self, largest: int) -> bool:
        """Whether blocks can be clustered as they are, without links: for a single rule whose blocks have few records.

        largest: number of records of the largest block that is not left out.
        """
    def keys(self, batches: Iterable[Any], *, records: bool = True) -> Iterator[Any]:
        """Yields a row for each record and each of its keys: the columns of SORTED_BLOCKS, and those of the records."""
    def links(self, batches: Iterable[Any], *, floor: float | None = None) -> Iterator[Any]:
        """Yields the pairs of records in sorted blocks that match: first, second (fovea_row), score (log odds). A pair
        that several rules bring together comes once for each.

        floor: the least score; None: that of two records that match.
        """
    def clusters(self, batches: Iterable[Any], *, by_blocks: bool = False) -> Iterator[Any]:
        """Yields the cluster of each record of sorted components: row, cluster (the row of its first record), and its
        confidence if samples were asked for.

        by_blocks: components are blocks (blocks_are_components), sorted by SORTED_BLOCKS.
        """

ROW: str
SORTED_BLOCKS: tuple[str, ...]
SORTED_COMPONENTS: tuple[str, ...]
def forest(batches: Iterable[Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields, of the pairs in batches, those that are needed to connect what all connect: first and second, uint32."""

def merge_contexts(parts: Iterable[bytes]) -> bytes:
    """Adds up what Plan.count_contexts counted in parts of the table, in any order with the same result."""
