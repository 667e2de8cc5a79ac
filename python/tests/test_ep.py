# SPDX-License-Identifier: Apache-2.0
"""fovea.ep against conjugate models, closed forms and the C++ examples; and factors that are functions of Python."""

import gc
import math
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea.ep import LogisticRegression, Model

# ---- Answers


def log_normal(x, mean, variance):
    return -0.5 * ((x - mean) ** 2 / variance + math.log(2 * math.pi * variance))


@pytest.mark.parametrize("schedule", ["serial", "parallel", "residual"])
def test_a_gaussian_tree_is_exact(schedule):
    m = Model()
    mean = m.gaussian(1, 4)
    m.observe(m.linear([1], [mean], noise_variance=0.5, shape=3), [2, 3.5, 1])
    posterior = m.infer(schedule=schedule, max_marginal_kl=1e-14, evidence=True)
    precision = 0.25 + 3 / 0.5
    assert posterior.converged and not posterior.interrupted
    assert posterior[mean].mean == pytest.approx((0.25 + 6.5 / 0.5) / precision, abs=1e-10)
    assert posterior[mean].variance == pytest.approx(1 / precision, abs=1e-10)
    expected, at, spread = 0.0, 1.0, 4.0
    for value in (2, 3.5, 1):
        expected += log_normal(value, at, spread + 0.5)
        gain = spread / (spread + 0.5)
        at, spread = at + gain * (value - at), spread * (1 - gain)
    assert posterior.log_evidence == pytest.approx(expected, abs=1e-9)
    assert m.infer().log_evidence is None


def test_conjugate_models_are_exact():
    m = Model()
    share, rate, scale = m.beta(2, 3), m.gamma(2, 3), m.gamma(2, 3)
    weights = m.dirichlet([1, 2, 3])
    m.observe(m.bernoulli(share, shape=3), [True, True, False])
    m.observe(m.poisson(rate, shape=2), [4, 1])
    m.observe(m.gamma_of_rate(2, scale, shape=3), [0.5, 1.5, 0.7])
    m.observe(m.categorical(weights, shape=2), [2, 2])
    p = m.infer(max_marginal_kl=1e-12)
    assert p[share].parameters == pytest.approx({"a": 4, "b": 4})
    assert p[rate].parameters == pytest.approx({"shape": 7, "rate": 5})
    assert p[scale].parameters == pytest.approx({"shape": 8, "rate": 5.7})
    assert p[weights].parameters["counts"] == pytest.approx([1, 2, 5], rel=1e-6)
    assert p[weights].mean == pytest.approx([1 / 8, 2 / 8, 5 / 8], rel=1e-6)


def test_a_vector_regression_is_that_of_least_squares():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    m = Model()
    w = m.vector(np.zeros(3), 10 * np.eye(3))
    m.observe(m.dot(X, w, noise_variance=0.5), y)
    posterior = m.infer(max_marginal_kl=1e-13)
    precision = X.T @ X / 0.5 + np.eye(3) / 10
    covariance = np.linalg.inv(precision)
    assert posterior[w].mean == pytest.approx(covariance @ X.T @ y / 0.5, abs=1e-8)
    assert posterior[w].parameters["covariance"] == pytest.approx(covariance, abs=1e-8)
    assert posterior[w].variance == pytest.approx(np.diag(covariance), abs=1e-8)


def test_true_skill_has_the_numbers_of_the_example_in_cpp():
    performance = 2 * (25 / 6) ** 2
    m = Model()
    skills = m.gaussian(25, (25 / 3) ** 2, shape=4)
    games = np.array([(0, 1), (0, 2), (1, 2), (3, 0), (3, 1), (2, 1), (3, 2)])
    winners, losers = skills[games[:, 0]], skills[games[:, 1]]
    m.observe(m.greater_than(m.linear([1, -1], [winners, losers], noise_variance=performance)), 1)
    following = m.greater_than(m.linear([1, -1], [skills[0], skills[2]], noise_variance=performance))
    p = m.infer(schedule="residual", evidence=True)
    assert p.converged
    # printed by examples/08_true_skill.cc
    assert p[skills].mean == pytest.approx([27.3739, 19.7014, 19.7026, 33.2148], abs=1e-3)
    assert p[skills].sd == pytest.approx([5.33433, 4.60965, 4.60887, 5.88374], abs=1e-3)
    assert p[following].mean == pytest.approx(0.798211, abs=1e-5)
    assert p.log_evidence == pytest.approx(-4.89364, abs=1e-4)


