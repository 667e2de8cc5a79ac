// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/structured_gp_options.h"

#include <fmt/format.h>

#include <cmath>

#include "fovea/base/error.h"

namespace fovea::gp {

void check_options(const StructuredGpOptions& options) {
  const auto demand = [](bool holds, const char* name, const auto& value, const std::string& constraint) {
    if (!holds) throw UsageError(fmt::format("{} {}: must be {}", name, value, constraint));
  };
  const GpInference inference = options.inference;
  const std::string named = fmt::format("for inference {}", word_of(inference));
  demand(options.inducing_points > 0, "inducing_points", options.inducing_points, "at least 1");
  demand(options.pairwise_variance > 0 && std::isfinite(options.pairwise_variance), "pairwise_variance",
         options.pairwise_variance, "positive");
  demand(options.draws >= 0, "draws", options.draws, "at least 0");
  demand(options.iterations >= 0, "iterations", options.iterations, "at least 0");
  demand(options.tolerance >= 0, "tolerance", options.tolerance, "at least 0");
  const bool by_attributes = options.means == GpMeans::kAttributes;
  demand(!by_attributes || options.kernel.linear_variance(), "kernel", options.kernel.text(),
         "linear(variance) for means attributes");
  demand(!by_attributes || inference == GpInference::kAuto || inference == GpInference::kNaturalGradient, "means",
         word_of(options.means), "inducing-points " + named);
  const bool learns_kernel = inference == GpInference::kAuto || inference == GpInference::kNaturalGradient ||
                             inference == GpInference::kScoreFunction;
  demand(!options.learn_kernel || learns_kernel, "learn_kernel", options.learn_kernel, "false " + named);
  demand(options.components > 0, "components", options.components, "at least 1");
  const bool by_scores =
      inference == GpInference::kAuto || inference == GpInference::kScoreFunction || inference == GpInference::kSaga;
  demand(by_scores || options.components == 1, "components", options.components, "1 " + named);
  demand(by_scores || !options.diagonal, "diagonal", options.diagonal, "false " + named);
}

}  // namespace fovea::gp
