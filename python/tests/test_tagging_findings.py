# SPDX-License-Identifier: Apache-2.0
"""Spans with probabilities and explanations of labels, against enumerations of all labelings."""

import itertools

import pytest

import fovea
from fovea.tagging import CRF, GP, SVM, Doeblin, Explanation, Span

X = [["in", "New", "York", "City"], ["York", "is", "old"], ["the", "Bank", "of", "York"], ["New", "is", "in"]]
Y = [["O", "B-LOC", "I-LOC", "I-LOC"], ["B-LOC", "O", "O"], ["O", "B-ORG", "I-ORG", "I-ORG"], ["O", "O", "O"]]
TEST = ["the", "New", "York", "Bank"]


def entities(labels):
    """(type, begin, end) of IOB2 labels, I after O begins one."""
    found = []
    for t, label in enumerate(labels):
        if label == "O":
            continue
        kind = label[2:]
        goes_on = label[0] == "I" and t > 0 and labels[t - 1] != "O" and labels[t - 1][2:] == kind
        if goes_on:
            found[-1] = (kind, found[-1][1], t + 1)
        else:
            found.append((kind, t, t + 1))
    return found


@pytest.mark.parametrize("factor_size", [1, 2, 3, 4])
def test_span_probabilities_are_sums_over_all_labelings(factor_size):
    crf = CRF(factor_size=factor_size, l2=0.5).fit(X, Y)
    ranked = crf.predict_n_best([TEST], len(crf.classes_) ** len(TEST))[0]
    assert sum(p for _, _, p in ranked) == pytest.approx(1, abs=1e-5)
    spans = crf.predict_spans([TEST, [], X[1]])
    assert spans[1] == [] and all(isinstance(span, Span) for span in spans[0])
    assert [span[:3] for span in spans[0]] == entities(crf.predict([TEST])[0])
    for span in spans[0]:
        expected = sum(p for labels, _, p in ranked if span[:3] in entities(labels))
        assert span.probability == pytest.approx(expected, abs=1e-5)
    assert spans[2][0][:3] == ("LOC", 0, 1)


def test_span_probabilities_do_not_depend_on_the_method():
    crf = CRF(factor_size=2, l2=0.5).fit(X, Y)
    exact = crf.predict_spans(X)
    sampled = crf.predict_spans(X, method="gibbs", sweeps=100)
    assert sampled == exact
    assert CRF().fit(X, Y).predict_spans(X, valid_bio=True)[0][0].label == "LOC"


def test_calibrated_probabilities_keep_the_labels():
    X_many, Y_many = X * 20, Y * 20
    plain = CRF(l2=0.01).fit(X_many, Y_many)
    crf = CRF(l2=0.01, calibrate=True).fit(X_many, Y_many)
    assert crf.report_["calibrated"] is True and crf.report_["temperature"] != 1
    assert crf.predict(X) == plain.predict(X)
    with pytest.raises(fovea.UsageError, match="argument groups 'documents'"):
        CRF(calibrate=True, groups="documents").fit(X_many, Y_many)


def test_gaussian_processes_rank_whole_labelings():
    gp = GP(inducing_points=5, gp_steps=2).fit(X, Y)
    labels = gp.predict(X[:1], valid_bio=True)[0]
    ranked = gp.predict_n_best(X[:1], 2, valid_bio=True)[0]
    assert list(ranked[0][0]) == list(labels)
    assert ranked[0][2] >= ranked[1][2]


def test_spans_need_labels_of_entities_and_a_model_of_ngrams():
    with pytest.raises(fovea.UsageError, match="the label 'NN' does not"):
        CRF().fit([["a"]], [["NN"]]).predict_spans([["a"]])
    with pytest.raises(fovea.UsageError, match="spans"):
        GP(inducing_points=5, gp_steps=2).fit(X, Y).predict_spans(X)


@pytest.mark.parametrize("family", [CRF(factor_size=1), CRF(), CRF(factor_size=3), SVM(), Doeblin()], ids=repr)
def test_terms_add_up_to_the_difference_of_scores(family):
    tagger = family.fit(X, Y)
    scores = {tuple(labels): score for labels, score, _ in tagger.predict_n_best([TEST], 625)[0]}
    labels = tagger.predict([TEST])[0]
    for item, against in itertools.product(range(len(TEST)), tagger.classes_):
        if against == labels[item]:
            continue
        why = tagger.explain(TEST, item, against=against)
        assert isinstance(why, Explanation) and (why.label, why.other) == (labels[item], against)
        other = [*labels[:item], against, *labels[item + 1 :]]
        assert why.difference == pytest.approx(scores[tuple(labels)] - scores[tuple(other)], abs=1e-4)
        assert why.difference == pytest.approx(sum(t.difference for t in [*why.attributes, *why.ngrams]), abs=1e-9)
        sizes = [abs(t.difference) for t in why.attributes]
        assert sizes == sorted(sizes, reverse=True)
    runner_up = tagger.explain(TEST, -1)
    assert runner_up.other == min(
        (k for k in tagger.classes_ if k != labels[-1]), key=lambda k: tagger.explain(TEST, 3, k).difference
    )


def test_explanations_show_values_and_are_readable():
    items = [[{"w": word, "size": len(word) / 2} for word in words] for words in X]
    crf = CRF(l2=0.1).fit(items, Y)
    why = crf.explain(items[0], 1)
    size = next(term for term in why.attributes if term.attribute == "size")
    assert size.value == 1.5 and size.difference == pytest.approx(1.5 * (size.weight - size.other_weight))
    assert "B-LOC rather than" in str(why) and "size:1.5" in str(why)
    assert "[O B-LOC]" in str(why) and "w:New" in why._repr_html_()
    gram = next(term for term in why.ngrams if term.begin == 0)
    assert gram.labels == ("O", "B-LOC") and gram.other_labels == ("O", why.other)


def test_what_cannot_be_explained_is_named():
    crf = CRF().fit(X, Y)
    for item, text in ((4, "x has 4 items"), (-5, "x has 4 items"), (True, "whole number"), ("1", "whole number")):
        with pytest.raises(fovea.UsageError, match=text):
            crf.explain(TEST, item)
    with pytest.raises(fovea.UsageError, match="no label 'X'"):
        crf.explain(TEST, 0, "X")
    with pytest.raises(fovea.UsageError, match="itself"):
        crf.explain(TEST, 0, crf.predict([TEST])[0][0])
    with pytest.raises(fovea.UsageError, match="no argument 'colour'"):
        crf.explain(TEST, 0, colour=1)
    for x in (None, 3, "abcd"):
        with pytest.raises(fovea.UsageError, match="needs one sequence|needs a list of items"):
            crf.explain(x, 0)
    with pytest.raises(fovea.UsageError, match="against=3"):
        crf.explain(TEST, 0, 3)
    with pytest.raises(fovea.UsageError, match="no argument 'n_best'"):
        crf.predict([TEST], n_best=3)
    for n in (0, -1, 1001, 1.5, "3", None, True):
        with pytest.raises(fovea.UsageError, match="whole number from 1 to 1000"):
            crf.predict_n_best([TEST], n)
    with pytest.raises(fovea.UsageError, match="cannot be explained"):
        GP(inducing_points=5, gp_steps=2).fit(X, Y).explain(TEST, 0)
    with pytest.raises(fovea.UsageError, match="one label only"):
        CRF().fit([["a"]], [["x"]]).explain(["a"], 0)
