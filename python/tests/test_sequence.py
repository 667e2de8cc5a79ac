# SPDX-License-Identifier: Apache-2.0
"""fovea.sequence against sums over all labelings."""

import itertools

import numpy as np
import pytest

import fovea
from fovea.sequence import Chain


def test_answers_are_those_of_all_labelings():
    rng = np.random.default_rng(1)
    pairwise, unary = rng.normal(size=(3, 3)).astype(np.float32), rng.normal(size=(5, 3)).astype(np.float32)
    triples = {(0, 1, 2): 1.5, (2, 2, 2): -2.0}
    chain = Chain(pairwise, factor_size=3, ngrams=triples)

    def score(y):
        total = sum(unary[t, y[t]] for t in range(5)) + sum(pairwise[y[t], y[t + 1]] for t in range(4))
        return total + sum(triples.get(y[t : t + 3], 0) for t in range(3))

    everything = {y: score(y) for y in itertools.product(range(3), repeat=5)}
    labels, best = chain.viterbi(unary)
    assert tuple(labels) == max(everything, key=everything.get)
    assert best == pytest.approx(max(everything.values()), rel=1e-6)
    marginals, log_z = chain.marginals(unary)
    assert log_z == pytest.approx(np.log(np.sum(np.exp(list(everything.values())))), rel=1e-6)
    expected = sum(np.exp(s - log_z) for y, s in everything.items() if y[2] == 1)
    assert marginals[2, 1] == pytest.approx(expected, rel=1e-5)


def test_an_empty_sequence_has_no_labels():
    labels, score = Chain(labels=2).viterbi(np.zeros((0, 2)))
    assert len(labels) == 0 and score == 0


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Chain(), "give pairwise or labels"),
        (lambda: Chain(np.zeros((2, 3))), "square matrix"),
        (lambda: Chain(np.zeros((2, 2)), labels=3), "labels=3"),
        (lambda: Chain(labels=2, ngrams={(0, 5): 1}), "names label 5"),
        (lambda: Chain(labels=2, ngrams={(0, 0, 0): 1}), "needs 2 to factor_size = 2"),
        (lambda: Chain(labels=2, factor_size=9), "factor"),
        (lambda: Chain(labels=2).viterbi(np.zeros((4, 3))), "one for each of 2 labels"),
        (lambda: Chain(labels=2).viterbi([[0, np.nan]]), "nan in row 0, column 1"),
        (lambda: Chain(labels=2).viterbi([1, 2]), "1 dimensions"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(fovea.UsageError, match=text):
        make()
