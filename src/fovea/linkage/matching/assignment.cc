// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/assignment.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
constexpr double kFar = std::numeric_limits<double>::infinity();

/// Rows that come first in pairs are "left", the others "right". Prices u[left] + v[right] >= weight, all >= 0, prove
/// that an assignment is the best once they are equal on its pairs, and 0 for rows that stay alone.
class Assignment {
 public:
  Assignment(const std::vector<ScoredPair>& pairs, double floor) {
    tsl::robin_map<std::uint32_t, std::uint32_t> left, right;
    const auto number = [](auto& numbers, std::uint32_t row) {
      return numbers.try_emplace(row, static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::uint32_t l = number(left, pairs[i].rows.first), r = number(right, pairs[i].rows.second);
      if (l == edges_.size()) edges_.emplace_back();
      edges_[l].push_back({r, static_cast<std::uint32_t>(i), double{pairs[i].score} - floor});
    }
    for (const std::vector<Edge>& edges : edges_)
      left_price_.push_back(std::ranges::max_element(edges, {}, &Edge::weight)->weight);
    partner_.assign(edges_.size(), kNobody);
    right_price_.assign(right.size(), 0);
    owner_.assign(right.size(), kNobody);
    distance_.assign(right.size(), kFar);
    from_.assign(right.size(), kNobody);
  }

  /// [pair] whether it is chosen.
  std::vector<bool> solve(std::size_t pairs, const Stop& stop) {
    std::uint32_t next = 0;
    while (next < edges_.size() && !stop.requested()) augment(next++);
    take_best_from(next);
    std::vector<bool> chosen(pairs);
    for (std::size_t l = 0; l < edges_.size(); ++l)
      for (const Edge& edge : edges_[l])
        if (edge.right == partner_[l]) chosen[edge.pair] = true;
    return chosen;
  }

 private:
  struct Edge {
    std::uint32_t right, pair;
    double weight;
  };
  using Entry = std::pair<double, std::uint32_t>;  // distance and right row

  /// The cheapest way to change the assignment so that `start` has its due: it ends at a right row that is free, or at
  /// a left row, which then stays alone.
  void augment(std::uint32_t start) {
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
    reached_.clear();
    settled_ = {{start, 0.}};
    end_ = {.left = start, .distance = left_price_[start]};
    reach_from(start, 0, heap);
    while (!heap.empty()) {
      const auto [distance, r] = heap.top();
      heap.pop();
      if (distance >= end_.distance) break;
      if (distance > distance_[r]) continue;  // it was reached by a shorter way since
      if (owner_[r] == kNobody) {
        end_ = {.right = r, .distance = distance};
        break;
      }
      const std::uint32_t l = owner_[r];
      settled_.push_back({l, distance});
      if (distance + left_price_[l] < end_.distance) end_ = {.left = l, .distance = distance + left_price_[l]};
      reach_from(l, distance, heap);
    }
    change_prices();
    take_path(start);
    for (const std::uint32_t r : reached_) distance_[r] = kFar;
  }

  template <class Heap>
  void reach_from(std::uint32_t l, double distance, Heap& heap) {
    for (const Edge& edge : edges_[l]) {
      if (edge.right == partner_[l]) continue;
      const double next = distance + std::max(0., left_price_[l] + right_price_[edge.right] - edge.weight);
      if (next >= distance_[edge.right] || next >= end_.distance) continue;
      if (distance_[edge.right] == kFar) reached_.push_back(edge.right);
      distance_[edge.right] = next;
      from_[edge.right] = l;
      heap.push({next, edge.right});
    }
  }

  void change_prices() {
    for (const auto& [l, distance] : settled_)
      if (distance < end_.distance) left_price_[l] -= end_.distance - distance;
    for (const std::uint32_t r : reached_)
      if (distance_[r] < end_.distance) right_price_[r] += end_.distance - distance_[r];
  }

  void take_path(std::uint32_t start) {
    std::uint32_t r = end_.right;
    if (r == kNobody) {  // the left row at the end gives up its partner
      if (end_.left == start) return;
      r = std::exchange(partner_[end_.left], kNobody);
    }
    for (;;) {
      const std::uint32_t l = from_[r];
      owner_[r] = l;
      const std::uint32_t given_up = std::exchange(partner_[l], r);
      if (l == start) return;
      r = given_up;
    }
  }

  /// Pairs the left rows from `first` on with right rows that are free, the best pairs first.
  void take_best_from(std::uint32_t first) {
    std::vector<std::pair<std::uint32_t, const Edge*>> pairs;
    for (std::uint32_t l = first; l < edges_.size(); ++l)
      for (const Edge& edge : edges_[l]) pairs.emplace_back(l, &edge);
    std::ranges::stable_sort(pairs, std::greater<>(), [](const auto& pair) { return pair.second->weight; });
    for (const auto& [l, edge] : pairs) {
      if (partner_[l] != kNobody || owner_[edge->right] != kNobody) continue;
      partner_[l] = edge->right;
      owner_[edge->right] = l;
    }
  }

  std::vector<std::vector<Edge>> edges_;  // [left]
  std::vector<double> left_price_, right_price_;
  std::vector<std::uint32_t> partner_, owner_;  // [left], [right]
  std::vector<double> distance_;                // [right], of the search at hand; kFar where it was not reached
  std::vector<std::uint32_t> from_, reached_;   // [right] the left row before; the right rows that were reached
  std::vector<std::pair<std::uint32_t, double>> settled_;  // left rows with their distances
  struct End {
    std::uint32_t left = kNobody, right = kNobody;
    double distance = 0;
  } end_;
};

}  // namespace

std::vector<ScoredPair> best_assignment(std::vector<ScoredPair> pairs, double floor, const Stop& stop) {
  std::erase_if(pairs, [&](const ScoredPair& pair) { return double{pair.score} <= floor; });
  if (pairs.empty()) return pairs;
  const std::vector<bool> chosen = Assignment(pairs, floor).solve(pairs.size(), stop);
  std::size_t next = 0;
  std::erase_if(pairs, [&](const ScoredPair&) { return !chosen[next++]; });
  return pairs;
}

}  // namespace fovea::linkage
