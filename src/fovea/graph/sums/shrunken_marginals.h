// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/graph/sums/marginal_sampler.h"

namespace fovea::graph {

struct ShrunkenMarginals {
  std::vector<std::vector<double>> marginals = {};  ///< [variable][value]
  double weight_of_messages = 0;                    ///< w below, from 0 to 1
};

/// Marginals of draws d, with known errors but noise, and of messages m, with an unknown error but no noise, as
///
///   d + w (m - d),   w = min(1, sum of squared errors of d / sum of (m - d)^2),
///
/// the sums over all values of all variables (James and Stein 1961; Efron and Morris 1973): where the noise of the
/// draws alone could make them differ, the messages count; where messages are off by more, the draws do. No
/// variable moves further from its draws than their standard error (Efron and Morris 1972, "Limiting the risk of Bayes
/// and empirical Bayes estimators"): one whose messages are far off among many that are right keeps to its draws.
///
/// Variables that never moved keep their messages. Returns nothing unless 99 % of the variables mixed by themselves, or
/// never moved and the messages, too, are sure of them: chains that stay in a part of the space tell nothing of the
/// whole, and then even variables that seem to have mixed are further off than their messages.
std::optional<ShrunkenMarginals> shrink_to_messages(const MarginalSampler::Answer& draws,
                                                    const std::vector<std::vector<double>>& messages);

}  // namespace fovea::graph
