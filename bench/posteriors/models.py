# SPDX-License-Identifier: Apache-2.0
"""Posteriors of posteriordb (Magnusson et al. 2025) in the language of `fovea fit`.

Each entry of MODELS is made from a data set of posteriordb: the text of a model, the columns of a table, numbers, and by
which name posteriordb calls each of our numbers, where it differs.
"""
import dataclasses
import math
import statistics


@dataclasses.dataclass
class Problem:
    model: str
    columns: dict
    numbers: dict = dataclasses.field(default_factory=dict)
    names: dict = dataclasses.field(default_factory=dict)  # ours -> that of posteriordb


SIGMA = "sigma ~ above(0, flat())\n"


def regression(response, *terms, weights="flat()", sigma=SIGMA):
    """A linear regression whose first weight is the intercept, unless the first term is a column."""
    total = " + ".join(f"beta[{i}] * {term}" if term else f"beta[{i}]" for i, term in enumerate(terms, 1))
    return (f"k ~ plate({len(terms)})\nbeta[k] ~ {weights}\n{sigma}{response} ~ normal({total}, sigma)\n")


def pick(data, *names):
    return {name: data[name] for name in names}


def logs(values, base=math.log):
    return [base(x) for x in values]


def scaled(values):
    mean, sd = statistics.fmean(values), statistics.stdev(values)
    return [(x - mean) / sd for x in values]


def earnings(response, *terms):
    def make(data):
        columns = pick(data, "earn", "height", "male")
        columns.update(log_earn=logs(data["earn"]), log10_earn=logs(data["earn"], math.log10),
                       log_height=logs(data["height"]), z_height=scaled(data["height"]))
        return Problem(regression(response, "", *terms), columns)
    return make


def scores(*terms):
    def make(data):
        columns = pick(data, "kid_score", "mom_hs", "mom_iq")
        hs, iq = data["mom_hs"], data["mom_iq"]
        if "mom_work" in data:
            columns["mom_work"] = data["mom_work"]
        columns.update(c_hs=[x - statistics.fmean(hs) for x in hs], c_iq=[x - statistics.fmean(iq) for x in iq],
                       z_hs=[x / 2 for x in scaled(hs)], z_iq=[x / 2 for x in scaled(iq)])
        return Problem(regression("kid_score", "", *terms), columns)
    return make


def mesquite(response, *terms):
    def make(data):
        columns = pick(data, "weight", "diam1", "diam2", "canopy_height", "total_height", "density", "group")
        columns["log_weight"] = logs(data["weight"])
        return Problem(regression(response, "", *terms), columns)
    return make


VOLUME, AREA, SHAPE = "log(diam1 * diam2 * canopy_height)", "log(diam1 * diam2)", "log(diam1 / diam2)"


def voters(data):
    columns = pick(data, "partyid7", "real_ideo", "race_adj", "educ1", "gender", "income", "age_discrete")
    ages = [f"equal(age_discrete, {age})" for age in (2, 3, 4)]
    return Problem(regression("partyid7", "", "real_ideo", "race_adj", *ages, "educ1", "gender", "income"), columns)


def normal_weights(data):
    columns = {f"x{j + 1}": [row[j] for row in data["X"]] for j in range(data["D"])}
    return Problem(regression("y", *columns, weights="normal(0, 10)", sigma="sigma ~ half_normal(10)\n"),
                   {**columns, "y": data["y"]})


def diamonds(data):
    count = data["K"] - 1
    columns = {f"x{j}": [row[j] for row in data["X"]] for j in range(1, count + 1)}
    columns = {name: [x - statistics.fmean(values) for x in values] for name, values in columns.items()}
    total = " + ".join(f"b[{j}] * x{j}" for j in range(1, count + 1))
    model = (f"k ~ plate({count})\nb[k] ~ normal(0, 1)\nIntercept ~ student(3, 8, 10)\nsigma ~ half_student(3, 10)\n"
             f"Y ~ normal(Intercept + {total}, sigma)\n")
    return Problem(model, {**columns, "Y": data["Y"]})


