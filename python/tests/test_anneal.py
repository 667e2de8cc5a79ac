# SPDX-License-Identifier: Apache-2.0
"""fovea.mcmc.anneal against enumeration and sweeps, and with models that misbehave."""

import threading
import time

import numpy as np
import pytest
from test_mcmc import Ising, WithList, WithNeighbours

import fovea
from fovea.mcmc import anneal


class Fields(WithNeighbours):
    """A grid of spins, each with a field of its own."""

    coupling = 0.7

    def __init__(self, rows, columns, seed=1):
        super().__init__(rows, columns)
        self.field = np.random.default_rng(seed).normal(size=self.count)
        self.asked = 0

    def conditional_scores(self, sites, assignment):
        assert assignment.shape == (1, self.count)
        self.calls, self.asked = self.calls + 1, self.asked + len(sites)
        pull = (2 * assignment - 1) @ self.weights[:, sites] + self.field[sites]
        return np.stack([-pull, pull], axis=2)

    def score(self, assignment):
        spins = 2 * assignment - 1
        return 0.5 * spins @ self.weights @ spins + self.field @ spins

    def best_gain(self, assignment):
        pull = self.weights @ (2 * assignment - 1) + self.field
        return max(0, (-2 * pull * (2 * assignment - 1)).max())


def test_ends_where_no_single_value_gains_more():
    for temperature in (0, 1):
        model = Fields(20, 20)
        found = anneal(model, temperature=temperature, regret=0, random_state=3)
        assert found.stopped_by == "settled" and found.expected_gain == 0
        assert found.assignment.shape == (400,) and found.assignment.dtype == np.int32
        assert model.best_gain(found.assignment) <= 1e-9
        assert (found.calls, found.visits) == (model.calls, model.asked)
        assert ((found.doubt >= 0) & (found.doubt < 1)).all()


def test_a_start_near_the_answer_needs_few_visits():
    model = Fields(20, 20)
    found = anneal(model, regret=0, random_state=1)
    again = anneal(model, start=found.assignment, regret=0)
    assert again.visits == 400 and again.changes == 0 and (again.assignment == found.assignment).all()


def test_asks_for_less_than_sweeps_at_the_same_quality():
    learned, cyclic = Fields(50, 50), Fields(50, 50)
    few = anneal(learned, random_state=1)
    many = anneal(cyclic, order="cyclic", budget="20000 transitions", random_state=1)
    assert few.visits < many.visits / 2
    assert learned.score(few.assignment) > cyclic.score(many.assignment) - 0.01 * 2500


def test_batches_are_as_large_as_asked_for():
    model = WithList(5, 8)
    sizes = []
    ask = Ising.conditional_scores

    def noted(sites, assignment):
        sizes.append(len(sites))
        return ask(model, sites, assignment)

    model.conditional_scores = noted
    anneal(model, batch=7)
    assert max(sizes) == 7


def test_the_random_state_decides():
    first, again, other = (anneal(Fields(10, 10), temperature=2, random_state=s) for s in (1, 1, 2))
    assert (first.assignment == again.assignment).all() and first.visits == again.visits
    assert first.visits != other.visits or (first.assignment != other.assignment).any()


def test_ctrl_c_ends_with_the_assignment_so_far():
    import signal

    class Slow(Fields):
        def conditional_scores(self, sites, assignment):
            time.sleep(0.01)
            return super().conditional_scores(sites, assignment)

    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    found = anneal(Slow(30, 30), batch=1)
    assert found.interrupted and found.stopped_by == "cancelled" and 0 < found.visits < 900


def test_a_time_limit_ends_it():
    class Slow(Fields):
        def conditional_scores(self, sites, assignment):
            time.sleep(0.02)
            return super().conditional_scores(sites, assignment)

    found = anneal(Slow(30, 30), batch=1, time_limit=0.2)
    assert found.stopped_by == "time limit" and found.seconds < 0.4


def test_a_budget_may_count_sweeps():
    assert anneal(Fields(10, 10), order="cyclic", budget="2 sweeps").visits == 200
    with pytest.raises(fovea.UsageError, match="sweeps or transitions"):
        anneal(Fields(10, 10), budget="5 oracle-calls")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: anneal(Ising()), "on which variables its conditionals depend"),
        (lambda: anneal(WithNeighbours(), start=[0]), r"needs whole numbers, \(1, 12\) or \(12,\)"),
        (lambda: anneal(WithNeighbours(), start=np.full(12, 3)), "the value 3"),
        (lambda: anneal(WithNeighbours(), batch=0), "batch=0"),
        (lambda: anneal(WithNeighbours(), order="random"), "order"),
        (lambda: anneal(object()), "no attribute 'cardinalities'"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_what_the_model_raises_arrives_unchanged():
    model = WithNeighbours()
    model.conditional_scores = lambda *_: 1 / 0
    with pytest.raises(ZeroDivisionError):
        anneal(model)
    model.conditional_scores = lambda sites, _: np.full((1, len(sites), 2), np.nan)
    with pytest.raises(fovea.InputError, match="score of value 0 of variable 0 is nan"):
        anneal(model)


def test_conditionals_that_lead_round_in_a_circle_end():
    class Contradiction:
        cardinalities = (2, 2)
        neighbours = ((1,), (0,))

        def conditional_scores(self, sites, assignment):
            """The first wants to be like the second, which wants to be unlike."""
            wanted = assignment[:, [1 - sites[0]]] ^ sites[0]
            return np.stack([1 - wanted, wanted], axis=2).astype(float)

    for order in ("learned", "cyclic"):
        found = anneal(Contradiction(), visits=4, regret=0, order=order)
        assert found.visits <= 8 and found.unsettled >= 1 and found.expected_gain > 0
