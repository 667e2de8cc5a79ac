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

/// Signals that a value function may use (Shi, Steinhardt and Liang 2015, section 4). All except `oracle` are stale
/// values or counts, which are cheap next to the sample itself.
struct MetaFeatureOptions {
  bool vary = true;
  bool nb = true;
  bool cond_ent = true;
  bool unigram_ent = true;
  bool sp = true;
  bool nb_ent = false;
  bool oracle = false;
  bool as_printed = false;

  static void describe(auto&& visit) {
    using O = MetaFeatureOptions;
    visit(&O::vary, option("vary", "Neighbours whose value differs from when the variable was last sampled."));
    visit(&O::nb, option("nb", "Value pairs with the neighbours that were sampled after the variable."));
    visit(&O::as_printed,
          option("as-printed",
                 "Let vary count every change of a neighbour, also one that is undone, and nb the pairs "
                 "with all neighbours: the paper's text, not its code."));
    visit(&O::cond_ent, option("cond-ent", "Conditional entropy when the variable was last sampled, in nats."));
    visit(&O::unigram_ent, option("unigram-ent", "Indicator of unary scores whose entropy is < 1e-4 nats."));
    visit(&O::sp, option("sp", "Number of times the variable was sampled."));
    visit(&O::nb_ent, option("nb-ent", "Sum of the neighbours' stale conditional entropies, in nats."));
    visit(&O::oracle, option("oracle", "Expected reward of sampling now; expensive, for studies only."));
  }
};

/// Index of each meta-feature in phi(s, a). The first kScalarFeatures are numbers; then follow the nb indicators,
/// [own value][neighbour's value].
enum MetaFeature : std::uint32_t { kVary, kCondEnt, kUnigramEnt, kSp, kNbEnt, kOracle, kScalarFeatures };

constexpr std::size_t meta_feature_count(std::size_t label_count) {
  return kScalarFeatures + label_count * label_count;
}
std::string meta_feature_name(std::size_t index, std::span<const std::string> label_names);

/// phi(s, a) without its zeros. An index may occur several times.
struct MetaVector {
  struct Entry {
    std::uint32_t index;
    float value;
  };
  std::vector<Entry> entries = {};

  void add(std::uint32_t index, float value) { entries.push_back({index, value}); }
};

/// The sampling history from which the meta-features are read, updated in O(blanket) per visit. It is the same for
/// label sequences and for factor graphs.
///
/// `vary` is net: a neighbour that changes and flips back does not count. `nb` counts only neighbours that were sampled
/// after the variable itself. Both follow the authors' code where it differs from section 4; MetaFeatureOptions::
/// as_printed follows the text.
class MetaState {
 public:
  /// `network` must outlive the state.
  MetaState(const SiteNetwork& network, const Assignment& labels, const MetaFeatureOptions& options);

  /// Records a visit of `site`; `labels` is the labeling after it.
  void record(VariableId site, const mcmc::SiteInfo& info, const Assignment& labels);

  /// phi for the action "sample `site`". `oracle` is the value of that feature where it is enabled.
  void features(VariableId site, const Assignment& labels, MetaVector& out, float oracle = 0) const;

  /// alpha . phi, without building phi. `alpha` has meta_feature_count(network.value_count()) entries.
  float dot(VariableId site, const Assignment& labels, std::span<const float> alpha) const;

  /// State that a visit of `site` will overwrite, to undo the visit. restore() in the reverse order of save().
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
    std::uint32_t fresh = 0;  // number of neighbours sampled after this site
  };
  /// Record that a site keeps of a neighbour.
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
