# SPDX-License-Identifier: Apache-2.0
"""Models in their own language, from Python."""

import math

import numpy as np
import pytest

import fovea
from fovea.ep import check, fit, load_fit

SCHOOLS = {"school": list("ABCDEFGH"), "y": [28, 8, -3, 7, -1, 1, 18, 12], "se": [15, 10, 16, 11, 9, 11, 10, 18]}
MODEL = """
schools ~ plate(school)
mu ~ normal(0, scale)
tau ~ half_cauchy(5)
theta[school] ~ normal(mu, tau)
y ~ normal(theta[school], se)
"""


def test_draws_have_an_axis_for_each_plate():
    schools = fit(MODEL, SCHOOLS, given={"scale": 10}, draws=2000)
    assert list(schools) == ["mu", "tau", "theta"]
    assert schools["theta"].shape == (4, 2000, 8) and schools["mu"].shape == (4, 2000)
    assert schools.coordinates("theta") == {"schools": list("ABCDEFGH")}
    assert schools.mixing == "mixed" and schools.whole and not schools.exact
    summary = schools.summary()
    assert summary["variable"].tolist()[2] == "theta[A]"
    assert summary["mean"][2] == pytest.approx(schools["theta"][:, :, 0].mean())
    assert 5 < schools["mu"].mean() < 7.5  # 6.3 by integration
    assert "Fit(3 variables, 4 chains of 2000 draws: mixed)" == repr(schools)
    with pytest.raises(KeyError, match="theta"):
        schools["eta"]


