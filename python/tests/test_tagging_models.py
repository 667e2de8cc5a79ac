# SPDX-License-Identifier: Apache-2.0
"""Models of CRFsuite and CRF++: the same labels and probabilities as those programs give."""

import itertools
import math
import pickle
import random

import numpy as np
import pytest

import fovea
from fovea.tagging import CRF, GP, Policy

CRFPP = """version: 100
cost-factor: 1
maxid: 14
xsize: 2

N
V

U0:%x[0,0]
U1:%x[-1,0]/%x[0,1]
B

0 U0:fish
2 U0:swim
4 U1:_B-1/x
6 U1:fish/y
8 U1:the net/z
10 B

0.5
0.25
-1
1
2
0
0
1.5
9
9
0.125
1
0.75
-0.5
"""


def features(words, t):
    """The attributes that people use with CRFsuite."""
    word = words[t]
    found = {"bias": 1.0, "lower": word.lower(), "suffix": word[-2:], "title": word.istitle(), "size": len(word) / 4}
    if t > 0:
        found["before"] = {"lower": words[t - 1].lower(), "title": words[t - 1].istitle()}
    else:
        found["BOS"] = True
    return found


def corpus(count, seed):
    draw = random.Random(seed)
    X, Y = [], []
    for _ in range(count):
        words, labels = [], []
        for _ in range(draw.randint(1, 12)):
            begins = draw.random() < 0.3
            words.append(draw.choice(["Ann", "Bo", "Zoë", "日本"] if begins else ["a:b", "runs", "the", "x y"]))
            labels.append("B-PER" if begins else draw.choice(["O", "O", "O", "B-PER", "I-PER"]))
        X.append([features(words, t) for t in range(len(words))])
        Y.append(labels)
    return X, Y


def crfsuite_model(path, algorithm="lbfgs", **params):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    X, Y = corpus(120, 1)
    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    for x, y in zip(X, Y):
        trainer.append(pycrfsuite.ItemSequence(x), y)
    trainer.set_params({"max_iterations": 30, **params})
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger, pycrfsuite


@pytest.mark.parametrize(
    ("algorithm", "params"),
    [
        ("lbfgs", {}),
        ("lbfgs", {"feature.possible_transitions": True, "feature.possible_states": True}),
        ("lbfgs", {"c1": 1.0, "feature.minfreq": 2}),
        ("ap", {}),
    ],
)
def test_crfsuite_models_give_its_labels_and_marginals(tmp_path, algorithm, params):
    path = tmp_path / "a.crfsuite"
    oracle, pycrfsuite = crfsuite_model(path, algorithm, **params)
    crf = CRF.from_crfsuite(path)
    assert crf.classes_ == oracle.labels() or sorted(crf.classes_) == sorted(oracle.labels())
    X, _ = corpus(60, 2)
    predicted, marginals = crf.predict(X), crf.predict_marginals(X)
    for x, labels, rows in zip(X, predicted, marginals):
        expected = oracle.tag(pycrfsuite.ItemSequence(x))
        if expected != labels:  # a tie of two labelings, as a perceptron's whole numbers make
            assert oracle.probability(expected) == pytest.approx(oracle.probability(labels), rel=1e-5)
        for t, row in enumerate(rows):
            for label, probability in row.items():
                assert oracle.marginal(label, t) == pytest.approx(probability, abs=1e-5)
        best = crf.predict_n_best([x], 1)[0][0]
        assert best[2] == pytest.approx(oracle.probability(labels), abs=1e-5)


def test_crfsuite_models_become_taggers_as_any_other(tmp_path):
    path = tmp_path / "a.crfsuite"
    crfsuite_model(path)
    X, Y = corpus(40, 3)
    crf = CRF.from_crfsuite(path.read_bytes())
    expected = crf.predict(X)
    assert CRF.load(path).predict(X) == expected
    crf.save(tmp_path / "a.model")
    assert (tmp_path / "a.model").read_bytes().startswith(b"FOVEA")
    for copy in (CRF.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(crf))):
        assert copy.predict(X) == expected
    assert crf.explain(X[0], 0).attributes and crf.predict_spans(X)
    policy = Policy(measure=False).fit(crf, X, Y)
    assert len(crf.predict(X, policy=policy, method="learned")) == 40
    with pytest.raises(fovea.UsageError, match="family 'crf', not 'gp'"):
        GP.load(path)


