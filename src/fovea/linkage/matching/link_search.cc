// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/link_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/linkage/comparison/comparison_meter.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kMostSets = 12;        // comparisons of which all subsets are tried
constexpr std::size_t kMostDistinct = 2000;  // values that are all compared with each other
constexpr double kUnlisted = std::numeric_limits<double>::infinity();

/// The pairs of values of one comparison that are not at its common level.
struct AlikeValues {
  Level common = kMissingLevel;
  std::vector<std::vector<std::uint32_t>> rows = {};  // [local value]
  std::vector<SparseLevels::Pair> pairs = {};         // of different values
  double row_pairs = kUnlisted;                       // pairs of rows with equal values or with such a pair
  std::vector<double> least = {};                     // [class] of what other pairs add to a score
  std::vector<double> most = {};                      // [class] of what any pair adds
};

class LinkSearch {
 public:
  LinkSearch(const MatchModel& model, std::span<const std::uint32_t> rows, double floor,
             const std::function<bool(RowPair)>& is_wanted, const Stop& stop)
      : model_(model),
        rows_(rows),
        floor_(floor),
        is_wanted_(is_wanted),
        stop_(stop),
        meter_(stop, "scoring pairs of records") {
    for (std::size_t c = 0; c < model.comparisons().size(); ++c) comparisons_.push_back(alike_values(c));
  }

  std::optional<std::vector<ScoredPair>> run() {
    const std::optional<std::vector<std::size_t>> chosen = cheapest_set();
    if (!chosen) return std::nullopt;
    std::vector<ScoredPair> found;
    for (std::size_t i = 0; i < chosen->size(); ++i) search(std::span(*chosen).first(i), (*chosen)[i], found);
    return found;
  }

 private:
  AlikeValues alike_values(std::size_t c) {
    const Comparison& comparison = model_.comparisons()[c];
    const MatchModel::LocalValues local = MatchModel::renumber(comparison, rows_);
    AlikeValues alike{.rows = std::vector<std::vector<std::uint32_t>>(local.values.size())};
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (local.of_row[i] != kMissingValue) alike.rows[local.of_row[i]].push_back(rows_[i]);
    for (std::size_t k = 0; k < model_.match_class_count(); ++k)
      alike.most.push_back(model_.most_of(k, c, local.values));
    std::optional<SparseLevels> levels = comparison.compare_all(local.values, stop_);
    if (!levels && local.values.size() <= kMostDistinct) levels = compare_one_by_one(comparison, local.values);
    if (!levels) return alike;
    alike.common = levels->common;
    alike.pairs = std::move(levels->others);
    for (std::size_t k = 0; k < model_.match_class_count(); ++k)
      alike.least.push_back(
          std::max(model_.class_weight(k, c, alike.common), model_.class_weight(k, c, kMissingLevel)));
    alike.row_pairs = 0;
    for (const std::vector<std::uint32_t>& rows : alike.rows)
      alike.row_pairs += static_cast<double>(rows.size()) * (static_cast<double>(rows.size()) - 1) / 2;
    for (const SparseLevels::Pair& pair : alike.pairs)
      alike.row_pairs += static_cast<double>(alike.rows[pair.first].size() * alike.rows[pair.second].size());
    return alike;
  }

  /// Levels of all pairs of values; the worst level is the common one.
  SparseLevels compare_one_by_one(const Comparison& comparison, std::span<const std::uint32_t> values) {
    SparseLevels levels{.common = 1, .others = {}};
    for (std::uint32_t j = 1; j < values.size(); ++j)
      for (std::uint32_t i = 0; i < j; ++i) {
        meter_.count();
        const Level level = comparison.compare_values(values[i], values[j]);
        if (level != levels.common) levels.others.push_back({i, j, level});
      }
    return levels;
  }

  std::optional<std::vector<std::size_t>> cheapest_set() const {
    const std::size_t count = std::min(comparisons_.size(), kMostSets);
    const auto rows = static_cast<double>(rows_.size());
    double best = rows * (rows - 1) / 4;
    std::optional<std::vector<std::size_t>> chosen;
    for (std::size_t set = 0; set < std::size_t{1} << count; ++set) {
      double pairs = 0;
      for (std::size_t c = 0; c < count; ++c)
        if ((set >> c & 1) != 0) pairs += comparisons_[c].row_pairs;
      if (pairs >= best || bound_outside(set) > floor_) continue;
      best = pairs;
      chosen.emplace();
      for (std::size_t c = 0; c < count; ++c)
        if ((set >> c & 1) != 0) chosen->push_back(c);
    }
    return chosen;
  }

  /// Bound of the scores of pairs that are alike in none of a set of comparisons, given as bits. All of them have lists
  /// of pairs that are alike.
  double bound_outside(std::size_t set) const {
    double bound = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < model_.match_class_count(); ++k) {
      double sum = model_.prior_of_class(k);
      for (std::size_t c = 0; c < comparisons_.size(); ++c)
        sum += c < kMostSets && (set >> c & 1) != 0 ? comparisons_[c].least[k] : comparisons_[c].most[k];
      bound = add_logs(bound, sum);
    }
    return bound;
  }

  /// Scores the pairs that are alike in comparison c, and in none of `earlier`.
  void search(std::span<const std::size_t> earlier, std::size_t c, std::vector<ScoredPair>& found) {
    const AlikeValues& alike = comparisons_[c];
    for (const std::vector<std::uint32_t>& rows : alike.rows)
      for (std::size_t j = 1; j < rows.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) consider(earlier, rows[i], rows[j], found);
    for (const SparseLevels::Pair& pair : alike.pairs)
      for (const std::uint32_t first : alike.rows[pair.first])
        for (const std::uint32_t second : alike.rows[pair.second]) consider(earlier, first, second, found);
  }

  void consider(std::span<const std::size_t> earlier, std::uint32_t a, std::uint32_t b,
                std::vector<ScoredPair>& found) {
    meter_.count();
    const RowPair pair{std::min(a, b), std::max(a, b)};
    for (const std::size_t c : earlier) {
      const Level level = model_.comparisons()[c].compare(pair.first, pair.second);
      if (level != kMissingLevel && level != comparisons_[c].common) return;
    }
    const auto score = static_cast<float>(model_.score(pair));
    if (double{score} > floor_ && is_wanted_(pair)) found.push_back({pair, score});
  }

  const MatchModel& model_;
  std::span<const std::uint32_t> rows_;
  double floor_;
  const std::function<bool(RowPair)>& is_wanted_;
  const Stop& stop_;
  ComparisonMeter meter_;
  std::vector<AlikeValues> comparisons_;
};

}  // namespace

std::optional<std::vector<ScoredPair>> find_links(const MatchModel& model, std::span<const std::uint32_t> rows,
                                                  double floor, const std::function<bool(RowPair)>& is_wanted,
                                                  const Stop& stop) {
  return LinkSearch(model, rows, floor, is_wanted, stop).run();
}

}  // namespace fovea::linkage