def test_the_seed_settles_the_draws():
    few = {"given": {"scale": 10}, "draws": 20, "warm_up": 50}
    with pytest.warns(UserWarning):
        first, again, other = (fit(MODEL, SCHOOLS, random_state=seed, **few)["mu"] for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_a_formula_is_a_model():
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    data = {"x": x, "y": 1 + 2 * x + rng.normal(size=200)}
    line = fit("y ~ x", data)
    assert "y ~ normal(" in line.model
    design = np.stack([np.ones(200), x], 1)
    weights, *_ = np.linalg.lstsq(design, data["y"], rcond=None)
    assert line["b_x"].mean() == pytest.approx(weights[1], abs=.01)
    assert line["intercept"].mean() == pytest.approx(weights[0], abs=.01)


def test_the_evidence_compares_models():
    data = {"y": [4.0, 5.0, 6.0, 5.5]}
    near, far = (fit(f"m ~ normal({place}, 1)\ny ~ normal(m, 1)", data) for place in (5, 0))
    assert near.tail_shape < .7 and near.log_evidence_error < .05
    # By hand: the sum of y is normal with a variance of n + n^2, apart from what the prior does not touch.
    gap = -.5 * ((20.5 - 20) ** 2 - 20.5 ** 2) / 20
    assert near.log_evidence - far.log_evidence == pytest.approx(gap, abs=.05)
    assert fit("m ~ flat()\ny ~ normal(m, 1)", data).log_evidence is None


def test_whole_numbers_have_probabilities():
    mixture = fit("k ~ plate(3)\nm[k] ~ ordered(normal(0, 5))\nz[row] ~ categorical(k, 1)\ny ~ normal(m[z[row]], 1)",
                  {"y": [-6, -5.5, 0, .5, 6, 6.5]})
    assert mixture["z"].shape[2:] == (6, 3)
    assert mixture["z"].mean((0, 1)).argmax(1).tolist() == [0, 0, 1, 1, 2, 2]
    assert np.allclose(mixture["z"].sum(-1), 1)


def test_what_is_summed_out_needs_no_draws():
    answer = fit("rain ~ bernoulli(0.2)\nwet ~ bernoulli(0.1 + 0.8 * rain)", {"wet": [1]})
    assert answer.exact
    assert answer["rain"].item() == pytest.approx(.2 * .9 / (.2 * .9 + .8 * .1))


def test_missing_cells_are_guessed():
    filled = fit("m ~ normal(0, 5)\ny ~ normal(m, 1)", {"y": [1.0, None, 3.0]})
    assert filled.coordinates("y") == {"y_element": ["y[2]"]}
    assert filled["y"].mean() == pytest.approx(filled["m"].mean(), abs=.1)
    assert filled["y"].std() == pytest.approx(math.hypot(1, filled["m"].std()), abs=.1)


def test_faults_are_said_with_their_place(tmp_path):
    with pytest.raises(fovea.InputError, match="the model:2: column 16: 'sigm' is not known here"):
        fit("\nmu ~ normal(0, sigm)", {"sigma": [1]})
    with pytest.raises(fovea.UsageError, match="'scal', which the model"):
        fit(MODEL, SCHOOLS, given={"scale": 1, "scal": 2})
    with pytest.raises(fovea.UsageError, match="family"):
        fit("y ~ x", SCHOOLS, family="gauss")
    with pytest.raises(fovea.UsageError, match="needs the text of a model"):
        fit(3)
    path = tmp_path / "m.fov"
    path.write_text("m ~ normal(0, 1)\n", encoding="utf-8")
    assert "m" in fit(path)


def test_a_time_limit_gives_the_gaussian_at_the_mode():
    with pytest.warns(UserWarning, match="Gaussian at the posterior's mode"):
        early = fit(MODEL, SCHOOLS, given={"scale": 10}, warm_up=10**9, time_limit=1)
    assert early.gaussian and not early.whole
    assert early["theta"].shape[2:] == (8,)


def test_arviz_knows_the_axes():
    arviz = pytest.importorskip("arviz")
    found = fit(MODEL, SCHOOLS, given={"scale": 10}).to_arviz()
    assert found.posterior["theta"].dims == ("chain", "draw", "schools")
    assert arviz.summary(found)["mean"].size == 10


def test_new_rows_are_predicted(tmp_path):
    schools = fit(MODEL, SCHOOLS, given={"scale": 10})
    new = schools.predict({"school": ["A", "new"], "se": [1.0, 1.0]})
    assert list(new) == ["y_mean", "y_sd", "y_quantile_5", "y_median", "y_quantile_95"]
    assert new["y_mean"][0] == pytest.approx(schools["theta"][:, :, 0].mean(), abs=.6)
    # Of a new school nothing is known but mu and tau.
    spread = math.sqrt(schools["mu"].var() + (schools["tau"] ** 2).mean() + 1)
    assert new["y_sd"][1] == pytest.approx(spread, rel=.25)
    schools.save(tmp_path / "schools.json")
    again = load_fit(tmp_path / "schools.json").predict({"school": ["A", "new"], "se": [1.0, 1.0]})
    assert again["y_mean"].tolist() == new["y_mean"].tolist()
    with pytest.raises(fovea.UsageError, match="nothing to predict"):
        schools.predict(SCHOOLS)
    assert len(schools.predict(SCHOOLS, columns=["y"])["y_sd"]) == 8


def test_load_fit_refuses_other_files(tmp_path):
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(fovea.InputError, match="other.json"):
        load_fit(tmp_path / "other.json")


def test_a_model_is_checked_by_simulation():
    table = {"x": [1.0, 2.0, 3.0], "y": [0.0, 0.0, 0.0]}
    model = "m ~ normal(0, 1)\ny ~ normal(m * x, 1)"
    ranks = check(model, table, data_sets=40, chains=2, warm_up=300, draws=500)
    assert list(ranks) == ["variable", "data_sets", "mean_rank", "bias_z", "spread_z", "p_value", "verdict"]
    assert ranks["variable"].tolist() == ["m"] and ranks["data_sets"].tolist() == [40]
    assert ranks["verdict"].tolist() == ["ok"]
    with pytest.raises(fovea.UsageError, match="data_sets"):
        check(model, table, data_sets=3)
    with pytest.raises(fovea.InputError, match="flat"):
        check("m ~ flat()\ny ~ normal(m, 1)", table)
