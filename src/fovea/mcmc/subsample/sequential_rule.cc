// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/sequential_rule.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>

namespace fovea::mcmc {
namespace {

/// The share of `size` among `population` in a draw of `wanted`: at least two, for a variance.
std::size_t share(std::size_t wanted, std::size_t size, std::size_t population) {
  return std::min(size,
                  std::max<std::size_t>(2, (wanted * size + population - 1) / std::max<std::size_t>(1, population)));
}

}  // namespace

SequentialRule::SequentialRule(const SequentialRuleOptions& options)
    : options_(options), is_normal_(options.law == DecisionLaw::kNormal) {}

void SequentialRule::begin(const std::array<FactorRange, 2>& ranges) {
  population_ = ranges[0].size() + ranges[1].size();
  for (std::size_t k = 0; k < strata_.size(); ++k) {
    strata_[k].range = ranges[k];
    strata_[k].moments = {};
    strata_[k].draws.reset(ranges[k].size());
  }
  looks_ = 0;
  for (std::size_t n = static_cast<std::size_t>(options_.minimum); n < population_; n *= 2) ++looks_;
  quantiles_.resize(std::max(quantiles_.size(), looks_ + 1));
  quantiles_[looks_].resize(looks_, 0);
  look_ = 0;
  wanted_ = static_cast<std::size_t>(options_.minimum) / 2;
  look_further();
}

void SequentialRule::look_further() {
  ++look_;
  wanted_ = std::min(2 * wanted_, population_);
  for (Stratum& stratum : strata_) stratum.wanted = share(wanted_, stratum.range.size(), population_);
}

double SequentialRule::estimate() const {
  double sum = 0;
  for (const Stratum& stratum : strata_) sum += stratum.moments.mean() * static_cast<double>(stratum.range.size());
  return sum;
}

double SequentialRule::half_width(double bound) {
  return is_normal_ ? normal_half_width() : bernstein_half_width(bound);
}

double SequentialRule::normal_half_width() {
  double variance = 0;
  for (const Stratum& stratum : strata_) {
    const auto size = static_cast<double>(stratum.range.size());
    if (size > 0) variance += size * size * stratum.moments.variance_of_mean(stratum.range.size());
  }
  return quantile() * std::sqrt(variance);
}

/// The quantile for this look. Each stratum costs a degree of freedom; shares are rounded up, so there are at least as
/// many degrees as this uses.
double SequentialRule::quantile() {
  double& quantile = quantiles_[looks_][look_ - 1];
  if (quantile > 0) return quantile;
  const double error = options_.error / static_cast<double>(looks_);
  if (error >= 0.5) return 0;
  if (error <= 0) return std::numeric_limits<double>::infinity();
  const boost::math::students_t law(static_cast<double>(wanted_ - strata_.size()));
  return quantile = boost::math::quantile(boost::math::complement(law, error));
}

double SequentialRule::bernstein_half_width(double bound) const {
  const double kappa = 7.0 / 3 + 3 / std::sqrt(2.0);
  const double error = options_.error / static_cast<double>(looks_ * strata_.size());
  const double l = std::log(5 / error);
  double width = 0;
  for (const Stratum& stratum : strata_) {
    const auto size = static_cast<double>(stratum.range.size()), n = static_cast<double>(stratum.moments.count());
    if (stratum.moments.count() == stratum.range.size()) continue;
    const double rho = 2 * n <= size ? 1 - (n - 1) / size : (1 - n / size) * (1 + 1 / n);
    width += size * (std::sqrt(stratum.moments.variance() * 2 * rho * l / n) + kappa * 2 * bound * l / n);
  }
  return width;
}

}  // namespace fovea::mcmc
