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
  const std::string &inducing = options.inducing, &inference = options.inference;
  const bool by_gaussians = inference == "auto" || inference == "natural-gradient" || inference == "score-function";
  demand(options.inducing_points > 0, "inducing_points", options.inducing_points, "at least 1");
  demand(inducing == "pivoted-cholesky" || inducing == "k-means" || inducing == "random", "inducing", inducing,
         "pivoted-cholesky, k-means or random");
  demand(options.pairwise_variance > 0 && std::isfinite(options.pairwise_variance), "pairwise_variance",
         options.pairwise_variance, "positive");
  demand(inference == "auto" || inference == "natural-gradient" || inference == "score-function" ||
             inference == "saga" || inference == "slice-sampling",
         "inference", inference, "auto, natural-gradient, score-function, saga or slice-sampling");
  demand(options.draws >= 0, "draws", options.draws, "at least 0");
  demand(options.iterations >= 0, "iterations", options.iterations, "at least 0");
  demand(options.tolerance >= 0, "tolerance", options.tolerance, "at least 0");
  const std::string& means = options.means;
  demand(means == "auto" || means == "inducing-points" || means == "attributes", "means", means,
         "auto, inducing-points or attributes");
  demand(means != "attributes" || options.kernel.linear_variance(), "kernel", options.kernel.text(),
         "linear(variance) for means attributes");
  demand(means != "attributes" || inference == "auto" || inference == "natural-gradient", "means", means,
         "inducing-points for inference " + inference);
  demand(!options.learn_kernel || by_gaussians, "learn_kernel", options.learn_kernel,
         "false for inference " + inference);
  demand(options.components > 0, "components", options.components, "at least 1");
  const bool by_scores = inference == "auto" || inference == "score-function" || inference == "saga";
  demand(by_scores || options.components == 1, "components", options.components, "1 for inference " + inference);
  demand(by_scores || !options.diagonal, "diagonal", options.diagonal, "false for inference " + inference);
}

}  // namespace fovea::gp
