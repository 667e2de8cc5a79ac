// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/mixing_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace fovea::mcmc {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// rows[z][j]: the probability of stage j after a start in stage z.
Matrix identity(std::size_t k) {
  Matrix rows(k, std::vector<double>(k));
  for (std::size_t z = 0; z < k; ++z) rows[z][z] = 1;
  return rows;
}

void advance(Matrix& rows, const StageGraph& graph) {
  std::vector<double> next(graph.size());
  for (std::vector<double>& row : rows) {
    std::ranges::fill(next, 0.0);
    for (std::size_t i = 0; i < graph.size(); ++i)
      if (row[i] > 0)
        for (std::size_t j = 0; j < graph.size(); ++j) next[j] += row[i] * graph.probability(i, j);
    row = next;
  }
}

/// Calls visit(s, gamma_{a,s}) for s = a .. last; `rows` are those after a steps, and are used up.
void for_each_gamma(const StageGraph& graph, Matrix rows, std::uint64_t a, std::uint64_t last,
                    const std::function<void(std::uint64_t, double)>& visit) {
  double gamma = 0;
  for (std::uint64_t s = a; s <= last; ++s) {
    double least = 1;
    for (std::vector<double>& row : rows) least = std::min(least, std::exchange(row[0], 0));  // stage 0 is reached
    visit(s, gamma += least);
    if (s < last) advance(rows, graph);
  }
}

}  // namespace

double MixingBound::tight_gap() const {
  if (gamma >= 1) return 1;
  return -std::expm1(std::log1p(-gamma) / static_cast<double>(b));
}

MixingBound mixing_bound(const StageGraph& graph, std::uint64_t a, std::uint64_t b) {
  Matrix rows = identity(graph.size());
  for (std::uint64_t s = 0; s < a; ++s) advance(rows, graph);
  MixingBound bound{.a = a, .b = b};
  for_each_gamma(graph, std::move(rows), a, b, [&](std::uint64_t, double gamma) { bound.gamma = gamma; });
  return bound;
}

MixingBound best_mixing_bound(const StageGraph& graph, std::uint64_t horizon) {
  MixingBound best;
  Matrix rows = identity(graph.size());
  std::uint64_t time = 0;
  for (std::uint64_t a = 1; a <= horizon;
       a = std::max(a + 1, static_cast<std::uint64_t>(1.2 * static_cast<double>(a)))) {
    for (; time < a; ++time) advance(rows, graph);
    for_each_gamma(graph, rows, a, horizon, [&](std::uint64_t b, double gamma) {
      const MixingBound bound{a, b, gamma};
      if (bound.tight_gap() > best.tight_gap()) best = bound;
    });
  }
  return best;
}

MixingBound best_mixing_bound(const StageGraph& graph) {
  constexpr double kMeanTimes = 8;
  constexpr double kMost = 1e6;  // steps
  return best_mixing_bound(graph,
                           static_cast<std::uint64_t>(std::min(kMost, std::ceil(kMeanTimes / graph.stationary()[0]))));
}

}  // namespace fovea::mcmc
