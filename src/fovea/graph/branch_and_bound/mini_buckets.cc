// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/mini_buckets.h"

#include <algorithm>
#include <limits>

#include "fovea/base/log_math.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kTableBlocksPerLook = 32;  // at the clock
constexpr std::size_t kBucketsPerLook = 64;

/// Number of entries of a table over these variables; limit + 1 if there are more than `limit`.
std::size_t entry_count(std::span<const VariableId> scope, std::span<const std::uint32_t> cardinalities,
                        std::size_t limit) {
  std::size_t entries = 1;
  for (const VariableId v : scope)
    if ((entries *= cardinalities[v]) > limit) return limit + 1;
  return entries;
}

std::vector<VariableId> union_of(std::span<const VariableId> a, std::span<const VariableId> b) {  // sorted
  std::vector<VariableId> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

std::vector<VariableId> sorted_without(std::span<const VariableId> scope, VariableId v) {
  std::vector<VariableId> others;
  for (const VariableId other : scope)
    if (other != v) others.push_back(other);
  std::ranges::sort(others);
  return others;
}

}  // namespace

bool max_marginal(std::span<const ScopedTable* const> functions, std::span<const VariableId> scope,
                  std::span<const VariableId> onto, std::span<const std::uint32_t> cardinalities,
                  std::vector<double>& marginal, const Stop& stop) {
  std::vector<VariableId> reordered;
  for (const VariableId v : scope)
    if (std::ranges::find(onto, v) == onto.end()) reordered.push_back(v);
  reordered.insert(reordered.end(), onto.begin(), onto.end());
  std::size_t entries = 1;
  for (const VariableId v : onto) entries *= cardinalities[v];
  marginal.assign(entries, kImpossible);
  TableSum sum(reordered, cardinalities, onto.size());
  for (const ScopedTable* const function : functions) sum.add(function->scope, function->entries);
  std::size_t blocks = 0;
  bool is_complete = true;
  sum.for_each_block([&](std::size_t, std::span<const double> sums) {
    for (std::size_t row = 0; row < sums.size(); row += entries)
      for (std::size_t i = 0; i < entries; ++i) marginal[i] = std::max(marginal[i], sums[row + i]);
    return is_complete = ++blocks % kTableBlocksPerLook != 0 || !stop.requested();
  });
  return is_complete;
}

void gains_to_mean(std::vector<std::vector<double>>& marginals) {
  const auto count = static_cast<double>(marginals.size());
  for (std::size_t i = 0; i < marginals.front().size(); ++i) {
    double mean = 0;
    for (const std::vector<double>& marginal : marginals) mean += marginal[i] / count;
    for (std::vector<double>& marginal : marginals) marginal[i] = mean == kImpossible ? mean : mean - marginal[i];
  }
}

MiniBuckets::MiniBuckets(const PseudoTree& tree, const std::vector<ScopedTable>& factors, std::size_t max_entries)
    : tree_(&tree), factors_(&factors), max_entries_(max_entries) {}

bool MiniBuckets::plan(const Stop& stop) {
  if (is_planned_) return true;
  std::size_t largest = 1;
  for (; largest < max_entries_ && partition_all(2 * largest, max_entries_, stop); largest *= 2)
    if (is_exact_) return is_planned_ = true;
  return is_planned_ = partition_all(largest, std::numeric_limits<std::size_t>::max(), stop);
}

const ScopedTable& MiniBuckets::function(std::size_t index) const {
  return index < factors_->size() ? (*factors_)[index] : messages_[index - factors_->size()].table;
}

bool MiniBuckets::partition_all(std::size_t max_message_entries, std::size_t max_entries, const Stop& stop) {
  members_.clear();
  messages_.clear();
  buckets_.clear();
  planned_entries_ = 0;
  is_exact_ = true;
  std::vector<std::vector<std::size_t>> functions(tree_->root() + std::size_t{1});
  for (std::size_t f = 0; f < factors_->size(); ++f) functions[tree_->lowest((*factors_)[f].scope)].push_back(f);
  const auto top_down = tree_->top_down();
  for (std::size_t i = top_down.size(); i-- > 0;) {
    const VariableId v = top_down[i];
    const std::size_t begin = messages_.size();
    partition(v, std::move(functions[v]), max_message_entries);
    buckets_.push_back({.variable = v, .begin = begin, .end = messages_.size()});
    is_exact_ &= messages_.size() - begin <= 1;
    if (planned_entries_ > max_entries || (i % kBucketsPerLook == 0 && stop.requested())) return false;
    for (std::size_t m = begin; m < messages_.size(); ++m) functions[messages_[m].to].push_back(factors_->size() + m);
  }
  return true;
}

