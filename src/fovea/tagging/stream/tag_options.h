// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/policy/policy.h"

namespace fovea::tagging {

/// Options for the output and the cost of tagging; those for decoding are DecodeOptions.
struct TagOptions {
  std::string budget = "";
  std::string time_limit = "";
  bool marginals = false;
  bool all_marginals = false;
  int n_best = 0;
  bool valid_bio = false;
  bool spans = false;

  static void describe(auto&& visit) {
    using O = TagOptions;
    visit(&O::budget, option("budget",
                             "Visits that icm, gibbs and learned may make: 'N sweeps' or 'N transitions' for the whole "
                             "input, which is then held in memory, or 'N sweeps/item' for each sequence.",
                             "COUNT"));
    visit(&O::time_limit, time_limit_option("TIME[/item]"));
    visit(&O::marginals,
          option("marginals",
                 "Add a column label:probability after the prediction: the likeliest label of the item by itself."));
    visit(&O::all_marginals,
          option("all-marginals", "Add a column label:probability for every label after the prediction."));
    visit(&O::n_best, number_in(0, 1000, "n-best",
                                "Write the N best taggings of each sequence, each after a line '# rank log-score "
                                "probability'; 0 writes only the answer. Those of Gaussian processes are by the "
                                "products of the items' marginals."));
    visit(&O::valid_bio, option("valid-bio", "Forbid label sequences that break the IOB2 or IOBES scheme."));
    visit(&O::spans, option("spans",
                            "Write the entities that the labels mark, instead of the items: sequence, first item and "
                            "one past the last (all from 0), type, probability and text, separated by tabs. The "
                            "probability is that of exactly these items as an entity of this type, by exact sums over "
                            "all labelings."));
  }
};

/// Options for tagging. Gaussian processes take marginals, n-best and valid-bio of `options` alone.
struct TagJob {
  const sequence::Policy* policy = nullptr;  ///< tuned for the tagger, which must outlive the job
  sequence::DecodeOptions decode = {};
  TagOptions options = {};
};

}  // namespace fovea::tagging
