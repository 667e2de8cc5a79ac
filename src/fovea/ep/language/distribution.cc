// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/ep/density/vector_density.h"

namespace fovea::ep {
namespace {

const double kLogTwoPi = std::log(2 * std::numbers::pi);

/// Formulas of log densities, written as on paper.
struct Term {
  Program* program;
  Node node;

  friend Term operator+(Term a, Term b) { return a.with(Binary::kAdd, b); }
  friend Term operator-(Term a, Term b) { return a.with(Binary::kSubtract, b); }
  friend Term operator*(Term a, Term b) { return a.with(Binary::kMultiply, b); }
  friend Term operator/(Term a, Term b) { return a.with(Binary::kDivide, b); }
  friend Term operator+(Term a, double b) { return a + a.number(b); }
  friend Term operator-(Term a, double b) { return a - a.number(b); }
  friend Term operator-(double a, Term b) { return b.number(a) - b; }
  friend Term operator*(double a, Term b) { return b.number(a) * b; }
  friend Term operator-(Term a) { return a.of(Unary::kNegate); }

  Term of(Unary function) const { return {program, program->apply(function, node)}; }
  Term with(Binary function, Term other) const { return {program, program->apply(function, node, other.node)}; }
  Term number(double value) const { return {program, program->number(value)}; }
};

Term log(Term x) { return x.of(Unary::kLog); }
/// x log(p), 0 where x is: certain events have densities, too.
Term times_log(Term x, Term p) { return x.with(Binary::kTimesLog, p); }
Term log1p(Term x) { return x.of(Unary::kLog1p); }
Term exp(Term x) { return x.of(Unary::kExp); }
Term square(Term x) { return x.of(Unary::kSquare); }
Term log_gamma(Term x) { return x.of(Unary::kLogGamma); }
Term softplus(Term x) { return x.of(Unary::kSoftplus); }

/// The arguments of a log density.
class Arguments {
 public:
  Arguments(Program& program, std::span<const Node> nodes) : program_(&program), nodes_(nodes) {}
  std::size_t size() const { return nodes_.size(); }
  Term operator[](std::size_t i) const { return {program_, nodes_[i]}; }

