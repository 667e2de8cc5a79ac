# SPDX-License-Identifier: Apache-2.0
"""Pages of results: `.report()`. tests/browser opens such pages in a browser."""
import json
import pickle
import re

import numpy as np
import pytest

import fovea
from fovea import ep, graph, linkage, mcmc, synthesis, tagging

HOSTILE = "</script><img src=x onerror=alert(1)>"


def blocks(report):
    """The parts of a page by their titles."""
    text = re.search(r'id="data">(.*?)</script>', report.html, re.S).group(1)
    assert "<" not in text
    return {block["title"]: block for block in json.loads(text)["blocks"]}


def rows(block):
    return dict(block["rows"])


@pytest.fixture
def net():
    g = graph.FactorGraph()
    rain = g.variable("rain", ["yes", HOSTILE])
    wet = g.variable("wet", ["yes", "no"])
    g.factor([rain], [.3, .7])
    g.factor([rain, wet], [[.9, .1], [.2, .8]])
    return g


def test_the_best_assignment(net, tmp_path):
    best = net.solve()
    report = best.report(tmp_path / "best.html")
    assert (tmp_path / "best.html").read_text() == report.html
    assert blocks(report)["Best assignment"]["rows"] == [["rain", HOSTILE], ["wet", "no"]]
    assert rows(blocks(report)["Score"])["log score, natural"] == pytest.approx(best.score, rel=1e-5)


def test_marginals_and_sums(net):
    found = blocks(net.marginals().report())
    assert found["Marginals of the variables"]["rows"][0] == ["rain", "yes", pytest.approx(.3)]
    assert rows(blocks(net.log_partition().report())["Partition function"])["log Z, natural"] == pytest.approx(0, abs=1e-9)
    assert "Best assignment" in blocks(net.marginal_map(["rain"]).report())


def test_a_grid_has_pictures():
    g = graph.FactorGraph()
    g.variables([2] * 64)
    for v in range(64):
        g.factor([v], [1 + v % 3, 2])
        if v % 8 < 7:
            g.factor([v, v + 1], [[2, 1], [1, 2]])
        if v < 56:
            g.factor([v, v + 8], [[2, 1], [1, 2]])
    assert "The answer as a picture" in blocks(g.solve().report())


def test_draws(net):
    draws = net.sample(draws=200, chains=2)
    found = blocks(draws.report())
    names = [quantity["name"] for quantity in found["Variables, the worst first"]["quantities"]]
    assert sorted(names) == ["rain", "wet"]
    many = fovea._graph_results.Draws
    before, many._most_shown = many._most_shown, 400
    try:
        assert len(blocks(draws.report())["Variables, the worst first"]["quantities"]) == 1
    finally:
        many._most_shown = before


def test_diagnoses():
    values = np.random.default_rng(1).normal(size=(4, 100, 2, 3))
    diagnosis = mcmc.diagnose(values)
    quantities = blocks(diagnosis.report())["Variables, the worst first"]["quantities"]
    assert {quantity["name"] for quantity in quantities} == {f"{i}, {j}" for i in range(2) for j in range(3)}
    shown = next(quantity for quantity in quantities if quantity["name"] == "1, 2")
    assert shown["figures"][1] == pytest.approx(values[:, :, 1, 2].mean(), rel=1e-4)


def test_a_fit():
    table = {"x": [0., 1, 2, 3, 4], "y": [1., 3, 5, 7, 9.5]}
    fit = ep.fit("y ~ x", table)
    del table
    found = blocks(fit.report())
    assert {"Posterior", "Predictive check of y", "Cells of y, the most surprising first"} <= set(found)
    assert len(found["Cells of y, the most surprising first"]["rows"]) == 5


