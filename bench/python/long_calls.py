# SPDX-License-Identifier: Apache-2.0
"""Every long call of the package, with questions that take a second or more."""

import random

import numpy as np


def _grid(side, states):
    from fovea.graph import FactorGraph

    rng = np.random.default_rng(0)
    graph = FactorGraph()
    graph.variables([states] * side * side)
    points = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [
            np.stack([points[:, :-1].ravel(), points[:, 1:].ravel()], 1),
            np.stack([points[:-1].ravel(), points[1:].ravel()], 1),
        ]
    )
    graph.log_factors(pairs, rng.normal(size=(len(pairs), states, states)))
    return graph


def _sentences(count, seed=0):
    rng = random.Random(seed)
    X, y = [], []
    for _ in range(count):
        X.append([f"w{rng.randrange(3000)}" for _ in range(20)])
        y.append([f"L{int(w[1:]) % 9 if rng.random() < 0.9 else rng.randrange(9)}" for w in X[-1]])
    return X, y


def _people(count, seed=0):
    rng = random.Random(seed)
    people = [
        {
            "given": f"g{rng.randrange(900)}",
            "surname": f"s{rng.randrange(2000)}",
            "born": f"{rng.randrange(1940, 2005)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "city": f"c{rng.randrange(50)}",
        }
        for _ in range(count)
    ]
    return [
        dict(p, city=f"c{rng.randrange(50)}" if rng.random() < 0.1 else p["city"]) for p in people for _ in range(2)
    ]


def _clinics(count):
    """A hierarchical model whose factor is a function of Python, asked anew for every message."""
    from fovea.ep import Model

    model = Model()
    mean = model.gaussian(0, 4)
    rates = [model.factor(lambda x: 1 / (1 + np.exp(-x)), model.linear([1], [mean], noise_variance=1), child="beta",
                          batched=True, recall=False) for _ in range(count)]  # fmt: skip
    for i, rate in enumerate(rates):
        model.observe(model.bernoulli(rate), i % 3 == 0)
    return model


class _Ring:
    """Spins that like to be equal to their neighbours."""

    def __init__(self, count):
        self.count, self.cardinalities = count, [2] * count

    def neighbours(self, v):
        return [(v - 1) % self.count, (v + 1) % self.count]

    def conditional_scores(self, sites, assignment):
        field = sum(2 * assignment[:, (sites + step) % self.count] - 1 for step in (-1, 1))
        return np.stack([-0.4 * field, 0.4 * field], axis=2)


_KEYS = {letter: (left + i, top) for letters, left, top in
         [("qwertyuiop", 0.5, 0.54), ("asdfghjkl", 1, 1.55), ("zxcvbnm", 2, 2.53)] for i, letter in enumerate(letters)}  # fmt: skip


def _swipes(words, count):
    """Words, and points on the way from letter to letter."""
    rng = np.random.default_rng(0)
    chosen = [words[i] for i in rng.integers(len(words), size=count)]
    X = []
    for word in chosen:
        places = np.array([_KEYS[letter] for letter in word])
        steps = np.linspace(0, len(word) - 1, 6 * len(word))
        path = np.stack([np.interp(steps, range(len(word)), places[:, k]) for k in range(2)], axis=1)
        X.append(100 * (path + 0.15 * rng.normal(size=path.shape)))
    return X, chosen


# Whether 3 x may be 1 + 7 y when k is 77 is hard to see.
_LOOP = """
(set-logic LIA)
(synth-inv Inv ((x Int) (y Int) (k Int)))
(define-fun start ((x Int) (y Int) (k Int)) Bool (and (= x 1) (= y 0) (> k 0)))
(define-fun step ((x Int) (y Int) (k Int) (x! Int) (y! Int) (k! Int)) Bool
  (or (and (= x! (+ x y)) (= y! (+ y k)) (= k! k)) (and (= x! (* 2 x)) (= y! (+ x y)) (= k! (+ k 1)))))
(define-fun end ((x Int) (y Int) (k Int)) Bool (not (and (= (* 3 x) (+ 1 (* 7 y))) (> x 100000) (= k 77))))
(inv-constraint Inv start step end)
(check-synth)
"""


def long_calls():
    """name -> a function without arguments that asks one long question."""
    from fovea import mcmc, tagging
    from fovea.ep import LogisticRegression
    from fovea.gestures import Keyboard
    from fovea.linkage import Dedupe, Link
    from fovea.synthesis import Rule, find_invariant

    rows = np.random.default_rng(0).integers(0, 50, size=(2000, 6)), np.arange(2000) % 2 == 0
    graph, (X, y), people = _grid(120, 6), _sentences(12_000), _people(30_000)
    small = (X[:400], y[:400])
    rng = random.Random(2)
    words = sorted({"".join(rng.choice("etaoinshrdlu") for _ in range(rng.randrange(2, 9))) for _ in range(5000)})
    swipes, swiped = _swipes(words, 2000)
    keyboard = Keyboard(words=words, family="path", network_passes=1).fit(swipes[:100], swiped[:100])
    draws = np.random.default_rng(0).normal(size=(4, 5000, 60))
    points = np.random.default_rng(0).normal(size=(200_000, 30))
    tagger = tagging.CRF(factor_size=3, iterations=2).fit(*small)
    compare = {"compare": "given:jaro_winkler, surname:jaro_winkler, born:date, city", "block": "surname, born"}
    return {
        "FactorGraph.solve": lambda: graph.solve(),
        "FactorGraph.marginals": lambda: graph.marginals(method="sampling"),
        "FactorGraph.log_partition": lambda: graph.log_partition(method="sampling"),
        "FactorGraph.marginal_map": lambda: graph.marginal_map([0, 1, 2]),
        "FactorGraph.sample": lambda: graph.sample(draws=20_000),
        "CRF.fit": lambda: tagging.CRF(factor_size=3).fit(X, y),
        "Doeblin.fit": lambda: tagging.Doeblin().fit(X, y),
        "SVM.fit": lambda: tagging.SVM().fit(X, y),
        "GP.fit": lambda: tagging.GP().fit(*small),
        "Policy.fit": lambda: tagging.Policy(sweeps=40, epochs=20).fit(tagger, *small),
        "CRF.predict_proba": lambda: tagger.predict_proba(X),
        "Dedupe.fit": lambda: Dedupe(**compare).fit(people),
        "Link.fit": lambda: Link(**compare).fit(people[::2], people[1::2]),
        "LogisticRegression.fit": lambda: LogisticRegression().fit(points, points[:, 0] > 0),
        "ep.Model.infer": lambda: _clinics(200).infer(max_marginal_kl=0, iterations=1000),
        "mcmc.sample": lambda: mcmc.sample(_Ring(400), draws=10**6),
        "mcmc.diagnose": lambda: mcmc.diagnose(draws),
        "synthesis.find_invariant": lambda: find_invariant(_LOOP, time_limit=5),
        "synthesis.Rule.fit": lambda: Rule().fit(*rows),
        "Keyboard.fit": lambda: Keyboard(words=words).fit(swipes, swiped),
        "Keyboard.predict": lambda: keyboard.predict(swipes),
    }
