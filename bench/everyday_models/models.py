# SPDX-License-Identifier: Apache-2.0
"""Everyday models, as a person would write them for `fovea fit`, each with a table made by its own process."""
import dataclasses
import math
import random
from collections.abc import Callable


@dataclasses.dataclass
class Model:
    text: str
    table: Callable[[random.Random], dict[str, list]]  # the columns, of a draw
    check: bool = True  # False where a check by simulation is not possible


def poisson(r, mean):
    count, left = 0, r.expovariate(1)
    while left < mean:
        count, left = count + 1, left + r.expovariate(1)
    return count


def logistic(x):
    return 1 / (1 + math.exp(-x))


def linear(r, noise=lambda r: r.gauss(0, 1)):
    x = [r.gauss(0, 1) for _ in range(100)]
    return {"x": x, "y": [1 + 2 * v + noise(r) for v in x]}


def groups(r, draw, count=10, size=10):
    table = {"g": [], "x": [], "y": []}
    for g in range(count):
        effect = r.gauss(0, 1)
        for _ in range(size):
            x = r.gauss(0, 1)
            table["g"].append(f"g{g}")
            table["x"].append(x)
            table["y"].append(draw(effect + x))
    return table


def counts(r, over):
    x = [r.gauss(0, 1) for _ in range(100)]
    return {"x": x, "y": [poisson(r, math.exp(.5 + .5 * v) * over(r)) for v in x]}


def walk(r):
    level, y = 0, []
    for _ in range(50):
        level += r.gauss(0, .5)
        y.append(level + r.gauss(0, 1))
    return {"y": y}


def states(r):
    state, y = 0, []
    for _ in range(100):
        if r.random() < .1:
            state = 1 - state
        y.append((-1.5, 1.5)[state] + r.gauss(0, 1))
    return {"y": y}


def ranks(r):
    x = [r.gauss(0, 1) for _ in range(100)]
    return {"x": x, "y": [1 + sum(v + math.log(1 / r.random() - 1) > cut for cut in (-1, 0, 1)) for v in x]}


def games(r):
    skill = [r.gauss(0, 1) for _ in range(8)]
    pairs = [r.sample(range(8), 2) for _ in range(60)]
    return {"first": [f"p{a}" for a, _ in pairs], "second": [f"p{b}" for _, b in pairs],
            "won": [int(skill[a] + r.gauss(0, 1) > skill[b] + r.gauss(0, 1)) for a, b in pairs]}


def process(r):
    return {"x": [i / 15 for i in range(150)], "y": [math.sin(i / 15) + r.gauss(0, .2) for i in range(150)]}


def lifetimes(r):
    t = [r.weibullvariate(10, 1.5) for _ in range(80)]
    return {"t": [min(v, 12) for v in t], "seen": [int(v < 12) for v in t]}


def with_gaps(r):
    table = linear(r)
    table["x"] = [v if r.random() < .8 else "" for v in table["x"]]
    return table


def measured(r):
    x = [r.gauss(0, 1) for _ in range(60)]
    return {"seen": [v + r.gauss(0, .3) for v in x], "y": [1 + 2 * v + r.gauss(0, .5) for v in x]}


def echo(r):
    y = [0.]
    for _ in range(99):
        y.append(.3 + .7 * y[-1] + r.gauss(0, .5))
    return {"y": y}


def answers(r):
    skill, ease = [r.gauss(0, 1) for _ in range(20)], [r.gauss(0, 1) for _ in range(10)]
    pairs = [(p, i) for p in range(20) for i in range(10)]
    return {"person": [f"p{p}" for p, _ in pairs], "item": [f"i{i}" for _, i in pairs],
            "y": [int(r.random() < logistic(skill[p] - ease[i])) for p, i in pairs]}


def sightings(r):
    table = {f"s{year}": [] for year in range(1, 6)}
    for _ in range(60):
        alive = True
        for seen in table.values():
            alive = alive and r.random() < .8
            seen.append(int(alive and r.random() < .4))
    return table


