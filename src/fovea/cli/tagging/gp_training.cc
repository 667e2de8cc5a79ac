// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/tagging/gp_training.h"

#include <fmt/format.h>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/console.h"
#include "fovea/cli/tagging/training_facts.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/evaluate/tagger_evaluation.h"

namespace fovea::cli {

template <class V>
void GpTraining::Options::describe(V&& visit) {
  using O = Options;
  visit(&O::kernel, OptionInfo{.name = "kernel",
                               .description = "Covariance of a label's function at two items, by their attributes: a "
                                              "sum of products of linear(variance), rbf(variance, length scale), "
                                              "matern3/2(...), polynomial2(variance, offset), constant(variance), "
                                              "cosine. Given several times, each is tried, and one kept by --choose.",
                               .value_name = "TEXT",
                               .separator = '\0'});
  visit(&O::choose, OptionInfo{.name = "choose",
                               .description = "Which of several kernels is kept: error, that under which the fewest "
                                              "labels of training sequences are wrong, each predicted from the others; "
                                              "bound, that of the highest bound, for which narrow priors win that make "
                                              "more errors."});
  visit(&O::learn_kernel,
        OptionInfo{.name = "learn-kernel",
                   .description = "Moves the kernel's numbers to where the bound is highest, by its gradient, from "
                                  "those given: natural-gradient and score-function. A higher bound does not always "
                                  "make fewer errors."});
  visit(&O::likelihood, OptionInfo{.name = "likelihood",
                                   .description = "Of a sequence's labels, given the functions: chain sums over all "
                                                  "labelings; pseudo takes each label given its neighbours, for many "
                                                  "labels."});
  visit(&O::inducing_points, OptionInfo{.name = "inducing-points",
                                        .description = "Items by which the functions are represented; time grows with "
                                                       "the square.",
                                        .min = 1,
                                        .max = 20000});
  visit(&O::inducing, OptionInfo{.name = "inducing", .description = "How these are chosen."});
  visit(&O::means,
        OptionInfo{.name = "means",
                   .description = "What means of the functions are by: inducing-points; attributes, a weight for each "
                                  "attribute and label, for linear(variance) by natural-gradient, with fewer errors "
                                  "where the text has many more items than points; auto: the latter where it can be."});
  visit(&O::pairwise_variance, OptionInfo{.name = "pairwise-variance",
                                          .description = "Prior variance of the score of a label after another; > 0.",
                                          .min = 1e-9,
                                          .max = 1e9});
}

template <class V>
void GpTraining::InferenceOptions::describe(V&& visit) {
  using O = InferenceOptions;
  visit(&O::inference,
        OptionInfo{.name = "inference",
                   .description =
                       "natural-gradient: Gaussians by conjugate computation, in seconds. score-function and saga: "
                       "Gaussians by the estimators of Galliani et al. (2017), from the likelihood's values alone, on "
                       "all sequences or one at a time. slice-sampling: draws by elliptical slice sampling. The last "
                       "three take minutes to hours, and their marginals get no temperature."});
  visit(&O::gp_draws, OptionInfo{.name = "gp-draws",
                                 .description = "Draws over which expectations are averaged, rounded up to an even "
                                                "number; 0: 16, 10,000 and 4,000 for the first three methods.",
                                 .min = 0,
                                 .max = 1000000});
  visit(&O::gp_steps, OptionInfo{.name = "gp-steps",
                                 .description = "Steps at most: natural gradients; rounds of 50 and 10 iterations of "
                                                "L-BFGS; rounds of 3,000 and 1,000 steps of SAGA; draws. 0: 30, 100, "
                                                "10, 20,000.",
                                 .min = 0,
                                 .max = 100000000});
  visit(&O::minibatch,
        OptionInfo{.name = "minibatch",
                   .description = "Items looked at in one step of natural-gradient, by about; 0: all, or "
                                  "2,000 of 20,000 and more; -1: all.",
                   .min = -1,
                   .max = 100000000});
  visit(&O::components, OptionInfo{.name = "components",
                                   .description = "Gaussians in the posterior, by score-function and saga.",
                                   .min = 1,
                                   .max = 100});
  visit(&O::diagonal, OptionInfo{.name = "diagonal",
                                 .description = "Covariances over inducing points are diagonal, by score-function and "
                                                "saga."});
  visit(&O::no_control_variates, OptionInfo{.name = "no-control-variates",
                                            .description = "The score function without control variates, to see "
                                                           "what they do."});
  visit(&O::time_limit, OptionInfo{.name = "time-limit",
                                   .description = "Ends with the best so far: wall clock from process start, as in "
                                                  "10min.",
                                   .value_name = "TIME"});
  visit(&O::trace, OptionInfo{.name = "trace",
                              .description = "JSON lines of iteration, seconds and bound, and with --dev the share of "
                                             "wrong labels there and mean log p of a label, at times ever further "
                                             "apart; what these cost does not count.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
  visit(&O::gp_tolerance, OptionInfo{.name = "gp-tolerance",
                                     .description = "Ends where a step raises the bound by less than this an item, in "
                                                    "nats.",
                                     .min = 0,
                                     .max = 1});
}

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const gp::FitSummary& summary) {
  return {{"bound", summary.bound.total()},
          {"expected_log_likelihood", summary.bound.expected_log_likelihood},
          {"unary_divergence", summary.bound.unary_divergence},
          {"pairwise_divergence", summary.bound.pairwise_divergence},
          {"inference", word_of(summary.inference)},
          {"steps", summary.iterations},
          {"last_step", summary.last_step},
          {"converged", summary.converged},
          {"kernel", summary.kernel},
          {"inducing_points", summary.inducing_points},
          {"calibrated", summary.left_out.has_value()},
          {"temperature", summary.temperature},
          {"left_out_log_density", summary.left_out ? Json(summary.left_out->log_density) : Json()},
          {"left_out_error", summary.left_out ? Json(summary.left_out->error) : Json()},
          {"jitter", summary.jitter},
          {"seconds", summary.seconds}};
}

/// "8 natural-gradient steps, settled".
std::string text_of_iterations(const gp::FitSummary& summary) {
  const char* unit = summary.inference == gp::GpInference::kNaturalGradient ? "steps"
                     : summary.inference == gp::GpInference::kSliceSampling ? "draws"
                                                                            : "rounds";
  return fmt::format("{} {} of {}, {}", summary.iterations, unit, word_of(summary.inference),
                     summary.converged ? "settled" : "not settled");
}

/// ": 5.00 % of the labels wrong, log p -0.2000 an item", where sequences were left out.
std::string text_of_left_out(const gp::FitSummary& summary) {
  if (!summary.left_out) return {};
  return fmt::format(": {:.2f} % of the labels wrong, log p {:.4f} an item", 100 * summary.left_out->error,
                     summary.left_out->log_density);
}

std::string text_of(const gp::FitSummary& summary) {
  std::string text = fmt::format(
      "bound {:.1f} nats = expected log likelihood {:.1f} - divergence {:.1f} (functions) - {:.1f} (label pairs)\n"
      "{}; {}, {} inducing points; {:.2f} s\n",
      summary.bound.total(), summary.bound.expected_log_likelihood, summary.bound.unary_divergence,
      summary.bound.pairwise_divergence, text_of_iterations(summary), summary.kernel, summary.inducing_points,
      summary.seconds);
  if (!summary.left_out && summary.inference == gp::GpInference::kNaturalGradient)
    text += "not calibrated: marginals are as the posterior has them\n";
  if (summary.left_out)
    text += fmt::format("sequences predicted from the others{} at temperature {:.2f}\n", text_of_left_out(summary),
                        summary.temperature);
  if (summary.jitter > 0)
    text += fmt::format("{:.3g} was added to the variance of each inducing point, for the covariance was singular\n",
                        summary.jitter);
  return text;
}

/// Writes how training goes, and how good the model would be if it ended then.
class GpTrace {
 public:
  GpTrace(const std::string& path, const tagging::TaggingData* dev) : dev_(dev) {
    if (path.empty()) return;
    file_.emplace(path);
    if (dev_) sequences_ = tagging::gp_sequences(dev_->set.items);
  }

  gp::FitObserver observer() {
    if (!file_) return {};
    return [this](const gp::FitRecord& record) { write(record); };
  }
  void finish() {
    if (file_) file_->finish();
  }

 private:
  static constexpr double kApart = 1.2;

  void write(const gp::FitRecord& record) {
    if (record.seconds < next_) return;
    next_ = kApart * record.seconds;
    Json line = {{"iteration", record.iteration}, {"seconds", record.seconds}, {"bound", record.bound}};
    if (dev_) {
      const gp::MarginalScore score = tagging::score_gp_marginals(record.predict(sequences_), *dev_);
      line["dev_error"] = score.error;
      line["dev_log_density"] = score.log_density;
    }
    file_->write(line.dump() + "\n");
  }

  const tagging::TaggingData* dev_;
  gp::Sequences sequences_;
  std::optional<io::OutputFile> file_;
  double next_ = 0;
};

/// Writes the tagger as it stands once a minute.
class GpCheckpoint {
 public:
  /// The last two must outlive this.
  GpCheckpoint(std::string path, const tagging::GpTagger& tagger, const Dictionary& attributes, WarningFunction warn)
      : path_(std::move(path)), tagger_(tagger), attributes_(attributes), warn_(std::move(warn)) {}

  gp::FitObserver observer() {
    if (path_.empty()) return {};
    return [this](const gp::FitRecord& record) {
      if (record.seconds < next_) return;
      save_or_warn([&] { tagger_.save_checkpoint(path_, attributes_, record); }, warn_);
      next_ = record.seconds + kSecondsApart;
    };
  }

 private:
  static constexpr double kSecondsApart = 60;

  std::string path_;
  const tagging::GpTagger& tagger_;
  const Dictionary& attributes_;
  WarningFunction warn_;
  double next_ = 0;
};

gp::FitObserver both(gp::FitObserver a, gp::FitObserver b) {
  if (!a || !b) return a ? a : b;
  return [a = std::move(a), b = std::move(b)](const gp::FitRecord& record) {
    a(record);
    b(record);
  };
}

/// Log densities decide between equal shares of wrong labels.
bool is_better(const gp::FitSummary& a, const gp::FitSummary& b, bool by_bound) {
  if (by_bound) return a.bound.total() > b.bound.total();
  const gp::MarginalScore &x = *a.left_out, &y = *b.left_out;
  return x.error != y.error ? x.error < y.error : x.log_density > y.log_density;
}

}  // namespace

void GpTraining::bind(Binder& binder) {
  binder.options(options_, "Gaussian processes (--family gp)");
  binder.options(inference_, "Their inference");
}

Stop GpTraining::stop(const Context& context) const {
  const Budget budget = parse_budget({}, inference_.time_limit);
  if (budget.seconds_per_item) throw UsageError("training is one item: leave out '/item' in --time-limit");
  return Stop{.cancel = &context.cancel}.within(budget.seconds - seconds_since(context.started));
}

GpTraining::Fitted GpTraining::fit(const tagging::TaggingData& data, const gp::FitObserver& observer,
                                   const Context& context) const {
  const bool by_bound = options_.choose == KernelChoice::kBound;
  if (options_.kernel.size() > 1 && !by_bound && inference_.inference != gp::GpInference::kNaturalGradient)
    throw UsageError("several kernels are compared by sequences left out: only by --inference natural-gradient");
  const Stop stop = this->stop(context);
  std::optional<Fitted> best;
  Json tried = Json::array();
  for (const std::string& kernel : options_.kernel) {
    if (best && stop.requested()) break;
    Fitted fitted = fit(data, gp::covariance_of_text(kernel), observer, stop, context);
    tried.push_back({{"kernel", kernel}, {"fit", json_of(fitted.summary)}});
    if (options_.kernel.size() > 1)
      context.console.note(
          fmt::format("{}: bound {:.1f}{}", kernel, fitted.summary.bound.total(), text_of_left_out(fitted.summary)));
    if (!best || is_better(fitted.summary, best->summary, by_bound)) best = std::move(fitted);
  }
  best->tried = std::move(tried);
  return std::move(*best);
}

gp::StructuredGpOptions GpTraining::process_options(const gp::Covariance& kernel, const Context& context) const {
  return {.kernel = kernel,
          .inducing_points = options_.inducing_points,
          .inducing = options_.inducing,
          .pairwise_variance = options_.pairwise_variance,
          .inference = inference_.inference,
          .draws = inference_.gp_draws,
          .iterations = inference_.gp_steps,
          .minibatch = inference_.minibatch,
          .tolerance = inference_.gp_tolerance,
          .components = inference_.components,
          .diagonal = inference_.diagonal,
          .control_variates = !inference_.no_control_variates,
          .learn_kernel = options_.learn_kernel,
          .means = options_.means,
          .threads = context.common.threads,
          .seed = context.common.seed};
}

GpTraining::Fitted GpTraining::fit(const tagging::TaggingData& data, const gp::Covariance& kernel,
                                   const gp::FitObserver& observer, const Stop& stop, const Context& context) const {
  Fitted fitted = {gp::StructuredGp(process_options(kernel, context)), {}, {}};
  fitted.summary = fitted.process.fit(tagging::gp_sequences(data.set), tagging::make_likelihood(options_.likelihood),
                                      stop, context.console.progress(), observer);
  context.console.clear_progress();
  return fitted;
}

GpTraining::Fitted GpTraining::resume(const tagging::TaggingData& data, const tagging::TaggerVocabulary& vocabulary,
                                      const std::string& path, const gp::FitObserver& observer,
                                      const Context& context) const {
  tagging::GpTagger tagger = tagging::GpTagger::load(path);
  if (tagger.labels != vocabulary.labels || tagger.attributes.size() != vocabulary.attributes.size())
    throw InputError({.file = path}, "a tagger with other labels or attributes than this text gives",
                     "Resume with the files and the template that it was trained with");
  if (tagger.likelihood != options_.likelihood)
    throw UsageError(fmt::format("{} was trained with --likelihood {}", path, word_of(tagger.likelihood)));
  Fitted fitted = {std::move(tagger.process), {}, {}};
  fitted.summary = fitted.process.resume(tagging::gp_sequences(data.set), process_options(gp::Linear(), context),
                                         stop(context), context.console.progress(), observer);
  context.console.clear_progress();
  return fitted;
}

std::string GpTraining::train(const tagging::TaggingData& data, const std::optional<tagging::TaggingData>& dev,
                              tagging::TaggerVocabulary vocabulary, const Files& files, Json& facts,
                              const Context& context) const {
  tagging::GpTagger tagger;
  static_cast<tagging::TaggerVocabulary&>(tagger) = std::move(vocabulary);
  tagger.likelihood = options_.likelihood;
  GpTrace trace(inference_.trace, dev ? &*dev : nullptr);
  GpCheckpoint checkpoint(files.checkpoint, tagger, data.attributes, context.console.warnings());
  const gp::FitObserver observer = both(trace.observer(), checkpoint.observer());
  Fitted fitted =
      files.resume.empty() ? fit(data, observer, context) : resume(data, tagger, files.resume, observer, context);
  trace.finish();
  if (context.cancel.cancelled() && fitted.summary.iterations == 0)
    throw CancelledError("stopped before the first step; no model was written");
  facts["family"] = "gp";
  facts["fit"] = json_of(fitted.summary);
  facts["tried"] = fitted.tried;
  facts["options"] = Json::parse(options_json(options_));
  facts["options"].update(Json::parse(options_json(inference_)));
  std::string text = text_of(fitted.summary);
  if (dev) {
    const tagging::TaggingMetrics metrics = tagging::evaluate_gp_tagger(fitted.process, *dev);
    facts["dev"] = {{"score", tagging::tagging_score(metrics)}, {"accuracy", metrics.accuracy()}};
    text += fmt::format("dev: {}\n", metrics.brief());
  }
  tagger.training = stored_facts(facts);
  tagger.process = std::move(fitted.process);
  tagger.save(files.output, data.attributes);
  return text;
}

tagging::TaggingMetrics GpTraining::cross_validate(const tagging::TaggingData& train,
                                                   const tagging::TaggingData& held_out, const Context& context) const {
  return tagging::evaluate_gp_tagger(fit(train, {}, context).process, held_out);
}

}  // namespace fovea::cli
