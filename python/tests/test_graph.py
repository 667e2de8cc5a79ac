# SPDX-License-Identifier: Apache-2.0
"""fovea.graph against sums over all assignments, and against other libraries where they are there."""

import itertools
import os
import signal
import threading
import time

import numpy as np
import pytest

import fovea
from fovea.graph import FactorGraph


def rain():
    g = FactorGraph()
    g.variable("rain", ["no", "yes"])
    g.variable("wet", ["no", "yes"])
    g.factor(["rain"], [0.8, 0.2])
    g.factor(["rain", "wet"], [[0.9, 0.1], [0.2, 0.8]])
    return g


def random_graph(seed=0, count=6):
    rng = np.random.default_rng(seed)
    g = FactorGraph()
    cardinalities = rng.integers(2, 4, size=count)
    g.variables(cardinalities)
    tables = []
    for a, b in itertools.combinations(range(count), 2):
        scores = rng.normal(size=(cardinalities[a], cardinalities[b]))
        g.log_factor([a, b], scores)
        tables.append((a, b, scores))
    return g, cardinalities, tables


def enumerate_scores(cardinalities, tables):
    for y in itertools.product(*(range(c) for c in cardinalities)):
        yield y, sum(scores[y[a], y[b]] for a, b, scores in tables)


def grid(n=60, states=4):
    rng = np.random.default_rng(0)
    g = FactorGraph()
    g.variables([states] * (n * n))
    at = np.arange(n * n).reshape(n, n)
    across = np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], 1)
    down = np.stack([at[:-1].ravel(), at[1:].ravel()], 1)
    pairs = np.concatenate([across, down])
    g.log_factors(pairs, rng.normal(size=(len(pairs), states, states)))
    return g


def test_answers_are_those_of_all_assignments():
    g, cardinalities, tables = random_graph()
    everything = list(enumerate_scores(cardinalities, tables))
    best, score = max(everything, key=lambda pair: pair[1])
    weights = np.exp([s for _, s in everything])

    answer = g.solve()
    assert answer.optimal and answer.status == "exact" and answer.gap == pytest.approx(0, abs=1e-9)
    assert tuple(answer.values) == best
    assert answer.score == pytest.approx(score)
    assert g.log_score(answer.values) == pytest.approx(score)

    assert float(g.log_partition()) == pytest.approx(np.log(weights.sum()))
    marginals = g.marginals()
    for v, c in enumerate(cardinalities):
        expected = [sum(w for (y, _), w in zip(everything, weights) if y[v] == k) for k in range(c)]
        np.testing.assert_allclose(marginals[v], np.array(expected) / weights.sum(), rtol=1e-9)


def test_evidence_by_name_and_by_number():
    g = rain()
    by_name = g.marginals(evidence={"wet": "yes"})["rain"]
    np.testing.assert_allclose(by_name, [1 / 3, 2 / 3])
    np.testing.assert_array_equal(by_name, g.marginals(evidence={1: 1})[0])
    assert g.solve(evidence={"wet": "yes"})["rain"] == "yes"


def test_marginal_map_sums_the_others_out():
    g, cardinalities, tables = random_graph(seed=3)
    sums = {}
    for y, score in enumerate_scores(cardinalities, tables):
        sums[y[:2]] = sums.get(y[:2], 0) + np.exp(score)
    best = max(sums, key=sums.get)
    answer = g.marginal_map([0, 1])
    assert tuple(answer.values[:2]) == best
    assert answer.score == pytest.approx(np.log(sums[best]))


def test_draws_follow_the_model_and_the_seed():
    g = rain()
    draws = g.sample(draws=4000, chains=2, random_state=3)
    assert draws.values.shape == (2, 4000, 2)
    assert draws["rain"].mean() == pytest.approx(0.2, abs=0.03)
    again = g.sample(draws=4000, chains=2, random_state=3, threads=2)
    np.testing.assert_array_equal(draws.values, again.values)
    assert (g.sample(draws=4000, chains=2, random_state=4).values != draws.values).any()


def test_proposals_report_how_many_factors_they_looked_at():
    g = rain()
    draws = g.sample(draws=4000, chains=2, random_state=3, exactness="exact")
    assert draws["rain"].mean() == pytest.approx(0.2, abs=0.03)
    assert 0 < draws.proposals["factors_looked_at"] <= draws.proposals["factors"]
    assert g.sample(draws=10).proposals is None


def test_a_budget_gives_the_same_answer_at_any_number_of_threads():
    g = grid(20)
    one = g.solve(budget="200 sweeps", method="search", random_state=1, threads=1)
    two = g.solve(budget="200 sweeps", method="search", random_state=1, threads=2)
    np.testing.assert_array_equal(one.values, two.values)
    assert not one.optimal and np.isfinite(one.score)


def test_hard_constraints_may_exclude_everything():
    g = FactorGraph()
    a = g.variable("a")
    g.factor([a], [0, 0])
    with pytest.raises(fovea.InfeasibleError):
        g.solve()


