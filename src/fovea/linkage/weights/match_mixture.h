// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/fellegi_sunter.h"

namespace fovea::linkage {

/// Pairs of one kind, which agree in some comparisons and by chance in others.
struct PairClass {
  double share = 0;        ///< of all pairs, in (0, 1)
  LevelTable levels = {};  ///< linear and positive; levels 1, 2, ... sum to 1 for each comparison, [c][0] = 1
  bool is_match = true;    ///< false: related pairs of different entities, such as two people of one household
};

/// The model of Fellegi and Sunter with several classes of matches, such as those of people who moved, and of related
/// pairs, which do not match:
///
///   p(l) = sum_k s_k prod_c p_k[c][l_c] + (1 - sum_k s_k) prod_c u[c][l_c]
///
/// Without classes of related pairs, that of matches has no better way to explain that pairs of one household agree in
/// surname, address and phone at once than to take them in.
struct MatchMixture {
  static constexpr std::size_t kMostClasses = 6;

  std::vector<PairClass> classes = {};  ///< the first are the matches that agree most
  LevelTable u = {};                    ///< of pairs that agree by chance

  bool has_related() const {
    return std::ranges::any_of(classes, [](const PairClass& c) { return !c.is_match; });
  }
  /// Share of all pairs that match.
  double match_share() const;
  /// Scales the shares of the classes of matches to this sum.
  void scale_matches(double share);
  /// Probability that a pair matches.
  double match_probability(std::span<const Level> levels) const;
  /// Levels of the matches of all classes: their mean.
  LevelTable match_levels() const;
};

/// The candidate pairs among which related ones are looked for.
struct MixtureTask {
  const AgreementPatterns& patterns;           ///< of all candidate pairs, each once
  std::span<const AgreementPatterns> of_rule;  ///< [rule] of all pairs of a blocking rule
  /// [rule] comparisons that read a column of the rule: where a class of related pairs may agree.
  std::span<const std::vector<std::size_t>> comparisons_of_rule;
  const LevelTable& u;     ///< how often pairs agree by chance
  double other_pairs = 0;  ///< pairs besides these, which agree by chance
};

/// Finds the classes by expectation maximisation, one more at a time as long as the log-likelihood rises by a
/// thousandth of a nat per pair. A class is one of related pairs if
///
///   - it agrees by chance in comparisons that carry at least 30 % of what tells matches from chance (the divergence
///     sum_l m log(m / u) of a comparison is its share of that), and
///   - its pairs are reached by at most half as many blocking rules as those of the first class.
///
/// Both are needed. People who moved agree by chance in their addresses; but most of the rules that a user writes bring
/// their records together, and only the one on phones those of a household. With one or two rules there is no telling,
/// and no class is one of related pairs. The figures were chosen on made-up people and five public tables. Calls
/// look() before each iteration, on any thread; it may throw.
MatchMixture find_pair_classes(const MixtureTask& task, const FellegiSunterOptions& options, int threads,
                               const std::function<void()>& look);

/// [comparison]: whether the pairs of a class agree there more often than by chance.
std::vector<bool> agreeing_comparisons(const MatchMixture& mixture, std::size_t pair_class);

/// Scores pairs by a mixture: log odds of a match, in nats,
///
///   log sum_{k matches} s_k prod_c p_k[c][l_c] / u[c][l_c]
///     - log (sum_{k related} s_k prod_c p_k[c][l_c] / u[c][l_c] exp(-a_c b_kc) + s exp(-sum_c a_c)),
///
///   b_kc = 1 if class k agrees by chance in c, else 0
///
/// where a_c adjusts for how rare an equal value is (TermFrequencies): pairs by chance hold a rare one less often, and
/// so do related pairs in comparisons in which they agree by chance; but a household shares its surname, however rare.
class MixtureScore {
 public:
  explicit MixtureScore(const MatchMixture& mixture);

  /// Sums over the comparisons that were added so far, [class], then pairs by chance.
  using Sums = std::array<double, MatchMixture::kMostClasses + 1>;

  /// The sums of a pair of which nothing is known.
  const Sums& start() const { return start_; }
  void add(Sums& sums, std::size_t comparison, Level level, double adjustment) const {
    const Row& row = rows_[comparison];
    for (std::size_t k = 0; k < classes_; ++k) sums[k] += row.log_ratios[level * classes_ + k];
    if (adjustment == 0) return;
    for (std::size_t k = 0; k <= classes_; ++k) sums[k] -= row.by_chance[k] * adjustment;
  }
  double score(const Sums& sums) const;

  std::size_t class_count() const { return classes_; }
  bool is_match(std::size_t pair_class) const { return is_match_[pair_class]; }
  /// log p / u of a level by a class.
  double log_ratio(std::size_t comparison, Level level, std::size_t pair_class) const {
    return rows_[comparison].log_ratios[level * classes_ + pair_class];
  }

 private:
  struct Row {
    std::vector<double> log_ratios;  // [level][class]: log p / u
    Sums by_chance{};                // [class]: 1 if it does not match and agrees by chance
  };

  std::size_t classes_;
  std::vector<bool> is_match_;  // [class]
  Sums start_{};                // logarithms of the shares
  std::vector<Row> rows_;       // [comparison]
};

}  // namespace fovea::linkage
