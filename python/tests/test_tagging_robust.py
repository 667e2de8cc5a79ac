# SPDX-License-Identifier: Apache-2.0
"""fovea.tagging on input of all kinds: what is wrong is named, what can be read is read, and memory stays flat."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea.tagging import CRF, SVM

X = [["the", "cat", "sleeps"], ["a", "dog", "barks"], ["dogs", "bark"]] * 5
Y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]] * 5


@pytest.fixture(scope="module")
def crf():
    return CRF().fit(X, Y)


@pytest.mark.parametrize(
    ("X", "y", "text"),
    [
        ([["a", "b"], ["c"]], [["x", "y"], ["x", "y"]], r"X\[1\] has 1 items and y\[1\] has 2 labels"),
        ([["a"]], [["x"], ["y"]], "X has 1 sequences and y has 2"),
        ([["a"], "b"], [["x"], ["y"]], r"X\[1\] is 'b': needs a list of items"),
        ([["a"], None], [["x"], ["y"]], r"X\[1\] is None"),
        ([["a"], 3], [["x"], ["y"]], r"X\[1\] is 3"),
        ([["a"]], [["x"]][0], r"y\[0\] is 'x'"),
        ([["a"]], [[1]], r"y\[0\]\[0\] is 1: needs a str"),
        ([["a"]], [[b"x"]], r"y\[0\]\[0\] is b'x'"),
        ([["a"]], [[float("nan")]], r"y\[0\]\[0\] is nan"),
        ([["a"]], [[["x"]]], r"y\[0\]\[0\] is \['x'\]"),
        ([["a"]], None, "y is None"),
        ([["a"]], {"a": 1}, "y is {'a': 1}"),
        ([], [], "no sequence to train on"),
        ([[]], [[]], "all sequences are empty"),
        ([[], []], [[], []], "all sequences are empty"),
        ([[b"a"]], [["x"]], r"X\[0\]\[0\]"),
        ([[["a", 1]]], [["x"]], r"X\[0\]\[0\] is 1"),
        ([[{"a": float("inf")}]], [["x"]], "finite number"),
        ([[{"a": 10**400}]], [["x"]], "needs a str, a number"),
        ([[{"a": 1e300}]], [["x"]], "finite number in single precision"),
        ([[{"a": b"xy"}]], [["x"]], "is b'xy': needs a str"),
        ([[{"a": None}]], [["x"]], "is None: needs a str"),
        ([[{"a": [None]}]], [["x"]], "a str, a number, a list of them"),
        ([[{None: 1}]], [["x"]], "name of an attribute"),
        (iter([["a"]]), [["x"]], "X is <list_iterator"),
        ([["a"]], (y for y in [["x"]]), "y is <generator"),
        ([["a\ud800"]], [["x"]], "surrogate"),
        ([["a"]], [["x\ny"]], "a label that holds a line feed"),
    ],
)
def test_what_is_wrong_is_named(X, y, text):
    with pytest.raises(ValueError, match=text):
        CRF().fit(X, y)


@pytest.mark.parametrize(
    "X", [None, 3, "abc", [None], [3], [["a", None]], [[{"a": 1}]], [[["a"], ["b", "c"]]], [{"a"}]]
)
def test_predict_names_what_is_wrong(crf, X):
    with pytest.raises(ValueError, match="X|sequence"):
        crf.predict(X)


def test_kinds_of_sequences_that_mean_the_same(crf):
    expected = crf.predict(X)
    for same in (
        tuple(tuple(x) for x in X),
        [np.array(x) for x in X],
        [np.array(x, dtype=object) for x in X],
        [[np.str_(word) for word in x] for x in X],
        [[(word,) for word in x] for x in X],
        [np.array(x)[:, None] for x in X],
    ):
        assert crf.predict(same) == expected
    labels = [np.array(y) for y in Y]
    again = CRF().fit([np.array(x) for x in X], labels)
    assert again._bytes == crf._bytes or again.predict_proba(X)[0].tolist() == crf.predict_proba(X)[0].tolist()
    assert again.classes_ == ["D", "N", "V"] and all(type(label) is str for label in again.classes_)
    square = np.array([["the", "cat"], ["a", "dog"]])
    assert CRF().fit(square, np.array([["D", "N"], ["D", "N"]])).predict(square) == [["D", "N"], ["D", "N"]]
    assert again.score(X, labels) == 1
    frame = pytest.importorskip("pandas").Series(X)
    assert crf.predict(frame) == expected


def test_numbers_of_all_kinds():
    items = [[{"a": np.float32(0.5), "b": np.int64(3), "c": True, "d": np.bool_(True), "e": 2**40, "f": -0.0}] * 2]
    same = [[{"a": 0.5, "b": 3.0, "c": 1, "d": 1.0, "e": float(2**40)}] * 2]
    with pytest.warns(UserWarning, match="the values of attribute 'e' reach 1.1e\\+12"):
        one, two = (CRF(iterations=5).fit(given, [["x", "y"]]) for given in (items, same))
    np.testing.assert_array_equal(one.predict_proba(items)[0], two.predict_proba(same)[0])


def test_empty_input_has_empty_answers(crf):
    assert crf.predict([]) == [] and crf.predict([[], []]) == [[], []]
    assert [p.shape for p in crf.predict_proba([[], X[0]])] == [(0, 3), (3, 3)]
    assert crf.predict_n_best([[]], 3) == [[]] and crf.predict_marginals([[]]) == [[]]
    assert crf.score([], []) == 0


def test_many_labels_and_long_sequences():
    labels = [[f"L{i}" for i in range(300)]]
    wide = CRF(iterations=3).fit([[f"w{i}" for i in range(300)]], labels)
    assert len(wide.classes_) == 300
    assert len(CRF(iterations=5).fit(X, Y).predict([["cat"] * 100_000])[0]) == 100_000


def test_one_tagger_serves_many_threads(crf):
    many = X * 100
    expected, found = crf.predict(many), [None] * 6
    fresh = pickle.loads(pickle.dumps(crf))

    def work(i):
        found[i] = fresh.predict(many)
        fresh.predict_proba(many[:50])
        fresh.explain(many[0], 1)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(labels == expected for labels in found)


def test_taggers_are_fitted_in_many_threads():
    found = [None] * 4

    def work(i):
        found[i] = CRF(threads=1, l2=1 + i).fit(X, Y).predict(X)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Y] * 4


def test_pickles_that_are_cut_short_or_of_another_version(crf):
    data = pickle.dumps(crf)
    for size in (0, 1, 20, len(data) // 2, len(data) - 1):
        with pytest.raises((pickle.UnpicklingError, EOFError, fovea.InputError)):
            pickle.loads(data[:size])
    state = crf.__getstate__()
    for bad in (crf._bytes[:-7], crf._bytes[:40], b"", b"FOVEA", bytes(1000)):
        with pytest.raises(fovea.InputError, match="the pickled tagger"):
            CRF().__setstate__({**state, "_bytes": bad})
    newer = bytearray(crf._bytes)
    newer[8:12] = (99).to_bytes(4, "little")
    with pytest.raises(fovea.InputError, match="version|newer"):
        CRF().__setstate__({**state, "_bytes": bytes(newer)})
    older = CRF()
    older.__setstate__({name: value for name, value in state.items() if name != "l2"})
    assert older.predict(X) == Y and older.l2 == CRF().l2  # a parameter that the older version did not have


def test_progress_that_raises_ends_prediction_and_training(crf):
    class Enough(Exception):
        pass

    def progress(record):
        raise Enough

    with pytest.raises(Enough):
        crf.predict(X * 2000, progress=progress)
    with pytest.raises(Enough):
        CRF().fit(X, Y, progress=progress)
    assert crf.predict(X) == Y


def test_ctrl_c_during_prediction_raises():
    crf = CRF(factor_size=3).fit(X, Y)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        crf.predict(X * 200, method="gibbs", sweeps=1e6)
    assert time.monotonic() - started < 10
    assert crf.predict(X) == Y


class Noticed(list):
    """A sequence that tells when it is read."""

    def __init__(self, items, notice):
        super().__init__(items)
        self._notice = notice

    def __iter__(self):
        self._notice()
        return super().__iter__()


def test_ctrl_c_is_heard_while_lists_are_read(crf):
    read = []
    many = [*X * 20_000, Noticed(X[0], lambda: read.append(True))]
    for call in (lambda: crf.predict(many), lambda: CRF(template="U:%x[0,0]").fit(many, [*Y * 20_000, Y[0]])):
        threading.Timer(0.01, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            call()
    assert not read


def test_other_threads_go_on_while_lists_are_read(crf):
    ticks, seen, ended = [0], [], threading.Event()

    def tick():
        while not ended.wait(0.001):
            ticks[0] += 1

    first, last = (Noticed(X[0], lambda: seen.append(ticks[0])) for _ in range(2))
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        crf.predict([first, *X * 40_000, last])
    finally:
        ended.set()
        thread.join()
    assert seen[-1] - seen[0] > 5


def test_svm_and_crf_do_not_mix(crf, tmp_path):
    SVM().fit(X, Y).save(tmp_path / "a.model")
    with pytest.raises(fovea.UsageError, match="family 'svm', not 'crf'"):
        CRF.load(tmp_path / "a.model")
    with pytest.raises(fovea.InputError, match="b.model"):
        (tmp_path / "b.model").write_bytes(b"not a model")
        CRF.load(tmp_path / "b.model")


def test_memory_stays_flat_over_300_fits_and_predictions():
    program = """
