// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/fellegi_sunter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

class ExpectationMaximization {
 public:
  ExpectationMaximization(const AgreementPatterns& patterns, const FellegiSunterOptions& options,
                          const PriorKnowledge& known)
      : patterns_(patterns),
        options_(options),
        other_pairs_(known.other_pairs),
        learns_m_(!known.m),
        learns_u_(!known.u),
        learns_share_(!known.match_share) {
    FOVEA_CHECK(std::isfinite(other_pairs_) && other_pairs_ >= 0);
    if (learns_u_) FOVEA_CHECK(learns_m_ && other_pairs_ == 0);
    for (const std::vector<double>& counts : count_levels(patterns))
      fit_.evidence.push_back(std::accumulate(counts.begin() + 1, counts.end(), 0.0));
    require_evidence();
    fit_.model.match_share = known.match_share.value_or(options.start_match_share);
    FOVEA_CHECK(0 < fit_.model.match_share && fit_.model.match_share < 1);
    fit_.model.u = known.u ? *known.u : level_frequencies(patterns, options.pseudo_count);
    require_probabilities(fit_.model.u);
    fit_.model.m = known.m ? *known.m : known.start_m ? *known.start_m : start_of_m();
    require_probabilities(fit_.model.m);
  }

  FellegiSunterFit run(const Stop& stop) {
    StopMeter meter;
    expect();
    while (fit_.termination == optimize::Termination::kNotRun) {
      maximize();
      expect();
      if (meter.is_late(patterns_.size() * fit_.evidence.size(), stop))
        fit_.termination = optimize::Termination::kStopped;
      else if (fit_.largest_change <= options_.tolerance) fit_.termination = optimize::Termination::kConverged;
      else if (iterations() >= options_.max_iterations) fit_.termination = optimize::Termination::kIterations;
    }
    if (learns_u_ && others_agree_more()) exchange_classes();
    return std::move(fit_);
  }

 private:
  int iterations() const { return static_cast<int>(fit_.objectives.size()) - 1; }

  void require_evidence() const {
    const auto given = std::ranges::count_if(fit_.evidence, [](double pairs) { return pairs > 0; });
    const int needed = 1 + learns_m_ + learns_u_;
    if (given >= needed) return;
    throw InputError({},
                     fmt::format("only {} comparisons have values in both records of some pair; to tell matches from "
                                 "other pairs without labels takes {}",
                                 given, needed),
                     "Compare more columns, or learn from pairs of a blocking rule with fewer of them");
  }

  void require_probabilities(const LevelTable& table) const {
    FOVEA_CHECK(std::ranges::equal(table, patterns_.level_counts(), {}, &std::vector<double>::size));
    for (const std::vector<double>& row : table) {
      FOVEA_CHECK(row[kMissingLevel] == 1);
      for (const double p : row) FOVEA_CHECK(0 < p && p <= 1);
    }
  }

  /// Start of m: agreement; u where there is no evidence.
  LevelTable start_of_m() const {
    LevelTable m = fit_.model.u;
    for (std::size_t c = 0; c < m.size(); ++c) {
      if (fit_.evidence[c] == 0) continue;
      m[c] = agreeing_levels(m[c].size());
    }
    return m;
  }

  void expect() {
    expected_ = fit_.model.expect(patterns_);
    fit_.log_likelihood = expected_.log_likelihood;
    const double others = other_pairs_ * std::log1p(-fit_.model.match_share);
    fit_.objectives.push_back(expected_.log_likelihood + others + options_.pseudo_count * log_prior());
  }

  /// Log prior for a pseudo-count of 1, up to a constant.
  double log_prior() const {
    const FellegiSunterModel& model = fit_.model;
    double sum = std::log(model.match_share) + std::log1p(-model.match_share);
    const auto add = [&](const LevelTable& table, auto&& share) {
      for (std::size_t c = 0; c < table.size(); ++c)
        for (std::size_t l = 1; l < table[c].size(); ++l) sum += share(c, l) * std::log(table[c][l]);
    };
    if (learns_m_) add(model.m, [&](std::size_t c, std::size_t l) { return learns_u_ ? 1 : share_of_level(c, l); });
    if (learns_u_) add(model.u, [](std::size_t, std::size_t) { return 1; });
    return sum;
  }

