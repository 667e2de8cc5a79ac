# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = ['CRF', 'Doeblin', 'GP', 'SVM']

class CRF:
    """A linear-chain conditional random field of any order.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        factor_size: int = 2,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    def fit(self, X: Any, y: Any, *, time_limit: Any = None, progress: Any = None) -> Any:
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands."""
    def predict(self, X: Any, **options: Any) -> Any:
        """The labels, [sequence][item]. Options are those of `fovea tag`: method, time_limit, budget, ..."""
    def predict_proba(self, X: Any, **options: Any) -> Any:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
    def predict_marginals(self, X: Any, **options: Any) -> Any:
        """[sequence][item], a dict of the probability of each label."""
    def predict_n_best(self, X: Any, n: Any, **options: Any) -> Any:
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
    def score(self, X: Any, y: Any) -> Any:
        """The share of items whose label is right."""
    def save(self, path: Any) -> Any:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
    @classmethod
    def load(cls, path: Any) -> Any:
        """Reads a tagger that `save` or `fovea train` wrote."""
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...

class GP:
    """Structured Gaussian processes, whose posterior says how sure each label is.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        kernel: Covariance of a label's function at two items, by their attributes: a sum of products of
            linear(variance), rbf(variance, length scale), matern3/2(...), polynomial2(variance, offset),
            constant(variance), cosine. Given several times, each is tried, and one is kept by argument choose.
        choose: Criterion that decides which of several kernels is kept. error: the fewest wrong labels of
            training sequences, each predicted from the others; bound: the highest bound, which favours narrow
            priors that make more errors.
        learn_kernel: Move the kernel's numbers to where the bound is highest, by its gradient, starting from
            those given; for natural-gradient and score-function. A higher bound does not always mean fewer
            errors.
        likelihood: Likelihood of a sequence's labels, given the functions. chain: sums over all labelings;
            pseudo: takes each label given its neighbours, for many labels.
        inducing_points: Number of items that represent the functions; time grows with its square.
        inducing: Method by which the inducing points are chosen.
        means: Form of the functions' means. inducing-points: by these; attributes: a weight for each attribute
            and label, for linear(variance) by natural-gradient, with fewer errors if the text has many more
            items than points; auto: attributes if possible.
        pairwise_variance: Prior variance of the score of a label pair; > 0.
        inference: Method of fitting. natural-gradient: Gaussians by conjugate computation, in seconds. score-
            function and saga: Gaussians by the estimators of Galliani et al. (2017), from the likelihood's
            values alone, on all sequences or one at a time. slice-sampling: draws by elliptical slice sampling.
            The last three take minutes to hours, and their marginals get no temperature.
        gp_draws: Number of draws to average expectations over, rounded up to an even number; 0: 16, 10,000 and
            4,000 for the first three methods.
        gp_steps: Maximum number of steps: natural gradients; rounds of 50 and 10 iterations of L-BFGS; rounds
            of 3,000 and 1,000 steps of SAGA; draws. 0: 30, 100, 10, 20,000.
        minibatch: Approximate number of items used in a step of natural-gradient; 0: all, or 2,000 if there are
            20,000 or more; -1: all.
        components: Number of Gaussians in the posterior, for score-function and saga.
        diagonal: Use diagonal covariances over inducing points, for score-function and saga.
        no_control_variates: Use the score function without control variates, to see what they do.
        gp_tolerance: End when a step raises the bound by less than this per item, in nats.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        kernel: Sequence[str] = ('linear',),
        choose: Literal['error', 'bound'] = 'error',
        learn_kernel: bool = False,
        likelihood: Literal['chain', 'pseudo'] = 'chain',
        inducing_points: int = 500,
        inducing: Literal['pivoted-cholesky', 'k-means', 'random'] = 'pivoted-cholesky',
        means: Literal['auto', 'inducing-points', 'attributes'] = 'auto',
        pairwise_variance: float = 1.0,
        inference: Literal['auto', 'natural-gradient', 'score-function', 'saga', 'slice-sampling'] = 'natural-gradient',
        gp_draws: int = 0,
        gp_steps: int = 0,
        minibatch: int = 0,
        components: int = 1,
        diagonal: bool = False,
        no_control_variates: bool = False,
        gp_tolerance: float = 0.001,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    def fit(self, X: Any, y: Any, *, time_limit: Any = None, progress: Any = None) -> Any:
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands."""
    def predict(self, X: Any, **options: Any) -> Any:
        """The labels, [sequence][item]. Options are those of `fovea tag`: method, time_limit, budget, ..."""
    def predict_proba(self, X: Any, **options: Any) -> Any:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
    def predict_marginals(self, X: Any, **options: Any) -> Any:
        """[sequence][item], a dict of the probability of each label."""
    def predict_n_best(self, X: Any, n: Any, **options: Any) -> Any:
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
    def score(self, X: Any, y: Any) -> Any:
        """The share of items whose label is right."""
    def save(self, path: Any) -> Any:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
    @classmethod
    def load(cls, path: Any) -> Any:
        """Reads a tagger that `save` or `fovea train` wrote."""
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...

class SVM:
    """A structured support vector machine over label pairs: margins instead of probabilities.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        gap_tolerance: Stop an SVM when the dual proves that the objective is at most gap-tolerance * objective
            above its minimum; 0: never; 0.01 if not given.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        factor_size: int = 2,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        gap_tolerance: float | None = None,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    def fit(self, X: Any, y: Any, *, time_limit: Any = None, progress: Any = None) -> Any:
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands."""
    def predict(self, X: Any, **options: Any) -> Any:
        """The labels, [sequence][item]. Options are those of `fovea tag`: method, time_limit, budget, ..."""
    def predict_proba(self, X: Any, **options: Any) -> Any:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
    def predict_marginals(self, X: Any, **options: Any) -> Any:
        """[sequence][item], a dict of the probability of each label."""
    def predict_n_best(self, X: Any, n: Any, **options: Any) -> Any:
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
    def score(self, X: Any, y: Any) -> Any:
        """The share of items whose label is right."""
    def save(self, path: Any) -> Any:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
    @classmethod
    def load(cls, path: Any) -> Any:
        """Reads a tagger that `save` or `fovea train` wrote."""
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...

class Doeblin:
    """Gibbs sweeps in the model of all label n-grams, with restarts from the chain of label pairs, trained as they run.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        factor_size: int = 3,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    def fit(self, X: Any, y: Any, *, time_limit: Any = None, progress: Any = None) -> Any:
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands."""
    def predict(self, X: Any, **options: Any) -> Any:
        """The labels, [sequence][item]. Options are those of `fovea tag`: method, time_limit, budget, ..."""
    def predict_proba(self, X: Any, **options: Any) -> Any:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
    def predict_marginals(self, X: Any, **options: Any) -> Any:
        """[sequence][item], a dict of the probability of each label."""
    def predict_n_best(self, X: Any, n: Any, **options: Any) -> Any:
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
    def score(self, X: Any, y: Any) -> Any:
        """The share of items whose label is right."""
    def save(self, path: Any) -> Any:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
    @classmethod
    def load(cls, path: Any) -> Any:
        """Reads a tagger that `save` or `fovea train` wrote."""
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...