from fovea.tagging import CRF, Policy
X = [["the", "cat", "sleeps"], ["dogs", "bark"]] * 20
Y = [["O", "B-N", "O"], ["B-N", "O"]] * 20
def step(i):
    crf = CRF(threads=1, iterations=3).fit(X, Y)
    crf.predict_proba(X); crf.predict_spans(X[:5]); crf.explain(X[0], 1); crf.predict_n_best(X[:5], 3)
    if i % 30 == 0: crf.predict(X, policy=Policy(measure=False, threads=1).fit(crf, X, Y), method="learned")
    try: crf.predict([[3]])
    except ValueError: pass
"""
    assert growth(program, times=300, warm_up=100) < 2e6


def test_dev_sequences_are_scored_and_not_trained_on(crf):
    dev = [["the", "dog"], [], ["unseen"]], [["D", "N"], [], ["a new label"]]
    seen = []
    scored = CRF().fit(X, Y, dev=dev, progress=seen.append)
    assert scored.report_["dev"]["accuracy"] == pytest.approx(2 / 3)
    assert any(record.get("figure") == "dev score" for record in seen)
    assert scored.classes_ == ["D", "N", "V"]
    np.testing.assert_array_equal(scored.predict_proba(X)[0], crf.predict_proba(X)[0])
    attributes = [[{"w": word} for word in x] for x in X]
    assert CRF().fit(attributes, Y, dev=(attributes[:2], Y[:2])).report_["dev"]["accuracy"] == 1
    for bad in (3, (X,), (X, None), (X, Y[:1]), (attributes, Y)):
        with pytest.raises(ValueError, match="dev|y is None|X has|needs a"):
            CRF().fit(X, Y, dev=bad)
