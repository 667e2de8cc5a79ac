// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/tagger_policy.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::tagging {

void bind_policy(const TaggerModel& model, sequence::Policy& policy) {
  policy.label_names = model.labels;
  policy.model_fingerprint = model.fingerprint;
}

sequence::Policy load_policy(const std::string& path, const TaggerModel& model) {
  constexpr const char* kRemedy = "Run 'fovea tune' on this model";
  sequence::Policy policy = sequence::Policy::load(path);
  if (policy.label_names != model.labels)
    throw InputError({.file = path}, "the policy is for other labels than the model's", kRemedy);
  if (policy.factor_size != model.weights.factor_size())
    throw InputError({.file = path},
                     fmt::format("the policy is for factor size {}, the model has {}", policy.factor_size,
                                 model.weights.factor_size()),
                     kRemedy);
  if (policy.model_fingerprint != 0 && policy.model_fingerprint != model.fingerprint)
    throw InputError({.file = path}, "the policy was tuned for another model", kRemedy);
  return policy;
}

}  // namespace fovea::tagging
