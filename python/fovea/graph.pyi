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

from fovea._graph_results import Draws as Draws
from fovea._graph_results import JointResult as JointResult
from fovea._graph_results import MapResult as MapResult
from fovea._graph_results import MarginalsResult as MarginalsResult
from fovea._graph_results import PartitionResult as PartitionResult

__all__ = ['Draws', 'FactorGraph', 'JointResult', 'MapResult', 'MarginalsResult', 'PartitionResult', 'Variable']

class FactorGraph:
    """A distribution over variables with finitely many values: p(y) is proportional to the product of its factors."""
    def __init__(self) -> None:
        ...
    def variable(self, name: str | None = None, states: int | Sequence[object] = 2) -> Variable:
        """Adds a variable and returns it. `states`: how many values it has, or a list of their names."""
    def variables(self, cardinalities: ArrayLike) -> int:
        """Adds many variables without names; returns the number of the first. `cardinalities`: [variable]."""
    def factor(self, variables: Sequence[Variable | str | int], table: ArrayLike) -> None:
        """Multiplies p(y) by a table of weights, not negative: its shape is that of the variables, in their order."""
    def log_factor(self, variables: Sequence[Variable | str | int], scores: ArrayLike) -> None:
        """The same with log weights; -inf makes an assignment impossible."""
    def log_factors(self, variables: ArrayLike, scores: ArrayLike) -> None:
        """Many factors of one arity at once: variables [factor][position], scores [factor][...] or one table for all."""
    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> FactorGraph:
        """Reads a model: .uai, .bif, .xmlbif, .wcsp, .cfn, .h5 (OpenGM), compressed or not."""
    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the model in a format of `read`."""
    @classmethod
    def from_pgmpy(cls, model: Any) -> FactorGraph:
        """The same model as one of pgmpy's Bayesian or Markov networks of discrete variables."""
    @classmethod
    def from_pyagrum(cls, model: Any) -> FactorGraph:
        """The same model as one of pyAgrum's Bayesian or Markov networks."""
    def to_pgmpy(self) -> Any:
        """A DiscreteMarkovNetwork of pgmpy with the same factors."""
    def factors(self) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
        """The factors, in order: pairs of the numbers of variables and log weights, [value of first]...[of last]."""
    def solve(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        start: ArrayLike | None = None,
        policy: str | os.PathLike[str] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        diverse: int = 1,
        distance: int = 1,
    ) -> MapResult:
        """Finds the likeliest assignment, with a bound on the best log score.

        `policy` is a file that `fovea tune` wrote for such models: it says where time is spent. 'universal', the
        default, and 'hot-bits' come with the library.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            diverse: MAP: number of good answers that differ from each other. The best takes half of the time, the
                others the rest.
            distance: Minimum number of variables in which two answers of argument diverse differ.
        """
    def marginals(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        target_error: float = 0.0,
    ) -> MarginalsResult:
        """Finds the distribution of every variable, given the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            target_error: MAR and PR, where no method is exact: draw samples until the standard error of every
                probability, or of log10 Z, is <= this. With 0, samples take the time or work that the limits leave;
                without any limit, MAR draws none.
        """
    def joint(
        self,
        variables: Sequence[Variable | str | int],
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        target_error: float = 0.0,
    ) -> JointResult:
        """Finds the joint distribution of some variables, given the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            target_error: MAR and PR, where no method is exact: draw samples until the standard error of every
                probability, or of log10 Z, is <= this. With 0, samples take the time or work that the limits leave;
                without any limit, MAR draws none.
        """
    def log_partition(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        target_error: float = 0.0,
    ) -> PartitionResult:
        """Finds the log of the sum over all assignments that agree with the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            target_error: MAR and PR, where no method is exact: draw samples until the standard error of every
                probability, or of log10 Z, is <= this. With 0, samples take the time or work that the limits leave;
                without any limit, MAR draws none.
        """
    def marginal_map(
        self,
        query: Sequence[Variable | str | int],
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
    ) -> MapResult:
        """Finds the likeliest values of some variables, with the others summed out.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
        """
    def sample(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        memory_limit: int | str | None = None,
        chains: int = 4,
        draws: int = 1000,
        warm_up: int = 500,
        thin: int = 1,
        temperatures: int = 1,
        hottest: float = 10.0,
        restart_rate: float = 0.0,
        distance: float = 0.0,
        perfect: bool = False,
        exactness: str = '',
    ) -> Draws:
        """Draws from the model, given the evidence: by Markov chains, or perfectly.

        Arguments:
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            chains: Number of independent chains.
            draws: Number of draws kept from each chain.
            warm_up: Number of sweeps of each chain before its first draw is kept.
            thin: Number of sweeps from one kept draw to the next.
            temperatures: Number of temperatures of parallel tempering, for chains that do not mix. Every chain has
                a replica at each temperature, from the model's own to the hottest; only the coldest replica is
                written. 1 means Gibbs sampling alone.
            hottest: Highest temperature of argument temperatures, by which scores are divided. The temperatures in
                between form a geometric series.
            restart_rate: Probability with which a run ends before each further sweep; 0 means no restarts. Above 0,
                every draw is the end of a separate run from a new start, so that draws are exact and independent,
                without warm-up and thinning; their law is that of the chain with restarts, not that of the model.
                Reports how far the two are apart, if chains from all assignments meet when they are given the same
                random numbers.
            distance: Restarts at the rate at which the law of the draws is at most this far from the model's, in
                total variation, as measured by chains from all assignments; 0: argument restart_rate says.
            perfect: Independent draws of the model's own law: by elimination if its tables fit the memory limit, or
                else by coupling from the past, if chains from all assignments meet in time.
            exactness: Propose random values instead of Gibbs sampling and look at only as many of a variable's
                factors as a decision needs, for variables with hundreds of factors. With exact, each decision is
                that of all factors; with bounded:ERROR, it differs with at most this probability; with
                fraction:SHARE, this share of the factors is drawn; with width:WIDTH, factors are drawn until the 95
                % confidence interval of their mean is narrower than this; with estimate[:VARIANCE], until the
                variance of their mean is below this, 1 by default. Not with 'temperatures', 'restart-rate',
                'distance' and 'perfect'.
        """
    def log_score(self, values: ArrayLike) -> float:
        """The log of the product of all factors at an assignment: [variable], numbers of values."""
    @property
    def names(self) -> list[str]:
        """[variable], its name, or its number as a text."""
    def __len__(self) -> int:
        ...
    def _repr_html_(self) -> str:
        ...
    def __repr__(self) -> str:
        ...

class Variable:
    """A variable of a FactorGraph: its number, its name or None, and the names of its values or None."""
    number: int
    name: str | None
    cardinality: int
    states: list[str] | None
    def __init__(self, number: int, name: str | None, cardinality: int, states: list[str] | None) -> None:
        ...
    def __index__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