def lags(data):
    count, y = data["K"], data["y"]
    columns = {f"lag{k}": y[count - k:len(y) - k] for k in range(1, count + 1)}
    total = " + ".join(f"beta[{k}] * lag{k}" for k in range(1, count + 1))
    model = (f"k ~ plate({count})\nalpha ~ normal(0, 10)\nbeta[k] ~ normal(0, 10)\nsigma ~ half_cauchy(2.5)\n"
             f"y ~ normal(alpha + {total}, sigma)\n")
    return Problem(model, {**columns, "y": y[count:]})


def previous(data):
    return {"y": data["y"], "previous": [data["y"][0], *data["y"][:-1]]}


def arma(data):
    return Problem("""mu ~ normal(0, 10)
phi ~ normal(0, 2)
theta ~ normal(0, 2)
sigma ~ half_cauchy(2.5)
nu[1] = mu + phi * mu
nu[row] = mu + phi * previous + theta * (previous - nu[row - 1])
y ~ normal(nu[row], sigma)
""", previous(data))


def garch(data):
    # A uniform density of the triangle alpha1 + beta1 < 1
    return Problem("""mu ~ flat()
alpha0 ~ above(0, flat())
alpha1 ~ beta(1, 2)
share ~ uniform(0, 1)
beta1 = (1 - alpha1) * share
variance[1] = sigma1^2
variance[row] = alpha0 + alpha1 * square(previous - mu) + beta1 * variance[row - 1]
y ~ normal(mu, sqrt(variance[row]))
""", previous(data), {"sigma1": data["sigma1"]})


def schools(data):
    return Problem("""schools ~ plate(school)
mu ~ normal(0, 5)
tau ~ half_cauchy(5)
theta[school] ~ normal(mu, tau)
y ~ normal(theta[school], sigma)
""", {"school": list(range(1, data["J"] + 1)), "y": data["y"], "sigma": data["sigma"]})


def line(data):
    return Problem("alpha ~ normal(pmualpha, psalpha)\nbeta ~ normal(pmubeta, psbeta)\n" + SIGMA +
                   "y ~ normal(alpha + beta * x, sigma)\n", pick(data, "x", "y"),
                   pick(data, "pmualpha", "psalpha", "pmubeta", "psbeta"))


COVARIANCE = "alpha^2 * exp(-square((x[row] - x[other]) / rho) / 2)"


def process(data):
    return Problem("other ~ plate(row)\nrho ~ gamma(25, 4)\nalpha ~ half_normal(2)\nsigma ~ half_normal(1)\n"
                   f"y ~ multi_normal(other, 0, {COVARIANCE} + sigma * equal(row, other))\n", pick(data, "x", "y"))


def counted_process(data):
    return Problem("other ~ plate(row)\nrho ~ gamma(25, 4)\nalpha ~ half_normal(2)\n"
                   f"f[row] ~ multi_normal(other, 0, {COVARIANCE} + 1e-10 * equal(row, other))\n"
                   "k ~ poisson_log(f[row])\n", pick(data, "x", "k"))


def mixture(data):
    return Problem("""k ~ plate(2)
mu[k] ~ ordered(normal(0, 2))
sigma[k] ~ half_normal(2)
w[k] ~ dirichlet(5)
z[row] ~ categorical(k, w[k])
y ~ normal(mu[z[row]], sigma[z[row]])
""", pick(data, "y"), names={"w[1]": "theta"})


CHAIN = "z[1] ~ categorical(state, 1)\nz[row] ~ categorical(state, theta[z[row - 1], state])\n"
CHAIN_NAMES = {f"theta[{i},{j}]": f"theta{i}[{j}]" for i in (1, 2) for j in (1, 2)}


def chain(data):
    return Problem("state ~ plate(2)\nfrom ~ plate(state)\ntheta[from, state] ~ dirichlet(1)\n"
                   "typical[1] = 3\ntypical[state] = 10\nmu[state] ~ ordered(above(0, normal(typical[state], 1)))\n" +
                   CHAIN + "y ~ normal(mu[z[row]], 1)\n", pick(data, "y"), names=CHAIN_NAMES)


