// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/belief_search.h"

#include <algorithm>
#include <iterator>

namespace fovea::graph {
namespace {

constexpr double kInverseTemperatures[] = {1, 1.5, 2, 3, 5, 8};  // of the first episodes in turn; then by chance
constexpr std::uint64_t kLengths[] = {100, 30, 10};              // in iterations: the longest first, then by chance
constexpr std::uint32_t kMostDiscouraged = 3;                    // variables
constexpr double kDiscouragement = -3;                           // log domain, before it is heated

template <class T, std::size_t n>
T choose(const T (&options)[n], Random& random) {
  return options[random.uniform_index(static_cast<std::uint32_t>(n))];
}

}  // namespace

Work BeliefSearch::run(std::uint64_t transitions, const Stop& stop) {
  const std::uint64_t visits = std::max<std::uint64_t>(graph_->variable_count(), 1);  // of one iteration
  Work spent;
  while (spent.transitions < transitions && !is_finished_ && !stop.requested()) {
    if (is_decoding_) {
      decode(stop);
      spent.transitions += visits;
      continue;
    }
    const std::uint64_t before = beliefs_.iterations();
    const std::uint64_t affordable = (transitions - spent.transitions) / visits + 1;
    Work work = beliefs_.run(std::min(affordable, next_decoding_ - before), stop);
    work.transitions = (beliefs_.iterations() - before) * visits;
    spent += work;
    if (beliefs_.is_infeasible()) is_finished_ = true;
    else is_decoding_ = beliefs_.iterations() >= next_decoding_ || beliefs_.is_converged();
  }
  return spent;
}

/// A decoding that was cut short is begun again in the next round.
void BeliefSearch::decode(const Stop& stop) {
  const mcmc::ScoredAssignment decoded = beliefs_.decode(stop);
  if (stop.requested() && !decoded.found()) return;
  if (decoded.found()) record(decoded);
  is_decoding_ = false;
  next_decoding_ = 2 * beliefs_.iterations();
  if (beliefs_.is_converged() || beliefs_.iterations() >= length_) begin_episode();
}

void BeliefSearch::record(const mcmc::ScoredAssignment& decoded) {
  if (!best_.found()) {
    best_ = decoded;
    return;
  }
  Assignment child = best_.values;
  if (crossover_.improve(child, decoded.values) == 0) return;
  const double score = graph_->log_score(child);
  if (score > best_.score) best_ = {std::move(child), score};
}

void BeliefSearch::begin_episode() {
  const bool is_drawn = ++episode_ >= std::size(kInverseTemperatures);
  const double inverse_temperature = is_drawn ? choose(kInverseTemperatures, random_) : kInverseTemperatures[episode_];
  length_ = is_drawn ? choose(kLengths, random_) : kLengths[0];
  next_decoding_ = length_;
  beliefs_.restart(inverse_temperature, is_drawn ? discourage_some(kDiscouragement * inverse_temperature)
                                                 : std::vector<BeliefPropagation::Favour>{});
}

std::vector<BeliefPropagation::Favour> BeliefSearch::discourage_some(double score) {
  std::vector<BeliefPropagation::Favour> favours;
  if (!best_.found() || graph_->variable_count() == 0) return favours;
  for (std::uint32_t i = random_.uniform_index(kMostDiscouraged) + 1; i > 0; --i) {
    const auto v = random_.uniform_index(static_cast<std::uint32_t>(graph_->variable_count()));
    favours.push_back({.variable = v, .value = best_.values[v], .score = score});
  }
  return favours;
}

}  // namespace fovea::graph
