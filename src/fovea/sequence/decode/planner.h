// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/policy/policy.h"

namespace fovea::sequence {

/// Requirements that `--method auto` must meet.
struct PlanRequest {
  double seconds_per_token = std::numeric_limits<double>::infinity();  ///< time limit, not counting the features
  bool marginals = false;                                              ///< the method must give marginals
};

/// The chosen method, with the predictions for it.
struct Plan {
  DecodeOptions options;         ///< method is never kAuto
  double seconds_per_token = 0;  ///< predicted, one thread
  double quality = 0;            ///< on the tuning data; 0 without a policy
  std::string reason;            ///< one line for the report
};

/// Returns `options` with the method of a profile and its settings.
DecodeOptions with_profile(DecodeOptions options, const MethodProfile& profile);

/// Resolves `--method auto`. Among the settings that tuning measured (Policy::profile), takes the cheapest whose
/// quality is at least options.quality times the best or, if it breaks the time limit, the best one that fits the
/// limit. Without a policy: exact if its cost formula fits, else a beam. For marginals: exact, else Gibbs averages.
/// Options whose method is not auto are returned unchanged. Throws UsageError for a regret, which is that of one
/// method.
Plan plan(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options,
          const PlanRequest& request = {});

}  // namespace fovea::sequence
