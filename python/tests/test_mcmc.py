# SPDX-License-Identifier: Apache-2.0
"""fovea.mcmc against enumeration of a small Ising model, and with models that misbehave."""

import itertools
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea.mcmc import diagnose, sample

ROWS, COLUMNS = 3, 4


class Ising:
    """A small grid of spins with a field."""

    coupling, field = 0.4, 0.15

    def __init__(self, rows=ROWS, columns=COLUMNS):
        self.count = rows * columns
        self.cardinalities = np.full(self.count, 2)
        grid = np.arange(self.count).reshape(rows, columns)
        pairs = [*zip(grid[:, :-1].ravel(), grid[:, 1:].ravel()), *zip(grid[:-1].ravel(), grid[1:].ravel())]
        self.weights = np.zeros((self.count, self.count))
        for a, b in pairs:
            self.weights[a, b] = self.weights[b, a] = self.coupling
        self.calls = 0

    def conditional_scores(self, sites, assignment):
        self.calls += 1
        assert sites.dtype == assignment.dtype == np.int64 and assignment.shape[1] == self.count
        assert not self.weights[np.ix_(sites, sites)].any(), "sites that depend on each other"
        pull = (2 * assignment - 1) @ self.weights[:, sites] + self.field
        return np.stack([-pull, pull], axis=2)

    def log_score(self, assignment):
        spins = 2 * assignment - 1
        return 0.5 * np.einsum("cv,vw,cw->c", spins, self.weights, spins) + self.field * spins.sum(axis=1)


class WithNeighbours(Ising):
    def neighbours(self, v):
        return np.flatnonzero(self.weights[v])


class WithList(Ising):
    @property
    def markov_blanket(self):
        return [np.flatnonzero(row).tolist() for row in self.weights]


def exact(model):
    everything = np.array(list(itertools.product(range(2), repeat=model.count)))
    scores = model.log_score(everything)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ everything, everything[scores.argmax()], scores.max()


