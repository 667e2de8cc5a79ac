// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/meta_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fovea::sequence {

std::string meta_feature_name(std::size_t index, std::span<const std::string> label_names) {
  static constexpr std::array<const char*, kScalarFeatures> kNames = {"vary", "cond-ent", "unigram-ent",
                                                                      "sp",   "nb-ent",   "oracle"};
  if (index < kScalarFeatures) return kNames[index];
  const std::size_t pair = index - kScalarFeatures;
  return fmt::format("nb-{}-{}", label_names[pair / label_names.size()], label_names[pair % label_names.size()]);
}

MetaState::MetaState(const SiteNetwork& network, const Assignment& labels, const MetaFeatureOptions& options)
    : network_(&network), options_(options), sites_(network.site_count()), links_(network.neighbour_count()) {
  for (std::size_t site = 0; site < sites_.size(); ++site) {
    Link* link = links_.data() + network.first_neighbour(static_cast<VariableId>(site));
    for (const auto& neighbour : network.neighbours(static_cast<VariableId>(site)))
      (link++)->seen = labels[neighbour.site];
  }
}

void MetaState::record(VariableId site, const mcmc::SiteInfo& info, const Assignment& labels) {
  SiteState& self = sites_[site];
  self.entropy = info.entropy;
  ++self.times_sampled;
  self.vary = 0;
  self.fresh = 0;
  Link* link = links_.data() + network_->first_neighbour(site);
  for (const auto& neighbour : network_->neighbours(site)) {
    *link++ = {.seen = labels[neighbour.site]};
    SiteState& other = sites_[neighbour.site];
    Link& back = links_[neighbour.back];
    other.fresh += !std::exchange(back.is_fresh, true);
    other.vary +=
        options_.as_printed ? info.after != info.before : (info.after != back.seen) - (info.before != back.seen);
  }
}

template <class Term>
void MetaState::for_each_term(VariableId site, const Assignment& labels, const Term& term) const {
  const SiteState& self = sites_[site];
  if (options_.vary && self.vary != 0) term(kVary, static_cast<float>(self.vary));
  if (options_.cond_ent) term(kCondEnt, self.entropy);
  if (options_.unigram_ent && network_->certain(site)) term(kUnigramEnt, 1.0f);
  if (options_.sp) term(kSp, static_cast<float>(self.times_sampled));
  if (options_.nb_ent) {
    float sum = 0;
    for (const auto& neighbour : network_->neighbours(site)) sum += sites_[neighbour.site].entropy;
    term(kNbEnt, sum);
  }
  if (!options_.nb || (self.fresh == 0 && !options_.as_printed)) return;
  const auto own = static_cast<std::uint32_t>(kScalarFeatures + labels[site] * network_->value_count());
  const Link* link = links_.data() + network_->first_neighbour(site);
  for (const auto& neighbour : network_->neighbours(site))
    if ((link++)->is_fresh || options_.as_printed) term(own + labels[neighbour.site], 1.0f);
}

void MetaState::features(VariableId site, const Assignment& labels, MetaVector& out, float oracle) const {
  out.entries.clear();
  for_each_term(site, labels, [&](std::uint32_t index, float value) { out.add(index, value); });
  if (options_.oracle) out.add(kOracle, oracle);
}

float MetaState::dot(VariableId site, const Assignment& labels, std::span<const float> alpha) const {
  float sum = 0;
  for_each_term(site, labels, [&](std::uint32_t index, float value) { sum += alpha[index] * value; });
  return sum;
}

MetaState::Snapshot MetaState::save(VariableId site) const {
  Snapshot snapshot;
  snapshot.site_ = site;
  snapshot.state_ = sites_[site];
  const Link* link = links_.data() + network_->first_neighbour(site);
  for (const auto& neighbour : network_->neighbours(site)) {
    snapshot.links_.push_back(*link++);
    snapshot.links_back_.push_back(links_[neighbour.back]);
    snapshot.neighbours_.push_back(sites_[neighbour.site]);
  }
  return snapshot;
}

void MetaState::restore(const Snapshot& snapshot) {
  sites_[snapshot.site_] = snapshot.state_;
  const auto first = static_cast<std::ptrdiff_t>(network_->first_neighbour(snapshot.site_));
  std::copy(snapshot.links_.begin(), snapshot.links_.end(), links_.begin() + first);
  std::size_t i = 0;
  for (const auto& neighbour : network_->neighbours(snapshot.site_)) {
    links_[neighbour.back] = snapshot.links_back_[i];
    sites_[neighbour.site] = snapshot.neighbours_[i++];
  }
}

}  // namespace fovea::sequence