  /// Share of a level in the pseudo-counts of m, times the number of levels.
  double share_of_level(std::size_t comparison, std::size_t level) const {
    const std::vector<double>& u = fit_.model.u[comparison];
    return u[level] * static_cast<double>(u.size() - 1);
  }

  void maximize() {
    const double a = options_.pseudo_count;
    const double pairs = expected_.matches + expected_.others + other_pairs_;
    const double share = learns_share_ ? (a + expected_.matches) / (2 * a + pairs) : fit_.model.match_share;
    fit_.largest_change = std::abs(share - fit_.model.match_share);
    fit_.model.match_share = share;
    for (std::size_t c = 0; c < fit_.evidence.size(); ++c) {
      if (fit_.evidence[c] == 0) continue;
      if (learns_m_)
        update(fit_.model.m[c], learns_u_ ? level_probabilities(expected_.m[c], a)
                                          : level_probabilities(expected_.m[c], a, fit_.model.u[c]));
      if (learns_u_) update(fit_.model.u[c], level_probabilities(expected_.u[c], a));
    }
  }

  void update(std::vector<double>& row, std::vector<double> probabilities) {
    const std::vector<double> before = std::exchange(row, std::move(probabilities));
    for (std::size_t l = 0; l < row.size(); ++l)
      fit_.largest_change = std::max(fit_.largest_change, std::abs(row[l] - before[l]));
  }

  /// True if others agree more than matches, by mean level; the levels of each comparison count from 0 to 1.
  bool others_agree_more() const {
    double lead = 0;
    for (std::size_t c = 0; c < fit_.evidence.size(); ++c) {
      const std::vector<double>&m = fit_.model.m[c], &u = fit_.model.u[c];
      for (std::size_t l = 1; l < m.size(); ++l)
        lead += (u[l] - m[l]) * static_cast<double>(l) / static_cast<double>(m.size() - 1);
    }
    return lead > 0;
  }

  /// Exchanges matches and others, which leaves likelihood and prior as they are.
  void exchange_classes() {
    std::swap(fit_.model.m, fit_.model.u);
    fit_.model.match_share = 1 - fit_.model.match_share;
  }

  const AgreementPatterns& patterns_;
  const FellegiSunterOptions& options_;
  double other_pairs_;
  bool learns_m_, learns_u_, learns_share_;
  FellegiSunterFit fit_;
  MatchExpectation expected_;
};

/// Mean over the fits with evidence, or over all fits if none has any.
std::vector<double> mean_row(std::span<const FellegiSunterFit> fits, LevelTable FellegiSunterModel::*table,
                             std::size_t comparison) {
  const auto has_evidence = [&](const FellegiSunterFit& fit) { return fit.evidence[comparison] > 0; };
  const bool any = std::ranges::any_of(fits, has_evidence);
  std::vector<double> mean((fits[0].model.*table)[comparison].size());
  double count = 0;
  for (const FellegiSunterFit& fit : fits) {
    if (any && !has_evidence(fit)) continue;
    ++count;
    for (std::size_t l = 0; l < mean.size(); ++l) mean[l] += (fit.model.*table)[comparison][l];
  }
  for (double& p : mean) p /= count;
  return mean;
}

}  // namespace

std::string FellegiSunterFit::brief() const {
  if (!usable()) return "EM: not run";
  return fmt::format(
      "EM: {} after {} iterations: {:.4g} % of the pairs match, log-likelihood {:.8g}, last change {:.2g}",
      optimize::to_string(termination), objectives.size() - 1, 100 * model.match_share, log_likelihood, largest_change);
}

FellegiSunterFit fit_fellegi_sunter(const AgreementPatterns& patterns, const FellegiSunterOptions& options,
                                    const PriorKnowledge& known, const Stop& stop) {
  validate(options);
  return ExpectationMaximization(patterns, options, known).run(stop);
}

PriorKnowledge average(std::span<const FellegiSunterFit> fits) {
  FOVEA_CHECK(!fits.empty());
  LevelTable m, u;
  for (std::size_t c = 0; c < fits[0].evidence.size(); ++c) {
    m.push_back(mean_row(fits, &FellegiSunterModel::m, c));
    u.push_back(mean_row(fits, &FellegiSunterModel::u, c));
  }
  return {.m = std::move(m), .u = std::move(u)};
}

}  // namespace fovea::linkage
