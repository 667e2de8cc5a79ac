// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/link_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/random.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/alike_values.h"
#include "fovea/linkage/matching/bounded_score.h"

namespace fovea::linkage {
namespace {

using ClassSums = AlikeValues::ClassSums;

/// Pairs of places below `count`.
std::vector<RowPair> draw_pairs(std::size_t count) {
  constexpr int kPairs = 10000;
  Random random(1);
  std::vector<RowPair> pairs;
  for (int i = 0; i < kPairs; ++i) {
    const auto first = static_cast<std::uint32_t>(random.uniform_index(count)),
               other = static_cast<std::uint32_t>(random.uniform_index(count));
    if (first != other) pairs.push_back({first, other});
  }
  return pairs;
}

class LinkSearch {
 public:
  LinkSearch(const MatchModel& model, std::span<const std::uint32_t> rows, double floor,
             const std::function<bool(RowPair)>& is_wanted, const Stop& stop)
      : model_(model),
        rows_(rows),
        floor_(floor),
        is_wanted_(is_wanted),
        meter_(stop, "scoring pairs of records"),
        score_(model, floor) {
    const std::vector<RowPair> samples = draw_pairs(rows.size());
    for (std::size_t c = 0; c < model.comparisons().size(); ++c)
      comparisons_.emplace_back(model, c, rows, samples, stop);
  }

  std::optional<std::vector<ScoredPair>> run() {
    for (std::uint32_t row = 0; row < rows_.size(); ++row) plans_.push_back(plan(row));
    order_rows();
    if (!saves_half()) return std::nullopt;
    seen_by_.assign(rows_.size(), std::numeric_limits<std::uint32_t>::max());
    for (const std::uint32_t row : order_) look_for_partners(row);
    return std::move(found_);
  }

 private:
  /// The comparisons by which a row looks for partners. Its cost is the number of rows that it looks at; infinite if it
  /// must look at all.
  struct Plan {
    std::uint64_t comparisons = 0;  // as bits
    double cost = std::numeric_limits<double>::infinity();
  };

  Plan plan(std::uint32_t row) const {
    constexpr std::size_t kMostComparisons = 64;
    constexpr double kRounding = 1e-5;  // of single precision
    const std::size_t count = std::min(comparisons_.size(), kMostComparisons), classes = model_.match_class_count();
    ClassSums slack{};  // by how much the bound of each class may still rise
    for (std::size_t k = 0; k < classes; ++k)
      slack[k] = floor_ - kRounding - std::log(static_cast<double>(classes)) - model_.prior_of_class(k);
    const auto add = [&](const ClassSums& most, double sign) {
      for (std::size_t k = 0; k < classes; ++k) slack[k] -= sign * most[k];
    };
    std::vector<std::size_t> listed;
    for (std::size_t c = 0; c < comparisons_.size(); ++c) {
      const bool is_listed = c < count && comparisons_[c].are_listed();
      add(is_listed ? comparisons_[c].most_below(row) : comparisons_[c].most(row), 1);
      if (is_listed) listed.push_back(c);
    }
    const auto holds = [&] {
      return std::all_of(slack.begin(), slack.begin() + classes, [](double s) { return s >= 0; });
    };
    if (!holds()) return {};
    Plan plan{.comparisons = 0, .cost = 0};
    std::ranges::stable_sort(listed, std::greater<>(), [&](std::size_t c) { return comparisons_[c].count(row); });
    for (const std::size_t c : listed) {
      const ClassSums before = slack;
      add(comparisons_[c].most_below(row), -1);
      add(comparisons_[c].most(row), 1);
      if (holds()) continue;  // it may be left out
      slack = before;
      plan.comparisons |= std::uint64_t{1} << c;
      plan.cost += static_cast<double>(comparisons_[c].count(row));
    }
    return plan;
  }

  /// Each pair is found by both of its rows: the one that has fewer to look at does it.
  void order_rows() {
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t row) { return plans_[row].cost; });
    rank_.resize(rows_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  }

  bool saves_half() const {
    const auto rows = static_cast<double>(rows_.size());
    double pairs = 0, open = 0;
    for (const Plan& plan : plans_) {
      if (plan.cost < rows) pairs += plan.cost / 2;
      else ++open;
    }
    return pairs + open * (open - 1) / 2 <= rows * (rows - 1) / 4;
  }

  void look_for_partners(std::uint32_t row) {
    const Plan& plan = plans_[row];
    const auto look_at = [&](std::uint32_t other) {
      if (rank_[other] <= rank_[row] || seen_by_[other] == row) return;
      seen_by_[other] = row;
      consider(row, other);
    };
    if (plan.cost >= static_cast<double>(rows_.size())) {  // of those before it, each has looked at this one
      for (std::size_t i = rank_[row] + 1; i < order_.size(); ++i) consider(row, order_[i]);
      return;
    }
    for (std::size_t c = 0; c < comparisons_.size(); ++c)
      if ((plan.comparisons >> c & 1) != 0) comparisons_[c].for_each(row, look_at);
  }

  void consider(std::uint32_t a, std::uint32_t b) {
    meter_.count();
    const RowPair pair{std::min(rows_[a], rows_[b]), std::max(rows_[a], rows_[b])};
    const std::optional<float> score = score_.score(pair);
    if (score && double{*score} > floor_ && is_wanted_(pair)) found_.push_back({pair, *score});
  }

  const MatchModel& model_;
  std::span<const std::uint32_t> rows_;
  double floor_;
  const std::function<bool(RowPair)>& is_wanted_;
  ComparisonMeter meter_;
  BoundedScore score_;
  std::vector<AlikeValues> comparisons_;
  std::vector<Plan> plans_;             // [row]
  std::vector<std::uint32_t> order_;    // rows by cost
  std::vector<std::uint32_t> rank_;     // [row] its place in that order
  std::vector<std::uint32_t> seen_by_;  // [row] the last one that looked at it
  std::vector<ScoredPair> found_;
};

}  // namespace

std::optional<std::vector<ScoredPair>> find_links(const MatchModel& model, std::span<const std::uint32_t> rows,
                                                  double floor, const std::function<bool(RowPair)>& is_wanted,
                                                  const Stop& stop) {
  return LinkSearch(model, rows, floor, is_wanted, stop).run();
}

}  // namespace fovea::linkage
