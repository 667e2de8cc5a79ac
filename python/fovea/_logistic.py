# SPDX-License-Identifier: Apache-2.0
"""Bayesian logistic regression as an estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._ep_variables import numbers_of
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, two_class_tags, with_parameters
from fovea._report import Report, report_of
from fovea._run import run_arguments

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    import numpy as np
    from typing_extensions import Self


class LogisticRegression(Estimator):
    """Bayesian logistic regression: a Gaussian posterior of the weights, by expectation propagation.

    X: [row][column], finite numbers. y: [row], labels of two classes. After fit: coef_, [column], the mean of each
    weight; intercept_; covariance_ of the weights, the intercept last; log_evidence_ (NaN where the fit was cut short),
    converged_, iterations_ and interrupted_."""

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Finds the posterior of the weights; returns the estimator."""
        import numpy as np

        X = self._rows(X)
        labels = np.asarray(y)
        if labels.shape != (len(X),):
            raise UsageError(f"argument y has the shape {labels.shape}: needs {(len(X),)}, one label for each row")
        self.classes_, encoded = np.unique(labels, return_inverse=True)
        if len(self.classes_) != 2:
            raise UsageError(f"argument y has {len(self.classes_)} classes: needs 2")
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        answer = _core.fit_logistic(self._design(X), encoded.astype(bool).tolist(), **run, **self._options())
        self.n_features_in_ = X.shape[1]
        self._mean, self.covariance_ = answer["mean"], answer["covariance"]
        self.coef_ = self._mean[: X.shape[1]]
        self.intercept_ = float(self._mean[-1]) if self.fit_intercept else 0.0
        self.log_evidence_, self.iterations_ = answer["log_evidence"], answer["iterations"]
        self.converged_, self.interrupted_ = answer["converged"], answer["interrupted"]
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """[row][class], probabilities averaged over the posterior of the weights, in the order of classes_."""
        import numpy as np

        if getattr(self, "_mean", None) is None:
            raise not_fitted()("this LogisticRegression is not fitted: call fit first")
        X = self._rows(X)
        if X.shape[1] != self.n_features_in_:
            raise UsageError(f"argument X has {X.shape[1]} features, but it was fitted with {self.n_features_in_}")
        positive = _core.logistic_probabilities(self._mean, self.covariance_, self._design(X))
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> np.ndarray:
        """[row], the more likely class."""
        most_likely = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_likely]

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose class is right."""
        import numpy as np

        return float(np.mean(self.predict(X) == np.asarray(y)))

    def report(self, X: Any, y: Any, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: the weights, and how the probabilities of rows compare with their labels. A Report, which
        notebooks show. path: where to save it, too."""
        import numpy as np

        self.predict_proba(X)
        names = [str(name) for name in getattr(X, "columns", range(self.n_features_in_))]
        labels = np.asarray(y)
        if labels.shape != (len(X),):
            raise UsageError(f"argument y has the shape {labels.shape}: needs {(len(X),)}, one label for each row")
        page = _core.logistic_page(
            self._mean, self.covariance_, self._design(self._rows(X)), (labels == self.classes_[1]).tolist(),
            names + ["(intercept)"] * self.fit_intercept, str(self.classes_[1]), self.log_evidence_, self.iterations_,
            self.converged_)  # fmt: skip
        return report_of(page, path)

    def __sklearn_is_fitted__(self):
        return getattr(self, "_mean", None) is not None

    def __sklearn_tags__(self):
        return two_class_tags()

    def _rows(self, X):
        X = numbers_of("X", X)
        if X.ndim != 2 or 0 in X.shape:
            raise UsageError(f"argument X has the shape {X.shape}: needs [row][column], not empty")
        return X

    def _design(self, X):
        import numpy as np

        return np.column_stack([X, np.ones(len(X))]) if self.fit_intercept else X


with_parameters(
    LogisticRegression,
    [{"name": "fit_intercept", "default": True, "description": "Have a weight for the constant 1, too."}],
    _core.ep_options()["logistic"],
)