def test_a_logistic_regression():
    draw = np.random.default_rng(2)
    X = draw.normal(size=(200, 2))
    y = np.where(X[:, 0] + draw.normal(size=200) > 0, "up", "down")
    model = ep.LogisticRegression().fit(X, y)
    found = blocks(model.report(X, y))
    weights = {row[0]: row[1] for row in found["Weights"]["rows"]}
    assert weights["0"] == pytest.approx(model.coef_[0], rel=1e-4)
    assert weights["(intercept)"] == pytest.approx(model.intercept_, rel=1e-4)
    with pytest.raises(fovea.UsageError, match="y"):
        model.report(X, y[:10])


def test_rules():
    X = np.array([[i, (7 * i) % 5] for i in range(60)], dtype=float)
    y = np.where(X[:, 0] > 30, "late", "early")
    y[5] = "late"
    rules = synthesis.RuleClassifier(variables=1).fit(X, y)
    report = rules.report(X, y)
    assert rules.text_.strip() in json.dumps(blocks(report)["Rules"]["text"]).replace("\\n", "\n")
    wrong = blocks(report)["Rows that the rules get wrong"]["rows"]
    assert [row[0] for row in wrong] == [int(i) + 1 for i in np.flatnonzero(rules.predict(X) != y)]
    assert blocks(report)[f"Errors against size: {next(iter(rules.rules_))}"]["series"][0]["points"]
    assert pickle.loads(pickle.dumps(rules)).report(X, y).html == report.html
    with pytest.raises(fovea.UsageError, match="y"):
        rules.report(X, ["other"] * 60)


def test_records_of_one_entity():
    people = [{"name": name, "town": town} for name, town in
              (("Anna Meyer", "Bonn"), ("Ana Meyer", "Bonn"), ("Bernd Schulz", "Ulm"), (HOSTILE, "Ulm"))]
    found = linkage.Dedupe(compare="name:jaro_winkler, town", block="town").fit(people)
    shown = blocks(found.report())
    assert rows(shown["Numbers"])["clusters"] == len(set(found.labels_))
    assert [cluster[3] for cluster in shown["Clusters, the weakest first"]["rows"]] == ["0, 1"]
    apart = linkage.Dedupe(compare="name:jaro_winkler, town", block="town", cannot_link=[(0, 1)]).fit(people)
    assert rows(blocks(apart.report())["Numbers"])["clusters"] == len(set(apart.labels_)) == 4
    with pytest.raises(fovea.UsageError):
        pickle.loads(pickle.dumps(found)).report()


def test_tagged_text():
    X = [["the", "cat", "sleeps"], ["a", HOSTILE, "barks"]]
    y = [["D", "N", "V"], ["D", "N", "V"]]
    crf = tagging.CRF(l2=.1).fit(X, y)
    shown = blocks(crf.report(X))["Text"]["sequences"]
    assert shown[1]["words"][1] == HOSTILE and shown[1]["labels"] == ["D", "N", "V"] and len(shown[1]["p"]) == 3
    assert len(blocks(crf.report(X, n_best=2))["Text"]["sequences"][0]["best"]) == 2
    wrong = [["D", "N", "V"], ["D", "V", None]]
    found = blocks(crf.report(X, wrong))
    assert found["Mistakes"]["rows"] == [["V", "N", 1]]
    assert found["Sentences with mistakes"]["sequences"][0]["gold"] == ["D", "V", ""]
    assert "Reliability" in found
    with pytest.raises(fovea.UsageError):
        crf.report(X, wrong[:1])
    with pytest.raises(fovea.UsageError, match="n_best"):
        crf.report(X, n_best=-1)


def test_notebooks_show_a_frame_that_can_do_nothing_else(net):
    shown = net.solve().report()._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts allow-downloads"' in shown
    assert shown.count("<") == 2


def test_copies_have_no_page():
    copy = pickle.loads(pickle.dumps(ep.fit("y ~ x", {"x": [0., 1, 2], "y": [1., 3, 5]}, random_state=3)))
    assert "x" in str(copy.keys())
    with pytest.raises(fovea.UsageError, match="copies"):
        copy.report()