def test_many_factors_share_a_table():
    g = FactorGraph()
    g.variables([2] * 5)
    g.log_factors([[0, 1], [1, 2], [2, 3], [3, 4]], [[0, -1], [-1, 0]])
    assert float(g.log_partition()) == pytest.approx(np.log(2 * (1 + np.exp(-1)) ** 4))


def test_files_keep_names(tmp_path):
    path = tmp_path / "rain.bif.gz"
    bayes = FactorGraph()
    bayes.variable("rain", ["no", "yes"])
    bayes.factor(["rain"], [0.8, 0.2])
    bayes.write(path)
    back = FactorGraph.read(path)
    assert back.names == ["rain"]
    np.testing.assert_allclose(back.marginals()["rain"], [0.8, 0.2])
    with pytest.raises(fovea.InputError, match="none.uai"):
        FactorGraph.read(tmp_path / "none.uai")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda g: g.variable("rain"), "has a variable of this name"),
        (lambda g: g.variable(7), "needs a str"),
        (lambda g: g.variable(states=0), "1 to 65535"),
        (lambda g: g.variable(states=["a", "a"]), "not distinct"),
        (lambda g: g.factor(["snow"], [1, 1]), "no variable named 'snow'"),
        (lambda g: g.factor([5], [1, 1]), "has no variable 5"),
        (lambda g: g.factor(["rain"], [1, 2, 3]), r"needs a table of shape \(2,\), not \(3,\)"),
        (lambda g: g.factor(["rain"], [1, -1]), "below 0"),
        (lambda g: g.factor(["rain"], [1, float("nan")]), r"has NaN at \(1,\)"),
        (lambda g: g.factor(["rain"], ["a", "b"]), "needs an array of numbers"),
        (lambda g: g.factor(["rain", "rain"], [[1, 1], [1, 1]]), "twice"),
        (lambda g: g.log_factors([[0, 9]], np.zeros((1, 2, 2))), "names variable 9"),
        (lambda g: g.log_factors([[0, 1]], np.zeros((3, 2, 2))), "3 tables for 1 factors"),
        (lambda g: g.log_factor(["rain"], [0, np.inf]), "infinity"),
        (lambda g: g.solve(method="magic"), "needs one of auto, exact"),
        (lambda g: g.solve(diverse=0), "must be at least 1"),
        (lambda g: g.solve(diverse=1.5), "whole number"),
        (lambda g: g.solve(colour=1), "no argument 'colour'"),
        (lambda g: g.solve(time_limit=-1), "time_limit=-1"),
        (lambda g: g.solve(time_limit="soon"), "soon"),
        (lambda g: g.solve(threads=-1), "threads=-1"),
        (lambda g: g.solve(random_state=-1), "random_state=-1"),
        (lambda g: g.solve(progress=3), "progress=3"),
        (lambda g: g.solve(evidence={"wet": "maybe"}), "has no value 'maybe'"),
        (lambda g: g.solve(evidence={"wet": 2}), "the value 2"),
        (lambda g: g.solve(evidence={"snow": 1}), "no variable named 'snow'"),
        (lambda g: g.log_score([0]), "1 values for 2 variables"),
    ],
)
def test_bad_arguments_are_named(change, text):
    with pytest.raises((ValueError, fovea.UsageError), match=text):
        change(rain())


@pytest.mark.parametrize("name", ["solve", "marginals", "log_partition", "sample"])
def test_ctrl_c_returns_the_best_so_far_or_raises(name):
    g = grid()
    arguments = {"draws": 10**8} if name == "sample" else {"time_limit": 60}
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    try:
        answer = getattr(g, name)(**arguments)
        assert answer.interrupted
    except KeyboardInterrupt:
        pass
    assert time.monotonic() - started < 5


def test_what_the_progress_function_raises_arrives():
    class Enough(Exception):
        pass

    def stop(record):
        assert record["phase"]
        raise Enough

    with pytest.raises(Enough):
        grid().solve(time_limit=20, progress=stop)


def test_other_threads_go_on():
    done = threading.Event()
    ticks = 0

    def tick():
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    grid().solve(time_limit=0.5)
    done.set()
    thread.join()
    assert ticks > 20


def test_shows_itself_in_notebooks():
    g = rain()
    marginals = g.marginals()
    assert "rain" in g._repr_html_() and "no: 0.8" in marginals._repr_html_() and "rain" in g.solve()._repr_html_()
    chart = marginals.chart(["rain"])
    assert chart["data"]["values"][1] == {"variable": "rain", "value": "yes", "probability": pytest.approx(0.2)}


def test_pgmpy_goes_both_ways():
    models = pytest.importorskip("pgmpy.models")
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination

    bayes = models.DiscreteBayesianNetwork([("rain", "wet")])
    states = {"rain": ["no", "yes"], "wet": ["no", "yes"]}
    bayes.add_cpds(
        TabularCPD("rain", 2, [[0.8], [0.2]], state_names=states),
        TabularCPD("wet", 2, [[0.9, 0.2], [0.1, 0.8]], ["rain"], [2], state_names=states),
    )
    g = FactorGraph.from_pgmpy(bayes)
    np.testing.assert_allclose(g.marginals(evidence={"wet": "yes"})["rain"], [1 / 3, 2 / 3])
    theirs = VariableElimination(g.to_pgmpy()).query(["rain"], evidence={"wet": "yes"})
    np.testing.assert_allclose(theirs.values / theirs.values.sum(), [1 / 3, 2 / 3])  # they leave out the sum


