# SPDX-License-Identifier: Apache-2.0
"""fovea.tagging.Policy: the same policies and labels as `fovea tune` and `fovea tag --policy`."""

import os
import pickle
import shutil
import subprocess
import time

import numpy as np
import pytest

import fovea
from fovea.tagging import CRF, GP, SVM, Doeblin, Policy


def sentences(count, seed):
    """Words whose label is that of the word, or depends on the two labels before."""
    rng = np.random.default_rng(seed)
    X, Y = [], []
    for _ in range(count):
        words, labels = [], []
        for word in rng.integers(12, size=int(rng.integers(1, 9))):
            doubtful = word >= 8
            label = "ABCD"[int(word) % 4] if not doubtful else "ABCD"[(len(set(labels[-2:])) + int(word)) % 4]
            words.append(f"w{word}")
            labels.append(label)
        X.append(words)
        Y.append(labels)
    return X, Y


X, Y = sentences(150, 1)
X_TUNE, Y_TUNE = sentences(60, 2)
X_TEST, Y_TEST = sentences(80, 3)


@pytest.fixture(scope="module")
def crf():
    return CRF(factor_size=3, l2=0.5, template="U0:%x[0,0]\nB\n").fit(X, Y)


@pytest.fixture(scope="module")
def policy(crf):
    return Policy(measure=False).fit(crf, X_TUNE, Y_TUNE)


def program():
    """The command `fovea`, of FOVEA_PROGRAM or the path."""
    found = os.environ.get("FOVEA_PROGRAM") or shutil.which("fovea")
    if not found:
        pytest.skip("set FOVEA_PROGRAM to the program fovea")
    return found


def lines(X, Y):
    return "".join("".join(f"{w}\t{l}\n" for w, l in zip(*pair)) + "\n" for pair in zip(X, Y))


def test_policies_and_labels_are_those_of_the_command(crf, policy, tmp_path):
    fovea_program = program()
    crf.save(tmp_path / "a.model")
    (tmp_path / "tune.txt").write_text(lines(X_TUNE, Y_TUNE))
    (tmp_path / "test.txt").write_text(lines(X_TEST, Y_TEST))

    def run(*words):
        words = [fovea_program, *map(str, words)]
        return subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)

    run("tune", "a.model", "tune.txt", "--no-measure", "-o", "a.policy")
    assert Policy.load(tmp_path / "a.policy")._bytes == policy._bytes
    for options in (
        {"method": "learned"},
        {"method": "learned", "schedule": "heap", "budget": "1.5 sweeps"},
        {"method": "gibbs", "start": "chain", "sweeps": 3},
        {"method": "icm", "start": "chain"},
    ):
        flags = [word for name, value in options.items() for word in (f"--{name}", value)]
        out = run("tag", "a.model", "--policy", "a.policy", *flags, "test.txt").stdout
        labels = [[line.split("\t")[2] for line in block.splitlines()] for block in out.strip("\n").split("\n\n")]
        assert crf.predict(X_TEST, policy=policy, **options) == labels, options


def test_time_limits_give_the_best_labels_so_far(crf, policy):
    assert crf.predict(X_TEST, policy=policy, method="learned", time_limit="2ms/item")
    exact = crf.predict(X_TEST)
    many = X_TEST * 20
    started = time.monotonic()
    cut = crf.predict(many, method="gibbs", sweeps=1e6, time_limit=0.2)
    assert time.monotonic() - started < 5
    assert [len(labels) for labels in cut] == [len(x) for x in many]
    agree = np.mean([a == b for x, y in zip(cut, exact * 20) for a, b in zip(x, y)])
    assert agree > 0.9


def test_measured_policies_let_auto_choose(crf):
    measured = Policy().fit(crf, X_TUNE, Y_TUNE)
    assert len(measured.report_["profile"]) > 10
    assert crf.predict(X_TEST, policy=measured, time_limit="2ms/item")
    assert measured.describe().startswith("policy for 4 labels, factor size 3")
    late = Policy().fit(crf, X_TUNE, Y_TUNE, time_limit=1e-9)
    assert late.report_["profile"] == []


