// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/ep/recall/just_in_time.h"

namespace fovea::bench {

using namespace ep;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using Values = std::span<const double>;

/// Compares what was recalled with the truth; its own time is told apart.
class Checked : public MessageSource {
 public:
  Checked(MessageSource& source, const Operator& truth) : source_(source), truth_(truth) {}

  const Operator& factor() const override { return source_.factor(); }
  void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
               std::span<Tilted> results) override {
    source_.compute(slot, first, incoming, results);
    const auto start = Clock::now();
    const std::size_t slots = factor().slot_count();
    Random unused;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].is_recalled) continue;
      const Tilted exact = truth_.tilted(slot, incoming.subspan(i * slots, slots), unused);
      errors.push_back(divergence(results[i].marginal, exact.marginal));
      doubts.push_back(results[i].expected_error);
      if (errors.back() >= worst.error)
        worst = {.error = errors.back(),
                 .incoming = incoming[i * slots + slot],
                 .exact = exact.marginal,
                 .recalled = results[i].marginal};
    }
    seconds += seconds_since(start);
  }

  struct Worst {
    double error = 0;
    Message incoming = {}, exact = {}, recalled = {};
  };
  std::vector<double> errors, doubts;  // of recalled messages: marginal KL, and the error that they expect
  Worst worst;
  double seconds = 0;

 private:
  MessageSource& source_;
  const Operator& truth_;
};

inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

inline Json summary_of(const std::vector<double>& errors, double limit) {
  const auto wrong = std::ranges::count_if(errors, [&](double error) { return !(error <= limit); });
  return {{"recalled", errors.size()},
          {"wrong", wrong},
          {"median", quantile(errors, .5)},
          {"p99", quantile(errors, .99)},
          {"worst", quantile(errors, 1)}};
}

/// [doubt, error] of every 25th recalled message.
inline Json cases_of(const Checked& checked) {
  constexpr std::size_t kEach = 25;
  Json cases = Json::array();
  for (std::size_t i = 0; i < checked.errors.size(); i += kEach)
    cases.push_back({checked.doubts[i], checked.errors[i]});
  return cases;
}

/// Means and variances.
inline Json worst_of(const Checked& checked) {
  const auto moments = [](const Message& message) {
    const Gaussian& gaussian = std::get<Gaussian>(message);
    return Json{gaussian.mean(), gaussian.variance()};
  };
  return {{"error", checked.worst.error},
          {"incoming", moments(checked.worst.incoming)},
          {"exact", moments(checked.worst.exact)},
          {"recalled", moments(checked.worst.recalled)}};
}

/// From words like max=1e-4, alone, by_message, random_features.
inline JustInTimeOptions recalling(int count, char** words, int first) {
  JustInTimeOptions how;
  for (int i = first; i < count; ++i) {
    const std::string word = words[i];
    if (word.starts_with("max=")) how.max_marginal_kl = std::stod(word.substr(4));
    how.alone = how.alone || word == "alone";
    how.by_message = how.by_message || word == "by_message";
    how.random_features = how.random_features || word == "random_features";
  }
  return how;
}

}  // namespace fovea::bench