def test_pyagrum_networks_are_read():
    gum = pytest.importorskip("pyagrum")
    bayes = gum.fastBN("a{x|y|z}->b[3]<-c{no|yes};a->c")
    g = FactorGraph.from_pyagrum(bayes)
    inference = gum.LazyPropagation(bayes)
    inference.setEvidence({"b": 2})
    marginals = g.marginals(evidence={"b": "2"})
    for name in ("a", "c"):
        np.testing.assert_allclose(marginals[name], inference.posterior(name).toarray(), rtol=1e-9)


def test_a_graph_can_grow_after_it_was_asked_or_read(tmp_path):
    g = rain()
    before = g.marginals()["wet"]
    umbrella = g.variable("umbrella", ["no", "yes"])
    g.factor(["rain", umbrella], [[0.9, 0.1], [0.3, 0.7]])
    assert g.marginals()["wet"].tolist() == pytest.approx(before.tolist())
    assert g.marginals(evidence={"umbrella": "yes"})["rain"][1] == pytest.approx(0.2 * 0.7 / (0.8 * 0.1 + 0.2 * 0.7))
    g.write(tmp_path / "m.cfn")
    again = FactorGraph.read(tmp_path / "m.cfn")
    again.factor(["rain"], [1, 0])
    assert again.marginals()["rain"].tolist() == [1, 0]


def test_likelihoods_are_evidence():
    g = rain()
    soft = g.marginals(evidence={"wet": [0.3, 0.6]})["rain"][1]
    wet = {value: 0.8 * dry + 0.2 * rainy for value, (dry, rainy) in {"no": (0.9, 0.2), "yes": (0.1, 0.8)}.items()}
    rainy = {"no": 0.2 * 0.2 / wet["no"], "yes": 0.2 * 0.8 / wet["yes"]}
    total = 0.3 * wet["no"] + 0.6 * wet["yes"]
    assert soft == pytest.approx((0.3 * wet["no"] * rainy["no"] + 0.6 * wet["yes"] * rainy["yes"]) / total)
    assert g.marginals(evidence={"wet": np.array([0, 2.0])})["rain"].tolist() == pytest.approx(
        g.marginals(evidence={"wet": "yes"})["rain"].tolist()
    )
    assert g.marginals()["rain"].tolist() == pytest.approx([0.8, 0.2])
    for likelihoods in ([0.3], [0.3, -1], [np.nan, 1], [1, np.inf], "maybe", 0.5, None):
        with pytest.raises(ValueError, match="wet"):
            g.marginals(evidence={"wet": likelihoods})
    with pytest.raises(fovea.InfeasibleError):
        g.marginals(evidence={"wet": [0, 0]})


def test_values_may_be_named_by_numbers():
    g = FactorGraph()
    die = g.variable("die", [1, 2, 3])
    g.factor([die], [0.5, 0.3, 0.2])
    assert g.solve()["die"] == 1
    assert g.marginals(evidence={"die": 1})["die"].tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="it has 1, 2, 3"):
        g.marginals(evidence={"die": 0})


def test_signatures_show_the_options_and_documentation_describes_them():
    import inspect

    signature = inspect.signature(FactorGraph.solve)
    assert signature.parameters["diverse"].default == 1
    assert "options" not in signature.parameters
    assert "diverse: " in FactorGraph.solve.__doc__
    assert "--" not in FactorGraph.solve.__doc__


def test_joint_distributions_are_those_of_all_assignments():
    g, cardinalities, tables = random_graph(seed=4)
    expected = np.zeros((cardinalities[4], cardinalities[1]))
    for y, score in enumerate_scores(cardinalities, tables):
        if y[0] == 1:
            expected[y[4], y[1]] += np.exp(score)
    joint = g.joint([4, 1], evidence={0: 1})
    assert joint.status == "exact"
    np.testing.assert_allclose(joint.probabilities, expected / expected.sum(), rtol=1e-9)
    assert g.joint([]).probabilities == 1
    with pytest.raises(ValueError, match="twice"):
        g.joint([1, 1])
    large = FactorGraph()
    large.variables([100, 100])
    with pytest.raises(ValueError, match="4096 joint values"):
        large.joint([0, 1])


def test_calls_refuse_limits_that_they_do_not_have():
    with pytest.raises(fovea.UsageError, match="memory_limit"):
        rain().sample(memory_limit="1GB")
    assert rain().marginals(memory_limit="1GB").status == "exact"


def test_a_policy_says_where_time_is_spent(tmp_path):
    for policy in (None, "universal", "hot-bits"):
        assert rain().solve(policy=policy).values.tolist() == [0, 0]
    missing = tmp_path / "none.policy"
    with pytest.raises(fovea.InputError, match="none.policy"):
        rain().solve(policy=missing)