def test_gates_choose_and_the_larger_wins():
    m = Model()
    means, precision, share = [m.gaussian(-1, 9), m.gaussian(1, 9)], m.gamma(3, 2), m.beta(2, 2)
    values = [-3.1, -2.9, 3.2, 2.8, 3.0]
    m.observe(m.pick_normal(m.bernoulli(share, shape=5), means, [precision]), values)
    p = m.infer()
    assert p[means[0]].mean == pytest.approx(-3, abs=0.3) and p[means[1]].mean == pytest.approx(3, abs=0.3)
    assert p[share].mean == pytest.approx(5 / 9, abs=0.02)
    m = Model()
    a, b = m.gaussian(0, 1), m.gaussian(0, 1)
    largest, picked = m.max(a, b), m.pick(True, [a, b])
    p = m.infer()
    assert p[largest].mean == pytest.approx(1 / math.sqrt(math.pi)) and p[picked].variance == pytest.approx(1)


def test_a_markov_chain_learns_its_transitions():
    m = Model()
    rows, means = m.dirichlet([1, 1], shape=2), [m.gaussian(-2, 4), m.gaussian(2, 4)]
    state = m.categorical(m.dirichlet([1, 1]))
    precision = m.gamma(2, 2)
    for t in range(30):
        state = m.pick_categorical(state, list(rows)) if t > 0 else state
        m.observe(m.pick_normal(state, means, [precision]), -2.0 if t // 5 % 2 == 0 else 2.0)
    p = m.infer(evidence=True)
    assert p.converged and p.log_evidence < 0
    assert p[rows[0]].mean == pytest.approx([0.8, 0.2], abs=0.05)


def test_variational_messages_bound_the_evidence():
    m = Model()
    mean, precision = m.gaussian(0, 10), m.gamma(2, 2)
    m.observe(m.normal(mean, precision, shape=4), [1, 2, 3, 2])
    variational = m.infer(algorithm="variational", evidence=True, max_marginal_kl=1e-10)
    m = Model()
    mean, precision = m.gaussian(0, 10), m.gamma(2, 2)
    m.observe(m.normal(mean, precision, shape=4), [1, 2, 3, 2])
    grid_mean, grid_precision = np.meshgrid(np.linspace(-15, 15, 3001), np.linspace(1e-3, 15, 1500))
    log = log_prior = -0.5 * (grid_mean**2 / 10 + math.log(20 * math.pi))
    log = log_prior + math.log(4) + np.log(grid_precision) - 2 * grid_precision
    for x in (1, 2, 3, 2):
        log = log + 0.5 * np.log(grid_precision / (2 * math.pi)) - 0.5 * grid_precision * (x - grid_mean) ** 2
    exact = math.log(np.exp(log).sum() * 0.01 * (15 - 1e-3) / 1499)
    assert exact - 1 < variational.log_evidence < exact
    assert m.infer(evidence=True).log_evidence == pytest.approx(exact, abs=0.1)


# ---- Factors of Python


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("batched", [False, True])
def test_a_sampler_gives_the_messages_of_the_factor_it_draws(batched):
    m = Model()
    w = m.gaussian(1.2, 2.5)
    p = m.factor(sigmoid, w, child="beta", batched=batched)
    m.evidence(p, "beta", 2, 1)
    posterior = m.infer(max_marginal_kl=1e-3)
    assert posterior[w].mean == pytest.approx(1.735711683643876, abs=0.02)
    assert posterior[w].variance == pytest.approx(1.897040876799618, abs=0.05)
    exact = Model()
    w = exact.gaussian(1.2, 2.5)
    exact.evidence(exact.logistic(w), "beta", 2, 1)
    assert exact.infer()[w].mean == pytest.approx(1.735711683643876, abs=1e-4)


def test_draws_one_by_one_and_together_are_the_same():
    def answer(batched):
        m = Model()
        x = m.gaussian(0, 1, shape=2)
        y = m.factor(lambda a, b: 2 * a - b, *x, batched=batched, samples=500)
        m.evidence(y, "gaussian", 3, 1)
        return m.infer(iterations=5, max_marginal_kl=1e-3)[x].mean

    assert answer(False).tolist() == answer(True).tolist()


def test_noise_comes_from_the_generator_and_repeats():
    def answer(random_state):
        m = Model(random_state=random_state)
        x = m.gaussian(0, 4)
        y = m.factor(lambda x, rng: x + rng.normal(size=len(x)), x, batched=True)
        m.evidence(y, "gaussian", 2, 0.5)
        return m.infer(max_marginal_kl=1e-6)[x]

    first, again, other = answer(3), answer(3), answer(4)
    assert first.mean == again.mean and first.variance == again.variance
    assert first.mean != other.mean
    # y ~ N(x, 1), seen as N(2, .5): x has the precision 1/4 + 1/1.5
    assert first.mean == pytest.approx((2 / 1.5) / (0.25 + 1 / 1.5), abs=0.05)


@pytest.mark.parametrize(("batched", "quadrature"), [(False, False), (True, False), (True, True), (False, True)])
def test_a_density_is_enough(batched, quadrature):
    def density(y, x):
        return -0.5 * ((y - x) ** 2 / 2 + math.log(4 * math.pi))

    m = Model()
    x = m.gaussian(1, 4)
    m.observe(m.factor(None, x, log_density=density, batched=batched, oracle="quadrature" if quadrature else "draws"), 3)
    posterior = m.infer(evidence=True, max_marginal_kl=1e-3)
    tolerance = 1e-6 if quadrature else 0.05
    assert posterior[x].mean == pytest.approx((1 / 4 + 3 / 2) / (1 / 4 + 1 / 2), abs=tolerance)
    assert posterior[x].variance == pytest.approx(1 / (1 / 4 + 1 / 2), abs=tolerance)
    assert posterior.log_evidence == pytest.approx(log_normal(3, 1, 6), abs=tolerance)


def clinics(m, sampler, count, seed=1):
    """One factor of Python for each of many clinics."""
    rng = np.random.default_rng(seed)
    mean = m.gaussian(0, 4)
    sensitivity = m.linear([1], [mean], noise_variance=1, shape=count)
    cured = m.bernoulli(m.factor(sampler, sensitivity, child="beta", batched=True, samples=2000))
    m.observe(cured, rng.random(count) < 0.8)
    return mean


def test_learned_messages_are_recalled_without_calls_of_python(tmp_path):
    calls = [0]

    def cure(x):
        calls[0] += 1
        return sigmoid(x)

    def asked(m):
        calls[0] = 0
        posterior = m.infer(max_marginal_kl=1e-4, iterations=10)
        counts = posterior.recalled["cure"]
        assert counts["messages"] == counts["recalled"] + counts["computed"]
        return calls[0] / counts["messages"], counts

    first = Model()
    clinics(first, cure, 300)
    _, counts = asked(first)
    assert counts["recalled"] > 0.5 * counts["messages"]
    first.save_operator("cure", tmp_path / "cure.operator")
    second = Model()
    mean = clinics(second, cure, 300, seed=2)
    second.load_operator("cure", tmp_path / "cure.operator")
    share, _ = asked(second)
    assert share < 0.05, "calls for each message: nearly none is left"
    assert 0 < second.infer()[mean].mean < 3
    with pytest.raises(fovea.UsageError, match="no factor 'other'"):
        second.load_operator("other", tmp_path / "cure.operator")
    without = Model()
    x = without.gaussian(0, 1)
    without.evidence(without.factor(cure, x, child="beta", batched=True, recall=False), "beta", 2, 1)
    assert without.infer(max_marginal_kl=1e-3).recalled == {}


@pytest.mark.parametrize(
    ("sampler", "takes_rng"),
    [
        (lambda x, rng: x + rng.normal(), True),
        (lambda x, rng=None: x + rng.normal(), True),
        (lambda x, random: x + random.normal(), True),
        (lambda x, shift=1.0: x + shift, False),
        (lambda *x: x[0] + len(x), False),
        (math.cosh, False),
    ],
)
def test_a_generator_is_given_to_those_who_ask_for_it(sampler, takes_rng):
    m = Model()
    x = m.gaussian(0, 0.01)
    y = m.factor(sampler, x, samples=1000)
    posterior = m.infer(max_marginal_kl=1e-2)
    if takes_rng:
        assert posterior[y].variance == pytest.approx(1, rel=0.2)
    else:
        assert posterior[y].mean == pytest.approx(1, abs=0.02)


def test_names_tell_factors_apart():
    m = Model()
    x = m.gaussian(0, 1, shape=2)
    f, g = (lambda x: x + 1), (lambda x: x - 1)
    a, b, again = m.factor(f, x[0]), m.factor(g, x[0]), m.factor(f, x[1])
    m.factor("<lambda> 2", x[1])
    p = m.infer(max_marginal_kl=1e-2)
    assert p[a].mean == pytest.approx(1, abs=0.1) and p[b].mean == pytest.approx(-1, abs=0.1)
    assert p[again].mean == pytest.approx(1, abs=0.1)
    assert sorted(p.recalled) == ["<lambda>", "<lambda> 2"]
    with pytest.raises(fovea.UsageError, match="another factor of this name"):
        m.factor(f, x[0], name="<lambda> 2")


def test_a_call_that_fails_leaves_nothing_behind():
    m = Model()
    x = m.gaussian(0, 1)
    with pytest.raises(fovea.UsageError, match="parent twice"):
        m.factor(lambda a, b: a + b, x, x, name="sum")
    y = m.factor(lambda a: a + 5, x, name="sum")
    assert m.infer(max_marginal_kl=1e-2)[y].mean == pytest.approx(5, abs=0.1)


# ---- Failures


class Unlucky(Exception):
    pass


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("kind", ["sampler", "density"])
def test_what_a_function_raises_arrives_unchanged(batched, kind):
    error = Unlucky("out of luck")

    def fails(*x):
        raise error

    m = Model()
    known, x = m.gaussian(0, 1), m.gaussian(0, 1)
    m.observe(m.linear([1], [known], noise_variance=1), 2)
    y = m.factor(fails if kind == "sampler" else None, x, log_density=fails if kind == "density" else None,
                 batched=batched)  # fmt: skip
    m.evidence(y, "gaussian", 0, 1)
    for _ in range(2):
        with pytest.raises(Unlucky) as raised:
            m.infer()
        assert raised.value is error
        assert raised.traceback[-1].name == "fails"


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), Unlucky()])
def test_all_kinds_of_exceptions_arrive(error):
    def fails(x):
        raise error

    m = Model()
    m.evidence(m.factor(fails, m.gaussian(0, 1)), "gaussian", 0, 1)
    with pytest.raises(type(error)) as raised:
        m.infer()
    assert raised.value is error


