// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/margin_dual.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/sequence/learn/crf_features.h"

namespace fovea::sequence {
namespace {

constexpr std::size_t kSequenceGrain = 64;

std::vector<std::uint32_t> parameters_of_pairs(const CrfFeatures& features) {
  const auto label_count = static_cast<std::size_t>(features.label_count);
  std::vector<std::uint32_t> result(label_count * label_count, static_cast<std::uint32_t>(features.dimension()));
  for (std::size_t i = 0; i < features.ngrams.size(); ++i) {
    const LabelNgram& pair = features.ngrams[i];
    result[pair.labels[0] * label_count + pair.labels[1]] = static_cast<std::uint32_t>(features.labels.size() + i);
  }
  return result;
}

}  // namespace

MarginDual::MarginDual(const TrainingSet& set, const CrfFeatures& features, double l2)
    : set_(&set),
      features_(&features),
      l2_(l2),
      weights_(features),
      supports_(set.items.sequence_count()),
      chain_(set),
      difference_(features.dimension()),
      pair_parameter_(parameters_of_pairs(features)) {
  FOVEA_CHECK(l2 > 0);
  for (const Value label : set.labels) FOVEA_CHECK(label < set.label_count);
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    const auto begin = set.labels.begin() + set.items.sequence_begin[s];
    supports_[s].push_back({{begin, begin + static_cast<std::ptrdiff_t>(set.sequence_length(s))}, 1, 0});
  }
}

MarginDual::Extremes MarginDual::extremes(const LossAugmentedSequence& chain, std::span<const Support> supports) {
  Extremes result{0, 0, 0};
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const double score = chain.score(supports[i].labels);
    result.mean_score += supports[i].mass * score;
    if (i > 0 && score >= result.lowest_score) continue;
    result.lowest = i;
    result.lowest_score = score;
  }
  return result;
}

MarginDual::Step MarginDual::visit(std::size_t sequence) {
  if (set_->sequence_length(sequence) == 0) return {};
  chain_.bind(sequence, weights_);
  highest_.resize(chain_.length());
  const double highest_score = chain_.decode(highest_);
  std::vector<Support>& supports = supports_[sequence];
  const Extremes now = extremes(chain_, supports);
  Step step{.gap = highest_score - now.mean_score,
            .slope = highest_score - now.lowest_score,
            .limit = supports[now.lowest].mass};
  if (step.slope <= 0) return step;
  subtract(sequence, supports[now.lowest].labels, highest_);
  const auto difference = difference_.take();
  double curvature = 0;
  for (const auto& [parameter, amount] : difference) curvature += double{amount} * amount / (2 * l2_);
  // Labelings of the same features differ in their loss alone: all mass moves.
  step.mass = step.slope < step.limit * curvature ? step.slope / curvature : step.limit;
  step.gain = step.mass * (step.slope - step.mass * curvature / 2);
  weights_.add(difference, step.mass / (2 * l2_));
  move_mass(supports, now.lowest, highest_, step.mass);
  return step;
}

/// difference_ = F(from) - F(to).
void MarginDual::subtract(std::size_t sequence, std::span<const Value> from, std::span<const Value> to) {
  const std::size_t first = set_->items.sequence_begin[sequence], label_count = set_->label_count;
  const auto add_pair = [&](Value before, Value label, float amount) {
    const std::uint32_t parameter = pair_parameter_[before * label_count + label];
    if (parameter < features_->dimension()) difference_.add(parameter, amount);
  };
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (t > 0 && (from[t] != to[t] || from[t - 1] != to[t - 1])) {
      add_pair(from[t - 1], from[t], 1);
      add_pair(to[t - 1], to[t], -1);
    }
    if (from[t] == to[t]) continue;
    for_each_feature(*set_, *features_, first + t, [&](std::uint32_t e, Value label, float value) {
      if (label == from[t]) difference_.add(e, value);
      else if (label == to[t]) difference_.add(e, -value);
    });
  }
}

void MarginDual::move_mass(std::vector<Support>& supports, std::size_t from, std::span<const Value> to, double mass) {
  const auto found = std::find_if(supports.begin(), supports.end(), [&](const Support& support) {
    return std::equal(to.begin(), to.end(), support.labels.begin());
  });
  if (found != supports.end()) found->mass += mass;
  else supports.push_back({{to.begin(), to.end()}, mass, static_cast<double>(hamming_loss(chain_.truth(), to))});
  supports[from].mass -= mass;
  if (supports[from].mass > 0) return;
  std::swap(supports[from], supports.back());
  supports.pop_back();
}

std::optional<MarginDual::Certificate> MarginDual::certificate(int threads, const Stop& stop) const {
  const std::size_t count = supports_.size();
  Certificate result;
  result.gaps.assign(count, 0.0);
  std::vector<double> hinges(count, 0.0);
  parallel_for(count, kSequenceGrain, threads, [&](std::size_t begin, std::size_t end) {
    LossAugmentedSequence chain(*set_);
    Assignment labels;
    for (std::size_t s = begin; s < end && !stop.requested(); ++s) {
      if (set_->sequence_length(s) == 0) continue;
      chain.bind(s, weights_);
      labels.resize(chain.length());
      const double highest = chain.decode(labels);
      result.gaps[s] = highest - extremes(chain, supports_[s]).mean_score;
      hinges[s] = highest - chain.score(chain.truth());
    }
  });
  if (stop.requested()) return std::nullopt;
  const double penalty = l2_ * weights_.squared_norm();
  result.primal = penalty;
  result.dual = -penalty;
  for (std::size_t s = 0; s < count; ++s) {
    result.primal += hinges[s];
    for (const Support& support : supports_[s]) result.dual += support.mass * support.loss;
  }
  return result;
}

}  // namespace fovea::sequence