MODELS = {
    "linear regression": Model(
        "a ~ normal(0, 5)\nb ~ normal(0, 5)\ns ~ half_normal(2)\ny ~ normal(a + b * x, s)\n", linear),
    "robust regression": Model(
        "a ~ normal(0, 5)\nb ~ normal(0, 5)\ns ~ half_normal(2)\ndf ~ gamma(2, 0.1)\ny ~ student(df, a + b * x, s)\n",
        lambda r: linear(r, lambda r: r.gauss(0, 1) / math.sqrt(r.gammavariate(1.5, 1 / 1.5)))),
    "hierarchical linear": Model(
        "gs ~ plate(g)\nm ~ normal(0, 3)\nt ~ half_normal(2)\nb ~ normal(0, 3)\ns ~ half_normal(2)\n"
        "a[g] ~ normal(m, t)\ny ~ normal(a[g] + b * x, s)\n",
        lambda r: groups(r, lambda mean: r.gauss(mean, 1))),
    "hierarchical logistic": Model(
        "gs ~ plate(g)\nm ~ normal(0, 2)\nt ~ half_normal(1)\nb ~ normal(0, 2)\na[g] ~ normal(m, t)\n"
        "y ~ bernoulli_logit(a[g] + b * x)\n",
        lambda r: groups(r, lambda mean: int(r.random() < logistic(mean)))),
    "eight schools": Model(
        "schools ~ plate(school)\nm ~ normal(0, 10)\nt ~ half_cauchy(5)\neffect[school] ~ normal(m, t)\n"
        "y ~ normal(effect[school], se)\n",
        lambda r: {"school": list("ABCDEFGH"), "y": [28, 8, -3, 7, -1, 1, 18, 12],
                   "se": [15, 10, 16, 11, 9, 11, 10, 18]}),
    "Poisson, log link": Model(
        "a ~ normal(0, 1)\nb ~ normal(0, 1)\ny ~ poisson_log(a + b * x)\n", lambda r: counts(r, lambda r: 1)),
    "negative binomial": Model(
        "a ~ normal(0, 1)\nb ~ normal(0, 1)\nd ~ gamma(2, 1)\ny ~ negative_binomial_log(a + b * x, d)\n",
        lambda r: counts(r, lambda r: r.gammavariate(2, .5))),
    "ordinal": Model(
        "cuts ~ plate(3)\ncut[cuts] ~ ordered(normal(0, 2))\nb ~ normal(0, 2)\ny ~ ordered_logistic(cuts, b * x, cut[cuts])\n",
        ranks),
    "local level": Model(
        "q ~ half_normal(1)\ns ~ half_normal(1)\nlevel[1] ~ normal(0, 2)\nlevel[row] ~ normal(level[row - 1], q)\n"
        "y ~ normal(level[row], s)\n", walk),
    "hidden Markov, learned": Model(
        "state ~ plate(2)\nbefore ~ plate(state)\nchange[before, state] ~ dirichlet(2)\n"
        "middle[state] ~ ordered(normal(0, 2))\ns ~ half_normal(1)\nz[1] ~ categorical(state, 1)\n"
        "z[row] ~ categorical(state, change[z[row - 1], state])\ny ~ normal(middle[z[row]], s)\n", states),
    "mixture, diagonal": Model(
        "k ~ plate(2)\nshare[k] ~ dirichlet(3)\nmx[k] ~ ordered(normal(0, 3))\nmy[k] ~ normal(0, 3)\n"
        "sx[k] ~ half_normal(1)\nsy[k] ~ half_normal(1)\nz[row] ~ categorical(k, share[k])\n"
        "x ~ normal(mx[z[row]], sx[z[row]])\ny ~ normal(my[z[row]], sy[z[row]])\n",
        lambda r: dict(zip("xy", zip(*[(r.gauss(2 * k - 1, .7), r.gauss(1 - 2 * k, .7))
                                       for k in (r.randrange(2) for _ in range(100))])))),
    "change point": Model(
        "at ~ plate(50)\nearly ~ gamma(2, 0.5)\nlate ~ gamma(2, 0.5)\nchange ~ categorical(at, 1)\n"
        "y ~ poisson(early + (late - early) * step(row - change))\n",
        lambda r: {"y": [poisson(r, 6 if i < 20 else 2) for i in range(50)]}),
    "TrueSkill": Model(
        "players ~ plate(first, second)\nskill[players] ~ normal(0, 1)\n"
        "won ~ bernoulli(normal_cdf((skill[first] - skill[second]) / sqrt(2)))\n", games),
    "Gaussian process, 150 points": Model(
        "other ~ plate(row)\na ~ half_normal(1)\nl ~ inverse_gamma(5, 5)\ns ~ half_normal(0.5)\n"
        "y ~ multi_normal(other, 0, a^2 * exp(-square((x[row] - x[other]) / l) / 2) + (s^2 + 0.000001) * equal(row, other))\n",
        process, check=False),
    "survival, censored": Model(
        "shape ~ gamma(4, 2)\nscale ~ gamma(2, 0.2)\nt ~ censored(weibull(shape, scale), seen)\n", lifetimes,
        check=False),
    "missing cells": Model(
        "m ~ normal(0, 1)\nt ~ half_normal(1)\na ~ normal(0, 3)\nb ~ normal(0, 3)\ns ~ half_normal(2)\nx ~ normal(m, t)\n"
        "y ~ normal(a + b * x, s)\n", with_gaps),
    "errors in variables": Model(
        "a ~ normal(0, 3)\nb ~ normal(0, 3)\ns ~ half_normal(1)\nx[row] ~ normal(0, 1)\nseen ~ normal(x[row], 0.3)\n"
        "y ~ normal(a + b * x[row], s)\n", measured),
    "autoregression": Model(
        "a ~ normal(0, 1)\nb ~ between(-1, 1, normal(0, 1))\ns ~ half_normal(1)\ny[1] ~ normal(0, 2)\n"
        "y[row] ~ normal(a + b * y[row - 1], s)\n", echo),
    "item response": Model(
        "people ~ plate(person)\nitems ~ plate(item)\nskill[person] ~ normal(0, 1)\nease[item] ~ normal(0, 1)\n"
        "y ~ bernoulli_logit(skill[person] - ease[item])\n", answers),
    "A/B test": Model(
        "arms ~ plate(arm)\nrate[arm] ~ beta(1, 1)\nwins ~ binomial(tries, rate[arm])\nlift = rate[2] - rate[1]\n",
        lambda r: {"arm": ["a", "b"], "tries": [1000, 1100],
                   "wins": [sum(r.random() < p for _ in range(n)) for p, n in ((.1, 1000), (.13, 1100))]}),
    "logistic curve, 4 parameters": Model(
        "low ~ normal(0, 1)\nheight ~ normal(2, 1)\nmiddle ~ normal(0, 1)\nsteep ~ half_normal(2)\n"
        "y ~ normal(low + height * logistic(steep * (x - middle)), 0.1)\n",
        lambda r: {"x": [i / 5 - 4 for i in range(40)],
                   "y": [2 * logistic(1.5 * (i / 5 - 4)) + r.gauss(0, .1) for i in range(40)]}),
    "mark-recapture": Model(
        "years ~ plate(5)\nstay ~ beta(2, 2)\nfound ~ beta(2, 2)\n"
        "alive[row, 1] ~ bernoulli(stay)\nalive[row, years] ~ bernoulli(stay * alive[row, years - 1])\n"
        "s1 ~ bernoulli(found * alive[row, 1])\ns2 ~ bernoulli(found * alive[row, 2])\n"
        "s3 ~ bernoulli(found * alive[row, 3])\ns4 ~ bernoulli(found * alive[row, 4])\n"
        "s5 ~ bernoulli(found * alive[row, 5])\n", sightings),
}

WITHOUT_MODEL = {
    "mixture, full covariances": "the language has no matrices of unknown covariances in a mixture",
    "matrix factorisation, 100 x 100, rank 2": "its posterior has as many modes as there are rotations of the factors",
    "LDA, 100,000 tokens, 20 topics": "too many whole numbers to sum out at each step",
}
