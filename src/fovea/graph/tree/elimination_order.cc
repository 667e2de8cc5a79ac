// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <queue>
#include <tuple>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

using Neighbours = std::vector<VariableId>;  // ascending

/// Calls visit(v) for every variable in both, in O(size of the smaller * log) if the sizes differ much.
template <class Visit>
void for_each_common(const Neighbours& a, const Neighbours& b, const Visit& visit) {
  const Neighbours& few = a.size() < b.size() ? a : b;
  const Neighbours& many = a.size() < b.size() ? b : a;
  if (few.size() * 16 < many.size()) {
    for (const VariableId v : few)
      if (std::binary_search(many.begin(), many.end(), v)) visit(v);
    return;
  }
  for (std::size_t i = 0, j = 0; i < few.size() && j < many.size();) {
    if (few[i] == many[j]) visit(few[i]), ++i, ++j;
    else if (few[i] < many[j]) ++i;
    else ++j;
  }
}

void erase_sorted(Neighbours& set, VariableId v) { set.erase(std::lower_bound(set.begin(), set.end(), v)); }
void insert_sorted(Neighbours& set, VariableId v) { set.insert(std::lower_bound(set.begin(), set.end(), v), v); }

/// One greedy try. The neighbours of the variables that are left are kept as sorted lists, the number of pairs of
/// neighbours that are not joined (fill) is updated edge by edge, and a heap holds one valid entry and some outdated
/// ones per variable.
class GreedyElimination {
 public:
  GreedyElimination(const FactorGraph& graph, const EliminationOptions& options, EliminationRule rule, Random random,
                    double max_work, const Stop& stop)
      : options_(options),
        rule_(rule),
        random_(std::move(random)),
        max_work_(max_work),
        stop_(stop),
        neighbours_(graph.variable_count()),
        fill_(graph.variable_count(), 0),
        log2_cardinality_(graph.variable_count()),
        stamps_(graph.variable_count(), 0),
        is_touched_(graph.variable_count(), 0),
        height_(graph.variable_count(), 1) {
    for (VariableId v = 0; v < graph.variable_count(); ++v) {
      log2_cardinality_[v] = std::log2(static_cast<double>(graph.cardinality(v)));
      if (is_skipped(v)) continue;
      for (const VariableId u : graph.markov_blanket(v))
        if (!is_skipped(u)) neighbours_[v].push_back(u);
    }
  }

  /// Returns false if stopped, out of work, or given up because a table or all together would be too large.
  bool run(double max_total_entries) {
    result_ = {.order = {}, .log2_width = 0, .total_entries = 0, .depth = 0};
    for (VariableId v = 0; v < neighbours_.size(); ++v) {
      if (is_skipped(v)) continue;
      if (rule_ == EliminationRule::kMinFill) count_fill(v);
      push(v);
      if (!may_go_on()) return false;
    }
    while (!heap_.empty()) {
      const Candidate next = heap_.top();
      heap_.pop();
      if (next.stamp != stamps_[next.variable]) continue;
      ++stamps_[next.variable];
      account(next.variable);
      if (result_.log2_width > options_.max_log2_width) return false;
      if (std::isfinite(max_total_entries) && result_.total_entries >= max_total_entries) return false;
      if (!eliminate(next.variable)) return false;
    }
    return true;
  }

  EliminationOrder& result() { return result_; }
  double work() const { return work_before_ + static_cast<double>(work_); }
  bool is_out_of_work() const { return work() >= max_work_; }

 private:
  struct Candidate {
    bool is_last = false;
    double cost = 0;
    std::uint32_t tie = 0;
    VariableId variable = 0;
    std::uint32_t stamp = 0;

    friend bool operator<(const Candidate& a, const Candidate& b) {  // the heap's top is the cheapest
      return std::tie(b.is_last, b.cost, b.tie, b.variable) < std::tie(a.is_last, a.cost, a.tie, a.variable);
    }
  };

  bool is_skipped(VariableId v) const { return !options_.skipped.empty() && options_.skipped[v]; }

  double log2_entries(VariableId v) const {
    double sum = log2_cardinality_[v];
    for (const VariableId u : neighbours_[v]) sum += log2_cardinality_[u];
    return sum;
  }

  void count_fill(VariableId v) {
    const auto degree = static_cast<std::int64_t>(neighbours_[v].size());
    std::int64_t joined = 0;
    for (const VariableId u : neighbours_[v]) {
      for_each_common(neighbours_[v], neighbours_[u], [&](VariableId) { ++joined; });
      work_ += neighbours_[v].size();
    }
    fill_[v] = (degree * (degree - 1) - joined) / 2;
  }

  double cost(VariableId v) const {
    switch (rule_) {
      case EliminationRule::kMinFill:
        return static_cast<double>(fill_[v]);
      case EliminationRule::kMinWeight:
        return log2_entries(v);
      case EliminationRule::kMinDegree:
        return static_cast<double>(neighbours_[v].size());
    }
    FOVEA_CHECK(false);
    return 0;
  }

