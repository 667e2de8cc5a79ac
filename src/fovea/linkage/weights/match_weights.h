// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// Evidence that two records are one entity, as natural logarithms of odds, added up over the comparisons:
///
///   log P(match | levels) / P(no match | levels) = prior_log_odds + sum_c weights[c][levels[c]]
struct MatchWeights {
  double prior_log_odds = 0;
  LevelTable weights = {};

  /// The sum above. levels: [comparison].
  double score(std::span<const Level> levels) const;
};

/// Makes weights rise with agreement: levels whose weights fall are pooled to the logarithm of their mean likelihood
/// ratio, sum_l u_l exp(w_l) / sum_l u_l (pool adjacent violators). The levels of a comparison are in ranges of
/// `range_sizes[c]` levels each, within which they rise; the missing level stays as it is. u: linear and positive.
void make_monotone(LevelTable& weights, const LevelTable& u, std::span<const std::size_t> range_sizes);

struct TermFrequencyOptions {
  double pseudo_count = 1;
  double strength = 1;

  static void describe(auto&& visit) {
    using O = TermFrequencyOptions;
    visit(&O::pseudo_count, number_in(1e-6, 1e6, "term-pseudo-count",
                                      "Number of records added to the count of each value, and of unseen values."));
    visit(&O::strength,
          number_in(0, 1, "term-strength", "Factor of the adjustment for a value's frequency; 0: no adjustment."));
  }
};

/// Numbers of rows with a value and of distinct values, of a whole table.
struct TermTotals {
  double rows = 0, values = 0;
};

/// Adjustments for rare values: agreement on a rare value says more than on a common one (Fellegi, Sunter 1969, method
/// I; Winkler 2000, "Frequency-based matching in Fellegi-Sunter model of record linkage"; Splink's term frequency
/// adjustments).
///
/// Let f_v be the relative frequency of value v. Two records of different entities both hold v with probability f_v^2;
/// two of one entity with m f_v, if m is the probability of exact agreement. The weight of exact agreement on v is
///
///   log (m f_v / f_v^2) = log (m / u) + log (u / f_v)
///
/// where the first term is the weight of the level, u = sum_v f_v^2 for exact agreement on any value, and the second is
/// the adjustment. Frequencies are smoothed: f_v = (n_v + a) / (n + a (values + 1)), the last one for all unseen
/// values.
class TermFrequencies {
 public:
  /// counts[v]: records that hold value v.
  explicit TermFrequencies(std::vector<std::uint64_t> counts, const TermFrequencyOptions& options = {});
  /// Takes totals of a table of which `counts` holds only some values.
  TermFrequencies(std::vector<std::uint64_t> counts, const TermTotals& totals, const TermFrequencyOptions& options);

  /// f_v in (0, 1]; a value that is not below the number of values (kNoId) counts as never seen.
  double frequency(std::size_t value) const;

  /// strength * log(u / f_v): the amount to add to the weight of exact agreement on `value`, in nats. u in (0, 1].
  double adjustment(std::size_t value, double u) const;

 private:
  std::vector<std::uint64_t> counts_;
  TermFrequencyOptions options_;
  double total_;
};

}  // namespace fovea::linkage
