# SPDX-License-Identifier: Apache-2.0
"""fovea.tagging: four families, three kinds of items, and the habits of scikit-learn."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea.tagging import CRF, GP, SVM, Doeblin

X = [["the", "cat", "sleeps"], ["a", "dog", "barks"], ["dogs", "bark"]] * 5
Y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]] * 5
DICTS = [[{"w": token, "long": len(token) > 3, "n": 0.5} for token in tokens] for tokens in X]
NAMES = [[[f"w={token}", "bias"] for token in tokens] for tokens in X]

FAMILIES = [CRF(), SVM(), Doeblin(), GP(inducing_points=10)]


def ids(value):
    return type(value).__name__


@pytest.mark.parametrize("tagger", FAMILIES, ids=ids)
def test_every_family_learns_and_is_the_same_after_pickling(tagger):
    assert tagger.fit(X, Y) is tagger
    assert tagger.classes_ == ["D", "N", "V"]
    assert tagger.predict(X) == Y and tagger.score(X, Y) == 1
    probabilities = tagger.predict_proba(X[:2])
    assert [p.shape for p in probabilities] == [(3, 3), (3, 3)]
    np.testing.assert_allclose(probabilities[0].sum(axis=1), 1, atol=1e-5)
    assert tagger.predict_marginals(X[:1])[0][1]["N"] == pytest.approx(probabilities[0][1, 1])
    copy = pickle.loads(pickle.dumps(tagger))
    assert copy.predict(X) == Y and copy.get_params() == tagger.get_params()


@pytest.mark.parametrize("items", [DICTS, NAMES], ids=["dicts", "names"])
def test_items_may_be_attributes(items):
    crf = CRF(l2=0.1).fit(items, Y)
    assert crf.predict(items) == Y
    with pytest.raises(fovea.UsageError, match=r"X\[0\]\[0\] is 'the': needs a list of attributes or a dict"):
        crf.predict(X)


def test_dicts_have_the_attributes_of_their_names():
    dicts = CRF(l2=0.1).fit(
        [[{"w": "a", "x": 2.0, "s": ["p"], "d": {"k": "v"}, "no": False}, {"w": "b"}]], [["x", "y"]]
    )
    names = CRF(l2=0.1).fit([[{"w:a": 1, "x": 2.0, "s:p": 1, "d:k:v": True}, ["w:b"]]], [["x", "y"]])
    np.testing.assert_array_equal(dicts.predict_proba([[{"w": "a"}]])[0], names.predict_proba([[["w:a"]]])[0])


def test_templates_make_attributes_of_cells():
    cells = [[[token, token[-1]] for token in tokens] for tokens in X]
    crf = CRF(template="U0:%x[0,1]\nB\n").fit(cells, Y)
    assert crf.report_["features"] < 30 and crf.predict(cells)[2] == ["N", "V"]


def test_labels_may_be_unknown():
    partly = [[label if t else None for t, label in enumerate(labels)] for labels in Y]
    crf = CRF().fit(X, [*partly[:-3], *Y[-3:]])
    assert crf.classes_ == ["N", "V", "D"] and crf.predict(X[:1]) == [["D", "N", "V"]]


def test_n_best_and_marginals_agree():
    crf = CRF().fit(X, Y)
    ranked = crf.predict_n_best(X[:1], 27)[0]
    assert len(ranked) == 27 and ranked[0][0] == Y[0]
    assert sum(p for _, _, p in ranked) == pytest.approx(1, abs=1e-5)
    expected = sum(p for labels, _, p in ranked if labels[1] == "N")
    assert crf.predict_proba(X[:1])[0][1, 1] == pytest.approx(expected, abs=1e-5)


def test_methods_and_limits_are_those_of_the_command():
    crf = CRF(factor_size=3).fit(X, Y)
    assert crf.predict(X, method="beam", beam_width=4) == Y
    assert crf.predict(X, method="gibbs", sweeps=50, time_limit="1s/item") == Y
    one = crf.predict_proba(X, method="gibbs", answer="marginal", budget="40 sweeps")
    two = crf.predict_proba(X, method="gibbs", answer="marginal", budget="40 sweeps")
    for a, b in zip(one, two):
        np.testing.assert_array_equal(a, b)


def test_training_repeats_and_does_not_depend_on_threads():
    reference = CRF(threads=1, random_state=7).fit(X, Y)
    again = CRF(threads=2, random_state=7).fit(X, Y)
    assert (
        reference._bytes == again._bytes or reference.predict_proba(X)[0].tolist() == again.predict_proba(X)[0].tolist()
    )


def test_files_are_those_of_the_command(tmp_path):
    crf = CRF().fit(X, Y)
    crf.save(tmp_path / "a.model")
    assert CRF.load(tmp_path / "a.model").predict(X) == Y
    with pytest.raises(fovea.UsageError, match="family 'crf', not 'gp'"):
        GP.load(tmp_path / "a.model")
    (tmp_path / "cut.model").write_bytes(crf._bytes[:200])
    with pytest.raises(fovea.InputError):
        CRF.load(tmp_path / "cut.model")


def test_empty_sequences_and_texts_of_all_kinds():
    crf = CRF().fit([["Zoë", "日本", "a b\tc", "\U0001f600"], []], [["x", "y", "x", "y"], []])
    assert crf.predict([["Zoë", "日本"], [], ["never seen"]])[1] == []


def test_scikit_learn_clones_searches_and_validates():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    assert clone(CRF(l2=3.0)).l2 == 3.0
    search = GridSearchCV(CRF(), {"l2": [0.1, 1.0]}, n_jobs=2, cv=3).fit(X, Y)
    assert search.best_score_ == 1 and search.predict(X) == Y
    assert cross_val_score(CRF(), X, Y, cv=3).mean() == 1
    assert make_pipeline(CRF()).fit(X, Y).predict(X) == Y
    with pytest.raises(NotFittedError):
        CRF().predict(X)


def test_parameters_are_kept_as_given_and_shown():
    crf = CRF(l2=0.5, random_state=np.int64(3))
    assert crf.get_params()["l2"] == 0.5 and repr(crf).startswith("CRF(l2=0.5, random_state=")
    assert crf.set_params(l2=2).l2 == 2
    with pytest.raises(fovea.UsageError, match="no parameter 'c1'"):
        crf.set_params(c1=1)
    with pytest.raises(TypeError, match="no parameter 'c1'"):
        CRF(c1=1)


@pytest.mark.parametrize(
    ("fit", "text"),
    [
        (lambda: CRF(l2=-1).fit(X, Y), "argument l2=-1: must be at least 0"),
        (lambda: CRF(gradient="magic").fit(X, Y), "gradient='magic': needs one of"),
        (lambda: CRF(iterations=1.5).fit(X, Y), "whole number"),
        (lambda: CRF(template="Q:x").fit(X, Y), "begins with U, B or #"),
        (lambda: CRF(template="U:%x[0,3]").fit(X, Y), "column"),
        (lambda: Doeblin(factor_size=2).fit(X, Y), "argument factor_size=3 or more"),
        (lambda: CRF().fit(X, Y[:3]), "15 sequences and y has 3"),
        (lambda: CRF().fit([["a"]], [["x", "y"]]), r"X\[0\] has 1 items and y\[0\] has 2 labels"),
        (lambda: CRF().fit([["a", 3]], [["x", "y"]]), r"X\[0\]\[1\] is 3"),
        (lambda: CRF().fit([["a"]], [[2]]), r"y\[0\]\[0\] is 2"),
        (lambda: CRF().fit([["a"]], ["x"]), r"y\[0\] is 'x': needs a list of str"),
        (lambda: CRF().fit([["a"]], [[""]]), "label is missing"),
        (lambda: CRF().fit(["ab"], [["x", "y"]]), r"X\[0\] is 'ab'"),
        (lambda: CRF().fit([[{"a": float("nan")}]], [["x"]]), "finite number"),
        (lambda: CRF().fit([[{"a": object()}]], [["x"]]), "needs a str, a number"),
        (lambda: CRF().fit([[{3: "a"}]], [["x"]]), "name of an attribute"),
        (lambda: CRF().fit([], []), "no sequence"),
        (lambda: CRF().fit(5, Y), "needs a list of sequences"),
        (lambda: CRF(template="U0:%x[0,0]").fit([[["a"], ["b", "c"]]], [["x", "y"]]), "item 2: 2 cells"),
        (lambda: CRF().fit(X, Y).predict(X, method="magic"), "needs one of"),
        (lambda: CRF().fit(X, Y).predict(X, colour=1), "no argument 'colour'"),
    ],
)
def test_bad_arguments_are_named(fit, text):
    with pytest.raises(ValueError, match=text):
        fit()


def large():
    rng = np.random.default_rng(0)
    words = [[f"w{w}" for w in rng.integers(5000, size=20)] for _ in range(3000)]
    return words, [[f"L{int(w[1:]) % 12}" for w in sequence] for sequence in words]


def test_ctrl_c_ends_training_with_the_tagger_as_it_stands():
    words, labels = large()
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    try:
        crf = CRF(tolerance=0, epsilon=0, iterations=100000).fit(words, labels)
        assert crf.interrupted_ and crf.predict(words[:1])
    except KeyboardInterrupt:
        pass
    assert time.monotonic() - started < 10


def test_memory_stays_flat():
    program = """