 private:
  Program* program_;
  std::span<const Node> nodes_;
};

Term normal(Term x, Term mean, Term sd) { return {x.program, normal(*x.program, x.node, mean.node, sd.node)}; }

Term student(Term x, Term freedom, Term mean, Term sd) {
  const Term z = (x - mean) / sd, half = .5 * (freedom + 1);
  return log_gamma(half) - log_gamma(.5 * freedom) - .5 * log(freedom) - .5 * std::log(std::numbers::pi) - log(sd) -
         half * log1p(square(z) / freedom);
}

Term cauchy(Term x, Term middle, Term scale) {
  return -log1p(square((x - middle) / scale)) - log(scale) - std::log(std::numbers::pi);
}

Term gamma(Term x, Term shape, Term rate) {
  return shape * log(rate) - log_gamma(shape) + (shape - 1) * log(x) - rate * x;
}

Term beta(Term x, Term a, Term b) {
  return log_gamma(a + b) - log_gamma(a) - log_gamma(b) + (a - 1) * log(x) + (b - 1) * log1p(-x);
}

/// log of n over k.
Term log_choose(Term n, Term k) { return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1); }

/// log p(y) of a label by its log odds.
Term label(Term y, Term log_odds) { return y * log_odds - softplus(log_odds); }

Term negative_binomial(Term y, Term log_mean, Term dispersion) {
  const Term log_dispersion = log(dispersion);
  const Term total = log_mean.with(Binary::kAddLogs, log_dispersion);
  return log_gamma(y + dispersion) - log_gamma(dispersion) - log_gamma(y + 1) + dispersion * (log_dispersion - total) +
         y * (log_mean - total);
}

/// log of the probability of more than x.
Term normal_survival(Term x, Term mean, Term sd) { return ((mean - x) / sd).of(Unary::kLogNormalCdf); }

Term dirichlet(Term x, Term concentration, std::size_t members) {
  const auto each_sum = [&](Term of) { return Term{of.program, of.program->sum(of.node, members)}; };
  return log_gamma(each_sum(concentration)) - each_sum(log_gamma(concentration)) +
         each_sum((concentration - 1) * log(x));
}

template <Term (*density)(Term, const Arguments&)>
Node density_of(Program& program, Node x, std::span<const Node> arguments) {
  return density({&program, x}, Arguments(program, arguments)).node;
}

constexpr std::string_view kCounts = "0, 1, 2, ...", kTruths = "0 and 1", kRanks = "1, 2, 3, ...";

const Distribution kDistributions[] = {
    {.name = "bernoulli",
     .arguments = "probability",
     .is_discrete = true,
     .values = kTruths,
     .log_density =
         density_of<[](Term y, const Arguments& a) { return times_log(y, a[0]) + times_log(1 - y, 1 - a[0]); }>},
    {.name = "bernoulli_logit",
     .arguments = "log odds",
     .is_discrete = true,
     .values = kTruths,
     .log_density = density_of<[](Term y, const Arguments& a) { return label(y, a[0]); }>},
    {.name = "beta",
     .arguments = "a, b",
     .support = Support::unit(),
     .log_density = density_of<[](Term x, const Arguments& a) { return beta(x, a[0], a[1]); }>},
    {.name = "binomial",
     .arguments = "trials, probability",
     .is_discrete = true,
     .values = kCounts,
     .log_density = density_of<[](Term y, const Arguments& a) {
       return log_choose(a[0], y) + times_log(y, a[1]) + times_log(a[0] - y, 1 - a[1]);
     }>},
    {.name = "binomial_logit",
     .arguments = "trials, log odds",
     .is_discrete = true,
     .values = kCounts,
     .log_density =
         density_of<[](Term y, const Arguments& a) { return log_choose(a[0], y) + y * a[1] - a[0] * softplus(a[1]); }>},
    {.name = "categorical",
     .arguments = "plate, weight",
     .is_discrete = true,
     .values = kRanks,
     .log_density = nullptr,
     .is_over_plate = true},
    {.name = "categorical_logit",
     .arguments = "plate, log weight",
     .is_discrete = true,
     .values = kRanks,
     .log_density = nullptr,
     .is_over_plate = true},
    {.name = "cauchy",
     .arguments = "middle, scale",
     .log_density = density_of<[](Term x, const Arguments& a) { return cauchy(x, a[0], a[1]); }>},
    {.name = "dirichlet",
     .arguments = "concentration",
     .support = {.kind = Support::Kind::kSimplex, .low = 0, .high = 1},
     .log_density = nullptr,
     .is_joint = true,
     .vector_log_density =
         [](Program& program, Node x, std::span<const Node> a, std::size_t members) {
           return dirichlet({&program, x}, {&program, a[0]}, members).node;
         }},
    {.name = "double_exponential",
     .arguments = "middle, scale",
     .log_density =
         density_of<[](Term x, const Arguments& a) { return -(x - a[0]).of(Unary::kAbs) / a[1] - log(2 * a[1]); }>},
    {.name = "exponential",
     .arguments = "rate",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) { return log(a[0]) - a[0] * x; }>,
     .log_survival = density_of<[](Term x, const Arguments& a) { return -(a[0] * x); }>},
    {.name = "flat", .arguments = "", .log_density = density_of<[](Term x, const Arguments&) { return x.number(0); }>},
    {.name = "gamma",
     .arguments = "shape, rate",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) { return gamma(x, a[0], a[1]); }>},
    {.name = "half_cauchy",
     .arguments = "scale",
     .support = Support::positive(),
     .log_density =
         density_of<[](Term x, const Arguments& a) { return cauchy(x, x.number(0), a[0]) + std::numbers::ln2; }>},
    {.name = "half_normal",
     .arguments = "sd",
     .support = Support::positive(),
     .log_density =
         density_of<[](Term x, const Arguments& a) { return normal(x, x.number(0), a[0]) + std::numbers::ln2; }>},
    {.name = "half_student",
     .arguments = "degrees of freedom, sd",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) {
       return student(x, a[0], x.number(0), a[1]) + std::numbers::ln2;
     }>},
    {.name = "inverse_gamma",
     .arguments = "shape, scale",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) {
       return a[0] * log(a[1]) - log_gamma(a[0]) - (a[0] + 1) * log(x) - a[1] / x;
     }>},
    {.name = "logistic",
     .arguments = "middle, scale",
     .log_density = density_of<[](Term x, const Arguments& a) {
       const Term z = (x - a[0]) / a[1];
       return z - 2 * softplus(z) - log(a[1]);
     }>,
     .log_survival = density_of<[](Term x, const Arguments& a) { return -softplus((x - a[0]) / a[1]); }>},
    {.name = "lognormal",
     .arguments = "mean of the log, sd of the log",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) { return normal(log(x), a[0], a[1]) - log(x); }>,
     .log_survival = density_of<[](Term x, const Arguments& a) { return normal_survival(log(x), a[0], a[1]); }>},
    {.name = "multi_normal",
     .arguments = "plate, mean, covariance",
     .log_density = nullptr,
     .is_over_plate = true,
     .first_over_plate = 1,
     .is_joint = true,
     .vector_log_density = multi_normal},
    {.name = "negative_binomial",
     .arguments = "mean, dispersion",
     .is_discrete = true,
     .values = kCounts,
     .log_density = density_of<[](Term y, const Arguments& a) { return negative_binomial(y, log(a[0]), a[1]); }>},
    {.name = "negative_binomial_log",
     .arguments = "log of the mean, dispersion",
     .is_discrete = true,
     .values = kCounts,
     .log_density = density_of<[](Term y, const Arguments& a) { return negative_binomial(y, a[0], a[1]); }>},
    {.name = "normal",
     .arguments = "mean, sd",
     .log_density = density_of<[](Term x, const Arguments& a) { return normal(x, a[0], a[1]); }>,
     .log_survival = density_of<[](Term x, const Arguments& a) { return normal_survival(x, a[0], a[1]); }>},
    {.name = "ordered_logistic",
     .arguments = "plate, log odds, cutpoint",
     .is_discrete = true,
     .values = kRanks,
     .log_density = nullptr,
     .is_over_plate = true,
     .first_over_plate = 1,
     .vector_log_density = ordered_logistic},
    {.name = "poisson",
     .arguments = "mean",
     .is_discrete = true,
     .values = kCounts,
     .log_density =
         density_of<[](Term y, const Arguments& a) { return times_log(y, a[0]) - a[0] - log_gamma(y + 1); }>},
    {.name = "poisson_log",
     .arguments = "log of the mean",
     .is_discrete = true,
     .values = kCounts,
     .log_density = density_of<[](Term y, const Arguments& a) { return y * a[0] - exp(a[0]) - log_gamma(y + 1); }>},
    {.name = "student",
     .arguments = "degrees of freedom, mean, sd",
     .log_density = density_of<[](Term x, const Arguments& a) { return student(x, a[0], a[1], a[2]); }>},
    {.name = "weibull",
     .arguments = "shape, scale",
     .support = Support::positive(),
     .log_density = density_of<[](Term x, const Arguments& a) {
       const Term z = log(x) - log(a[1]);
       return log(a[0]) - log(a[1]) + (a[0] - 1) * z - exp(a[0] * z);
     }>,
     .log_survival = density_of<[](Term x, const Arguments& a) { return -exp(a[0] * (log(x) - log(a[1]))); }>},
};

}  // namespace

const Distribution* find_distribution(std::string_view name) {
  const auto* found = std::ranges::find(kDistributions, name, &Distribution::name);
  return found == std::end(kDistributions) ? nullptr : found;
}

std::vector<std::string_view> distribution_names() {
  std::vector<std::string_view> names;
  for (const Distribution& distribution : kDistributions) names.push_back(distribution.name);
  return names;
}

}  // namespace fovea::ep
