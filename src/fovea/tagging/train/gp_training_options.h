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
enum class KernelChoice { kAverage, kError, kBound };
constexpr auto words_of(KernelChoice) {
  return std::array{Word{KernelChoice::kAverage, "average"}, Word{KernelChoice::kError, "error"},
                    Word{KernelChoice::kBound, "bound"}};
}

/// The model of Gaussian processes.
struct GpModelOptions {
  std::vector<std::string> kernel = {"linear"};
  KernelChoice choose = KernelChoice::kAverage;
  bool learn_kernel = false;
  GpLikelihood likelihood = GpLikelihood::kChain;
  int inducing_points = 500;
  gp::InducingChoice inducing = gp::InducingChoice::kPivotedCholesky;
  gp::GpMeans means = gp::GpMeans::kAuto;
  double pairwise_variance = 1;

  static void describe(auto&& visit);
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
  std::string trace;

  static void describe(auto&& visit);
};

void GpModelOptions::describe(auto&& visit) {
  using O = GpModelOptions;
  visit(&O::kernel, OptionInfo{.name = "kernel",
                               .description = "Covariance of a label's function at two items, by their attributes: a "
                                              "sum of products of linear(variance), rbf(variance, length scale), "
                                              "matern3/2(...), polynomial2(variance, offset), constant(variance), "
                                              "cosine. Given several times, each is tried, and option "
                                              "'choose' says what is kept.",
                               .value_name = "TEXT",
                               .separator = '\0'});
  visit(&O::choose,
        option("choose",
               "What is kept of several kernels. average: all, with the weights that make the labels of training "
               "sequences likeliest, each predicted from the others; error: the one with the fewest wrong "
               "labels there; bound: the one with the highest bound, which favours narrow priors that make "
               "more errors."));
  visit(&O::learn_kernel,
        option("learn-kernel",
               "Move the kernel's numbers to where the bound is highest, by its gradient, starting from those given; "
               "for natural-gradient and score-function. A higher bound does not always mean fewer errors."));
  visit(&O::likelihood,
        option("likelihood",
               "Likelihood of a sequence's labels, given the functions. chain: sums over all "
               "labelings; pseudo: takes each label of a pair given the other, as published, which saves no "
               "time on chains."));
  visit(&O::inducing_points, number_in(1, 20000, "inducing-points",
                                       "Number of items that represent the functions; time grows with its square."));
  visit(&O::inducing, option("inducing", "Method by which the inducing points are chosen."));
  visit(&O::means, option("means",
                          "Form of the functions' means. inducing-points: by these; attributes: a weight for each "
                          "attribute and label, for linear(variance) by natural-gradient, with fewer errors if the "
                          "text has many more items than points; auto: attributes if possible."));
  visit(&O::pairwise_variance,
        number_in(1e-9, 1e9, "pairwise-variance", "Prior variance of the score of a label pair; > 0."));
}

void GpInferenceOptions::describe(auto&& visit) {
  using O = GpInferenceOptions;
  visit(&O::inference,
        option("inference",
               "Method of fitting. natural-gradient: Gaussians by conjugate computation, in seconds. score-function "
               "and saga: Gaussians by the estimators of Galliani et al. (2017), from the likelihood's values alone, "
               "on all sequences or one at a time. slice-sampling: draws by elliptical slice sampling. The last three "
               "take minutes to hours, and their marginals get no temperature."));
  visit(&O::gp_draws, number_in(0, 1000000, "gp-draws",
                                "Number of draws to average expectations over, rounded up to an even number; 0: 16, "
                                "10,000 and 4,000 for the first three methods."));
  visit(&O::gp_steps, number_in(0, 100000000, "gp-steps",
                                "Maximum number of steps: natural gradients; rounds of 50 and 10 iterations of L-BFGS; "
                                "rounds of 3,000 and 1,000 steps of SAGA; draws. 0: 30, 100, 10, 20,000."));
  visit(&O::minibatch, number_in(-1, 100000000, "minibatch",
                                 "Approximate number of items used in a step of natural-gradient; 0: all, or 2,000 if "
                                 "there are 20,000 or more; -1: all."));
  visit(&O::components,
        number_in(1, 100, "components", "Number of Gaussians in the posterior, for score-function and saga."));
  visit(&O::diagonal,
        option("diagonal", "Use diagonal covariances over inducing points, for score-function and saga."));
  visit(&O::no_control_variates,
        option("no-control-variates", "Use the score function without control variates, to see what they do."));
  visit(&O::trace,
        output_file("trace",
                    "JSON lines of iteration, seconds and bound and, with option 'dev', the share of wrong labels "
                    "there and the mean log p of a label, at growing intervals; their cost is not counted."));
  visit(&O::gp_tolerance,
        number_in(0, 1, "gp-tolerance", "End when a step raises the bound by less than this per item, in nats."));
}

}  // namespace fovea::tagging
