// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/diagnostics.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::mcmc {
namespace {

using Traces = std::vector<std::vector<double>>;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestDraws = 4;

bool is_usable(Draws chains) {
  if (chains.empty() || chains[0].size() < kFewestDraws) return false;
  return std::all_of(chains.begin(), chains.end(), [&](const std::vector<double>& chain) {
    return chain.size() == chains[0].size() &&
           std::all_of(chain.begin(), chain.end(), [](double x) { return std::isfinite(x); });
  });
}

Traces split_in_halves(Draws chains) {
  Traces halves;
  for (const std::vector<double>& chain : chains) {
    const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
    halves.emplace_back(chain.begin(), chain.begin() + half);
    halves.emplace_back(chain.end() - half, chain.end());
  }
  return halves;
}

std::vector<double> flattened(const Traces& chains) {
  std::vector<double> all;
  for (const std::vector<double>& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

/// Replaces every x by f(x).
template <class Function>
Traces mapped(Traces chains, const Function& f) {
  for (std::vector<double>& chain : chains)
    for (double& x : chain) x = f(x);
  return chains;
}

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variance_of(const std::vector<double>& x) {
  // The mean of equal numbers may differ from them by rounding, and a variance of 1e-31 would look like information.
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) return 0;
  const double mean = mean_of(x);
  double sum = 0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(x.size() - 1);
}

/// The p-quantile, linear between order statistics.
double quantile_of(std::vector<double> x, double p) {
  std::sort(x.begin(), x.end());
  const double position = p * static_cast<double>(x.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, x.size() - 1);
  return x[below] + (position - static_cast<double>(below)) * (x[above] - x[below]);
}

double normal_quantile(double p) {
  using namespace boost::math::policies;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, policy<promote_double<false>>());
}

/// Normal scores of the ranks of all draws together, where ties share their mean rank; equation (14).
Traces normal_scores(const Traces& chains) {
  const std::vector<double> all = flattened(chains);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  std::vector<double> scores(all.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && all[order[end]] == all[order[begin]]) ++end;
    const double rank = (static_cast<double>(begin) + static_cast<double>(end) + 1) / 2;
    for (std::size_t i = begin; i < end; ++i)
      scores[order[i]] = normal_quantile((rank - 0.375) / (static_cast<double>(all.size()) + 0.25));
    begin = end;
  }
  std::size_t next = 0;
  return mapped(chains, [&](double) { return scores[next++]; });
}

struct Variances {
  double within = 0;   ///< mean over chains of their variances
  double between = 0;  ///< variance of the chains' means
};

Variances variances_of(const Traces& chains) {
  std::vector<double> means, variances;
  for (const std::vector<double>& chain : chains) {
    means.push_back(mean_of(chain));
    variances.push_back(variance_of(chain));
  }
  return {.within = mean_of(variances), .between = means.size() > 1 ? variance_of(means) : 0};
}

/// Equations (1) to (4): sqrt((B / W + n - 1) / n) with B = n var(means).
double split_r_hat(const Traces& chains) {
  const auto n = static_cast<double>(chains[0].size());
  const Variances v = variances_of(chains);
  return std::sqrt((n * v.between / v.within + n - 1) / n);
}

/// Mean over chains of the autocovariance at `lag`, normalised by n.
double autocovariance(const Traces& chains, const std::vector<double>& means, std::size_t lag) {
  double sum = 0;
  for (std::size_t c = 0; c < chains.size(); ++c)
    for (std::size_t t = lag; t < chains[c].size(); ++t)
      sum += (chains[c][t] - means[c]) * (chains[c][t - lag] - means[c]);
  return sum / static_cast<double>(chains.size() * chains[0].size());
}

/// Autocorrelations up to the end of Geyer's initial monotone sequence, and their sum as in equation (11).
class AutocorrelationTime {
 public:
  explicit AutocorrelationTime(const Traces& chains) : chains_(chains), draws_(chains[0].size()) {
    for (const std::vector<double>& chain : chains) means_.push_back(mean_of(chain));
    const Variances v = variances_of(chains);
    const auto n = static_cast<double>(draws_);
    within_ = v.within;
    total_ = within_ * (n - 1) / n + v.between;
  }

  double compute() {
    correlations_ = {1.0, correlation(1)};
    const std::size_t whole = extend_while_pairs_are_positive();
    make_pairs_monotone(whole);
    double sum = correlations_[whole] - 1;
    for (std::size_t t = 0; t < whole; ++t) sum += 2 * correlations_[t];
    return sum;
  }

 private:
  double correlation(std::size_t lag) const { return 1 - (within_ - autocovariance(chains_, means_, lag)) / total_; }

  /// Returns the number of correlations that count whole; the one after them counts half.
  std::size_t extend_while_pairs_are_positive() {
    double even = correlations_[0], odd = correlations_[1];
    std::size_t t = 1;
    while (t + 3 < draws_ && even + odd > 0) {
      even = correlation(t + 1);
      odd = correlation(t + 2);
      if (even + odd >= 0) correlations_.insert(correlations_.end(), {even, odd});
      t += 2;
    }
    const std::size_t whole = t - 1;
    correlations_.resize(whole + 1, 0.0);
    if (even > 0) correlations_[whole] = even;
    return whole;
  }