def test_policies_keep_their_seed(crf, policy):
    assert Policy(measure=False, threads=2).fit(crf, X_TUNE, Y_TUNE)._bytes == policy._bytes
    assert Policy(measure=False, random_state=5).fit(crf, X_TUNE, Y_TUNE)._bytes != policy._bytes


def test_policies_are_saved_and_pickled(crf, policy, tmp_path):
    policy.save(tmp_path / "a.policy")
    expected = crf.predict(X_TEST, policy=policy, method="learned")
    for copy in (Policy.load(tmp_path / "a.policy"), pickle.loads(pickle.dumps(policy))):
        assert copy.classes_ == policy.classes_ == ["A", "B", "C", "D"] or sorted(copy.classes_) == list("ABCD")
        assert copy.factor_size_ == 3 and copy.describe() == policy.describe()
        assert crf.predict(X_TEST, policy=copy, method="learned") == expected
    (tmp_path / "cut.policy").write_bytes(policy._bytes[:150])
    with pytest.raises(fovea.InputError, match="cut.policy"):
        Policy.load(tmp_path / "cut.policy")
    state = pickle.loads(pickle.dumps(policy)).__dict__
    with pytest.raises(fovea.InputError, match="the pickled policy"):
        Policy().__setstate__({**state, "_bytes": policy._bytes[:150]})


def test_parameters_and_representations(policy):
    made = Policy(horizon=0, expected_rewards=False)
    assert repr(made) == "Policy(horizon=0, expected_rewards=False)"
    assert made.get_params()["round_epochs"] == 8 and made.set_params(epochs=2).epochs == 2
    assert "not fitted" in made._repr_html_() and "<table>" in policy._repr_html_()
    assert "round_rate" in Policy.__doc__
    sklearn = pytest.importorskip("sklearn.base")
    assert sklearn.clone(made).horizon == 0


def test_attributes_and_unknown_labels_are_tuned_on():
    attributes = [[{"w": word} for word in words] for words in X]
    doeblin = Doeblin().fit(attributes, Y)
    tune_labels = [[None if t == 0 else label for t, label in enumerate(labels)] for labels in Y]
    policy = Policy(measure=False).fit(doeblin, attributes[:50], tune_labels[:50])
    assert doeblin.predict(attributes[:5], policy=policy, method="learned")


def test_what_does_not_fit_is_refused(crf, policy):
    with pytest.raises(fovea.InputError, match="the policy: the policy was tuned for another model"):
        CRF(factor_size=3).fit(X, Y).predict(X_TEST, policy=policy)
    with pytest.raises(fovea.InputError, match="factor size 3"):
        CRF().fit(X, Y).predict(X_TEST, policy=policy)
    with pytest.raises(fovea.UsageError, match="takes no policy"):
        Policy().fit(GP(inducing_points=5, gp_steps=2).fit(X[:20], Y[:20]), X, Y)
    with pytest.raises(fovea.UsageError, match="needs a Policy"):
        crf.predict(X_TEST, policy="a.policy")
    with pytest.raises(fovea.UsageError, match="needs a fitted CRF"):
        Policy().fit("crf", X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        Policy().fit(CRF(), X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        crf.predict(X_TEST, policy=Policy())
    with pytest.raises(fovea.UsageError, match="all sequences are empty"):
        Policy().fit(crf, [[], []], [[], []])
    with pytest.raises(fovea.UsageError, match="argument epochs=0"):
        Policy(epochs=0).fit(crf, X, Y)
    with pytest.raises(fovea.UsageError, match=r"X\[0\] has 1 items and y\[0\] has 0"):
        Policy().fit(crf, [["w1"]], [[]])
    with pytest.raises(fovea.UsageError, match="queues need a policy"):
        crf.predict(X_TEST, method="learned", schedule="heap")
    assert len(crf.predict(X_TEST, method="learned")) == len(X_TEST)
    assert SVM().fit(X, Y).predict(X[:1])


def test_progress_that_raises_ends_tuning(crf):
    def progress(record):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Policy().fit(crf, X_TUNE, Y_TUNE, progress=progress)
