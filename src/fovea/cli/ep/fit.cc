// SPDX-License-Identifier: Apache-2.0
// fovea fit: any model of a file, fitted to a table.
#include "fovea/cli/run/commands.h"
#include "fovea/ep/fit/fit_model.h"

namespace fovea::cli {
namespace {

class Fit : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.model, "MODEL", "File with the model, - for standard input; or a formula, such as 'y ~ x'.");
    binder.optional_input(job_.data_file, "DATA", "Table whose columns the model names.");
    binder.options(job_.options);
    binder.options(job_.drawing, "Drawing");
    binder.options(job_.reading, "Reading tables");
  }

  void run(const Context& context) override {
    const ep::ModelReport report = ep::fit_model(job_, run_of(context));
    context.console.clear_progress();
    context.console.out() << (context.common.json ? report.json + "\n" : report.text);
  }

 private:
  ep::ModelJob job_;
};

}  // namespace

CommandEntry fit_command() {
  return command_of<Fit>(
      "fit", "Fit a model that you write down, or a regression by its formula.",
      "Reads a model, a line for each variable, and draws from the posterior of all that is not known, by the "
      "no-U-turn sampler. Unknown whole numbers are summed out: their probabilities are printed. Variables have a "
      "distribution (~) or a formula (=), and read from the top:\n\n"
      "  schools ~ plate(school)                    one member for each value of the column school\n"
      "  mu ~ normal(0, 10)\n"
      "  tau ~ half_cauchy(5)\n"
      "  theta[school] ~ normal(mu, tau)\n"
      "  y[row] ~ normal(theta[school[row]], sigma[row])\n\n"
      "Columns of the table are known numbers, one for each row. A column with a distribution was observed; its "
      "missing "
      "cells are unknown. name ~ plate(10) has ten members, from 1 on; name ~ plate(other) has those of another plate. "
      "x[1] ~ ... above x[row] ~ normal(x[row - 1], 1) is the first element's own line. # begins a comment. An unknown "
      "whole number can be an index and a number:\n\n"
      "  kinds ~ plate(3)\n"
      "  share[kinds] ~ dirichlet(1)\n"
      "  middle[kinds] ~ ordered(normal(0, 10))\n"
      "  kind[row] ~ categorical(kinds, share[kinds])\n"
      "  y ~ normal(middle[kind[row]], 1)\n\n"
      "Distributions: normal(mean, sd), student(df, mean, sd), cauchy(middle, scale), logistic(middle, scale), "
      "double_exponential(middle, scale), lognormal(mean, sd), gamma(shape, rate), inverse_gamma(shape, scale), "
      "exponential(rate), weibull(shape, scale), beta(a, b), uniform(low, high), half_normal(sd), half_cauchy(scale), "
      "half_student(df, sd), flat(); of all members of a plate together: dirichlet(concentration), multi_normal(copy "
      "of "
      "the plate, mean, covariance); of whole numbers, for columns: binomial(n, p), binomial_logit(n, x), "
      "poisson(mean), "
      "poisson_log(x), negative_binomial(mean, dispersion), negative_binomial_log(x, dispersion), "
      "ordered_logistic(plate, x, cutpoint[plate]); also unknown: bernoulli(p), bernoulli_logit(x), categorical(plate, "
      "weight[plate]), categorical_logit(plate, x[plate]). Around a distribution: above(low, D), below(high, D), "
      "between(low, high, D), ordered(D) for numbers that rise along a plate, censored(D, seen) for lower bounds where "
      "seen is 0.\n"
      "Functions: + - * / ^, exp, log, log1p, expm1, sqrt, square, abs, sin, cos, tanh, logistic, softplus, lgamma, "
      "normal_cdf, step, equal(a, b), add_logs(a, b), sum(plate, formula), log_sum(plate, formula).\n\n"
      "A formula 'y ~ x1 + log(x2) + colour + x1:x2 + (1 + x1 | school) - 1' is a regression on columns: a:b is a "
      "product, a*b is a + b + a:b, (terms | column) are effects that vary with the column, and - 1 leaves out the "
      "intercept. A column of texts has an effect for each value but the first. Rows with missing cells are left out. "
      "--show-model prints the model that it stands for, with its weak priors.",
      "  fovea fit schools.fov schools.csv\n"
      "  fovea fit schools.fov schools.csv -o posterior.json --draws-file draws.csv\n"
      "  fovea fit schools.fov schools.csv --chains 8 --draws 500 --json\n"
      "  fovea fit 'y ~ sigma + (1 | school)' schools.csv\n"
      "  fovea fit 'y ~ sigma' schools.csv --family student --show-model\n"
      "  fovea fit schools.fov schools.csv --check 50\n");
}

}  // namespace fovea::cli
