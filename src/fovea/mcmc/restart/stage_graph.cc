// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/stage_graph.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::mcmc {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Stages from which stage 0 can be reached.
std::vector<bool> reaching_restart(const Matrix& transitions) {
  std::vector<bool> reaches(transitions.size());
  std::vector<std::size_t> found = {0};
  reaches[0] = true;
  while (!found.empty()) {
    const std::size_t to = found.back();
    found.pop_back();
    for (std::size_t from = 0; from < transitions.size(); ++from)
      if (transitions[from][to] > 0 && !reaches[from]) {
        reaches[from] = true;
        found.push_back(from);
      }
  }
  return reaches;
}

/// Solves pi C = pi by elimination of states (Grassmann, Taksar and Heyman 1985), which needs no subtraction. Stage 0
/// can be reached from everywhere, so it is eliminated last and no pivot is 0.
std::vector<double> stationary_law(Matrix c) {
  const std::size_t k = c.size();
  std::vector<double> leaving(k);
  for (std::size_t n = k; n-- > 1;) {
    leaving[n] = std::accumulate(c[n].begin(), c[n].begin() + static_cast<std::ptrdiff_t>(n), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) c[i][j] += c[i][n] * c[n][j] / leaving[n];
  }
  std::vector<double> law(k);
  law[0] = 1;
  for (std::size_t n = 1; n < k; ++n) {
    for (std::size_t i = 0; i < n; ++i) law[n] += law[i] * c[i][n];
    law[n] /= leaving[n];
  }
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& share : law) share /= total;
  return law;
}

}  // namespace

StageGraph::StageGraph(Matrix transitions) : transitions_(std::move(transitions)) {
  check();
  stationary_ = stationary_law(transitions_);
}

void StageGraph::check() const {
  constexpr double kRounding = 1e-9;
  if (transitions_.empty()) throw UsageError("a stage graph needs at least the stage that restarts");
  for (std::size_t i = 0; i < size(); ++i) {
    if (transitions_[i].size() != size())
      throw UsageError(
          fmt::format("stage {} has {} transitions; there are {} stages", i, transitions_[i].size(), size()));
    double sum = 0;
    for (const double p : transitions_[i]) {
      if (!(p >= 0 && p <= 1)) throw UsageError(fmt::format("stage {}: {} is not a probability", i, p));
      sum += p;
    }
    if (!(std::abs(sum - 1) <= kRounding))
      throw UsageError(fmt::format("stage {}: probabilities sum to {}, not to 1", i, sum));
  }
  const std::vector<bool> reaches = reaching_restart(transitions_);
  for (std::size_t i = 0; i < size(); ++i)
    if (!reaches[i])
      throw UsageError(fmt::format(
          "stage {} never reaches stage 0, which restarts: such a chain may never mix. Give it a way back", i));
}

StageGraph StageGraph::cycle(std::span<const double> leave) {
  const std::size_t k = leave.size();
  Matrix transitions(k, std::vector<double>(k));
  for (std::size_t i = 0; i < k; ++i) {
    transitions[i][i] = 1 - leave[i];
    transitions[i][(i + 1) % k] += leave[i];
  }
  return StageGraph(std::move(transitions));
}

StageGraph StageGraph::restarts(double epsilon) { return StageGraph({{epsilon, 1 - epsilon}, {epsilon, 1 - epsilon}}); }

}  // namespace fovea::mcmc
