// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/distribution_draw.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/ep/family/gamma_draw.h"

namespace fovea::ep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestCount = 0x1.0p53;  // above, whole numbers are not all doubles
constexpr int kMostTries = 10'000;

using Numbers = std::span<const double>;

bool is_positive(double x) { return x > 0 && x < kInfinity; }
bool is_probability(double p) { return p >= 0 && p <= 1; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double scaled(double middle, double scale, double standard) {
  return is_positive(scale) && std::isfinite(middle) ? middle + scale * standard : kNone;
}

double gamma(double shape, Random& random) { return is_positive(shape) ? draw_gamma(shape, random) : kNone; }

double beta(double a, double b, Random& random) {
  if (!is_positive(a) || !is_positive(b)) return kNone;
  const double log_a = draw_log_gamma(a, random), log_b = draw_log_gamma(b, random);
  return logistic(log_a - log_b);
}

double student(double freedom, Random& random) {
  if (!is_positive(freedom)) return kNone;
  const double z = random.normal();
  return z / std::sqrt(2 * draw_gamma(freedom / 2, random) / freedom);
}

double cauchy(Random& random) { return random.normal() / std::abs(random.normal()); }

/// Halves the number of trials by the median of that many uniform numbers: Devroye 1986, chapter X, 4.3.
double binomial(double trials, double p, Random& random) {
  if (!is_probability(p) || !(trials >= 0) || trials != std::floor(trials) || trials > kLargestCount) return kNone;
  double successes = 0;
  while (trials > 32) {
    const double rank = 1 + std::floor(trials / 2);
    const double at = beta(rank, trials + 1 - rank, random);
    if (at <= p) {
      successes += rank;
      trials -= rank;
      p = at < 1 ? std::min(1., (p - at) / (1 - at)) : 1;
    } else {
      trials = rank - 1;
      p = std::min(1., p / at);
    }
  }
  for (; trials > 0; --trials) successes += random.bernoulli(p) ? 1 : 0;
  return successes;
}

double poisson(double mean, Random& random) {
  if (!(mean >= 0) || mean > kLargestCount) return kNone;
  return static_cast<double>(random.poisson(mean));
}

double negative_binomial(double mean, double dispersion, Random& random) {
  return poisson(gamma(dispersion, random) * mean / dispersion, random);
}

double bernoulli(double p, Random& random) {
  if (!is_probability(p)) return kNone;
  return random.bernoulli(p) ? 1 : 0;
}

double category(Numbers weights, Random& random) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0)) return kNone;
    sum += weight;
  }
  return is_positive(sum) ? 1. + random.categorical(weights) : kNone;
}

double category_of_logs(Numbers logs, Random& random) {
  const double most = *std::ranges::max_element(logs);
  std::vector<double> weights;
  for (const double x : logs) weights.push_back(std::exp(x - most));
  return category(weights, random);
}

/// The rank of x plus logistic noise among the cutpoints.
double ordered_logistic(Numbers a, Random& random) {
  const Numbers cutpoints = a.subspan(1);
  if (!std::ranges::is_sorted(cutpoints) || !std::isfinite(a[0])) return kNone;
  const double p = random.bernoulli(.5) ? 1 : -1;  // a logistic draw is the difference of two exponential ones
  const double noise = p * (std::log(random.exponential()) - std::log(random.exponential()));
  return 1. + static_cast<double>(std::ranges::lower_bound(cutpoints, a[0] + noise) - cutpoints.begin());
}

using Draw = double (*)(Numbers, Random&);

