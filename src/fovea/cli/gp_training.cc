// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/gp_training.h"

#include <fmt/format.h>

#include "fovea/apps/tagging/tagger_evaluation.h"
#include "fovea/base/error.h"
#include "fovea/cli/console.h"

namespace fovea::cli {

template <class V>
void GpTraining::Options::describe(V&& visit) {
  using O = Options;
  visit(&O::kernel,
        OptionInfo{.name = "kernel",
                   .description = "Covariance of a label's function at two items, by their attributes: a "
                                  "sum of products of linear(variance), rbf(variance, length scale), "
                                  "matern3/2(...), polynomial2(variance, offset), constant(variance), "
                                  "cosine. Given several times, each is tried, and the one kept under which the fewest "
                                  "labels of training sequences are wrong, each predicted from the others.",
                   .value_name = "TEXT"});
  visit(&O::likelihood, OptionInfo{.name = "likelihood",
                                   .description = "Of a sequence's labels, given the functions: chain sums over all "
                                                  "labelings; pseudo takes each label given its neighbours, for many "
                                                  "labels.",
                                   .choices = {"chain", "pseudo"}});
  visit(&O::inducing_points, OptionInfo{.name = "inducing-points",
                                        .description = "Items by which the functions are represented; time grows with "
                                                       "the square.",
                                        .min = 1,
                                        .max = 20000});
  visit(&O::inducing, OptionInfo{.name = "inducing",
                                 .description = "How these are chosen.",
                                 .choices = {"pivoted-cholesky", "k-means", "random"}});
  visit(&O::pairwise_variance, OptionInfo{.name = "pairwise-variance",
                                          .description = "Prior variance of the score of a label after another; > 0.",
                                          .min = 1e-9,
                                          .max = 1e9});
  visit(&O::gp_draws, OptionInfo{.name = "gp-draws",
                                 .description = "Draws over which expectations are averaged; rounded up to an even "
                                                "number.",
                                 .min = 2,
                                 .max = 100000});
  visit(&O::gp_steps,
        OptionInfo{.name = "gp-steps", .description = "Natural gradient steps at most.", .min = 1, .max = 100000});
  visit(&O::gp_tolerance, OptionInfo{.name = "gp-tolerance",
                                     .description = "Ends where a step raises the bound by less than this an item, in "
                                                    "nats.",
                                     .min = 0,
                                     .max = 1});
}

namespace {

nlohmann::ordered_json json_of(const gp::FitSummary& summary) {
  return {{"bound", summary.bound.total()},
          {"expected_log_likelihood", summary.bound.expected_log_likelihood},
          {"unary_divergence", summary.bound.unary_divergence},
          {"pairwise_divergence", summary.bound.pairwise_divergence},
          {"steps", summary.iterations},
          {"last_step", summary.last_step},
          {"converged", summary.converged},
          {"inducing_points", summary.inducing_points},
          {"temperature", summary.temperature},
          {"left_out_log_density", summary.left_out.log_density},
          {"left_out_error", summary.left_out.error},
          {"jitter", summary.jitter},
          {"seconds", summary.seconds}};
}

std::string text_of(const gp::FitSummary& summary) {
  std::string text = fmt::format(
      "bound {:.1f} nats = expected log likelihood {:.1f} - divergence {:.1f} (functions) - {:.1f} (label pairs)\n"
      "{} natural gradient steps, {}; {} inducing points; {:.2f} s\n"
      "each sequence predicted from the others: {:.2f} % of the labels wrong, log p {:.4f} an item at temperature "
      "{:.2f}\n",
      summary.bound.total(), summary.bound.expected_log_likelihood, summary.bound.unary_divergence,
      summary.bound.pairwise_divergence, summary.iterations, summary.converged ? "settled" : "not settled",
      summary.inducing_points, summary.seconds, 100 * summary.left_out.error, summary.left_out.log_density,
      summary.temperature);
  if (summary.jitter > 0)
    text += fmt::format("{:.3g} was added to the variance of each inducing point, for the covariance was singular\n",
                        summary.jitter);
  return text;
}

/// Log densities decide between equal shares of wrong labels.
bool is_better(const gp::LeftOut& a, const gp::LeftOut& b) {
  return a.error != b.error ? a.error < b.error : a.log_density > b.log_density;
}

}  // namespace

void GpTraining::bind(Binder& binder) { binder.options(options_, "Gaussian processes (--family gp)"); }

GpTraining::Fitted GpTraining::fit(const TaggingData& data, const Context& context) const {
  std::optional<Fitted> best;
  for (const std::string& kernel : options_.kernel) {
    if (best && context.cancel.cancelled()) break;
    Fitted fitted = fit(data, gp::covariance_of_text(kernel), context);
    if (options_.kernel.size() > 1)
      context.console.note(fmt::format("{}: {:.2f} % of the labels wrong, log p {:.4f}", kernel,
                                       100 * fitted.summary.left_out.error, fitted.summary.left_out.log_density));
    if (!best || is_better(fitted.summary.left_out, best->summary.left_out)) best = std::move(fitted);
  }
  return std::move(*best);
}

GpTraining::Fitted GpTraining::fit(const TaggingData& data, const gp::Covariance& kernel,
                                   const Context& context) const {
  Fitted fitted = {gp::StructuredGp({.kernel = kernel,
                                     .inducing_points = options_.inducing_points,
                                     .inducing = options_.inducing,
                                     .pairwise_variance = options_.pairwise_variance,
                                     .draws = options_.gp_draws,
                                     .iterations = options_.gp_steps,
                                     .tolerance = options_.gp_tolerance,
                                     .threads = context.common.threads,
                                     .seed = context.common.seed}),
                   {}};
  fitted.summary = fitted.process.fit(gp_sequences(data.set), likelihood_named(options_.likelihood),
                                      Stop{.cancel = &context.cancel}, context.console.progress());
  context.console.clear_progress();
  return fitted;
}

std::string GpTraining::train(const TaggingData& data, const std::optional<TaggingData>& dev,
                              TaggerVocabulary vocabulary, const std::string& output, nlohmann::ordered_json& facts,
                              const Context& context) const {
  Fitted fitted = fit(data, context);
  facts["family"] = "gp";
  facts["fit"] = json_of(fitted.summary);
  facts["options"] = nlohmann::ordered_json::parse(options_json(options_));
  std::string text = text_of(fitted.summary);
  if (dev) {
    const TaggingMetrics metrics = evaluate_gp_tagger(fitted.process, *dev);
    facts["dev"] = {{"score", tagging_score(metrics)}, {"accuracy", metrics.accuracy()}};
    text += fmt::format("dev: {}\n", metrics.brief());
  }
  GpTagger tagger;
  static_cast<TaggerVocabulary&>(tagger) = std::move(vocabulary);
  tagger.training = facts.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  tagger.process = std::move(fitted.process);
  tagger.likelihood = options_.likelihood;
  tagger.save(output, data.attributes);
  return text;
}

TaggingMetrics GpTraining::cross_validate(const TaggingData& train, const TaggingData& held_out,
                                          const Context& context) const {
  return evaluate_gp_tagger(fit(train, context).process, held_out);
}

}  // namespace fovea::cli