@pytest.mark.parametrize(("kind", "batches"), [(Ising, 12), (WithNeighbours, 2), (WithList, 2)])
def test_draws_are_those_of_the_model(kind, batches):
    model = kind()
    result = sample(model, draws=3000, chains=16, random_state=1)
    assert result.draws.shape == (16, 3000, 12) and result.batches == batches
    assert model.calls == result.calls == batches * 3500
    assert result.transitions == 16 * 12 * 3500 and result.stopped_by == "settled"
    probability, best, score = exact(model)
    diagnosis = result.diagnose()
    assert diagnosis.mixing == "mixed" and (diagnosis.r_hat < 1.01).all()
    # 12 means, each within 5 of its standard errors: all are with a probability of more than 1 - 1e-5
    assert (np.abs(result.draws.mean(axis=(0, 1)) - probability) < 5 * diagnosis.standard_error).all()
    assert diagnosis.standard_error.max() < 0.01
    assert (result.best == best).all() and result.best_score == pytest.approx(score)
    spins = 2 * result.draws.reshape(-1, 12) - 1
    everything = 2 * np.array(list(itertools.product(range(2), repeat=12))) - 1
    weights = np.exp(model.log_score((everything + 1) // 2))
    expected = (weights * everything[:, 0] * everything[:, 1]).sum() / weights.sum()
    assert (spins[:, 0] * spins[:, 1]).mean() == pytest.approx(expected, abs=0.02)


def test_the_same_seed_gives_the_same_draws():
    draws = [sample(WithNeighbours(), draws=50, random_state=s).draws for s in (3, 3, 4)]
    assert (draws[0] == draws[1]).all() and (draws[0] != draws[2]).any()


def test_values_of_different_cardinalities_and_impossible_ones():
    class Mixed:
        cardinalities = [2, 3, 4, 1]

        def conditional_scores(self, sites, assignment):
            scores = np.zeros((len(assignment), len(sites), [2, 3, 4, 1][sites[0]]))
            if sites[0] == 2:
                scores[:, :, 3] = -np.inf
            return scores

    result = sample(Mixed(), draws=2000, chains=2, warm_up=10, start=[0, 0, 0, 0])
    for v, possible in enumerate((2, 3, 3, 1)):
        counts = np.bincount(result.draws[:, :, v].ravel(), minlength=4)
        assert (counts[:possible] > 0.8 * 4000 / possible).all() and (counts[possible:] == 0).all()
    assert result.best is None and result.best_score is None
    assert result.diagnose().mixing == "cannot tell" and np.isnan(result.diagnose().r_hat[3])


def test_a_start_is_kept_where_nothing_can_change():
    class Frozen(Ising):
        def conditional_scores(self, sites, assignment):
            return np.full((len(assignment), len(sites), 2), -np.inf)

    start = np.arange(24).reshape(2, 12) % 2
    result = sample(Frozen(), chains=2, draws=5, start=start)
    assert (result.draws == start[:, None, :]).all()
    assert (sample(Frozen(), chains=3, draws=5, start=start[0]).draws == start[0]).all()


def test_a_budget_a_time_limit_and_progress():
    result = sample(WithNeighbours(), draws=10**6, chains=2, warm_up=0, budget="2400 transitions")
    assert result.transitions == 2400 and len(result) == 100 and result.stopped_by == "transition budget"
    started = time.monotonic()
    result = sample(WithNeighbours(), draws=10**8, time_limit=0.3)
    assert result.stopped_by == "time limit" and not result.interrupted and time.monotonic() - started < 5
    records = []
    sample(WithNeighbours(), draws=20, warm_up=5, progress=records.append)
    assert records[-1]["done"] == records[-1]["total"] == 25 and records[0]["phase"] == "sampling"


def test_ctrl_c_returns_the_draws_so_far():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    result = sample(WithNeighbours(), draws=10**8, warm_up=0)
    assert result.interrupted and result.stopped_by == "cancelled" and len(result) > 10
    assert "chains" in repr(result)


class Unlucky(Exception):
    pass


def test_what_a_model_raises_arrives_unchanged():
    error = Unlucky("out of luck")

    class Fails(Ising):
        def conditional_scores(self, sites, assignment):
            if self.calls > 20:
                raise error
            return super().conditional_scores(sites, assignment)

    with pytest.raises(Unlucky) as raised:
        sample(Fails())
    assert raised.value is error and raised.traceback[-1].name == "conditional_scores"

    class FailsToScore(Ising):
        def log_score(self, assignment):
            raise error

    with pytest.raises(Unlucky):
        sample(FailsToScore())

    def stop(record):
        raise error

    with pytest.raises(Unlucky):
        sample(Ising(), progress=stop)


def answers(value, name="conditional_scores"):
    model = WithNeighbours()
    setattr(model, name, lambda *_: value)
    return model


def nan_at(sites, assignment):
    scores = np.zeros((len(assignment), len(sites), 2))
    scores[1, 0, 1] = np.nan
    return scores


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: sample(answers(np.zeros((4, 6)))), r"shape \(4, 6\): needs \(4, 6, 2\), \[chain\]\[site\]\[value\]"),
        (lambda: sample(answers("much")), "returned 'much': needs numbers"),
        (lambda: sample(answers(None)), r"needs \(4, 6, 2\)|needs numbers"),
        (lambda: sample(answers(np.full((4, 6, 2), np.nan))), "score of value 0 of variable 0 in chain 0 is nan"),
        (lambda: sample(answers(np.full((4, 6, 2), np.inf))), "is inf"),
        (lambda: sample(answers(0.0, "log_score")), r"log_score returned an array of the shape \(\)"),
        (lambda: sample(answers([np.nan] * 4, "log_score")), "log score of chain 0 is nan"),
        (lambda: sample(object()), "no attribute 'cardinalities'"),
        (lambda: sample(type("M", (), {"cardinalities": [2]})()), "no method 'conditional_scores'"),
        (lambda: sample(type("M", (Ising,), {"cardinalities": property(lambda s: [], lambda s, v: None)})()), "no"),
        (lambda: sample(answers([1], "neighbours")), "must be in that of"),
        (lambda: sample(answers([99], "neighbours")), "names variable 99"),
        (lambda: sample(answers(["a"], "neighbours")), "list of numbers"),
        (lambda: sample(Ising(), start=np.zeros((3, 12), int)), r"needs whole numbers, \(4, 12\) or \(12,\)"),
        (lambda: sample(Ising(), start=np.full(12, 2)), "the value 2"),
        (lambda: sample(Ising(), start=np.full(12, -1)), "the value -1"),
        (lambda: sample(Ising(), draws=0), "draws=0"),
        (lambda: sample(Ising(), chains=1.5), "chains"),
        (lambda: sample(Ising(), draw=3), "no argument 'draw'"),
        (lambda: diagnose([[1, 2, 3]]), "4 draws or more"),
        (lambda: diagnose("abcd"), "needs"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_the_chain_and_value_of_a_bad_score_are_named():
    model = WithNeighbours()
    model.conditional_scores = nan_at
    with pytest.raises(fovea.InputError, match="score of value 1 of variable 0 in chain 1 is nan"):
        sample(model)


def test_diagnoses_tell_chains_that_agree_from_those_that_do_not():
    rng = np.random.default_rng(1)
    good = rng.normal(size=(4, 1000, 2, 3))
    diagnosis = diagnose(good)
    assert diagnosis.r_hat.shape == (2, 3) and diagnosis.mixing == "mixed"
    assert (diagnosis.effective_draws > 3000).all() and (diagnosis.tail_effective_draws > 2500).all()
    assert diagnosis.standard_error == pytest.approx(np.full((2, 3), 1 / np.sqrt(4000)), rel=0.1)
    apart = good.copy()
    apart[0, :, 1, 2] += 3
    assert diagnose(apart).mixing == "not mixed" and diagnose(apart).r_hat[1, 2] > 1.2
    broken = good.copy()
    broken[2, 5, 0, 0] = np.nan
    assert np.isnan(diagnose(broken).r_hat[0, 0]) and diagnose(broken).mixing != "mixed"
    one = diagnose(good[:, :, 0, 0])
    assert one.r_hat.shape == () and "mixed" in repr(one) and "R-hat" in diagnosis._repr_html_()
    walk = np.cumsum(rng.normal(size=(4, 1000)), axis=1)
    assert diagnose(walk).effective_draws < 40


def test_two_threads_draw_at_once():
    results = {}

    def draw(i):
        results[i] = sample(WithNeighbours(), draws=300, random_state=i // 2)

    threads = [threading.Thread(target=draw, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert (results[0].draws == results[1].draws).all() and (results[2].draws == results[3].draws).all()


def test_memory_stays_flat():
    program = """
from test_mcmc import WithNeighbours
from fovea.mcmc import sample
def step(i):
    sample(WithNeighbours(), draws=8, warm_up=0).diagnose()
"""
    assert growth(program, times=230, warm_up=30) < 2e6
