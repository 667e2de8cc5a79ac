# SPDX-License-Identifier: Apache-2.0
"""Chains of labels, by arrays of scores: natural logarithms, single precision, -inf for the impossible.

>>> import numpy as np
>>> from fovea.sequence import Chain
>>> chain = Chain(np.log([[.9, .1], [.2, .8]]))
>>> labels, score = chain.viterbi(np.log([[.6, .4], [.5, .5], [.1, .9]]))
>>> labels.tolist()
[1, 1, 1]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fovea import _core
from fovea._errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

__all__ = ["Chain"]


class Chain:
    """A linear chain over `labels` labels that scores pairs of neighbours and, if asked to, longer label n-grams.

    pairwise: [label][next label], the score of a pair. ngrams: further scores, a dict from tuples of 2 to factor_size
    labels.
    """

    def __init__(
        self,
        pairwise: ArrayLike | None = None,
        *,
        labels: int | None = None,
        factor_size: int = 2,
        ngrams: Mapping[tuple[int, ...], float] | None = None,
    ) -> None:
        import numpy as np

        scores = []
        if pairwise is not None:
            pairwise = np.asarray(pairwise, dtype=np.float32)
            if pairwise.ndim != 2 or pairwise.shape[0] != pairwise.shape[1]:
                raise UsageError(f"argument pairwise has the shape {pairwise.shape}: needs a square matrix")
            if labels not in (None, len(pairwise)):
                raise UsageError(f"argument labels={labels}: pairwise has {len(pairwise)}")
            labels = len(pairwise)
            scores = [([i, j], float(pairwise[i, j])) for i in range(labels) for j in range(labels)]
        if labels is None:
            raise UsageError("give pairwise or labels")
        scores += [([int(label) for label in labels_of], float(score)) for labels_of, score in (ngrams or {}).items()]
        self.labels: int = labels
        self.factor_size: int = factor_size
        self._chain = _core.Chain(labels, factor_size, scores)

    def viterbi(self, unary: ArrayLike) -> tuple[np.ndarray, float]:
        """The best labels, [token], and their score, for unary scores [token][label]."""
        return self._chain.viterbi(_scores(unary))

    def marginals(self, unary: ArrayLike) -> tuple[np.ndarray, float]:
        """[token][label], probabilities, and the log of the sum over all labelings."""
        return self._chain.marginals(_scores(unary))

    def __repr__(self) -> str:
        return f"Chain({self.labels} labels, factor_size={self.factor_size})"


def _scores(unary):
    import numpy as np

    if type(unary) is np.ndarray and unary.dtype == np.float32 and unary.ndim == 2 and unary.flags.c_contiguous:
        return unary
    unary = np.ascontiguousarray(unary, dtype=np.float32)
    if unary.ndim != 2:
        raise UsageError(f"argument unary has {unary.ndim} dimensions: needs [token][label]")
    return unary
