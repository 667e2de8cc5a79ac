// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/gp/structured_gp_options.h"
#include "fovea/tagging/family/gp_tagger.h"

namespace fovea::tagging {

/// Criterion that decides which of several kernels is kept.
enum class KernelChoice { kError, kBound };
constexpr auto words_of(KernelChoice) {
  return std::array{Word{KernelChoice::kError, "error"}, Word{KernelChoice::kBound, "bound"}};
}

/// The model of Gaussian processes.
struct GpModelOptions {
  std::vector<std::string> kernel = {"linear"};
  KernelChoice choose = KernelChoice::kError;
  bool learn_kernel = false;
  GpLikelihood likelihood = GpLikelihood::kChain;
  int inducing_points = 500;
  gp::InducingChoice inducing = gp::InducingChoice::kPivotedCholesky;
  gp::GpMeans means = gp::GpMeans::kAuto;
  double pairwise_variance = 1;

  template <class V>
  static void describe(V&& visit);
};

/// Options for fitting the model.
struct GpInferenceOptions {
  gp::GpInference inference = gp::GpInference::kNaturalGradient;
  int gp_draws = 0;
  int gp_steps = 0;
  int minibatch = 0;
  double gp_tolerance = 1e-3;
  int components = 1;
  bool diagonal = false;
  bool no_control_variates = false;
  std::string time_limit;
  std::string trace;

  template <class V>
  static void describe(V&& visit);
};

template <class V>
void GpModelOptions::describe(V&& visit) {
  using O = GpModelOptions;
  visit(&O::kernel, OptionInfo{.name = "kernel",
                               .description = "Covariance of a label's function at two items, by their attributes: a "
                                              "sum of products of linear(variance), rbf(variance, length scale), "
                                              "matern3/2(...), polynomial2(variance, offset), constant(variance), "
                                              "cosine. Given several times, each is tried, and one is kept by "
                                              "option 'choose'.",
                               .value_name = "TEXT",
                               .separator = '\0'});
  visit(&O::choose, OptionInfo{.name = "choose",
                               .description = "Criterion that decides which of several kernels is kept. error: the "
                                              "fewest wrong labels of training sequences, each predicted from the "
                                              "others; bound: the highest bound, which favours narrow priors that make "
                                              "more errors."});
  visit(&O::learn_kernel,
        OptionInfo{.name = "learn-kernel",
                   .description = "Move the kernel's numbers to where the bound is highest, by its gradient, starting "
                                  "from those given; for natural-gradient and score-function. A higher bound does not "
                                  "always mean fewer errors."});
  visit(&O::likelihood, OptionInfo{.name = "likelihood",
                                   .description = "Likelihood of a sequence's labels, given the functions. chain: sums "
                                                  "over all labelings; pseudo: takes each label given its neighbours, "
                                                  "for many labels."});
  visit(&O::inducing_points, OptionInfo{.name = "inducing-points",
                                        .description = "Number of items that represent the functions; time grows with "
                                                       "its square.",
                                        .min = 1,
                                        .max = 20000});
  visit(&O::inducing, OptionInfo{.name = "inducing", .description = "Method by which the inducing points are chosen."});
  visit(&O::means,
        OptionInfo{.name = "means",
                   .description = "Form of the functions' means. inducing-points: by these; attributes: a weight for "
                                  "each attribute and label, for linear(variance) by natural-gradient, with fewer "
                                  "errors if the text has many more items than points; auto: attributes if possible."});
  visit(&O::pairwise_variance, OptionInfo{.name = "pairwise-variance",
                                          .description = "Prior variance of the score of a label pair; > 0.",
                                          .min = 1e-9,
                                          .max = 1e9});
}

template <class V>
void GpInferenceOptions::describe(V&& visit) {
  using O = GpInferenceOptions;
  visit(&O::inference,
        OptionInfo{.name = "inference",
                   .description =
                       "Method of fitting. natural-gradient: Gaussians by conjugate computation, in seconds. "
                       "score-function and saga: Gaussians by the estimators of Galliani et al. (2017), from the "
                       "likelihood's values alone, on all sequences or one at a time. slice-sampling: draws by "
                       "elliptical slice sampling. The last three take minutes to hours, and their marginals get no "
                       "temperature."});
  visit(&O::gp_draws, OptionInfo{.name = "gp-draws",
                                 .description = "Number of draws to average expectations over, rounded up to an even "
                                                "number; 0: 16, 10,000 and 4,000 for the first three methods.",
                                 .min = 0,
                                 .max = 1000000});
  visit(&O::gp_steps, OptionInfo{.name = "gp-steps",
                                 .description = "Maximum number of steps: natural gradients; rounds of 50 and 10 "
                                                "iterations of L-BFGS; rounds of 3,000 and 1,000 steps of SAGA; draws. "
                                                "0: 30, 100, 10, 20,000.",
                                 .min = 0,
                                 .max = 100000000});
  visit(&O::minibatch,
        OptionInfo{.name = "minibatch",
                   .description = "Approximate number of items used in a step of natural-gradient; 0: all, or "
                                  "2,000 if there are 20,000 or more; -1: all.",
                   .min = -1,
                   .max = 100000000});
  visit(&O::components, OptionInfo{.name = "components",
                                   .description = "Number of Gaussians in the posterior, for score-function and saga.",
                                   .min = 1,
                                   .max = 100});
  visit(&O::diagonal, OptionInfo{.name = "diagonal",
                                 .description = "Use diagonal covariances over inducing points, for score-function and "
                                                "saga."});
  visit(&O::no_control_variates, OptionInfo{.name = "no-control-variates",
                                            .description = "Use the score function without control variates, to see "
                                                           "what they do."});
  visit(&O::time_limit, time_limit_option());
  visit(&O::trace, OptionInfo{.name = "trace",
                              .description = "JSON lines of iteration, seconds and bound and, with option 'dev', the "
                                             "share of wrong labels there and the mean log p of a label, at growing "
                                             "intervals; their cost is not counted.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
  visit(&O::gp_tolerance, OptionInfo{.name = "gp-tolerance",
                                     .description = "End when a step raises the bound by less than this per item, in "
                                                    "nats.",
                                     .min = 0,
                                     .max = 1});
}

}  // namespace fovea::tagging