void MiniBuckets::partition(VariableId v, std::vector<std::size_t> functions, std::size_t max_message_entries) {
  const std::size_t begin = messages_.size();
  std::ranges::stable_sort(functions, std::greater{}, [&](std::size_t f) { return function(f).scope.size(); });
  for (const std::size_t f : functions) {
    const std::vector<VariableId> scope = sorted_without(function(f).scope, v);
    std::size_t home = begin;
    for (; home < messages_.size(); ++home) {
      std::vector<VariableId>& common = messages_[home].table.scope;
      std::vector<VariableId> joint = union_of(common, scope);
      if (joint.size() > common.size() &&
          entry_count(joint, tree_->cardinalities(), max_message_entries) > max_message_entries)
        continue;
      common = std::move(joint);
      break;
    }
    if (home == messages_.size()) {
      messages_.push_back({.from = v, .table = {.scope = scope}});
      members_.emplace_back();
    }
    members_[home].push_back(f);
  }
  for (std::size_t m = begin; m < messages_.size(); ++m) {
    messages_[m].to = tree_->lowest(messages_[m].table.scope);
    planned_entries_ += entry_count(messages_[m].table.scope, tree_->cardinalities(), std::size_t{1} << 40);
  }
}

bool MiniBuckets::advance(const Stop& stop) {
  if (!plan(stop)) return false;
  for (; next_ < buckets_.size(); ++next_)
    if (stop.requested() || !send_messages(buckets_[next_], stop)) return false;
  return true;
}

std::vector<VariableId> MiniBuckets::shared_scope(const Bucket& bucket) const {
  std::vector<VariableId> shared = messages_[bucket.begin].table.scope;
  for (std::size_t m = bucket.begin + 1; m < bucket.end; ++m) {
    std::vector<VariableId> both;
    std::ranges::set_intersection(shared, messages_[m].table.scope, std::back_inserter(both));
    shared = std::move(both);
  }
  shared.push_back(bucket.variable);
  return shared;
}

std::vector<const ScopedTable*> MiniBuckets::functions_of(std::size_t message) const {
  std::vector<const ScopedTable*> functions;
  for (const std::size_t f : members_[message]) functions.push_back(&function(f));
  return functions;
}

bool MiniBuckets::send_messages(const Bucket& bucket, const Stop& stop) {
  ScopedTable gain;
  std::vector<std::vector<double>> gains(bucket.end - bucket.begin);
  if (gains.size() > 1) {
    gain.scope = shared_scope(bucket);
    for (std::size_t m = bucket.begin; m < bucket.end; ++m) {
      std::vector<VariableId> scope = messages_[m].table.scope;
      scope.push_back(bucket.variable);
      if (!max_marginal(functions_of(m), scope, gain.scope, tree_->cardinalities(), gains[m - bucket.begin], stop))
        return false;
    }
    gains_to_mean(gains);
  }
  for (std::size_t m = bucket.begin; m < bucket.end; ++m) {
    gain.entries = std::move(gains[m - bucket.begin]);
    if (!maximize(m, gain, stop)) return false;
  }
  return true;
}

bool MiniBuckets::maximize(std::size_t message, const ScopedTable& gain, const Stop& stop) {
  Message& result = messages_[message];
  std::vector<VariableId> scope = result.table.scope;
  scope.push_back(result.from);
  TableSum sum(scope, tree_->cardinalities());
  for (const ScopedTable* const function : functions_of(message)) sum.add(function->scope, function->entries);
  if (!gain.entries.empty()) sum.add(gain.scope, gain.entries);
  const std::size_t values = tree_->cardinalities()[result.from];
  std::vector<double>& entries = result.table.entries;
  entries.clear();
  entries.reserve(sum.entry_count() / values);
  std::size_t blocks = 0;
  bool is_complete = true;
  sum.for_each_block([&](std::size_t, std::span<const double> sums) {
    for (std::size_t i = 0; i < sums.size(); i += values) {
      double highest = sums[i];
      for (std::size_t k = 1; k < values; ++k) highest = std::max(highest, sums[i + k]);
      entries.push_back(highest);
    }
    return is_complete = ++blocks % kTableBlocksPerLook != 0 || !stop.requested();
  });
  return is_complete;
}

}  // namespace fovea::graph
