# SPDX-License-Identifier: Apache-2.0
"""Formulas: RuleClassifier learns short rules for the classes of a table, Rule a formula that is right on every row of
integers, find_invariant one that proves a loop. Loads Z3.

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
from fovea._report import Report, report_of
from fovea._run import run_arguments
from fovea._signature import takes

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from typing_extensions import Self

__all__ = ["Invariant", "Rule", "RuleClassifier", "find_invariant"]

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

        formulas = [(f"formula of {name}", formula) for name, formula in self.formulas.items()]
        rows = [("status", self.status), *formulas, ("found by", str(self.found_by))]
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


class RuleClassifier(Estimator):
    """Learns short rules that say which rows of a table are of which class: "age <= 30 and colour is red".

    X: [row][column], an array of numbers or a DataFrame, whose columns may be numbers or categories; NaN and None are
    missing. y: [row], at least two classes; with more than two, each gets a rule. Rows may contradict each other: rules
    are as long as cross-validation finds useful. only: of two classes, the one that gets the rule; default: the one
    whose rule errs less.

    After fit: rules_, a dict from the classes that have rules to their texts; text_, all of them in words; sql_,
    python_ and smt_, in other languages; error_, the share wrong in cross-validation, and standard_error_ (None if it
    was cut short); curve_, the sizes tried with their errors; classes_; report_; interrupted_."""

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
        import numpy as np

        names, columns, rows = _columns(X)
        labels = np.asarray(y)
        if labels.shape != (rows,):
            raise UsageError(f"argument y has the shape {labels.shape}: needs {(rows,)}, one class for each row")
        self.classes_, class_of = np.unique(labels, return_inverse=True)
        if not 2 <= len(self.classes_) <= 64:
            raise UsageError(f"argument y has {len(self.classes_)} classes: needs 2 to 64")
        if sample_weight is not None:
            sample_weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
            if sample_weight.shape != (rows,) or not np.isfinite(sample_weight).all() or sample_weight.min() < 0:
                raise UsageError("argument sample_weight: needs a number of at least 0 for each row")
            if not sample_weight.max() > 0:
                raise UsageError("argument sample_weight: needs some weights above 0")
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        target = getattr(y, "name", None) or "class"
        texts = [str(one) for one in self.classes_]
        only = {} if self.only is None else {"only": str(self.only)}
        answer = _synthesis.learn_rules(columns, np.ascontiguousarray(class_of, dtype=np.uint32), texts, sample_weight,
                                        str(target), **only, **run, **self._options())  # fmt: skip
        self._report, self.report_ = answer["report"], json.loads(answer["report"])
        self._names, self._categories = names, [column[3] for column in columns]
        self.n_features_in_ = len(names)
        text = self.report_["text"]
        self.text_, self.sql_, self.python_, self.smt_ = (text[n] for n in ("words", "sql", "python", "smt-lib"))
        self.rules_ = {self.classes_[texts.index(rule["class"])]: rule["text"] for rule in self.report_["rules"]}
        self.error_, self.standard_error_ = self.report_["error"], self.report_["standard_error"]
        self.curve_ = [{**length, "class": rule["class"], "chosen": i == rule["chosen"]}
                       for rule in self.report_["rules"] for i, length in enumerate(rule["lengths"])]  # fmt: skip
        self.interrupted_ = answer["interrupted"]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """[row], the class whose rule holds, the most precise first; the remaining class if none does."""
        if getattr(self, "_report", None) is None:
            raise not_fitted()("this RuleClassifier is not fitted: call fit first")
        names, columns, rows = _columns(X, self._names, self._categories)
        if len(names) != self.n_features_in_:
            raise UsageError(f"argument X has {len(names)} features, but it was fitted with {self.n_features_in_}")
        return self.classes_[_synthesis.apply_rules(self._report, columns, rows)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose class is right."""
        import numpy as np

        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    def report(self, X: Any, y: Any, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: the rules, their errors by size, and the rows of X that they get wrong. A Report, which
        notebooks show. path: where to save it, too."""
        import numpy as np

        self.predict(X)
        columns, rows = _columns(X, self._names, self._categories)[1:]
        labels = np.asarray(y)
        if labels.shape != (rows,) or not np.isin(labels, self.classes_).all():
            raise UsageError(f"argument y: needs a class of {list(self.classes_)} for each of {rows} rows")
        class_of = np.ascontiguousarray(np.searchsorted(self.classes_, labels), dtype=np.uint32)
        return report_of(_synthesis.rules_page(self._report, columns, class_of), path)

    def __sklearn_is_fitted__(self):
        return getattr(self, "_report", None) is not None

    def __sklearn_tags__(self):
        tags = two_class_tags()
        tags.classifier_tags.multi_class = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _columns(X, names=None, categories=None):
    """Names, columns as the library takes them, and the number of rows. `categories`: those that are known."""
    import numpy as np

    if hasattr(X, "columns"):
        found = [str(name) for name in X.columns]
        if names is not None:
            lacking = sorted(set(names) - set(found))
            if lacking and len(found) == len(names):
                raise UsageError(f"argument X has no column {lacking[0]!r}")
            found = names if not lacking else found
        cells = [X[name].to_numpy() for name in (found if names is None or not lacking else X.columns)]
        rows = len(X)
    else:
        array = np.asarray(X)
        if array.ndim != 2 or 0 in array.shape:
            raise UsageError(f"argument X has the shape {array.shape}: needs [row][column], not empty")
        found = [f"x{i + 1}" for i in range(array.shape[1])] if names is None else names[: array.shape[1]]
        found += [f"x{i + 1}" for i in range(len(found), array.shape[1])]
        cells, rows = list(array.T), len(array)
    if not cells or not rows:
        raise UsageError("argument X: needs rows and columns")
    known = categories or [None] * len(cells)
    columns = [_column(*which) for which in zip(found, cells, known[: len(cells)] + [None] * (len(cells) - len(known)),
                                                strict=True)]  # fmt: skip
    return found, columns, rows


def _column(name, cells, known):
    """(name, numbers or None, numbers of categories or None, categories). `known`: categories; [] if numeric."""
    import numpy as np

    if known is None or not known:
        try:
            numbers = np.ascontiguousarray(cells, dtype=np.float64)
        except (TypeError, ValueError):
            if known is not None:
                raise UsageError(f"argument X: column {name!r} was fitted with numbers") from None
        else:
            if np.isinf(numbers).any():
                raise UsageError(f"argument X: column {name!r} has an infinite number")
            return name, numbers, None, []
    texts = [None if cell is None or cell != cell else str(cell) for cell in cells.tolist()]
    categories = known or sorted({text for text in texts if text is not None})
    if len(categories) > 64:
        raise UsageError(f"argument X: column {name!r} has {len(categories)} different texts: needs at most 64")
    numbers = {text: i for i, text in enumerate(categories)}
    codes = [-1 if text is None else numbers.get(text, len(categories)) for text in texts]
    return name, None, np.asarray(codes, dtype=np.int32), categories


_ONLY = {"name": "only", "default": None, "annotation": "Any", "description": "of two classes, the one with the rule."}
with_parameters(RuleClassifier, [_ONLY], _OPTIONS["table"])
