// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace fovea::testing {

/// Lets a test sum over all that an algorithm may do and compare exactly: it stands in for fovea::Random and replays
/// every sequence of random decisions with its probability.
class EnumeratingRandom {
 public:
  bool bernoulli(double p) { return choose({1 - p, p}) == 1; }
  bool bernoulli_log(double log_p) { return bernoulli(std::exp(log_p)); }

  std::uint32_t uniform_index(std::uint32_t n) { return choose(std::vector<double>(n, 1.0 / n)); }

  template <class Weight>
  std::uint32_t categorical(std::span<const Weight> weights) {
    double total = 0;
    for (Weight w : weights) total += static_cast<double>(w);
    std::vector<double> p;
    for (Weight w : weights) p.push_back(static_cast<double>(w) / total);
    return choose(p);
  }

  /// Exponential draws are known only by the cell, between two neighbouring cuts (rising, > 0), that they fall into.
  /// The enumeration is exact for algorithms that ask only on which side of each cut a draw lies.
  void set_exponential_cuts(std::vector<double> cuts) { cuts_ = std::move(cuts); }

  /// Returns a point inside one of the cells that set_exponential_cuts defines.
  double exponential() {
    std::vector<double> p;
    for (std::size_t i = 0; i <= cuts_.size(); ++i)
      p.push_back(std::exp(-(i == 0 ? 0 : cuts_[i - 1])) - (i == cuts_.size() ? 0 : std::exp(-cuts_[i])));
    const std::uint32_t cell = choose(p);
    const double begin = cell == 0 ? 0 : cuts_[cell - 1];
    return cell == cuts_.size() ? begin + 1 : (begin + cuts_[cell]) / 2;
  }

  /// Leaves out values so far out that their probability is below 1e-16.
  std::uint64_t poisson(double mean) {
    std::vector<double> p;
    double rest = 1;
    for (double next = std::exp(-mean); rest > 1e-16; next *= mean / static_cast<double>(p.size())) {
      p.push_back(next);
      rest -= next;
      if (static_cast<double>(p.size()) > mean && next < 1e-16) break;
    }
    return choose(p);
  }

  /// Calls body(random) once for every path of decisions with positive probability, then visit(probability).
  void enumerate(const std::function<void(EnumeratingRandom&)>& body, const std::function<void(double)>& visit) {
    path_.clear();
    do {
      depth_ = 0;
      probability_ = 1;
      body(*this);
      visit(probability_);
    } while (advance());
  }

 private:
  struct Decision {
    std::vector<double> probabilities;
    std::uint32_t taken;
  };

  std::uint32_t choose(std::vector<double> probabilities) {
    if (depth_ == path_.size()) {
      path_.push_back({std::move(probabilities), 0});
      if (path_[depth_].probabilities[0] <= 0) path_[depth_].taken = next_possible(path_[depth_], 0);
    }
    const Decision& decision = path_[depth_++];
    probability_ *= decision.probabilities[decision.taken];
    return decision.taken;
  }

  static std::uint32_t next_possible(const Decision& d, std::uint32_t k) {
    do ++k;
    while (k < d.probabilities.size() && d.probabilities[k] <= 0);
    return k;
  }

  bool advance() {
    path_.resize(depth_);
    while (!path_.empty()) {
      Decision& last = path_.back();
      last.taken = next_possible(last, last.taken);
      if (last.taken < last.probabilities.size()) return true;
      path_.pop_back();
    }
    return false;
  }

  std::vector<double> cuts_;
  std::vector<Decision> path_;
  std::size_t depth_ = 0;
  double probability_ = 1;
};

/// max_y |(p A)(y) - p(y)| for the law p, where one step of A takes y to step(y, random).
template <class State, class Step>
double invariance_gap(const std::map<State, double>& law, const Step& step) {
  std::map<State, double> excess;
  for (const auto& [start, p] : law) {
    State y;
    EnumeratingRandom random;
    random.enumerate([&, &begin = start](EnumeratingRandom& r) { y = step(begin, r); },
                     [&, weight = p](double q) { excess[y] += weight * q; });
  }
  for (const auto& [y, p] : law) excess[y] -= p;
  double gap = 0;
  for (const auto& [y, difference] : excess) gap = std::max(gap, std::abs(difference));
  return gap;
}

}  // namespace fovea::testing
