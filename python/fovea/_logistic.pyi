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

class LogisticRegression(Estimator):
    """Bayesian logistic regression: a Gaussian posterior of the weights, by expectation propagation.

    X: [row][column], finite numbers. y: [row], labels of two classes. After fit: coef_, [column], the mean of each
    weight; intercept_; covariance_ of the weights, the intercept last; log_evidence_ (NaN where the fit was cut short),
    converged_, iterations_ and interrupted_.

    Arguments:
        fit_intercept: Have a weight for the constant 1, too.
        prior_variance: Prior variance of each weight, a Gaussian around 0.
        iterations: Maximum number of updates of all messages.
        max_marginal_kl: Converged once no row's marginal changes by more than this in an update.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def fit(
        self,
        X: Any,
        y: Any,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Finds the posterior of the weights; returns the estimator."""
    def predict_proba(self, X: Any) -> np.ndarray:
        """[row][class], probabilities averaged over the posterior of the weights, in the order of classes_."""
    def predict(self, X: Any) -> np.ndarray:
        """[row], the more likely class."""
    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose class is right."""
    def report(self, X: Any, y: Any, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: the weights, and how the probabilities of rows compare with their labels. A Report, which
        notebooks show. path: where to save it, too.
        """
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...
    def __init__(
        self,
        *,
        fit_intercept: Any = True,
        prior_variance: float = 10.0,
        iterations: int = 100,
        max_marginal_kl: float = 1e-08,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
