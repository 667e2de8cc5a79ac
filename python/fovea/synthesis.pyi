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


__all__ = ['Invariant', 'Rule', 'RuleClassifier', 'find_invariant']

class Invariant:
    """What a search for an inductive invariant found."""
    def __init__(self, answer: Any) -> None:
        ...
    @property
    def proved(self) -> bool:
        """True if the formula is an invariant that proves the loop."""
    def _repr_html_(self) -> str:
        ...
    def __repr__(self) -> str:
        ...

class Rule(Estimator):
    """Learns a formula in disjunctive normal form of linear inequalities: "x1 != 0 or (x2 = x3 and x1 <= x2 + 4)".

    X: [row][column], integers of 64 bits. y: [row], True and False or 1 and 0. After fit: formula_, a text; smt_, the
    same in the syntax of SMT-LIB; complete_, whether it is right on every row; wrong_rows_; report_, a dict;
    interrupted_. Without a limit, fit ends after 60 seconds.

    Arguments:
        terms: Maximum number of disjuncts.
        atoms: Maximum number of comparisons in a disjunct.
        stages: Chains used. 0: no restarts; 1: restarts; 2: restarts, each followed by steps with the
            simplified cost; portfolio: chains of all kinds, by past success.
        temperature: A step that raises the cost by c is taken with probability exp(-c / temperature).
        simple_rate: Probability that a step ends the stage with the simplified cost.
        full_rate: Probability that a step ends the stage with the full cost by a restart.
        coefficients: Inequalities have all coefficients in -N .. N; 0: only those of argument octagons.
        constants: Bounds of the inequalities; default: those that the rows suggest.
        octagons: Also try x and +-x +-y on their own.
        equations: With argument octagons, also try = and !=, each as one atom.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def fit(
        self,
        X: Any,
        y: Any,
        *,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Looks for a formula that is right on every row; returns the estimator. If none is found, keeps the nearest
        one and warns. budget: a limit of work, as in "1e6 transitions".
        """
    def predict(self, X: Any) -> np.ndarray:
        """[row], True where the formula holds."""
    def score(self, X: Any, y: Any) -> float:
        """The share of rows that the formula gets right."""
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...
    def __init__(
        self,
        *,
        terms: int = 3,
        atoms: int = 3,
        stages: Literal['0', '1', '2', 'portfolio'] = 'portfolio',
        temperature: float = 0.35,
        simple_rate: float = 0.04,
        full_rate: float = 0.0002,
        coefficients: int = 1,
        constants: Sequence[str] = (),
        octagons: bool = False,
        equations: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class RuleClassifier(Estimator):
    """Learns short rules that say which rows of a table are of which class: "age <= 30 and colour is red".

    X: [row][column], an array of numbers or a DataFrame, whose columns may be numbers or categories; NaN and None are
    missing. y: [row], at least two classes; with more than two, each gets a rule. Rows may contradict each other: rules
    are as long as cross-validation finds useful. only: of two classes, the one that gets the rule; default: the one
    whose rule errs less.

    After fit: rules_, a dict from the classes that have rules to their texts; text_, all of them in words; sql_,
    python_ and smt_, in other languages; error_, the share wrong in cross-validation, and standard_error_ (None if it
    was cut short); curve_, the sizes tried with their errors; classes_; report_; interrupted_.

    Arguments:
        only: of two classes, the one with the rule.
        terms: Maximum number of disjuncts.
        atoms: Maximum number of comparisons in a disjunct.
        variables: Maximum number of columns in one comparison, as in 2 height + weight > 190; 1: no sums, 0:
            any number.
        bounds: Maximum number of bounds tried of a column or sum.
        folds: Parts of the rows in cross-validation, which chooses how long a rule may be.
        caution: A longer rule must have a lower error in cross-validation, by this number of standard errors.
        effort: Steps of the search, relative to the usual number.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Learns the rules; returns the estimator. sample_weight: [row], at least 0."""
    def predict(self, X: Any) -> np.ndarray:
        """[row], the class whose rule holds, the most precise first; the remaining class if none does."""
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose class is right."""
    def report(self, X: Any, y: Any, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: the rules, their errors by size, and the rows of X that they get wrong. A Report, which
        notebooks show. path: where to save it, too.
        """
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...
    def __init__(
        self,
        *,
        only: Any = None,
        terms: int = 6,
        atoms: int = 4,
        variables: int = 0,
        bounds: int = 64,
        folds: int = 5,
        caution: float = 0.25,
        effort: float = 1.0,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

def find_invariant(
    loop: str | os.PathLike[str],
    *,
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    terms: int = 3,
    atoms: int = 3,
    stages: Literal['0', '1', '2', 'portfolio'] = 'portfolio',
    patience: float = 20000000.0,
    no_clauses: bool = False,
    no_spacer: bool = False,
) -> Invariant:
    """Looks for an inductive invariant that proves a loop; returns an Invariant.

    loop: an invariant problem of the SyGuS competitions (track Inv, linear integer arithmetic), or constrained Horn
    clauses in SMT-LIB, with any number of predicates: a path, or the text.
    Without a time limit it ends after 60 seconds. Ctrl-C ends the search without an invariant.

    Arguments:
        time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
        progress: True for a bar, or a function of one dict.
        terms: Disjuncts of the first formulas.
        atoms: Comparisons in a disjunct of these.
        stages: Chains that look for formulas, as in 'synth dnf'.
        patience: Steps without a formula that fits, after which larger ones are tried.
        no_clauses: Use the chain of formulas alone, without what runs of the program suggest.
        no_spacer: Leave out Z3's own search, which runs in a second thread.
    """
