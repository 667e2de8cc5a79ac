# SPDX-License-Identifier: Apache-2.0
"""Formulas: Rule learns one that says which rows are true, find_invariant one that proves a loop. Loads Z3.

>>> from fovea.synthesis import Rule, find_invariant
>>> X = [[0, 0], [0, 3], [2, 0], [2, 3], [5, 4], [4, 5]]
>>> y = [a <= b for a, b in X]
>>> rule = Rule(terms=1, atoms=1).fit(X, y)
>>> rule.predict([[7, 9], [9, 7]]).tolist()
[True, False]

>>> loop = '''
... (set-logic LIA)
... (synth-inv Inv ((x Int) (n Int)))
... (define-fun start ((x Int) (n Int)) Bool (and (= x 0) (>= n 0)))
... (define-fun step ((x Int) (n Int) (x! Int) (n! Int)) Bool (and (< x n) (= x! (+ x 1)) (= n! n)))
... (define-fun end ((x Int) (n Int)) Bool (=> (>= x n) (= x n)))
... (inv-constraint Inv start step end)
... (check-synth)'''
>>> find_invariant(loop).proved
True
"""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any

from fovea import _synthesis
from fovea._errors import InputError, UsageError
from fovea._estimator import Estimator, not_fitted, two_class_tags, with_parameters
from fovea._run import run_arguments
from fovea._signature import takes

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from typing_extensions import Self

__all__ = ["Invariant", "Rule", "find_invariant"]

_OPTIONS = _synthesis.synthesis_options()


class Invariant:
    """What a search for an inductive invariant found."""

    def __init__(self, answer: Any) -> None:
        report = json.loads(answer["report"])
        #: "proved", "infeasible" (some run breaks the postcondition) or "unknown" (nothing was found in time)
        self.status = report["outcome"]
        #: [name of the predicate]: its formula in the syntax of SMT-LIB, which Z3 has proved; empty unless proved
        self.formulas = answer["formulas"] if self.proved else {}
        #: the invariant, where there is one; None unless proved, and for several predicates
        self.formula = next(iter(self.formulas.values())) if len(self.formulas) == 1 else None
        #: all of them as define-funs, the answer to a SyGuS problem
        self.definition = report["definition"]
        #: "infeasible": the states of a run that breaks the postcondition, dicts from names to values, and from
        #: "location" to the predicate's name if there are several. Empty if it is only known that there is one
        self.unsafe_run = answer["unsafe_run"]
        #: "search", "spacer" (Z3's own search) or None
        self.found_by = report["found_by"]
        #: counts of the work: candidates, examples, transitions, solver_calls, solver_seconds
        self.work = {n: report[n] for n in ("candidates", "examples", "transitions", "solver_calls", "solver_seconds")}
        #: of wall-clock time
        self.seconds = report["seconds"]
        #: True if Ctrl-C ended the search
        self.interrupted = answer["interrupted"]

    @property
    def proved(self) -> bool:
        """True if the formula is an invariant that proves the loop."""
        return self.status == "proved"

    def _repr_html_(self) -> str:
        from fovea._html import table

        rows = [("status", self.status), *self.formulas.items(), ("found by", str(self.found_by))]
        return table(repr(self), ("", ""), rows)

    def __repr__(self) -> str:
        formula = f", {self.formula!r}" if self.formula else ""
        return f"Invariant({self.status}{formula}, {self.seconds:.3g} s)"


