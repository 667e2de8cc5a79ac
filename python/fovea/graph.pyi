# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = ['Draws', 'FactorGraph', 'MapResult', 'MarginalsResult', 'PartitionResult', 'Variable']

class Draws:
    """Draws from a model: `values` is [chain][draw][variable], the numbers of values."""
    values: np.ndarray
    interrupted: bool
    mean_sweeps: float
    temperatures: np.ndarray
    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        ...
    def __getitem__(self, variable: Variable | str | int) -> np.ndarray:
        """[chain][draw] of one variable."""
    def to_arviz(self) -> Any:
        """An arviz InferenceData whose posterior has one entry for each variable."""
    def __repr__(self) -> str:
        ...

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
        evidence: Mapping[Variable | str | int, int | str] | None = None,
        start: ArrayLike | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        diverse: int = 1,
        distance: int = 1,
    ) -> MapResult:
        """Finds the likeliest assignment, with a bound on the best log score.

        Arguments:
            time_limit: seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.
            budget: work to spend, as the option of the command line.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
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
        evidence: Mapping[Variable | str | int, int | str] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        target_error: float = 0.0,
    ) -> MarginalsResult:
        """Finds the distribution of every variable, given the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.
            budget: work to spend, as the option of the command line.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            target_error: MAR and PR, where no method is exact: draw samples until the standard error of every
                probability, or of log10 Z, is <= this. With 0, MAR draws samples only if asked to.
        """
    def log_partition(
        self,
        *,
        evidence: Mapping[Variable | str | int, int | str] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
        target_error: float = 0.0,
    ) -> PartitionResult:
        """Finds the log of the sum over all assignments that agree with the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.
            budget: work to spend, as the option of the command line.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
            target_error: MAR and PR, where no method is exact: draw samples until the standard error of every
                probability, or of log10 Z, is <= this. With 0, MAR draws samples only if asked to.
        """
    def marginal_map(
        self,
        query: Sequence[Variable | str | int],
        *,
        evidence: Mapping[Variable | str | int, int | str] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        memory_limit: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        method: Literal['auto', 'exact', 'search', 'messages', 'sampling'] = 'auto',
    ) -> MapResult:
        """Finds the likeliest values of some variables, with the others summed out.

        Arguments:
            time_limit: seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.
            budget: work to spend, as the option of the command line.
            memory_limit: for the tables of exact methods: bytes, or a text such as '8GB'.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
            method: Method of inference: auto plans under the limits; exact gives a proved answer or none; search
                only looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR:
                Gibbs sampling, PR: annealed importance sampling).
        """
    def sample(
        self,
        *,
        evidence: Mapping[Variable | str | int, int | str] | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        chains: int = 4,
        draws: int = 1000,
        warm_up: int = 500,
        thin: int = 1,
        temperatures: int = 1,
        hottest: float = 10.0,
        restart_rate: float = 0.0,
    ) -> Draws:
        """Draws from the model by Markov chains, given the evidence.

        Arguments:
            time_limit: seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.
            budget: work to spend, as the option of the command line.
            threads: 0 or None for all cores.
            random_state: an int, None (always the same), or a generator of NumPy.
            progress: True for a bar, or a function of one dict.
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

class MapResult:
    """The best assignment found, with a bound on the best there is."""
    status: str
    method: str
    seconds: float
    interrupted: bool
    phases: list[dict[str, Any]]
    values: np.ndarray
    score: float
    bound: float
    diverse: list[tuple[np.ndarray, float]]
    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        ...
    @property
    def gap(self) -> float:
        """How much higher the best log score may be, at most."""
    @property
    def optimal(self) -> bool:
        """True if it is proved that no assignment is better."""
    def __getitem__(self, variable: Variable | str | int) -> int | str:
        """The value of a variable: its name where it has one, else its number."""
    def _repr_html_(self) -> str:
        ...
    def __repr__(self) -> str:
        ...

class MarginalsResult(PartitionResult):
    """The distribution of every variable: index it by variable, name or number."""
    status: str
    method: str
    seconds: float
    interrupted: bool
    phases: list[dict[str, Any]]
    max_standard_error: float
    mixing: str | None
    max_r_hat: float
    min_effective_samples: float
    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        ...
    def __len__(self) -> int:
        ...
    def __getitem__(self, variable: Variable | str | int) -> np.ndarray:
        """[value], probabilities that sum to 1: a NumPy array."""
    def __iter__(self) -> Iterator[np.ndarray]:
        ...
    def _repr_html_(self) -> str:
        ...
    def chart(self, variables: Sequence[Variable | str | int] | None = None) -> dict[str, Any]:
        """A Vega-Lite chart, as a dict, of the probabilities of some variables (the first ten, unless named)."""

class PartitionResult:
    """The natural logarithm of the partition function."""
    status: str
    method: str
    seconds: float
    interrupted: bool
    phases: list[dict[str, Any]]
    log_partition: float
    log_partition_error: float
    log_partition_bound: float
    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        ...
    def __float__(self) -> float:
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
