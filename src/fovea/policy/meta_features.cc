// SPDX-License-Identifier: Apache-2.0
#include "fovea/policy/meta_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fovea {
namespace {

constexpr float kCertainEntropy = 1e-4f;  // nats; the paper's threshold for unigram-ent

float softmax_entropy(std::span<const float> scores) {
  const float best = *std::max_element(scores.begin(), scores.end());
  if (!(best > -std::numeric_limits<float>::infinity())) return 0;
  float total = 0, mean = 0;
  for (const float s : scores) {
    const float weight = std::exp(s - best);
    total += weight;
    if (weight > 0) mean += weight * (s - best);
  }
  return std::log(total) - mean / total;
}

}  // namespace

std::string meta_feature_name(std::size_t index, std::span<const std::string> label_names) {
  static constexpr std::array<const char*, kScalarFeatures> kNames = {"vary", "cond-ent", "unigram-ent",
                                                                      "sp",   "nb-ent",   "oracle"};
  if (index < kScalarFeatures) return kNames[index];
  const std::size_t pair = index - kScalarFeatures;
  return fmt::format("nb-{}-{}", label_names[pair / label_names.size()], label_names[pair % label_names.size()]);
}

MetaState::MetaState(const Chains& chains, const Assignment& labels, const MetaFeatureOptions& options)
    : chains_(&chains),
      options_(options),
      reach_(chains.ngrams().order()),
      pad_(chains.ngrams().pad()),
      sites_(chains.position_count()) {
  const std::size_t label_count = chains.ngrams().label_count();
  for (std::size_t p = 0; p < sites_.size(); ++p) {
    if (labels[p] == pad_) continue;
    for (int d = -reach_; d <= reach_; ++d)
      if (d != 0) sites_[p].seen[slot(d)] = labels[p + d];
    if (options.unigram_ent) sites_[p].certain = softmax_entropy({chains.unary(p), label_count}) < kCertainEntropy;
  }
}

void MetaState::record(VariableId position, const SiteInfo& info, const Assignment& labels) {
  SiteState& self = sites_[position];
  self.entropy = info.entropy;
  ++self.times_sampled;
  self.vary = 0;
  self.fresh = 0;
  for (int d = -reach_; d <= reach_; ++d) {
    if (d == 0) continue;
    self.seen[slot(d)] = labels[position + d];
    if (labels[position + d] == pad_) continue;
    SiteState& neighbour = sites_[position + d];
    const int back = slot(-d);
    neighbour.fresh |= static_cast<std::uint16_t>(1u << back);
    neighbour.vary +=
        static_cast<std::int16_t>((info.after != neighbour.seen[back]) - (info.before != neighbour.seen[back]));
  }
}

template <class Term>
void MetaState::for_each_term(VariableId position, const Assignment& labels, const Term& term) const {
  const SiteState& self = sites_[position];
  if (options_.vary && self.vary != 0) term(kVary, static_cast<float>(self.vary));
  if (options_.cond_ent) term(kCondEnt, self.entropy);
  if (options_.unigram_ent && self.certain) term(kUnigramEnt, 1.0f);
  if (options_.sp) term(kSp, static_cast<float>(self.times_sampled));
  if (options_.nb_ent) {
    float sum = 0;
    for_each_neighbour(position, labels, [&](VariableId n) { sum += sites_[n].entropy; });
    term(kNbEnt, sum);
  }
  if (!options_.nb || self.fresh == 0) return;
  const std::uint32_t own = kScalarFeatures + std::uint32_t{labels[position]} * static_cast<std::uint32_t>(pad_);
  for (int d = -reach_; d <= reach_; ++d)
    if (d != 0 && (self.fresh >> slot(d) & 1)) term(own + labels[position + d], 1.0f);
}

void MetaState::features(VariableId position, const Assignment& labels, MetaVector& out, float oracle) const {
  out.size = 0;
  for_each_term(position, labels, [&](std::uint32_t index, float value) { out.add(index, value); });
  if (options_.oracle) out.add(kOracle, oracle);
}

float MetaState::dot(VariableId position, const Assignment& labels, std::span<const float> alpha) const {
  float sum = 0;
  for_each_term(position, labels, [&](std::uint32_t index, float value) { sum += alpha[index] * value; });
  return sum;
}

MetaState::Snapshot MetaState::save(std::size_t sequence) const {
  Snapshot snapshot;
  snapshot.begin_ = chains_->begin(sequence);
  snapshot.sites_.assign(sites_.begin() + chains_->begin(sequence), sites_.begin() + chains_->end(sequence));
  return snapshot;
}

void MetaState::restore(const Snapshot& snapshot) {
  std::copy(snapshot.sites_.begin(), snapshot.sites_.end(), sites_.begin() + snapshot.begin_);
}

}  // namespace fovea