@takes([f for f in _OPTIONS["invariant"] if f["name"] != "time_limit"])
def find_invariant(
    loop: str | os.PathLike[str],
    *,
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Invariant:
    """Looks for an inductive invariant that proves a loop; returns an Invariant.

    loop: an invariant problem of the SyGuS competitions (track Inv, linear integer arithmetic), or constrained Horn
    clauses in SMT-LIB, with any number of predicates: a path, or the text.
    Without a time limit it ends after 60 seconds. Ctrl-C ends the search without an invariant.
    """
    text, name = _text_of(loop)
    run = run_arguments(time_limit, None, threads, random_state, progress)
    return Invariant(_synthesis.find_invariant(text, name, **run, **options))


def _text_of(loop):
    if isinstance(loop, str) and "(" in loop:
        return loop, "loop"
    if not isinstance(loop, (str, os.PathLike)):
        raise UsageError(f"argument loop={loop!r:.60}: needs a path or the text of a problem in SyGuS or SMT-LIB")
    try:
        with open(loop, encoding="utf-8") as file:
            return file.read(), os.fspath(loop)
    except UnicodeDecodeError as error:
        raise InputError(f"{os.fspath(loop)}: not a text in UTF-8: {error.reason}") from None


class Rule(Estimator):
    """Learns a formula in disjunctive normal form of linear inequalities: "x1 != 0 or (x2 = x3 and x1 <= x2 + 4)".

    X: [row][column], integers of 64 bits. y: [row], True and False or 1 and 0. After fit: formula_, a text; smt_, the
    same in the syntax of SMT-LIB; complete_, whether it is right on every row; wrong_rows_; report_, a dict;
    interrupted_. Without a limit, fit ends after 60 seconds."""

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
        one and warns. budget: a limit of work, as in "1e6 transitions"."""
        import numpy as np

        names = [str(c) for c in X.columns] if hasattr(X, "columns") else None
        X, y = _integers(X), np.asarray(y)
        if y.shape != (len(X),):
            raise UsageError(f"argument y has the shape {y.shape}: needs {(len(X),)}, one label for each row")
        wrong = [i for i, label in enumerate(y.tolist()) if label not in (0, 1)]
        if wrong:
            raise UsageError(f"y[{wrong[0]}] is {y[wrong[0]]!r}: needs True or False, or 1 or 0")
        names = names or [f"x{i + 1}" for i in range(X.shape[1])]
        run = run_arguments(time_limit, budget, self.threads, self.random_state, progress)
        answer = _synthesis.learn_rule(names, X, np.ascontiguousarray(y, dtype=np.uint8), **run, **self._options())
        self.formula_, self.smt_, self._disjuncts = answer["formula"], answer["smt"], answer["disjuncts"]
        self.complete_, self.wrong_rows_ = answer["found"], answer["wrong_rows"]
        self.classes_, self.n_features_in_ = np.array([False, True]), X.shape[1]
        self.report_, self.interrupted_ = json.loads(answer["report"]), answer["interrupted"]
        if not self.complete_ and not self.interrupted_:
            warnings.warn(f"no formula was found that fits; the nearest is wrong on {len(self.wrong_rows_)} rows",
                          stacklevel=2)  # fmt: skip
        return self

    def predict(self, X: Any) -> np.ndarray:
        """[row], True where the formula holds."""
        if getattr(self, "_disjuncts", None) is None:
            raise not_fitted()("this Rule is not fitted: call fit first")
        X = _integers(X)
        if X.shape[1] != self.n_features_in_:
            raise UsageError(f"argument X has {X.shape[1]} features, but it was fitted with {self.n_features_in_}")
        return _synthesis.holds(self._disjuncts, X).astype(bool)

    def score(self, X: Any, y: Any) -> float:
        """The share of rows that the formula gets right."""
        import numpy as np

        return float(np.mean(self.predict(X) == np.asarray(y).astype(bool)))

    def __sklearn_is_fitted__(self):
        return getattr(self, "_disjuncts", None) is not None

    def __sklearn_tags__(self):
        return two_class_tags()


def _integers(X):
    """[row][column] of 64 bits, without a number that would change."""
    import numpy as np

    try:
        array = np.asarray(X)
    except ValueError:
        raise UsageError("argument X: needs rows of one length") from None
    if array.ndim != 2 or 0 in array.shape:
        raise UsageError(f"argument X has the shape {array.shape}: needs [row][column], not empty")
    if array.dtype.kind in "bi" or (array.dtype.kind == "u" and array.dtype.itemsize < 8):
        return np.ascontiguousarray(array, dtype=np.int64)
    for (i, j), value in np.ndenumerate(array):
        try:
            is_whole = not isinstance(value, (str, bytes)) and value == int(value) and -(2**63) <= value < 2**63
        except (TypeError, ValueError, OverflowError):
            is_whole = False
        if not is_whole:
            raise UsageError(f"X[{i}][{j}] is {value!r}: needs an integer of 64 bits")
    return np.ascontiguousarray(array, dtype=np.int64)


with_parameters(Rule, [], [f for f in _OPTIONS["rule"] if f["name"] not in ("time_limit", "budget")])