  void make_pairs_monotone(std::size_t whole) {
    for (std::size_t t = 1; t + 3 <= whole; t += 2) {
      const double before = correlations_[t - 1] + correlations_[t];
      if (correlations_[t + 1] + correlations_[t + 2] > before)
        correlations_[t + 1] = correlations_[t + 2] = before / 2;
    }
  }

  const Traces& chains_;
  std::size_t draws_;
  std::vector<double> means_;
  double within_ = 0, total_ = 0;
  std::vector<double> correlations_;  // [lag]
};

double effective_sample_size(const Traces& chains) {
  const std::vector<double> all = flattened(chains);
  const auto draws = static_cast<double>(all.size());
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  if (!(*least < *most)) return kUnknown;
  const double time = AutocorrelationTime(chains).compute();
  return draws / std::max(time, 1 / std::log10(draws));
}

}  // namespace

double rank_normalised_r_hat(Draws chains) {
  if (!is_usable(chains)) return kUnknown;
  const Traces halves = split_in_halves(chains);
  const double median = quantile_of(flattened(halves), 0.5);
  const Traces folded = mapped(halves, [&](double x) { return std::abs(x - median); });
  return std::max(split_r_hat(normal_scores(halves)), split_r_hat(normal_scores(folded)));
}

double bulk_effective_sample_size(Draws chains) {
  return is_usable(chains) ? effective_sample_size(normal_scores(split_in_halves(chains))) : kUnknown;
}

double tail_effective_sample_size(Draws chains) {
  if (!is_usable(chains)) return kUnknown;
  const std::vector<double> all = flattened(Traces(chains.begin(), chains.end()));
  double least =
      std::isnan(effective_sample_size(split_in_halves(chains))) ? kUnknown : static_cast<double>(all.size());
  for (const double p : {0.05, 0.95}) {
    const double quantile = quantile_of(all, p);
    const auto is_below = [&](double x) { return x <= quantile ? 1.0 : 0.0; };
    // If every draw is on one side, as with few values, the distribution has no tail to estimate.
    const double draws = effective_sample_size(mapped(split_in_halves(chains), is_below));
    if (draws < least) least = draws;
  }
  return least;
}

double mean_effective_sample_size(Draws chains) {
  return is_usable(chains) ? effective_sample_size(split_in_halves(chains)) : kUnknown;
}

double standard_error_of_mean(Draws chains) {
  if (!is_usable(chains)) return kUnknown;
  const std::vector<double> all = flattened(Traces(chains.begin(), chains.end()));
  return std::sqrt(variance_of(all) / mean_effective_sample_size(chains));
}

Mixing mixing_of(double r_hat, double effective_draws, bool has_moved) {
  if (r_hat > kMixedRHat) return Mixing::kNotMixed;
  if (!has_moved || !(effective_draws >= kFewestEffectiveDraws) || !(r_hat <= kMixedRHat)) return Mixing::kCannotTell;
  return Mixing::kMixed;
}

Diagnosis diagnose(Draws chains) {
  Diagnosis found = {.r_hat = rank_normalised_r_hat(chains),
                     .bulk_effective_samples = bulk_effective_sample_size(chains),
                     .tail_effective_samples = tail_effective_sample_size(chains),
                     .standard_error = standard_error_of_mean(chains)};
  const bool has_moved = std::ranges::any_of(chains, [&](const std::vector<double>& chain) {
    return std::ranges::any_of(chain, [&](double x) { return x != chains[0][0]; });
  });
  found.mixing =
      mixing_of(found.r_hat, std::min(found.bulk_effective_samples, found.tail_effective_samples), has_moved);
  return found;
}

std::vector<Diagnosis> diagnose(std::span<const double> draws, std::size_t quantities, std::size_t chains,
                                std::size_t length, const Run& run) {
  FOVEA_CHECK(draws.size() == quantities * chains * length);
  std::vector<Diagnosis> result(quantities);
  parallel_for(quantities, 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end && !run.stop.requested(); ++q) {
      std::vector<std::vector<double>> traces;
      for (std::size_t c = 0; c < chains; ++c) {
        const auto trace = draws.subspan((q * chains + c) * length, length);
        traces.emplace_back(trace.begin(), trace.end());
      }
      result[q] = diagnose(traces);
    }
  });
  if (run.stop.requested()) throw CancelledError("stopped before all draws were looked at");
  return result;
}

Mixing mixing_of(std::span<const Diagnosis> quantities) {
  const auto any = [&](Mixing mixing) {
    return std::ranges::find(quantities, mixing, &Diagnosis::mixing) != quantities.end();
  };
  if (any(Mixing::kNotMixed)) return Mixing::kNotMixed;
  return quantities.empty() || any(Mixing::kCannotTell) ? Mixing::kCannotTell : Mixing::kMixed;
}

}  // namespace fovea::mcmc
