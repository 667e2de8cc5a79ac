// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/averaged_gps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::gp {
namespace {

constexpr int kMostIterations = 1000;
constexpr double kSettled = 1e-6;  // change of a weight
constexpr double kLeastProbability = 1e-6;
constexpr double kSumRounding = 1e-6;
constexpr const char* kWeights = "average";

/// The first member's sections are those of a process alone.
std::string member_prefix(std::string_view prefix, std::size_t member) {
  return member == 0 ? std::string(prefix) : fmt::format("{}{}.", prefix, member);
}

/// [item][predictor], of the items at which all are numbers.
std::vector<std::vector<double>> complete_items(std::span<const std::vector<double>> probabilities) {
  std::vector<std::vector<double>> rows;
  for (std::size_t item = 0; item < probabilities[0].size(); ++item) {
    std::vector<double> row;
    for (const std::vector<double>& predictor : probabilities)
      if (!std::isnan(predictor[item])) row.push_back(std::max(predictor[item], kLeastProbability));
    if (row.size() == probabilities.size()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<double> stacking_weights(std::span<const std::vector<double>> probabilities) {
  const std::size_t count = probabilities.size();
  std::vector<double> weights(count, 1 / static_cast<double>(count));
  const std::vector<std::vector<double>> rows = complete_items(probabilities);
  double change = rows.empty() ? 0 : 1;
  for (int iteration = 0; iteration < kMostIterations && change > kSettled; ++iteration) {
    std::vector<double> next(count);
    for (const std::vector<double>& row : rows) {
      double mixture = 0;
      for (std::size_t k = 0; k < count; ++k) mixture += weights[k] * row[k];
      for (std::size_t k = 0; k < count; ++k)
        next[k] += weights[k] * row[k] / mixture / static_cast<double>(rows.size());
    }
    change = 0;
    for (std::size_t k = 0; k < count; ++k) change = std::max(change, std::abs(next[k] - weights[k]));
    weights = std::move(next);
  }
  return weights;
}

AveragedGps::AveragedGps(StructuredGp process) { members_.push_back({std::move(process), 1}); }

StructuredGp AveragedGps::release_only() {
  if (members_.size() != 1)
    throw UsageError(fmt::format("an average of {} processes: only a single one can be taken", members_.size()));
  return std::move(members_[0].process);
}

Prediction AveragedGps::predict(const Sequences& sequences, int draws, int threads) const {
  Prediction sum = members_[0].process.predict(sequences, draws, threads);
  if (members_.size() == 1) return sum;
  for (double& marginal : sum.marginals) marginal *= members_[0].weight;
  for (std::size_t k = 1; k < members_.size(); ++k) {
    const Prediction prediction = members_[k].process.predict(sequences, draws, threads);
    for (std::size_t i = 0; i < sum.marginals.size(); ++i)
      sum.marginals[i] += members_[k].weight * prediction.marginals[i];
  }
  return sum;
}

LatentMoments AveragedGps::latent_moments(const Sequences& sequences, Labels labels, int threads) const {
  LatentMoments mixture = {.means = std::vector<double>(labels.size()),
                           .variances = std::vector<double>(labels.size())};
  for (const Member& member : members_) {
    const LatentMoments moments = member.process.latent_moments(sequences, labels, threads);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      mixture.means[i] += member.weight * moments.means[i];
      mixture.variances[i] += member.weight * (moments.variances[i] + moments.means[i] * moments.means[i]);
    }
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    mixture.variances[i] = std::max(0.0, mixture.variances[i] - mixture.means[i] * mixture.means[i]);
  return mixture;
}

void AveragedGps::save(ContainerWriter& writer, std::string_view prefix) const {
  std::vector<double> weights;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    members_[k].process.save(writer, member_prefix(prefix, k));
    weights.push_back(members_[k].weight);
  }
  if (members_.size() > 1) writer.add_array(fmt::format("{}{}", prefix, kWeights), std::span<const double>(weights));
}

AveragedGps AveragedGps::load(const Container& container, std::string_view prefix,
                              std::shared_ptr<const Likelihood> likelihood) {
  const std::string section = fmt::format("{}{}", prefix, kWeights);
  std::vector<double> weights = {1};
  if (container.has(section)) {
    const auto stored = container.array<double>(section);
    weights.assign(stored.begin(), stored.end());
    double rest = 1;
    for (const double weight : weights) rest -= weight > 0 ? weight : NAN;
    if (!(std::abs(rest) <= kSumRounding)) container.refuse(section, "positive, of sum 1");
  }
  std::vector<Member> members;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    members.push_back({StructuredGp::load(container, member_prefix(prefix, k), likelihood), weights[k]});
    if (members[k].process.label_count() != members[0].process.label_count())
      container.refuse(section, "of processes with as many labels as each other");
  }
  return AveragedGps(std::move(members));
}

}  // namespace fovea::gp
