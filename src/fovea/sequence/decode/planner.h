// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/policy/policy.h"

namespace fovea::sequence {

/// What a caller asks of `--method auto`.
struct PlanRequest {
  double seconds_per_token = std::numeric_limits<double>::infinity();  ///< time there is, after features were scored
  bool marginals = false;                                              ///< the method must give marginals
};

/// A method chosen, with what was predicted.
struct Plan {
  DecodeOptions options;         ///< method is never kAuto
  double seconds_per_token = 0;  ///< predicted, one thread
  double quality = 0;            ///< on the tuning data; 0 if there was no policy to tell
  std::string reason;            ///< one line for the report
};

/// `options` with the method of a profile and its settings.
DecodeOptions with_profile(DecodeOptions options, const MethodProfile& profile);

/// Resolves `--method auto`: among the settings that tuning measured (Policy::profile), the cheapest whose quality is
/// at least options.quality times the best, or, under a time limit that this would break, the best that fits. Without a
/// policy: exact if its cost formula fits, else a beam. For marginals: exact, else Gibbs averages. Options whose method
/// is not auto come back as they are.
Plan plan(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options,
          const PlanRequest& request = {});

}  // namespace fovea::sequence
