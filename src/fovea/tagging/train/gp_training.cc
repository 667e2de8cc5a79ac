// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/gp_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/tagging/evaluate/tagger_evaluation.h"

namespace fovea::tagging {
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

/// ": 5.00 % of the labels wrong, log p -0.2000 an item", if sequences were left out.
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
    text += fmt::format("{:.3g} was added to the variance of each inducing point: the covariance was singular\n",
                        summary.jitter);
  return text;
}

/// Writes the progress of training, with the quality that the model would have if it ended then.
class GpTrace {
 public:
  GpTrace(const std::string& path, const TaggingData* dev) : dev_(dev) {
    if (path.empty()) return;
    file_.emplace(path);
    if (dev_) sequences_ = gp_sequences(dev_->set.items);
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
      const gp::MarginalScore score = score_gp_marginals(record.predict(sequences_), *dev_);
      line["dev_error"] = score.error;
      line["dev_log_density"] = score.log_density;
    }
    file_->write(line.dump() + "\n");
  }

  const TaggingData* dev_;
  gp::Sequences sequences_;
  std::optional<io::OutputFile> file_;
  double next_ = 0;
};

/// Writes the tagger as it stands once a minute.
class GpCheckpoint {
 public:
  /// The last two must outlive this.
  GpCheckpoint(std::string path, const GpTagger& tagger, const Dictionary& attributes, WarningFunction warn)
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
  const GpTagger& tagger_;
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

/// Compares two fits; log densities decide between equal shares of wrong labels. A fit that was stopped before
/// sequences could be left out is not better than any.
bool is_better(const gp::FitSummary& a, const gp::FitSummary& b, KernelChoice choice) {
  if (choice == KernelChoice::kBound) return a.bound.total() > b.bound.total();
  if (!a.left_out || !b.left_out) return false;
  const gp::MarginalScore &x = *a.left_out, &y = *b.left_out;
  return x.error != y.error ? x.error < y.error : x.log_density > y.log_density;
}

/// Predictors of less weight only take time.
constexpr double kLeastWeight = .01;

/// Weights by stacking without those below kLeastWeight, which are 0.
std::vector<double> average_weights(std::span<const std::vector<double>> probabilities) {
  std::vector<double> weights = gp::stacking_weights(probabilities);
  double sum = 0;
  for (double& weight : weights) sum += weight >= kLeastWeight ? weight : weight = 0;
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Mean log probability of a label left out, by a mixture.
double log_density(std::span<const std::vector<double>> probabilities, std::span<const double> weights) {
  double sum = 0, count = 0;
  for (std::size_t item = 0; item < probabilities[0].size(); ++item) {
    double mixture = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) mixture += weights[k] * probabilities[k][item];
    if (std::isnan(mixture)) continue;
    sum += std::log(std::max(mixture, std::numeric_limits<double>::min()));
    ++count;
  }
  return sum / std::max(1.0, count);
}

}  // namespace

GpTraining::Fitted GpTraining::fit(const TaggingData& data, const gp::FitObserver& observer, const Run& run) const {
  if (options_.kernel.size() > 1 && options_.choose != KernelChoice::kBound &&
      inference_.inference != gp::GpInference::kNaturalGradient)
    throw UsageError(
        "several kernels are compared by sequences left out, which needs option 'inference natural-gradient'");
  std::vector<Fit> fits;
  Json tried = Json::array();
  for (const std::string& kernel : options_.kernel) {
    if (!fits.empty() && run.stop.requested()) break;
    try {
      fits.push_back(fit(data, gp::covariance_of_text(kernel), observer, run));
    } catch (const CancelledError&) {  // before its first step
      if (fits.empty()) throw;
      break;
    }
    const gp::FitSummary& summary = fits.back().summary;
    tried.push_back({{"kernel", kernel}, {"fit", json_of(summary)}});
    if (options_.kernel.size() > 1)
      run.note_that(fmt::format("{}: bound {:.1f}{}", kernel, summary.bound.total(), text_of_left_out(summary)));
    if (options_.choose == KernelChoice::kAverage || fits.size() == 1) continue;
    if (is_better(summary, fits[0].summary, options_.choose)) std::swap(fits[0], fits[1]);
    fits.pop_back();
  }
  return chosen(std::move(fits), std::move(tried));
}