@pytest.mark.parametrize(
    ("batched", "value", "text"),
    [
        (False, float("nan"), "factor 'f': its function returned nan at"),
        (False, "much", "factor 'f': its sampler returned .* needs numbers"),
        (False, [1, 2], r"factor 'f': its sampler returned an array of the shape \(2,\): needs one number"),
        (False, None, "factor 'f'"),
        (True, 1.0, r"factor 'f': its sampler returned an array of the shape \(\): needs an array of one number"),
        (True, [1.0, 2.0], "of one number for each draw"),
        (True, "much", "needs numbers"),
    ],
)
def test_rubbish_that_a_function_returns_is_named(batched, value, text):
    m = Model()
    x = m.gaussian(0, 1)
    m.evidence(m.factor(lambda x: value, x, name="f", batched=batched), "gaussian", 0, 1)
    with pytest.raises((fovea.InputError, fovea.UsageError), match=text):
        m.infer()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda m: m.gaussian(0, -1), "proper prior"),
        (lambda m: m.gaussian(float("nan"), 1), "mean=nan"),
        (lambda m: m.gaussian("0", 1), "mean='0'"),
        (lambda m: m.gaussian(0, 1, shape=-2), "shape=-2"),
        (lambda m: m.gaussian([0, 1], [1, 2, 3]), "do not broadcast"),
        (lambda m: m.dirichlet([]), "not empty"),
        (lambda m: m.vector([0, 0], np.eye(3)), r"needs \(2, 2\)"),
        (lambda m: m.vector([0, 0], [[1, 2], [2, 1]]), "positive definite"),
        (lambda m: m.bernoulli(m.gaussian(0, 1)), "beta variable"),
        (lambda m: m.linear([1, 2], [m.gaussian(0, 1)]), "2 factors for 1"),
        (lambda m: m.linear([1], m.gaussian(0, 1)), "needs a list"),
        (lambda m: m.linear([1], [Model().gaussian(0, 1)]), "another model"),
        (lambda m: m.dot([1, 2], m.gaussian(0, 1)), "dot"),
        (lambda m: m.observe(3, 3), "not a variable"),
        (lambda m: m.observe(m.beta(1, 1), 1.5), "cannot be 1.5"),
        (lambda m: m.observe(m.gaussian(0, 1, shape=2), [1, 2, 3]), "do not broadcast"),
        (lambda m: m.evidence(m.beta(1, 1), "gaussian", 0, 1), "needs a gaussian variable"),
        (lambda m: m.evidence(m.beta(1, 1), "beta", 0), "needs 2 parameters"),
        (lambda m: m.factor("none", m.gaussian(0, 1)), "no factor 'none'"),
        (lambda m: m.factor(None, m.gaussian(0, 1)), "needs a function"),
        (lambda m: m.factor(3, m.gaussian(0, 1)), "function=3"),
        (lambda m: m.factor(lambda: 1, m.gaussian(0, 1)), "its sampler takes"),
        (lambda m: m.factor(abs, m.gaussian(0, 1), child="wishart"), "family 'wishart'"),
        (lambda m: m.factor(abs, m.gaussian(0, 1), samples=3), "samples=3"),
        (lambda m: m.factor(abs, m.gaussian(0, 1), sample=300), "no argument 'sample'"),
        (lambda m: m.factor(abs, m.gaussian(0, 1), oracle="quadrature"), "no density"),
        (lambda m: m.infer(damping=1), "damping"),
        (lambda m: m.infer(schedule="random"), "schedule='random'"),
        (lambda m: m.infer(iteration=3), "no argument 'iteration'"),
        (lambda m: m.infer(time_limit=-1), "time_limit=-1"),
        (lambda m: m.infer()[3], "not a variable of the model"),
        (lambda m: m.infer()[Model().gaussian(0, 1)], "not a variable of the model"),
        (lambda m: m.infer()[m.gaussian(0, 1)].mean, "added after this inference"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises(fovea.UsageError, match=text):
        make(Model())


def test_the_same_names_serve_after_a_bad_call():
    m = Model()
    x = m.gaussian(0, 1)
    with pytest.raises(fovea.UsageError):
        m.factor(abs, x, samples=3)
    y = m.factor(abs, x)
    assert m.infer(max_marginal_kl=1e-2)[y].mean == pytest.approx(math.sqrt(2 / math.pi), abs=0.05)


def test_models_stay_in_memory():
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(Model())


def slow_model(seconds=0.002):
    m = Model()
    x = m.gaussian(0, 1, shape=3000)

    def slow(x):
        time.sleep(seconds)
        return x

    m.evidence(m.factor(slow, x, batched=True, samples=100, recall=False), "gaussian", 0, 1)
    return m, x


def test_ctrl_c_returns_what_is_known_so_far():
    m, x = slow_model()
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    posterior = m.infer()
    assert time.monotonic() - started < 5
    assert posterior.interrupted and not posterior.converged
    assert posterior[x[0]].variance < 0.8  # the first messages have arrived


def test_a_time_limit_and_progress():
    m, x = slow_model()
    posterior = m.infer(time_limit=0.3)
    assert not posterior.converged and posterior.seconds < 3 and not posterior.interrupted
    records = []
    m = Model()
    a = m.gaussian(0, 1)
    m.observe(m.linear([1], [a], noise_variance=1), 1)
    m.infer(progress=records.append)
    assert records[0]["phase"] == "messages"

    def stop(record):
        raise Unlucky

    with pytest.raises(Unlucky):
        m.infer(progress=stop)


def test_threads_have_models_of_their_own():
    m, x = slow_model()
    thread = threading.Thread(target=m.infer, kwargs={"time_limit": 1.5})
    thread.start()
    time.sleep(0.2)
    with pytest.raises(fovea.UsageError, match="being solved"):
        m.infer()
    with pytest.raises(fovea.UsageError, match="being solved"):
        m.gaussian(0, 1)
    answers = []

    def other():
        own = Model()
        w = own.gaussian(0, 4)
        own.evidence(own.factor(lambda x: 2 * x, w, batched=True, samples=500), "gaussian", 2, 1)
        answers.append(own.infer(max_marginal_kl=1e-3)[w].mean)

    threads = [threading.Thread(target=other) for _ in range(2)]
    for t in threads:
        t.start()
    for t in [*threads, thread]:
        t.join()
    assert answers[0] == answers[1]
    assert m.gaussian(0, 1) is not None


def test_a_function_cannot_change_the_model_that_calls_it():
    m = Model()
    x = m.gaussian(0, 1)

    def meddles(x):
        m.gaussian(0, 1)
        return x

    m.evidence(m.factor(meddles, x), "gaussian", 0, 1)
    with pytest.raises(fovea.UsageError, match="being solved"):
        m.infer()


def test_memory_stays_flat_and_models_are_collected():
    program = """
import gc, weakref
from fovea.ep import Model
dead = []
def step(i):
    m = Model()
    x = m.gaussian(0, 1, shape=4)
    def f(x, m=m): return 2 * x   # a cycle: the model holds the function, which holds the model
    m.evidence(m.factor(f, x, batched=True, samples=100, recall=False), "gaussian", 1, 1)
    m.infer(iterations=2)
    dead.append(weakref.ref(m))
    if i == 229:
        del m, f, x
        gc.collect()
        assert all(r() is None for r in dead)
"""
    assert growth(program, times=230, warm_up=30) < 2e6


def test_posteriors_show_themselves():
    m = Model()
    x = m.gaussian(0, 1)
    m.observe(m.linear([1], [x], noise_variance=1), 1)
    p = m.infer(evidence=True)
    assert "converged" in repr(p) and "log evidence" in p._repr_html_()
    assert repr(p[x]) == "Marginal(gaussian, mean=0.5, variance=0.5)"
    assert gc.is_tracked(p)


# ---- Regression


def test_logistic_regression_is_near_the_posterior_of_a_grid():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 1))
    y = np.where(rng.random(60) < 1 / (1 + np.exp(-2 * X[:, 0] + 0.5)), "yes", "no")
    model = LogisticRegression(prior_variance=4).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"] and model.converged_
    slope, intercept = np.meshgrid(np.linspace(-2, 8, 500), np.linspace(-5, 5, 500), indexing="ij")
    log = -(slope**2 + intercept**2) / 8
    for x, label in zip(X[:, 0], y):
        log = log - np.logaddexp(0, -(slope * x + intercept) * (1 if label == "yes" else -1))
    weights = np.exp(log - log.max())
    weights /= weights.sum()
    assert model.coef_[0] == pytest.approx((weights * slope).sum(), abs=0.03)
    assert model.intercept_ == pytest.approx((weights * intercept).sum(), abs=0.03)
    assert model.covariance_[0, 0] == pytest.approx((weights * slope**2).sum() - (weights * slope).sum() ** 2, rel=0.1)
    at = 1 / (1 + np.exp(-(slope * 0.7 + intercept)))
    assert model.predict_proba([[0.7]])[0, 1] == pytest.approx((weights * at).sum(), abs=0.01)
    assert model.score(X, y) > 0.7
    copied = pickle.loads(pickle.dumps(model))
    assert copied.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    flat = LogisticRegression(fit_intercept=False).fit(X, y)
    assert flat.intercept_ == 0 and len(flat.covariance_) == 1


