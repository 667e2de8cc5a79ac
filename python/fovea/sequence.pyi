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


__all__ = ['Chain']

class Chain:
    """A linear chain over `labels` labels that scores pairs of neighbours and, if asked to, longer label n-grams.

    pairwise: [label][next label], the score of a pair. ngrams: further scores, a dict from tuples of 2 to factor_size
    labels.
    """
    labels: int
    factor_size: int
    def __init__(
        self,
        pairwise: ArrayLike | None = None,
        *,
        labels: int | None = None,
        factor_size: int = 2,
        ngrams: Mapping[tuple[int, ...], float] | None = None,
    ) -> None:
        ...
    def viterbi(self, unary: ArrayLike) -> tuple[np.ndarray, float]:
        """The best labels, [token], and their score, for unary scores [token][label]."""
    def marginals(self, unary: ArrayLike) -> tuple[np.ndarray, float]:
        """[token][label], probabilities, and the log of the sum over all labelings."""
    def __repr__(self) -> str:
        ...
