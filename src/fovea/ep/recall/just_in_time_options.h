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
  bool random_features = false;
  regress::ForestOptions forest = {};

  template <class V>
  static void describe(V&& visit) {
    using O = JustInTimeOptions;
    visit(&O::max_marginal_kl,
          OptionInfo{.name = "jit-max-kl",
                     .description = "Largest error allowed for a recalled message: the divergence of the marginal "
                                    "that it makes, with others like it, from the one that the oracle would have "
                                    "made.",
                     .min = 1e-12,
                     .max = 1e3});
    visit(&O::audit, OptionInfo{.name = "jit-audit",
                                .description = "Share of recallable messages that the oracle computes all the same, "
                                               "to check the predictions.",
                                .min = 0,
                                .max = 1});
    visit(&O::held_out, OptionInfo{.name = "jit-held-out",
                                   .description = "Number of latest cases, each predicted before the oracle was "
                                                  "asked, that decide how much doubt is too much.",
                                   .min = 20,
                                   .max = 1e6});
    visit(&O::alone, OptionInfo{.name = "jit-alone",
                                .description = "Judge each recalled message by the marginal that it makes alone, not "
                                               "by the one that it would make with others like it. Suits variables "
                                               "with few such factors."});
    visit(&O::by_message,
          OptionInfo{.name = "jit-by-message",
                     .description = "Learn the factor's message, as published, not the marginal that it makes."});
    visit(&O::random_features,
          OptionInfo{.name = "jit-random-features",
                     .description = "Learn by Bayesian linear regression on random features, not by a forest."});
  }
};

}  // namespace fovea::ep
