// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/sequence/policy/site_network.h"

namespace fovea::sequence {

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

/// phi(s, a) without its zeros. An index may come several times.
struct MetaVector {
  struct Entry {
    std::uint32_t index;
    float value;
  };
  std::vector<Entry> entries = {};

  void add(std::uint32_t index, float value) { entries.push_back({index, value}); }
};

/// The sampling history that the meta-features are read from, kept up to date in O(blanket) per visit. The same for
/// label sequences and for factor graphs.
///
/// `vary` is net: a neighbour that changes and flips back does not count. `nb` counts only neighbours that were sampled
/// after the variable itself. Both follow the authors' code, where it differs from a first reading of section 4.
class MetaState {
 public:
  /// `network` must outlive the state.
  MetaState(const SiteNetwork& network, const Assignment& labels, const MetaFeatureOptions& options);

  /// Takes in a visit of `site`; `labels` is the labeling after it.
  void record(VariableId site, const mcmc::SiteInfo& info, const Assignment& labels);

  /// phi for the action "sample `site`". `oracle` is the value of that feature where it is enabled.
  void features(VariableId site, const Assignment& labels, MetaVector& out, float oracle = 0) const;

  /// alpha . phi, the same without building phi. `alpha` has meta_feature_count(network.value_count()) entries.
  float dot(VariableId site, const Assignment& labels, std::span<const float> alpha) const;

  /// What a visit of `site` will overwrite, to undo it: restore() in the reverse order of save().
  class Snapshot;
  Snapshot save(VariableId site) const;
  void restore(const Snapshot& snapshot);

  float stale_entropy(VariableId site) const { return sites_[site].entropy; }
  std::uint32_t times_sampled(VariableId site) const { return sites_[site].times_sampled; }

 private:
  struct SiteState {
    float entropy = 0;
    std::uint32_t times_sampled = 0;
    std::int32_t vary = 0;
    std::uint32_t fresh = 0;  // neighbours that were sampled since this site was
  };
  /// What a site knows of a neighbour.
  struct Link {
    Value seen = 0;         // its value when the site was last sampled
    bool is_fresh = false;  // it was sampled since
  };

  template <class Term>
  void for_each_term(VariableId site, const Assignment& labels, const Term& term) const;

  const SiteNetwork* network_;
  MetaFeatureOptions options_;
  std::vector<SiteState> sites_;  // [site]
  std::vector<Link> links_;       // parallel to the neighbours of all sites
};

class MetaState::Snapshot {
 private:
  friend class MetaState;
  VariableId site_ = 0;
  SiteState state_;
  std::vector<Link> links_, links_back_;  // parallel to the site's neighbours, as are their states
  std::vector<SiteState> neighbours_;
};

}  // namespace fovea::sequence
