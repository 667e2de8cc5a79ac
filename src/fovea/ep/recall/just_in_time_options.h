// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/options.h"
#include "fovea/regress/forest.h"

namespace fovea::ep {

struct JustInTimeOptions {
  double max_marginal_kl = 1e-3;
  double audit = .005;
  int held_out = 500;
  bool alone = false;
  bool by_message = false;
  bool disagreement = false;
  bool random_features = false;
  bool always = false;
  regress::ForestOptions forest = {};

  static void describe(auto&& visit) {
    using O = JustInTimeOptions;
    visit(&O::max_marginal_kl,
          number_in(1e-12, 1e3, "jit-max-kl",
                    "Largest error allowed for a recalled message: the divergence of the marginal that it makes, with "
                    "others like it, from the one that the oracle would have made."));
    visit(&O::audit,
          number_in(0, 1, "jit-audit",
                    "Share of recallable messages that the oracle computes all the same, to check the predictions."));
    visit(&O::held_out, number_in(20, 1e6, "jit-held-out",
                                  "Number of latest cases, each predicted before the oracle was asked, that decide how "
                                  "much doubt is too much."));
    visit(&O::alone, option("jit-alone",
                            "Judge each recalled message by the marginal that it makes alone, not by the one that it "
                            "would make with others like it. Suits variables with few such factors."));
    visit(&O::by_message,
          option("jit-by-message", "Learn the factor's message, as published, not the marginal that it makes."));
    visit(&O::disagreement, option("jit-disagreement",
                                   "Doubt a message by the disagreement of the trees alone, below u_max, as "
                                   "published."));
    visit(&O::random_features,
          option("jit-random-features", "Learn by Bayesian linear regression on random features, not by a forest."));
    visit(&O::always, option("jit-always", "Learn and recall even where that takes longer than it saves."));
  }
};

}  // namespace fovea::ep
