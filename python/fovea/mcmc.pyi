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


__all__ = ['Annealed', 'Diagnosis', 'Draws', 'anneal', 'diagnose', 'sample']

class Annealed:
    """What `anneal` found."""
    def __init__(self, answer: Any) -> None:
        ...
    def __repr__(self) -> str:
        ...

class Diagnosis:
    """What draws tell about their chains (Vehtari et al. 2021), for each quantity: arrays of its shape."""
    def __init__(self, answer: Any, shape: Any, columns: Any) -> None:
        ...
    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: draws, ranks and diagnostics of each quantity. A Report, which notebooks show. path: where
        to save it, too.
        """
    def _repr_html_(self) -> str:
        ...
    def __repr__(self) -> str:
        ...

class Draws:
    """What `sample` drew."""
    def __init__(self, answer: Any) -> None:
        ...
    def diagnose(self) -> Diagnosis:
        """How well the chains have mixed, for every variable: a Diagnosis."""
    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: draws, ranks and diagnostics of each variable. A Report, which notebooks show. path: where to
        save it, too.
        """
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...

def anneal(
    model: Any,
    *,
    start: ArrayLike | None = None,
    time_limit: float | str | None = None,
    budget: str | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    batch: int = 64,
    temperature: float = 0.0,
    cooling: float = 0.5,
    regret: float = 0.001,
    visits: int = 16,
    order: Literal['learned', 'cyclic'] = 'learned',
) -> Annealed:
    """A likely assignment of a model whose conditionals are expensive, from few calls of it; returns Annealed.

    Every variable is asked for once; after that, those where a visit is expected to gain most, as many to a call as the
    batch holds. The expectation is learned on the way, so nothing has to be tuned.

    model: an object as `sample` takes it, with markov_blanket or neighbours; log_score is not used. assignment is
        [1][variable], and conditional_scores returns [1][site][value]. The conditionals need not be those of one joint
        distribution: those of a neural network seldom are.
    start: [variable], the first assignment, such as that of a cheap model; by default drawn at random.

    Ctrl-C ends the search with the assignment so far. The model is asked on another thread. What it raises arrives unchanged. The same random_state gives the same assignment.

    Arguments:
        time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
        budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
        random_state: an int, None (always the same), or a generator of NumPy.
        progress: True for a bar, or a function of one dict.
        batch: Maximum number of variables in one call.
        temperature: First temperature: values are drawn with probabilities to the power 1 / temperature; 0: the
            best value is taken.
        cooling: Factor of the temperature after as many visits as there are variables; below .05, it is 0.
        regret: Stop where the gain that is still expected is below this, in nats a variable; 0: where nothing
            can change.
        visits: Maximum number of visits of a variable at temperature 0. Conditionals that are not those of one
            joint distribution, such as a neural network's, may lead round in a circle.
        order: Variables to ask for. learned: those where a visit is expected to gain most, as learned on the
            way from the visits before: by doubt, by changed neighbours. cyclic: all of them, in sweeps.
    """

def diagnose(draws: ArrayLike) -> Diagnosis:
    """How well chains have mixed, from their draws: [chain][draw][...], 4 draws or more of each chain. Returns a
    Diagnosis with a number for each quantity [...]; NaN where a draw is not finite.
    """

def sample(
    model: Any,
    *,
    start: ArrayLike | None = None,
    time_limit: float | str | None = None,
    budget: str | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    draws: int = 1000,
    chains: int = 4,
    warm_up: int = 500,
    thin: int = 1,
) -> Draws:
    """Draws from a model by Gibbs sampling, all chains side by side; returns Draws.

    model: an object with
        cardinalities: [variable], how many values each variable has; values count from 0.
        conditional_scores(sites, assignment): the log probability of each value of these variables given all others, up
            to a constant; -inf for a value that cannot be. sites: [site], of one cardinality, none of which depends on
            another; assignment: [chain][variable]; returns [chain][site][value].
        markov_blanket or neighbours, optional: a function of a variable, or a list for each variable: the variables on
            which its conditional depends. With it, all variables that do not depend on each other are asked for in one
            call; without it, one variable is.
        log_score(assignment), optional: [chain], the log probability of whole assignments up to a constant, to keep the
            best draw.
    start: [chain][variable] or [variable], the first assignments; by default drawn at random.

    Ctrl-C ends the run with the draws so far. The model is asked on another thread. What it raises arrives unchanged. The same random_state gives the same draws.

    Arguments:
        time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
        budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
        random_state: an int, None (always the same), or a generator of NumPy.
        progress: True for a bar, or a function of one dict.
        draws: Number of draws kept from each chain.
        chains: Number of independent chains.
        warm_up: Number of sweeps of each chain before its first draw is kept.
        thin: Number of sweeps from one kept draw to the next.
    """