  void push(VariableId v) {
    heap_.push({.is_last = !options_.last.empty() && options_.last[v] != 0,
                .cost = cost(v),
                .tie = random_.uniform_index(std::numeric_limits<std::uint32_t>::max()),
                .variable = v,
                .stamp = ++stamps_[v]});
  }

  void touch(VariableId v) {
    if (!std::exchange(is_touched_[v], 1)) touched_.push_back(v);
  }

  void account(VariableId v) {
    const double width = log2_entries(v);
    result_.order.push_back(v);
    result_.log2_width = std::max(result_.log2_width, width);
    result_.total_entries += std::exp2(width);
    result_.depth = std::max(result_.depth, height_[v]);
    for (const VariableId u : neighbours_[v]) height_[u] = std::max(height_[u], height_[v] + 1);
  }

  bool eliminate(VariableId v) {
    const Neighbours clique = std::exchange(neighbours_[v], {});
    const bool is_filled = rule_ == EliminationRule::kMinFill ? join_counting_fill(v, clique) : join(v, clique);
    for (const VariableId u : touched_) {
      is_touched_[u] = 0;
      push(u);
    }
    touched_.clear();
    return is_filled;
  }

  bool join(VariableId v, const Neighbours& clique) {
    Neighbours merged;
    for (const VariableId u : clique) {
      merged.clear();
      std::set_union(neighbours_[u].begin(), neighbours_[u].end(), clique.begin(), clique.end(),
                     std::back_inserter(merged));
      erase_sorted(merged, u);
      erase_sorted(merged, v);
      neighbours_[u].assign(merged.begin(), merged.end());
      touch(u);
      work_ += merged.size();
      if (!may_go_on()) return false;
    }
    return true;
  }

  bool join_counting_fill(VariableId v, const Neighbours& clique) {
    for (const VariableId u : clique) {  // pairs of v and another neighbour of u that was not v's
      erase_sorted(neighbours_[u], v);
      auto alone = static_cast<std::int64_t>(neighbours_[u].size());
      for_each_common(neighbours_[u], clique, [&](VariableId) { --alone; });
      fill_[u] -= alone;
      touch(u);
    }
    Neighbours missing;
    for (auto at = clique.begin(); at != clique.end(); ++at) {
      missing.clear();
      std::set_difference(at + 1, clique.end(), neighbours_[*at].begin(), neighbours_[*at].end(),
                          std::back_inserter(missing));
      for (const VariableId other : missing) add_edge(*at, other);
      work_ += clique.size();
      if (!may_go_on()) return false;
    }
    return true;
  }

  void add_edge(VariableId a, VariableId b) {
    std::int64_t common = 0;
    for_each_common(neighbours_[a], neighbours_[b], [&](VariableId u) {
      ++common;
      --fill_[u];
      touch(u);
    });
    fill_[a] += static_cast<std::int64_t>(neighbours_[a].size()) - common;
    fill_[b] += static_cast<std::int64_t>(neighbours_[b].size()) - common;
    work_ += neighbours_[a].size() + neighbours_[b].size();
    insert_sorted(neighbours_[a], b);
    insert_sorted(neighbours_[b], a);
  }

  bool may_go_on() {
    constexpr std::size_t kWorkPerLook = 100000;  // some tenths of a millisecond
    if (++work_ < kWorkPerLook) return true;
    work_before_ += static_cast<double>(std::exchange(work_, 0));
    return !is_out_of_work() && !stop_.requested();
  }

  const EliminationOptions& options_;
  EliminationRule rule_;
  Random random_;
  double max_work_;
  Stop stop_;
  std::vector<Neighbours> neighbours_;
  std::vector<std::int64_t> fill_;
  std::vector<double> log2_cardinality_;
  std::vector<std::uint32_t> stamps_;
  std::vector<char> is_touched_;
  Neighbours touched_;
  std::vector<std::size_t> height_;  // of the elimination tree below a variable
  std::priority_queue<Candidate> heap_;
  std::size_t work_ = 0;  // since the last look at the limits
  double work_before_ = 0;
  EliminationOrder result_;
};

}  // namespace

EliminationOrder find_elimination_order(const FactorGraph& graph, const EliminationOptions& options, Random random,
                                        const Stop& stop) {
  constexpr std::size_t kTriesForHope = 6;
  FOVEA_CHECK(options.tries > 0 && !options.rules.empty());
  EliminationOrder best;
  double work_left = options.max_work;
  for (std::size_t t = 0; t < static_cast<std::size_t>(options.tries); ++t) {
    GreedyElimination attempt(graph, options, options.rules[t % options.rules.size()], random.child("order", t),
                              work_left, stop);
    const bool is_whole = attempt.run(best.total_entries);
    work_left -= attempt.work();
    if (is_whole) best = std::move(attempt.result());
    else if (t == 0 && (work_left <= 0 || stop.requested()))
      throw LimitError("no time was left to find an elimination order");
    if (work_left <= 0 || stop.requested()) break;
    if (t + 1 == kTriesForHope && best.log2_width > options.hopeless_log2_width) break;
  }
  return best;
}

}  // namespace fovea::graph
