// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/recalled_function.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/ep/recall/local_kriging.h"

namespace fovea::ep {
namespace {

/// Half the width of an interval that should hold a value, in standard deviations.
constexpr double kTimesDeviation = 2;
/// The length of the kernel is chosen again when the known values have grown by one in this number.
constexpr std::size_t kChoices = 5;
/// Costs are compared from this number of values on.
constexpr std::uint64_t kFirstComparison = 200;

std::vector<std::size_t> every_place(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// The points that are asked for, by unknown and known parents.
struct Asked {
  std::vector<double> known;
  Eigen::MatrixXd points;  // [unknown parent, point]
};

Asked asked_of(DrawColumns parents, std::size_t count) {
  Asked asked;
  std::vector<std::size_t> unknown;
  for (std::size_t p = 0; p < parents.size(); ++p) {
    const bool is_known = std::ranges::all_of(parents[p], [&](double x) { return x == parents[p].front(); });
    if (!is_known) unknown.push_back(p);
    asked.known.push_back(is_known ? parents[p].front() : std::numeric_limits<double>::infinity());
  }
  asked.points.resize(static_cast<Eigen::Index>(unknown.size()), static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < unknown.size(); ++i)
    for (std::size_t k = 0; k < count; ++k)
      asked.points(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = parents[unknown[i]][k];
  return asked;
}

/// The error that moves the parents by a share of one of their standard deviations. An error e moves the child by
/// e s^2 / (s^2 + v), if s^2 is its variance by its parents and v by all else, and the parents by that over s.
double allowed_error(const std::vector<LocalKriging::Value>& values, double child_variance, double share) {
  double mean = 0, variance = 0;
  const auto n = static_cast<double>(values.size());
  for (const LocalKriging::Value& value : values) mean += value.mean / n;
  for (const LocalKriging::Value& value : values) variance += (value.mean - mean) * (value.mean - mean) / n;
  return share * (variance + child_variance) / std::sqrt(variance);
}

}  // namespace

RecalledFunction::RecalledFunction(FactorFunctions factor, const FunctionRecallOptions& options, const Random& random)
    : factor_(with_single_draws(std::move(factor))),
      options_(options),
      audits_(random.child("audits")),
      limit_({.max_error = 1,
              .window = static_cast<std::size_t>(options.held_out),
              .least = static_cast<std::size_t>(options.held_out) / 5,
              .forgiven_after = static_cast<std::size_t>(options.held_out) / 2}) {
  validate(options);
  if (!factor_.sample) throw UsageError(fmt::format("factor '{}' has no function to recall", factor_.name));
}

/// Calls the function at some of the points, all at once if it can.
void RecalledFunction::call(DrawColumns parents, std::span<const std::size_t> places, Random& random,
                            std::span<double> results) const {
  std::vector<std::vector<double>> some(parents.size());
  for (std::size_t p = 0; p < parents.size(); ++p)
    for (const std::size_t k : places) some[p].push_back(parents[p][k]);
  std::vector<double> answers(places.size()), point(parents.size());
  if (factor_.sample_many) factor_.sample_many(some, random, answers);
  else
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t p = 0; p < parents.size(); ++p) point[p] = some[p][i];
      answers[i] = factor_.sample(point, random);
    }
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = answers[i];
}

double RecalledFunction::values(DrawColumns parents, double child_variance, Random& random, std::span<double> results) {
  const std::lock_guard lock(mutex_);
  if (counts_.is_off) {
    call(parents, every_place(results.size()), random, results);
    counts_.messages += results.size();
    return 0;
  }
  auto start = std::chrono::steady_clock::now();
  const auto lap = [&](double& seconds) {
    seconds += seconds_since(start);
    start = std::chrono::steady_clock::now();
  };
  const Asked asked = asked_of(parents, results.size());
  Memory& memory = memories_[asked.known];
  LocalKriging kriging(asked.points);
  const bool chooses = memory.values.size() >= memory.next_choice;
  memory.length = kriging.fit(memory.points, memory.values, chooses ? 0 : memory.length);
  if (chooses) memory.next_choice = memory.values.size() + memory.values.size() / kChoices;
  const std::vector<LocalKriging::Value> guesses = kriging.predict();
  const double allowed = allowed_error(guesses, child_variance, options_.max_error);

  std::vector<std::size_t> questions, audits;
  double largest_doubt = 0;
  const double most_doubt = std::min(1., limit_.value());
  const auto doubt_of = [&](std::size_t k) { return kTimesDeviation * guesses[k].deviation / allowed; };
  for (std::size_t k = 0; k < results.size(); ++k) {
    const bool is_trusted = doubt_of(k) < most_doubt;
    const bool is_audit = is_trusted && audits_.bernoulli(options_.audit);
    if (is_audit) audits.push_back(k);
    if (!is_trusted || is_audit) questions.push_back(k);
    results[k] = guesses[k].mean;
    if (is_trusted) largest_doubt = std::max(largest_doubt, doubt_of(k));
  }
  counts_.messages += results.size();
  counts_.recalled += results.size() - questions.size();
  lap(counts_.recall_seconds);
  call(parents, questions, random, results);
  lap(counts_.oracle_seconds);

  for (const std::size_t k : questions) {
    if (!std::isfinite(results[k])) continue;
    const double error = std::abs(results[k] - guesses[k].mean) / allowed;
    if (std::isfinite(doubt_of(k))) limit_.add({.doubt = doubt_of(k), .error = error});
    counts_.failed_audits += std::ranges::binary_search(audits, k) && !(error <= 1);
    const auto column = asked.points.col(static_cast<Eigen::Index>(k));
    memory.points.emplace_back(column.begin(), column.end());
    memory.values.push_back(results[k]);
  }
  counts_.audits += audits.size();
  lap(counts_.learning_seconds);
  turn_off_if_slower();
  const double shift = largest_doubt * options_.max_error;
  return .5 * shift * shift;
}

void RecalledFunction::turn_off_if_slower() {
  if (options_.always || counts_.messages < kFirstComparison || counts_.oracle_calls() == 0) return;
  counts_.is_off = counts_.oracle_seconds / static_cast<double>(counts_.oracle_calls()) <=
                   (counts_.recall_seconds + counts_.learning_seconds) / static_cast<double>(counts_.messages);
}

RecallCounts RecalledFunction::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace fovea::ep
