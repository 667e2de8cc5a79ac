# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator


__all__ = ['Diagnosis', 'Draws', 'diagnose', 'sample']

class Diagnosis:
    """What draws tell about their chains (Vehtari et al. 2021), for each quantity: arrays of its shape."""
    def __init__(self, answer: Any, shape: Any) -> None:
        ...
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
    def __len__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...

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
