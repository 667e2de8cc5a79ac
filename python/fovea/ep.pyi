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

from fovea._ep_fit import Fit as Fit
from fovea._ep_fit import FittedModel as FittedModel
from fovea._logistic import LogisticRegression as LogisticRegression
from fovea._ep_posterior import Marginal as Marginal
from fovea._ep_posterior import Posterior as Posterior
from fovea._ep_variables import Variable as Variable
from fovea._table import Table

__all__ = ['Fit', 'FittedModel', 'LogisticRegression', 'Marginal', 'Model', 'Posterior', 'Variable', 'check', 'fit', 'load_fit']

class Model:
    """Variables and the factors that join them.

    random_state: seed of the draws that factors of Python are given; the same model gives the same answer.

    Parents are variables of this model, or numbers, which stand for constants. Methods that add variables take arrays
    of parents and numbers, which broadcast, and `shape`, for more children of the same parents; they return a Variable,
    or a NumPy array of them.
    """
    def __init__(self, *, random_state: Any = None) -> None:
        ...
    def __reduce__(self) -> Any:
        ...
    def gaussian(self, mean: Any, variance: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Real numbers of this mean and variance."""
    def gamma(self, shape_parameter: Any, rate: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Positive numbers of the mean shape_parameter / rate and the variance shape_parameter / rate ** 2."""
    def beta(self, a: Any, b: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities of the mean a / (a + b), worth a + b observations."""
    def dirichlet(self, counts: ArrayLike, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities of len(counts) categories, worth sum(counts) observations."""
    def vector(self, mean: Any, covariance: ArrayLike, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Vectors with a Gaussian prior: mean, [d], and covariance, [d][d]."""
    def constant(self, value: Any) -> Any:
        """Known numbers, as parents; a number given as a parent does the same."""
    def linear(
        self,
        factors: ArrayLike,
        parents: Any,
        *,
        offset: Any = 0,
        noise_variance: Any = 0,
        shape: int | tuple[int, ...] | None = None,
    ) -> Any:
        """Gaussians: the sum of factors[i] * parents[i], plus the offset and Gaussian noise. parents: a list of
        Gaussians, each a variable or an array of them.
        """
    def dot(self, x: Any, vector: Any, *, offset: Any = 0, noise_variance: Any = 0) -> Any:
        """Gaussians: the scalar product of x and a vector variable, plus the offset and noise. x: [d], or [n][d] for n
        children.
        """
    def normal(self, mean: Any, precision: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Gaussians of an unknown mean, a Gaussian, and an unknown precision (1 / variance), a Gamma."""
    def max(self, first: Any, second: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """The larger of two Gaussians."""
    def greater_than(self, gaussian: Any, threshold: Any = 0, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Truth values: whether a Gaussian is greater than the threshold, a number."""
    def bernoulli(self, beta: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Truth values of this probability, a Beta."""
    def categorical(self, dirichlet: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Labels from 0 on, of these probabilities, a Dirichlet."""
    def poisson(self, gamma: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Counts of this mean, a Gamma."""
    def logistic(self, gaussian: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities, Betas: 1 / (1 + exp(-gaussian))."""
    def gamma_of_rate(self, shape_parameter: Any, gamma: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Gammas of this shape parameter, a number, and an unknown rate, a Gamma."""
    def pick(self, selector: Any, options: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """The option that the selector names, a truth value (False the first, True the second) or a label."""
    def pick_normal(
        self,
        selector: Any,
        means: Any,
        precisions: Any,
        *,
        shape: int | tuple[int, ...] | None = None,
    ) -> Any:
        """Gaussians of the mean and precision of the case that the selector names. means: a list of Gaussians, one for
        each case; precisions: a list of Gammas, one for each case or one for all.
        """
    def pick_categorical(self, selector: Any, rows: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Labels of the probabilities in the row that the selector names, such as the next state of a Markov chain. rows:
        a list of Dirichlets, one for each case.
        """
    def factor(
        self,
        function: Callable[..., Any] | str | None,
        *parents: Any,
        log_density: Callable[..., Any] | None = None,
        name: str | None = None,
        child: str = 'gaussian',
        batched: bool = False,
        shape: int | tuple[int, ...] | None = None,
        recall: bool = True,
        oracle: Literal['draws', 'quadrature', 'sigma-points', 'measured'] = 'draws',
        samples: int = 20000,
        adaptive: bool = True,
        sigma_tolerance: float = 0.001,
        sigma_iterations: int = 10,
        function_max_error: float = 0.01,
        function_audit: float = 0.003,
        function_held_out: int = 100,
        function_always: bool = False,
        jit_max_kl: float = 0.001,
        jit_audit: float = 0.005,
        jit_held_out: int = 500,
        jit_alone: bool = False,
        jit_by_message: bool = False,
        jit_disagreement: bool = False,
        jit_random_features: bool = False,
        jit_always: bool = False,
        trees: int = 8,
        candidates: int = 24,
        degree: int = 3,
        split_gain: float = 0.2,
        ridge: float = 1e-06,
    ) -> Any:
        """Children of a factor that is a function of Python.

        function: f(*parents, rng) or f(*parents) draws the child given its parents, which are floats, or arrays [d] if
            they are vectors (which needs oracle="sigma-points"); rng is a NumPy Generator, seeded anew for each
            message, so that runs repeat. It is given to functions that need one argument more than parents, or call it
            rng. Or the name of a factor that was added before. None if only the density is known.
        log_density: f(child, *parents), the natural logarithm of the child's density given its parents, -inf where it
            cannot be. With it the child may be observed directly.
        name: of the factor, in reports and files. Factors of one name share what is learned of them; by default a
            function has its own name, and the same function the same factor.
        child: the family of the child: "gaussian", "gamma", "beta", "bernoulli" or "poisson".
        batched: the functions take arrays of draws, one for each parent ([draw][d] for a vector), and return an array
            of as many numbers. That is many times as fast, but not what every function can do: rng.normal() draws one
            number for all.
        recall: learn the messages while they are computed, and recall them once the prediction is good; with
            oracle="sigma-points", the values of the function.

        Functions are called on another thread, by infer(). What they raise arrives there unchanged.

        Arguments:
            oracle: Who computes messages. draws: importance sampling, for any factor; quadrature: grids, for
                densities of at most three unknown variables; sigma-points: lines through few values of a function
                without chance, of Gaussians; measured: the cheapest of these that is right, by its first messages.
            samples: Number of draws for each message.
            adaptive: Draw most samples from proposals fitted to the first tenth, and the rest from the incoming
                messages. Otherwise all are drawn from the incoming messages.
            sigma_tolerance: The line is fitted again until the parents move by less than this, in their standard
                deviations.
            sigma_iterations: Maximum number of fits of the line.
            function_max_error: Largest error allowed for a recalled value: the share of its parents' standard
                deviations by which it moves them.
            function_audit: Share of recallable values for which the function is called all the same.
            function_held_out: Number of latest values, each predicted before the function was called, that decide
                how much doubt is too much.
            function_always: Recall even where a call of the function takes less time.
            jit_max_kl: Largest error allowed for a recalled message: the divergence of the marginal that it makes,
                with others like it, from the one that the oracle would have made.
            jit_audit: Share of recallable messages that the oracle computes all the same, to check the predictions.
            jit_held_out: Number of latest cases, each predicted before the oracle was asked, that decide how much
                doubt is too much.
            jit_alone: Judge each recalled message by the marginal that it makes alone, not by the one that it would
                make with others like it. Suits variables with few such factors.
            jit_by_message: Learn the factor's message, as published, not the marginal that it makes.
            jit_disagreement: Doubt a message by the disagreement of the trees alone, below u_max, as published.
            jit_random_features: Learn by Bayesian linear regression on random features, not by a forest.
            jit_always: Learn and recall even where that takes longer than it saves.
            trees: Number of trees.
            candidates: Number of random splits of which a leaf takes the best.
            degree: Maximum degree of the polynomials in the leaves.
            split_gain: Share of a leaf's residual by which a split must lower it.
            ridge: Ridge penalty of the leaves' regressions.
        """
    def observe(self, variables: Any, values: Any) -> None:
        """Sets the values of variables; arrays broadcast. Truth values are True and False or 1 and 0."""
    def evidence(self, variables: Any, family: str, *parameters: Any) -> None:
        """Multiplies the priors of variables by evidence from elsewhere, of their family: "gaussian" with a mean and a
        variance, "gamma" with shape and rate, "beta" with two counts, "bernoulli" with a probability, or "poisson"
        with a mean.
        """
    def infer(
        self,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        algorithm: Literal['ep', 'variational'] = 'ep',
        max_marginal_kl: float = 1e-06,
        iterations: int = 100,
        schedule: Literal['serial', 'parallel', 'residual'] = 'serial',
        damping: float = 0.0,
        evidence: bool = False,
    ) -> Posterior:
        """The marginals of all variables: a Posterior.

        Goes on from the last state if the model has been solved before. Ctrl-C and the time limit end it with what is
        known so far.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            progress: True for a bar, or a function of one dict.
            algorithm: Algorithm: expectation propagation or variational message passing.
            max_marginal_kl: Converged once no marginal changes by more than this.
            iterations: Maximum number of updates of all messages.
            schedule: Order of the messages. serial: one after another, forwards and then backwards; parallel: all
                at once from the previous ones; residual: next the one whose inputs have changed most.
            damping: Share of the old message that is kept, less than 1.
            evidence: Compute the log probability of the observations too, which costs one more message for each
                factor; variational: a lower bound of it.
        """
    def save_operator(self, name: str | None, path: str | os.PathLike[str]) -> None:
        """Writes to a file what was learned of the messages of a factor."""
    def load_operator(self, name: str | None, path: str | os.PathLike[str]) -> None:
        """Reads what another model learned of the messages of the same factor."""
    def __repr__(self) -> str:
        ...

def check(
    model: str | os.PathLike[str],
    data: Any = None,
    *,
    data_sets: int = 50,
    given: Mapping[str, float] | None = None,
    family: str = 'normal',
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    chains: int = 4,
    warm_up: int = 1000,
    draws: int = 1000,
    target_acceptance: float = 0.8,
    deepest_tree: int = 10,
) -> Table:
    """Checks the answers that a model gets, by simulation-based calibration, as `fovea fit --check` does.

    Draws data sets from the model's prior, for the rows and columns of data, fits each, and ranks the true numbers among
    the draws. Returns a Table with a row for each number: its mean rank, which is .5 without a bias, the bias and
    the spread in standard errors, and a verdict: "ok", "doubtful" or "wrong". Above 0, the spread says that posteriors are
    too narrow. This finds wrong answers, not whether the model suits the data.

        >>> from fovea.ep import check
        >>> model = "m ~ normal(0, 1); y ~ normal(m, 1)"
        >>> check(model, {"y": [1.0, 2.0]}, data_sets=20, draws=200, warm_up=200)["verdict"].tolist()
        ['ok']

    Arguments:
        time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
        progress: True for a bar, or a function of one dict.
        chains: Number of chains, from different starts.
        warm_up: Draws of a chain that only tune its steps, and are left out.
        draws: Draws of a chain that are kept.
        target_acceptance: Mean probability of accepting a step, for which the length of steps is tuned. Raise
            it if trajectories diverge.
        deepest_tree: A trajectory has at most 2 to this power steps.
    """

def fit(
    model: str | os.PathLike[str],
    data: Any = None,
    *,
    given: Mapping[str, float] | None = None,
    family: str = 'normal',
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    chains: int = 4,
    warm_up: int = 1000,
    draws: int = 1000,
    target_acceptance: float = 0.8,
    deepest_tree: int = 10,
) -> Fit:
    """Draws from the posterior of a model by the no-U-turn sampler, as `fovea fit` does; returns a Fit.

    model: the text of a model, a line for each variable; a formula, such as "y ~ x + (1 | group)"; or the path of a file
    with a model. data: a data frame, a dict of lists or a list of dicts, whose columns the model names. given: numbers
    that the model names and the table does not have. family: of a formula's left side: normal, student, bernoulli,
    poisson, negative-binomial or ordered (ranks from 1 on).

        >>> from fovea.ep import fit
        >>> table = {"school": list("ABCDEFGH"), "y": [28, 8, -3, 7, -1, 1, 18, 12], "se": [15, 10, 16, 11, 9, 11, 10, 18]}
        >>> schools = fit('''
        ...     schools ~ plate(school)
        ...     mu ~ normal(0, 10)
        ...     tau ~ half_cauchy(5)
        ...     theta[school] ~ normal(mu, tau)
        ...     y ~ normal(theta[school], se)''', table)
        >>> schools["theta"].shape, schools.mixing
        ((4, 1000, 8), 'mixed')

    Arguments:
        time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
        progress: True for a bar, or a function of one dict.
        chains: Number of chains, from different starts.
        warm_up: Draws of a chain that only tune its steps, and are left out.
        draws: Draws of a chain that are kept.
        target_acceptance: Mean probability of accepting a step, for which the length of steps is tuned. Raise
            it if trajectories diverge.
        deepest_tree: A trajectory has at most 2 to this power steps.
    """

def load_fit(path: str | os.PathLike[str]) -> FittedModel:
    """Reads what Fit.save, or `fovea fit -o`, wrote: a model that predicts."""