const std::map<std::string_view, Draw>& draws() {
  static const std::map<std::string_view, Draw> all = {
      {"bernoulli", [](Numbers a, Random& r) { return bernoulli(a[0], r); }},
      {"bernoulli_logit", [](Numbers a, Random& r) { return bernoulli(logistic(a[0]), r); }},
      {"beta", [](Numbers a, Random& r) { return beta(a[0], a[1], r); }},
      {"binomial", [](Numbers a, Random& r) { return binomial(a[0], a[1], r); }},
      {"binomial_logit", [](Numbers a, Random& r) { return binomial(a[0], logistic(a[1]), r); }},
      {"categorical", category},
      {"categorical_logit", category_of_logs},
      {"cauchy", [](Numbers a, Random& r) { return scaled(a[0], a[1], cauchy(r)); }},
      {"double_exponential",
       [](Numbers a, Random& r) { return scaled(a[0], a[1], r.exponential() * (r.bernoulli(.5) ? 1 : -1)); }},
      {"exponential", [](Numbers a, Random& r) { return is_positive(a[0]) ? r.exponential() / a[0] : kNone; }},
      {"gamma", [](Numbers a, Random& r) { return is_positive(a[1]) ? gamma(a[0], r) / a[1] : kNone; }},
      {"half_cauchy", [](Numbers a, Random& r) { return scaled(0, a[0], std::abs(cauchy(r))); }},
      {"half_normal", [](Numbers a, Random& r) { return scaled(0, a[0], std::abs(r.normal())); }},
      {"half_student", [](Numbers a, Random& r) { return scaled(0, a[1], std::abs(student(a[0], r))); }},
      {"inverse_gamma", [](Numbers a, Random& r) { return is_positive(a[1]) ? a[1] / gamma(a[0], r) : kNone; }},
      {"logistic",
       [](Numbers a, Random& r) {
         const double one = r.exponential(), other = r.exponential();
         return scaled(a[0], a[1], std::log(one) - std::log(other));
       }},
      {"lognormal", [](Numbers a, Random& r) { return std::exp(scaled(a[0], a[1], r.normal())); }},
      {"negative_binomial", [](Numbers a, Random& r) { return negative_binomial(a[0], a[1], r); }},
      {"negative_binomial_log", [](Numbers a, Random& r) { return negative_binomial(std::exp(a[0]), a[1], r); }},
      {"normal", [](Numbers a, Random& r) { return scaled(a[0], a[1], r.normal()); }},
      {"ordered_logistic", ordered_logistic},
      {"poisson", [](Numbers a, Random& r) { return poisson(a[0], r); }},
      {"poisson_log", [](Numbers a, Random& r) { return poisson(std::exp(a[0]), r); }},
      {"student", [](Numbers a, Random& r) { return scaled(a[1], a[2], student(a[0], r)); }},
      {"weibull",
       [](Numbers a, Random& r) {
         return is_positive(a[0]) && is_positive(a[1]) ? a[1] * std::pow(r.exponential(), 1 / a[0]) : kNone;
       }},
  };
  return all;
}

/// A standard normal number between two bounds, of which `low` may be far out in the tail: by an exponential proposal
/// there (Robert 1995), by a flat one where the bounds are close together, else by drawing again.
double draw_standard_normal(double low, double high, Random& random) {
  if (high < 0) return -draw_standard_normal(-high, -low, random);
  const bool is_narrow = high - low<1 / std::max(1., low), is_tail = low> .5;
  const double peak = std::max(0., low), rate = .5 * (low + std::sqrt(low * low + 4));
  for (int i = 0; i < kMostTries; ++i) {
    if (is_narrow) {
      const double x = low + (high - low) * random.threshold(1.);
      if (random.bernoulli_log(std::min(0., .5 * (peak * peak - x * x)))) return x;
    } else if (is_tail) {
      const double x = low + random.exponential() / rate;
      if (x <= high && random.bernoulli_log(-.5 * (x - rate) * (x - rate))) return x;
    } else if (const double x = random.normal(); x >= low && x <= high) return x;
  }
  return kNone;
}

double draw_within(const DrawnFrom& from, Numbers a, Random& random) {
  const double low = from.support.low, high = from.support.high;
  if (from.distribution->name == "normal") {
    if (!is_positive(a[1]) || !std::isfinite(a[0])) return kNone;
    return a[0] + a[1] * draw_standard_normal((low - a[0]) / a[1], (high - a[0]) / a[1], random);
  }
  const Draw draw = draws().at(from.distribution->name);
  for (int i = 0; i < kMostTries; ++i) {
    const double x = draw(a, random);
    if (std::isnan(x) || (x >= low && x <= high)) return x;
  }
  return kNone;
}

}  // namespace

bool can_draw_number(std::string_view distribution) { return draws().contains(distribution); }

double draw_number(const DrawnFrom& from, std::span<const double> arguments, Random& random) {
  if (from.distribution->name == "flat") {
    const double low = from.support.low, width = from.support.high - low;
    return is_positive(width) ? low + width * random.threshold(1.) : kNone;
  }
  const auto draw = draws().find(from.distribution->name);
  if (draw == draws().end()) return kNone;
  return from.is_bounded ? draw_within(from, arguments, random) : draw->second(arguments, random);
}

void draw_simplex(std::span<const double> concentrations, Random& random, std::span<double> shares) {
  double most = -kInfinity, sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = is_positive(concentrations[i]) ? draw_log_gamma(concentrations[i], random) : kNone;
    most = std::max(most, shares[i]);
  }
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
}

}  // namespace fovea::ep
