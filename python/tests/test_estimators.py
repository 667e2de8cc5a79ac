# SPDX-License-Identifier: Apache-2.0
"""What scikit-learn's check_estimator demands of estimators of matrices, demanded of ours, whose X it cannot make."""

import inspect
import multiprocessing
import os
import pickle

import numpy as np
import pytest

from fovea.ep import LogisticRegression
from fovea.linkage import Dedupe, Link
from fovea.synthesis import Rule
from fovea.tagging import CRF, GP, SVM, Doeblin

SEQUENCES = (
    [["the", "cat", "sleeps"], ["a", "dog", "barks"], ["dogs", "bark"]] * 10,
    [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]] * 10,
)
MATRIX = (np.array([[i, j] for i in range(6) for j in range(6)]), np.array([i > j for i in range(6) for j in range(6)]))
PEOPLE = [{"given": f"g{i % 7}", "surname": f"s{i % 23}", "born": f"19{i % 60 + 40}-01-02"} for i in range(120)]
MATCHING = {"compare": "given:jaro_winkler, surname:jaro_winkler, born:date", "block": "surname"}

# Class, parameters, arguments of fit, and what to call on the fitted estimator to see whether it is the same.
ESTIMATORS = [
    (CRF, {"l2": 0.5}, SEQUENCES, lambda e: [p.tolist() for p in e.predict_proba(SEQUENCES[0])]),
    (Doeblin, {"iterations": 3}, SEQUENCES, lambda e: e.predict(SEQUENCES[0])),
    (SVM, {"l2": 0.5}, SEQUENCES, lambda e: e.predict(SEQUENCES[0])),
    (
        GP,
        {"inducing_points": 5, "gp_steps": 2},
        SEQUENCES,
        lambda e: [p.tolist() for p in e.predict_proba(SEQUENCES[0])],
    ),
    (Dedupe, MATCHING, (PEOPLE,), lambda e: e.predict(PEOPLE)),
    (Link, MATCHING, (PEOPLE[:60], PEOPLE[60:]), lambda e: e.predict(PEOPLE[:60], PEOPLE[60:])["second"].tolist()),
    (Rule, {"terms": 1}, MATRIX, lambda e: e.predict(MATRIX[0]).tolist()),
    (
        LogisticRegression,
        {},
        (MATRIX[0].astype(float), MATRIX[1]),
        lambda e: e.predict_proba(MATRIX[0]).round(12).tolist(),
    ),
]
each = pytest.mark.parametrize(("cls", "params", "data", "asked"), ESTIMATORS, ids=lambda v: getattr(v, "__name__", ""))


@each
def test_parameters_are_kept_as_given_and_cloned(cls, params, data, asked):
    base = pytest.importorskip("sklearn.base")
    estimator = cls(**params)
    for name, value in params.items():
        assert getattr(estimator, name) is value
        assert estimator.get_params()[name] is value
    copy = base.clone(estimator)
    assert copy is not estimator and copy.get_params() == estimator.get_params()
    assert eval(repr(estimator), {cls.__name__: cls}).get_params() == estimator.get_params()  # noqa: S307
    assert estimator.set_params(**params) is estimator
    with pytest.raises(ValueError, match="nonsense"):
        estimator.set_params(nonsense=1)


@each
def test_init_only_keeps_its_parameters(cls, params, data, asked):
    signature = inspect.signature(cls.__init__)
    assert [p for p in signature.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)] == []
    names = set(signature.parameters) - {"self"}
    assert set(vars(cls(**params))) == names
    bad = dict.fromkeys(names, object())
    assert set(vars(cls(**bad))) == names  # nothing is checked before fit
    for name in names:
        assert f"{name}:" in cls.__doc__, name


@each
def test_fit_returns_self_and_forgets_the_last_fit(cls, params, data, asked):
    estimator = cls(**params)
    assert estimator.fit(*data) is estimator
    first = asked(estimator)
    assert asked(estimator.fit(*data)) == first
    assert asked(cls(**params).fit(*data)) == first


@each
def test_what_fit_sets_ends_with_an_underscore(cls, params, data, asked):
    estimator = cls(**params)
    before = set(vars(estimator))
    estimator.fit(*data)
    assert all(name.endswith("_") or name.startswith("_") for name in set(vars(estimator)) - before)
    assert estimator.get_params() == cls(**params).get_params()


@each
def test_it_says_so_if_it_is_not_fitted(cls, params, data, asked):
    exceptions = pytest.importorskip("sklearn.exceptions")
    with pytest.raises(exceptions.NotFittedError, match="fit"):
        asked(cls(**params))


@each
def test_pickles_answer_alike(cls, params, data, asked):
    estimator = cls(**params).fit(*data)
    stored = pickle.dumps(estimator)
    assert asked(pickle.loads(stored)) == asked(estimator)
    with pytest.raises((EOFError, pickle.UnpicklingError, ValueError, IndexError)):
        pickle.loads(stored[: len(stored) // 2])


@each
def test_a_forked_process_can_fit(cls, params, data, asked):
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    expected = asked(cls(**params).set_params(threads=2).fit(*data))
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=lambda: queue.put(asked(cls(**params).set_params(threads=2).fit(*data))))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert queue.get() == expected