from fovea.tagging import CRF
X = [["the", "cat", "sleeps"], ["dogs", "bark"]] * 20
Y = [["D", "N", "V"], ["N", "V"]] * 20
def step(i):
    CRF(threads=1, iterations=5).fit(X, Y).predict(X)
"""
    assert growth(program, times=60, warm_up=20) < 2e6


def test_a_vector_is_an_attribute_for_each_dimension():
    rng = np.random.default_rng(0)
    labels = [[["A", "B"][int(rng.random() < 0.5)] for _ in range(4)] for _ in range(40)]
    vectors = [[np.array([1.5, -2.0 if label == "A" else 2.0, 0]) for label in row] for row in labels]
    crf = CRF(l2=0.1).fit([[{"v": v} for v in row] for row in vectors], labels)
    assert crf.score([[{"v": v.tolist()} for v in row] for row in vectors], labels) == 1
    spelled = [[{"v": {str(i): float(x) for i, x in enumerate(v)}} for v in row] for row in vectors]
    assert [p.tolist() for p in crf.predict_proba(spelled)] == [
        p.tolist() for p in crf.predict_proba([[{"v": v} for v in row] for row in vectors])
    ]
    for bad in ([1.0, np.nan], [[1.0]], [None], np.zeros((2, 2)), {1.0}):
        with pytest.raises(ValueError, match=r"X\[0\]\[0\]"):
            crf.predict([[{"v": bad}]])


def test_the_recipe_of_the_paper_sets_what_was_not_set():
    X = [["the", "cat", "sleeps"], ["a", "dog", "barks"]] * 5
    y = [["D", "N", "V"]] * 10
    crf = CRF(recipe="heterosampler", factor_size=3).fit(X, y)
    assert crf.predict(X) == y
    assert (crf.report_["options"]["gradient"], crf.report_["options"]["l2"]) == ("gibbs", 0)
    assert crf.report_["options"]["gibbs_sweeps"] == 8


@pytest.mark.parametrize("tagger", [CRF(), SVM(), GP(kernel=["rbf(3, 1)"], inducing_points=20)])
def test_items_may_be_vectors(tagger):
    draw = np.random.default_rng(1)
    X = [draw.normal(size=(draw.integers(1, 6), 3)) for _ in range(60)]
    y = [["up" if item[0] + 0.3 * item[2] > 0 else "down" for item in sequence] for sequence in X]
    tagger.fit(X[:40], y[:40])
    assert tagger.score(X[40:], y[40:]) > 0.85
    as_dicts = [[{str(i): float(v) for i, v in enumerate(item)} for item in sequence] for sequence in X]
    assert tagger.predict(as_dicts[40:]) == tagger.predict(X[40:])


def test_a_vector_holds_numbers_alone():
    for item in ([1.0, "a"], ["a", 1.0], [float("nan")], [[1.0]]):
        with pytest.raises(fovea.UsageError, match=r"X\[0\]\[0\]"):
            CRF().fit([[item]], [["x"]])