def test_damaged_crfsuite_models_are_refused(tmp_path):
    path = tmp_path / "a.crfsuite"
    crfsuite_model(path)
    good = path.read_bytes()
    for size in [4, 12, 47, 48, 100, *range(200, len(good), len(good) // 50)]:
        with pytest.raises(fovea.InputError, match="byte [0-9]+ of a CRFsuite model"):
            CRF.from_crfsuite(good[:size])
    draw = random.Random(1)
    X, _ = corpus(3, 2)
    for _ in range(400):
        bad = bytearray(good)
        for _ in range(draw.randint(1, 4)):
            bad[draw.randrange(4, 400 if draw.random() < 0.5 else len(good))] = draw.randrange(256)
        try:
            CRF.from_crfsuite(bytes(bad)).predict(X)
        except fovea.InputError as error:
            assert "CRFsuite" in str(error)
    with pytest.raises(fovea.InputError, match="begins with b'version"):
        CRF.from_crfsuite(CRFPP.encode())
    with pytest.raises(FileNotFoundError):
        CRF.from_crfsuite(tmp_path / "none")


def crfpp_score(cells, labels):
    """The score of a labeling by the definition of CRF++, for the model above."""
    unary = {
        "U0:fish": (0.5, 0.25),
        "U0:swim": (-1, 1),
        "U1:_B-1/x": (2, 0),
        "U1:fish/y": (0, 1.5),
        "U1:the net/z": (9, 9),
    }
    pair = {("N", "N"): 0.125, ("N", "V"): 1, ("V", "N"): 0.75, ("V", "V"): -0.5}
    score = 0
    for t, (word, tag) in enumerate(cells):
        before = cells[t - 1][0] if t else "_B-1"
        for name in (f"U0:{word}", f"U1:{before}/{tag}"):
            score += unary.get(name, (0, 0))["NV".index(labels[t])]
        score += pair[labels[t - 1], labels[t]] if t else 0
    return score


def test_crfpp_models_score_by_its_definition(tmp_path):
    (tmp_path / "a.txt").write_text(CRFPP)
    crf = CRF.from_crfpp(tmp_path / "a.txt")
    assert crf.classes_ == ["N", "V"]
    X = [[["fish", "x"], ["fish", "y"], ["swim", "y"], ["the net", "x"], ["a", "z"]], [["swim", "x"]]]
    for cells, ranked, labels in zip(X, crf.predict_n_best(X, 32), crf.predict(X)):
        scores = {y: crfpp_score(cells, y) for y in itertools.product("NV", repeat=len(cells))}
        total = math.log(sum(map(math.exp, scores.values())))
        assert len(ranked) == len(scores) and tuple(labels) == max(scores, key=scores.get)
        for found, score, probability in ranked:
            assert score == pytest.approx(scores[tuple(found)], abs=1e-5)
            assert probability == pytest.approx(math.exp(score - total), abs=1e-5)
    # By hand: N N scores .5 + 2 + .5 + .125, N V scores .5 + 2 + .25 + 1.5 + 1.
    assert crf.predict([[["fish", "x"], ["fish", "y"]]]) == [["N", "V"]]
    doubled = CRF.from_crfpp(CRFPP.replace("cost-factor: 1", "cost-factor: 2").encode())
    assert doubled.predict_n_best(X[1:], 1)[0][0][1] == pytest.approx(2 * crf.predict_n_best(X[1:], 1)[0][0][1])
    crf.save(tmp_path / "a.model")
    np.testing.assert_array_equal(CRF.load(tmp_path / "a.model").predict_proba(X)[0], crf.predict_proba(X)[0])


def test_damaged_crfpp_models_are_refused():
    for size in range(9, len(CRFPP) - 6):
        with pytest.raises(fovea.InputError, match="the model:"):
            CRF.from_crfpp(CRFPP[:size].encode())
    with pytest.raises(fovea.InputError, match="the model:11: label n-grams combined with observations"):
        CRF.from_crfpp(CRFPP.replace("\nB\n", "\nB0:%x[0,0]\n").encode())
    with pytest.raises(fovea.InputError, match="crf_learn -t"):
        CRF.from_crfpp(b"\x64\x00\x00\x00")
    with pytest.raises(fovea.InputError, match="needs|reads column 1"):
        CRF.from_crfpp(CRFPP.encode()).predict([["fish"]])