def drives(emission, order):
    def make(data):
        alpha = data["alpha"]
        prior = "".join(f"alpha[{i + 1}, {j + 1}] = {alpha[i][j]}\n" for i in (0, 1) for j in (0, 1))
        return Problem("state ~ plate(2)\nfrom ~ plate(state)\n"
                       + prior.replace("alpha[2, 2]", "alpha[from, state]") +
                       "theta[from, state] ~ dirichlet(alpha[from, state])\n"
                       "typical[1] = 0\ntypical[state] = 3\n"
                       f"phi[state] ~ {order}\nlambda[state] ~ {order}\n" + CHAIN + emission,
                       pick(data, "u", "v"), pick(data, *(name for name in ("tau", "rho") if name in data)), CHAIN_NAMES)
    return make


MODELS = {
    "arK-arK": lags,
    "arma-arma11": arma,
    "bball_drive_event_0-hmm_drive_0": drives(
        "u ~ exponential(phi[z[row]])\nv ~ exponential(lambda[z[row]])\n", "ordered(above(0, normal(typical[state], 1)))"),
    "bball_drive_event_1-hmm_drive_1": drives(
        "u ~ normal(phi[z[row]], tau)\nv ~ normal(lambda[z[row]], rho)\n", "ordered(normal(typical[state], 1))"),
    "diamonds-diamonds": diamonds,
    "earnings-earn_height": earnings("earn", "height"),
    "earnings-log10earn_height": earnings("log10_earn", "height"),
    "earnings-logearn_height": earnings("log_earn", "height"),
    "earnings-logearn_height_male": earnings("log_earn", "height", "male"),
    "earnings-logearn_interaction": earnings("log_earn", "height", "male", "height * male"),
    "earnings-logearn_interaction_z": earnings("log_earn", "z_height", "male", "z_height * male"),
    "earnings-logearn_logheight_male": earnings("log_earn", "log_height", "male"),
    "eight_schools-eight_schools_noncentered": schools,
    "garch-garch11": garch,
    "gp_pois_regr-gp_pois_regr": counted_process,
    "gp_pois_regr-gp_regr": process,
    "hmm_example-hmm_example": chain,
    "kidiq-kidscore_interaction": scores("mom_hs", "mom_iq", "mom_hs * mom_iq"),
    "kidiq-kidscore_momhs": scores("mom_hs"),
    "kidiq-kidscore_momhsiq": scores("mom_hs", "mom_iq"),
    "kidiq-kidscore_momiq": scores("mom_iq"),
    "kidiq_with_mom_work-kidscore_interaction_c": scores("c_hs", "c_iq", "c_hs * c_iq"),
    "kidiq_with_mom_work-kidscore_interaction_c2": scores(
        "(mom_hs - 0.5)", "(mom_iq - 100)", "(mom_hs - 0.5) * (mom_iq - 100)"),
    "kidiq_with_mom_work-kidscore_interaction_z": scores("z_hs", "z_iq", "z_hs * z_iq"),
    "kidiq_with_mom_work-kidscore_mom_work": scores(*(f"equal(mom_work, {work})" for work in (2, 3, 4))),
    "kilpisjarvi_mod-kilpisjarvi": line,
    "low_dim_gauss_mix-low_dim_gauss_mix": mixture,
    "mesquite-logmesquite": mesquite("log_weight", *(f"log({name})" for name in (
        "diam1", "diam2", "canopy_height", "total_height", "density")), "group"),
    "mesquite-logmesquite_logva": mesquite("log_weight", VOLUME, AREA, "group"),
    "mesquite-logmesquite_logvas": mesquite("log_weight", VOLUME, AREA, SHAPE, "log(total_height)", "log(density)",
                                            "group"),
    "mesquite-logmesquite_logvash": mesquite("log_weight", VOLUME, AREA, SHAPE, "log(total_height)", "group"),
    "mesquite-logmesquite_logvolume": mesquite("log_weight", VOLUME),
    "mesquite-mesquite": mesquite("weight", "diam1", "diam2", "canopy_height", "total_height", "density", "group"),
    "sblrc-blr": normal_weights,
    "sblri-blr": normal_weights,
    **{f"nes{year}-nes": voters for year in range(1972, 2004, 4)},
}

# Named, not run: models of differential equations, and one whose reference draws are not in every copy.
WITHOUT_MODEL = {
    "hudson_lynx_hare-lotka_volterra": "differential equations",
    "one_comp_mm_elim_abs-one_comp_mm_elim_abs": "differential equations",
    "mcycle_gp-accel_gp": "a basis of a Gaussian process, given as matrices",
}