def test_scikit_learn_takes_it_for_a_classifier():
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model = clone(LogisticRegression(prior_variance=3))
    assert model.prior_variance == 3
    assert cross_val_score(model, X, X[:, 0] + 0.3 * rng.normal(size=200) > 0, cv=4).mean() > 0.85


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: LogisticRegression().fit([[1.0], [2.0]], [0, 0]), "1 classes"),
        (lambda: LogisticRegression().fit([[1.0], [2.0]], [0]), r"needs \(2,\)"),
        (lambda: LogisticRegression().fit([1.0, 2.0], [0, 1]), "row"),
        (lambda: LogisticRegression().fit([[1.0], [np.nan]], [0, 1]), r"X\[1\]\[0\] is nan: needs a finite"),
        (lambda: LogisticRegression().fit([[1.0], [2j]], [0, 1]), "needs real numbers"),
        (lambda: LogisticRegression().fit([[1.0], [2.0, 3.0]], [0, 1]), "needs real numbers"),
        (lambda: LogisticRegression(prior_variance=-1).fit([[1.0], [2.0]], [0, 1]), "prior_variance"),
        (lambda: LogisticRegression().fit([[1.0], [2.0]], [0, 1]).predict([[1.0, 2.0]]), "2 features"),
        (lambda: LogisticRegression().predict([[1.0]]), "not fitted"),
    ],
)
def test_bad_regressions_are_named(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_a_simulator_of_a_vector_is_called_rarely():
    calls = []

    def level(theta, t):
        assert theta.shape == (2,)
        calls.append(t)
        return math.exp(theta[0] - math.exp(theta[1]) * t)

    def fit(**options):
        m = Model()
        theta = m.vector([0, 0], np.eye(2))
        times = np.linspace(0, 3, 30)
        m.observe(m.linear([1], [m.factor(level, theta, times, **options)], noise_variance=0.01), 2 * np.exp(-times))
        posterior = m.infer(max_marginal_kl=1e-4)
        assert posterior.converged
        return posterior, posterior[theta]

    posterior, recalled = fit(oracle="sigma-points", function_always=True)
    counts = posterior.recalled["level"]
    assert counts["of"] == "values" and counts["recalled"] > 2 * counts["computed"]
    assert "values recalled" in posterior._repr_html_()
    few = len(calls)
    _, exact = fit(oracle="sigma-points", recall=False)
    assert len(calls) - few > 3 * few
    np.testing.assert_allclose(recalled.mean, exact.mean, atol=0.05 * np.sqrt(exact.variance.min()))
    batched = Model()
    theta = batched.vector([0, 0], np.eye(2))
    y = batched.factor(lambda v, t: v[:, 0] * t, theta, 2.0, batched=True, oracle="sigma-points")
    assert batched.infer()[y].variance == pytest.approx(4)
    with pytest.raises(fovea.UsageError, match="only sigma points"):
        batched.factor(lambda v: v[0], theta)


def test_the_oracle_is_measured():
    m = Model()
    x = m.gaussian(0, 1, shape=8)
    m.observe(m.linear([1], [m.factor(lambda v: 2 * v, x, oracle="measured")], noise_variance=1), 1)
    posterior = m.infer(max_marginal_kl=1e-3)
    np.testing.assert_allclose(posterior[x].mean, 0.4, atol=0.02)
