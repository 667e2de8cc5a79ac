// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/graph/chains.h"
#include "fovea/sample/step_info.h"

namespace fovea {

/// Which signals a value function may use (Shi, Steinhardt and Liang 2015, section 4). All are stale values or counts,
/// cheap beside the sample itself.
struct MetaFeatureOptions {
  bool vary = true;
  bool nb = true;
  bool cond_ent = true;
  bool unigram_ent = true;
  bool sp = true;
  bool nb_ent = false;
  bool oracle = false;

  template <class V>
  static void describe(V&& visit) {
    using O = MetaFeatureOptions;
    visit(&O::vary, OptionInfo{"vary", "neighbours whose value differs from when the variable was last sampled"});
    visit(&O::nb, OptionInfo{"nb", "value pairs with the neighbours sampled since the variable was"});
    visit(&O::cond_ent, OptionInfo{"cond-ent", "conditional entropy when the variable was last sampled, nats"});
    visit(&O::unigram_ent, OptionInfo{"unigram-ent", "whether the entropy of the unary scores alone is < 1e-4 nats"});
    visit(&O::sp, OptionInfo{"sp", "number of times the variable was sampled"});
    visit(&O::nb_ent, OptionInfo{"nb-ent", "sum of the neighbours' stale conditional entropies, nats"});
    visit(&O::oracle, OptionInfo{"oracle", "expected reward of sampling now; dear, for studies only"});
  }
};

/// Where each meta-feature sits in phi(s, a). The first kScalarFeatures are numbers; then come the nb indicators,
/// [own value][neighbour's value].
enum MetaFeature : std::uint32_t { kVary, kCondEnt, kUnigramEnt, kSp, kNbEnt, kOracle, kScalarFeatures };

constexpr std::size_t meta_feature_count(std::size_t label_count) {
  return kScalarFeatures + label_count * label_count;
}
std::string meta_feature_name(std::size_t index, std::span<const std::string> label_names);

/// phi(s, a) without its zeros.
struct MetaVector {
  struct Entry {
    std::uint32_t index;
    float value;
  };
  std::array<Entry, kScalarFeatures + 2 * kMaxFactorSize> entries;
  std::size_t size = 0;

  void add(std::uint32_t index, float value) { entries[size++] = {index, value}; }
};

/// The sampling history that the meta-features are read from, kept up to date in O(blanket) per visit.
///
/// `vary` is net: a neighbour that changes and flips back does not count. `nb` counts only neighbours that were sampled
/// after the variable itself. Both follow the authors' code, where it differs from a first reading of section 4.
class MetaState {
 public:
  /// `chains` must outlive the state.
  MetaState(const Chains& chains, const Assignment& labels, const MetaFeatureOptions& options);

  /// Takes in a visit of `position`; `labels` is the labeling after it.
  void record(VariableId position, const SiteInfo& info, const Assignment& labels);

  /// phi for the action "sample `position`". `oracle` is the value of that feature where it is enabled.
  void features(VariableId position, const Assignment& labels, MetaVector& out, float oracle = 0) const;

  /// alpha . phi, the same without building phi. `alpha` has meta_feature_count() entries.
  float dot(VariableId position, const Assignment& labels, std::span<const float> alpha) const;

  /// Calls body(neighbour) for the Markov blanket of a position: the tokens within factor_size - 1 of it.
  template <class Body>
  void for_each_neighbour(VariableId position, const Assignment& labels, const Body& body) const {
    for (int d = -reach_; d <= reach_; ++d)
      if (d != 0 && labels[position + d] != pad_) body(static_cast<VariableId>(position + d));
  }

  /// Copies of the history of one sequence, to undo roll-outs.
  class Snapshot;
  Snapshot save(std::size_t sequence) const;
  void restore(const Snapshot& snapshot);

  float stale_entropy(VariableId position) const { return sites_[position].entropy; }
  std::uint32_t times_sampled(VariableId position) const { return sites_[position].times_sampled; }

 private:
  struct SiteState {
    float entropy = 0;
    std::uint32_t times_sampled = 0;
    std::int16_t vary = 0;
    std::uint16_t fresh = 0;                             // bit per neighbour: sampled since this site was
    bool certain = false;                                // unigram entropy below the threshold
    std::array<Value, 2 * (kMaxFactorSize - 1)> seen{};  // neighbours' values when this site was last sampled
  };

  // Place of the neighbour at `distance` (-reach .. reach, not 0) in `seen` and `fresh`.
  int slot(int distance) const { return distance < 0 ? distance + reach_ : distance + reach_ - 1; }
  template <class Term>
  void for_each_term(VariableId position, const Assignment& labels, const Term& term) const;

  const Chains* chains_;
  MetaFeatureOptions options_;
  int reach_;
  Value pad_;
  std::vector<SiteState> sites_;  // [position]
};

class MetaState::Snapshot {
 private:
  friend class MetaState;
  std::size_t begin_ = 0;
  std::vector<SiteState> sites_;
};

}  // namespace fovea
