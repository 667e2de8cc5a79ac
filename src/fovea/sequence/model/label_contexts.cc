// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/label_contexts.h"

#include <fmt/format.h>

#include "fovea/base/error.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

std::size_t label_context_count(int label_count, int factor_size) {
  if (factor_size < 1 || factor_size > kMaxFactorSize)
    throw UsageError(fmt::format("factor size {} is outside [1, {}]", factor_size, kMaxFactorSize));
  std::size_t contexts = 1;
  for (int others = 1; others < factor_size; ++others) {
    contexts *= static_cast<std::size_t>(label_count) + 1;
    if (contexts > LabelNgrams::kMaxContexts)
      throw UsageError(
          fmt::format("factor size {} with {} labels needs more than {} contexts; use a smaller factor size",
                      factor_size, label_count, LabelNgrams::kMaxContexts));
  }
  return contexts;
}

}  // namespace fovea::sequence