/// `fits`: one for each kernel tried if they are averaged, else the best alone.
GpTraining::Fitted GpTraining::chosen(std::vector<Fit> fits, Json tried) const {
  std::vector<std::size_t> left_out;  // fits that can be compared
  std::vector<std::vector<double>> probabilities;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    if (!fits[k].summary.left_out) continue;
    left_out.push_back(k);
    probabilities.push_back(fits[k].summary.left_out_probabilities);
  }
  if (fits.size() == 1 || left_out.size() < 2) {
    Fit& only = fits[left_out.empty() ? 0 : left_out[0]];
    return {gp::AveragedGps(std::move(only.process)), only.summary, std::move(tried), {}};
  }
  const std::vector<double> weights = average_weights(probabilities);
  std::vector<gp::AveragedGps::Member> members;
  std::string text;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    tried[left_out[k]]["weight"] = weights[k];
    if (weights[k] == 0) continue;
    text += fmt::format("{}{:.2f} {}", text.empty() ? "" : ", ", weights[k], fits[left_out[k]].summary.kernel);
    members.push_back({std::move(fits[left_out[k]].process), weights[k]});
  }
  const auto heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  return {gp::AveragedGps(std::move(members)), fits[left_out[heaviest]].summary, std::move(tried),
          fmt::format("average of {}: log p {:.4f} an item of sequences predicted from the others\n", text,
                      log_density(probabilities, weights))};
}

gp::StructuredGpOptions GpTraining::process_options(const gp::Covariance& kernel, const Run& run) const {
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
          .threads = run.threads,
          .seed = run.random.key()};
}

GpTraining::Fit GpTraining::fit(const TaggingData& data, const gp::Covariance& kernel, const gp::FitObserver& observer,
                                const Run& run) const {
  Fit fitted = {gp::StructuredGp(process_options(kernel, run)), {}};
  fitted.summary = fitted.process.fit(gp_sequences(data.set), make_likelihood(options_.likelihood), run.stop,
                                      run.progress, observer);
  return fitted;
}

GpTraining::Fitted GpTraining::resume(const TaggingData& data, const TaggerVocabulary& vocabulary,
                                      const std::string& path, const gp::FitObserver& observer, const Run& run) const {
  GpTagger tagger = GpTagger::load(path);
  if (tagger.labels != vocabulary.labels || tagger.attributes.size() != vocabulary.attributes.size())
    throw InputError({.file = path}, "a tagger with other labels or attributes than this text gives",
                     "Resume with the files and the template that it was trained with");
  if (tagger.likelihood != options_.likelihood)
    throw UsageError(fmt::format("{} was trained with option 'likelihood {}'", path, word_of(tagger.likelihood)));
  if (tagger.processes.members().size() > 1)
    throw InputError({.file = path}, "a tagger that averages kernels, none of which can go on alone",
                     "Train one kernel, or option 'choose error'");
  gp::StructuredGp process = tagger.processes.release_only();
  gp::FitSummary summary =
      process.resume(gp_sequences(data.set), process_options(gp::Linear(), run), run.stop, run.progress, observer);
  return {gp::AveragedGps(std::move(process)), std::move(summary), {}, {}};
}

std::string GpTraining::train(const TaggingData& data, const std::optional<TaggingData>& dev,
                              TaggerVocabulary vocabulary, const Files& files, Json& facts, const Run& run) const {
  GpTagger tagger;
  static_cast<TaggerVocabulary&>(tagger) = std::move(vocabulary);
  tagger.likelihood = options_.likelihood;
  GpTrace trace(inference_.trace, dev ? &*dev : nullptr);
  GpCheckpoint checkpoint(files.checkpoint, tagger, data.attributes, run.warn);
  const gp::FitObserver observer = both(trace.observer(), checkpoint.observer());
  Fitted fitted = files.resume.empty() ? fit(data, observer, run) : resume(data, tagger, files.resume, observer, run);
  trace.finish();
  if (run.is_cancelled() && fitted.summary.iterations == 0)
    throw CancelledError("stopped before the first step; no model was written");
  facts["family"] = "gp";
  facts["fit"] = json_of(fitted.summary);
  facts["tried"] = fitted.tried;
  facts["options"] = Json::parse(options_json(options_));
  facts["options"].update(Json::parse(options_json(inference_)));
  std::string text = text_of(fitted.summary) + fitted.text_of_average;
  if (dev) {
    const TaggingMetrics metrics = evaluate_tagger(fitted.processes, *dev);
    facts["dev"] = {{"score", tagging_score(metrics)}, {"accuracy", metrics.accuracy()}};
    text += fmt::format("dev: {}\n", metrics.brief());
  }
  tagger.training = stored_facts(facts);
  tagger.processes = std::move(fitted.processes);
  tagger.save(files.output, data.attributes);
  return text;
}

TaggingMetrics GpTraining::cross_validate(const TaggingData& train, const TaggingData& held_out, const Run& run) const {
  return evaluate_tagger(fit(train, {}, run).processes, held_out);
}

}  // namespace fovea::tagging
