// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/structured_gp.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/seconds_since.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/posterior/averaged_marginals.h"
#include "fovea/gp/posterior/temperature.h"
#include "fovea/gp/training/natural_gradient.h"

namespace fovea::gp {

struct StructuredGp::Model {
  InducingPoints points;
  UnaryPosterior unary;
  PairwisePosterior pairwise;
  std::shared_ptr<const Likelihood> likelihood;
  double temperature = 1;

  PredictiveDistribution predictive(int draws, std::uint64_t seed) const {
    return {.unary = unary,
            .pairwise = pairwise,
            .likelihood = *likelihood,
            .draws = static_cast<std::size_t>((draws + 1) / 2) * 2,
            .random = Random(seed).child("prediction")};
  }
};

namespace {

constexpr std::string_view kOwnCovariance = "own";
constexpr int kCalibrationDraws = 64;

void check_options(const StructuredGpOptions& options) {
  const auto demand = [](bool holds, const char* name, const auto& value, const char* constraint) {
    if (!holds) throw UsageError(fmt::format("{} {}: must be {}", name, value, constraint));
  };
  const std::string& inducing = options.inducing;
  demand(options.inducing_points > 0, "inducing_points", options.inducing_points, "at least 1");
  demand(inducing == "pivoted-cholesky" || inducing == "k-means" || inducing == "random", "inducing", inducing,
         "pivoted-cholesky, k-means or random");
  demand(options.pairwise_variance > 0 && std::isfinite(options.pairwise_variance), "pairwise_variance",
         options.pairwise_variance, "positive");
  demand(options.draws > 0, "draws", options.draws, "at least 1");
  demand(options.iterations >= 0, "iterations", options.iterations, "at least 0");
  demand(options.tolerance >= 0, "tolerance", options.tolerance, "at least 0");
}

/// They come in pairs.
std::size_t even(int draws) { return static_cast<std::size_t>((draws + 1) / 2) * 2; }

void check_sequences(const Sequences& sequences) {
  const auto refuse = [](const std::string& what, const char* remedy) { throw InputError({}, what, remedy); };
  if (sequences.sequence_count() == 0) refuse("no sequence to train on", "Give labelled sequences");
  if (sequences.labels.size() != sequences.item_count())
    refuse(fmt::format("{} labels for {} items", sequences.labels.size(), sequences.item_count()),
           "Give one label per item");
  for (std::size_t n = 0; n < sequences.sequence_count(); ++n)
    if (sequences.length(n) == 0) refuse(fmt::format("sequence {} is empty", n + 1), "Leave it out");
  for (std::size_t i = 0; i < sequences.labels.size(); ++i)
    if (sequences.labels[i] >= sequences.label_count)
      refuse(fmt::format("label {} of item {}: must be below the number of labels, {}", sequences.labels[i], i + 1,
                         sequences.label_count),
             "Number labels from 0");
}

}  // namespace

StructuredGp::StructuredGp(StructuredGpOptions options) : options_(std::move(options)) {}
StructuredGp::StructuredGp(StructuredGp&&) noexcept = default;
StructuredGp& StructuredGp::operator=(StructuredGp&&) noexcept = default;
StructuredGp::~StructuredGp() = default;

std::size_t StructuredGp::label_count() const { return model_ ? model_->unary.labels() : 0; }
std::size_t StructuredGp::inducing_point_count() const { return model_ ? model_->points.size() : 0; }
double StructuredGp::temperature() const { return model_ ? model_->temperature : 1; }
const StructuredGpOptions& StructuredGp::options() const { return options_; }

FitSummary StructuredGp::fit(const Sequences& sequences, std::shared_ptr<const Likelihood> likelihood, const Stop& stop,
                             const ProgressFunction& progress) {
  const auto start = std::chrono::steady_clock::now();
  check_options(options_);
  check_sequences(sequences);
  if (!likelihood->has_gradients())
    throw UsageError("a likelihood without gradients: write its operator() as a template of the number type");
  const Random random(options_.seed);
  const std::vector<std::uint32_t> chosen =
      choose_inducing_rows(options_.inducing, options_.kernel, sequences.features,
                           static_cast<std::size_t>(options_.inducing_points), random.child("inducing points"));
  if (chosen.empty())
    throw InputError({}, fmt::format("the covariance '{}' is 0 at every item", options_.kernel.text()),
                     "Give items with attributes, or add constant() to the kernel");
  InducingPoints points(options_.kernel, rows_at(sequences.features, chosen));
  const ProjectedSequences projected(sequences, points, options_.threads);
  const NaturalGradientOptions training = {.draws = even(options_.draws),
                                           .iterations = options_.iterations,
                                           .tolerance = options_.tolerance,
                                           .pairwise_variance = options_.pairwise_variance,
                                           .threads = options_.threads};
  FittedPosterior fitted = fit_by_natural_gradient(sequences, projected, sequences.label_count, *likelihood, training,
                                                   random, stop, progress);
  FitSummary summary = fitted.summary;
  summary.inducing_points = points.size();
  summary.jitter = points.jitter();
  model_ = std::make_unique<Model>(
      Model{std::move(points), std::move(fitted.unary), std::move(fitted.pairwise), std::move(likelihood)});
  if (options_.calibrate) summary.left_out = calibrate(sequences, projected, fitted.sites);
  summary.temperature = model_->temperature;
  summary.seconds = seconds_since(start);
  return summary;
}

LeftOut StructuredGp::calibrate(const Sequences& sequences, const ProjectedSequences& projected, const Sites& sites) {
  std::vector<double> marginals(sequences.item_count() * label_count());
  const Matrix<double> rows(marginals.data(), sequences.item_count(), label_count());
  leave_one_out_marginals(projected, model_->predictive(kCalibrationDraws, options_.seed), sites, marginals,
                          options_.threads);
  model_->temperature = best_temperature(rows, sequences.labels);
  apply_temperature(model_->temperature, rows);
  return score_marginals(rows, sequences.labels);
}

Prediction StructuredGp::predict(const Sequences& sequences, int draws, int threads) const {
  if (!model_) throw UsageError("predict() needs a model: call fit() or load() first");
  const Model& model = *model_;
  const std::size_t labels = label_count();
  Prediction result{.label_count = labels};
  for (std::vector<double>* all : {&result.marginals, &result.latent_means, &result.latent_variances})
    all->resize(sequences.item_count() * labels);
  const ProjectedSequences projected(sequences, model.points, threads);
  const PredictiveDistribution predictive = model.predictive(draws, options_.seed);
  average_marginals(projected, predictive, result.marginals, threads,
                    [&](std::size_t n, std::size_t j, const LatentGaussian& q) {
                      for (std::size_t t = 0; t < sequences.length(n); ++t) {
                        const std::size_t at = (sequences.begin[n] + t) * labels + j;
                        result.latent_means[at] = q.mean[index(t)];
                        result.latent_variances[at] = q.factor.row(index(t)).squaredNorm();
                      }
                    });
  apply_temperature(model.temperature, Matrix<double>(result.marginals.data(), sequences.item_count(), labels));
  return result;
}

void StructuredGp::save(ContainerWriter& writer, std::string_view prefix) const {
  if (!model_) throw UsageError("save() needs a model: call fit() or load() first");
  const auto add = [&](const char* name, const auto& values) {
    writer.add_array(fmt::format("{}{}", prefix, name), std::span(values.data(), values.size()));
  };
  const std::string covariance = options_.kernel.text();
  if (covariance.find(kOwnCovariance) != std::string::npos)
    throw UsageError("a model with a covariance function of your own cannot be saved: only those with a text can");
  writer.add(fmt::format("{}covariance", prefix), covariance);
  const SparseRows& points = model_->points.points();
  add("points.offsets", points.offsets);
  add("points.columns", points.columns);
  add("points.values", points.values);
  const PairwisePosterior& pairwise = model_->pairwise;
  add("temperature", std::vector<double>{model_->temperature});
  add("pairwise.prior", std::vector<double>{pairwise.prior_variance});
  add("pairwise.means", pairwise.means);
  add("pairwise.deviations", pairwise.log_deviations);
  std::vector<double> means(model_->unary.means().reshaped<Eigen::RowMajor>().begin(),
                            model_->unary.means().reshaped<Eigen::RowMajor>().end());
  add("means", means);
  std::vector<float> factors;  // lower triangles, column by column
  for (std::size_t j = 0; j < label_count(); ++j) {
    const LargeColumns& factor = model_->unary.factor(j);
    for (Index c = 0; c < factor.cols(); ++c)
      for (Index r = c; r < factor.rows(); ++r) factors.push_back(factor(r, c));
  }
  add("factors", factors);
}

namespace {

class Loader {
 public:
  Loader(const Container& container, std::string_view prefix) : container_(container), prefix_(prefix) {}

  std::string name(const char* section) const { return prefix_ + section; }

  Covariance covariance() const try {
    return covariance_of_text(std::string(container_.bytes(name("covariance"))));
  } catch (const UsageError& error) {
    container_.refuse(name("covariance"), error.what());
  }

  SparseRows points() const {
    SparseRows rows;
    rows.offsets = read<std::uint32_t>("points.offsets");
    rows.columns = read<std::uint32_t>("points.columns");
    rows.values = read<float>("points.values");
    if (rows.offsets.empty() || rows.offsets[0] != 0 || rows.offsets.back() != rows.columns.size() ||
        !std::is_sorted(rows.offsets.begin(), rows.offsets.end()))
      container_.refuse(name("points.offsets"), "ascending from 0 to the number of columns");
    if (!rows.values.empty() && rows.values.size() != rows.columns.size())
      container_.refuse(name("points.values"), "none, or one for each column");
    for (std::size_t r = 0; r < rows.row_count(); ++r)
      if (!std::is_sorted(rows.row(r).begin(), rows.row(r).end(), std::less_equal<>()))
        container_.refuse(name("points.columns"), "ascending in each row");
    return rows;
  }

  double temperature() const {
    const double value = numbers("temperature", 1)[0];
    if (!(value > 0)) container_.refuse(name("temperature"), "positive");
    return value;
  }

  PairwisePosterior pairwise() const {
    PairwisePosterior result;
    result.means = numbers("pairwise.means");
    result.log_deviations = numbers("pairwise.deviations");
    result.prior_variance = numbers("pairwise.prior", 1)[0];
    const auto labels = static_cast<std::size_t>(std::lround(std::sqrt(result.means.size())));
    if (labels == 0 || labels * labels != result.means.size() || result.log_deviations.size() != result.means.size())
      container_.refuse(name("pairwise.means"), "a square, and as many as pairwise.deviations");
    return result;
  }

  UnaryPosterior unary(std::size_t labels, std::size_t points) const {
    const std::vector<double> means = numbers("means", labels * points);
    const std::vector<float> packed = read<float>("factors");
    if (packed.size() != labels * (points * (points + 1) / 2))
      container_.refuse(name("factors"), "a triangle for each label, as many rows as points");
    std::vector<LargeColumns> factors;
    for (std::size_t j = 0, at = 0; j < labels; ++j) {
      LargeColumns& factor = factors.emplace_back(LargeColumns::Zero(index(points), index(points)));
      for (Index c = 0; c < factor.cols(); ++c)
        for (Index r = c; r < factor.rows(); ++r) factor(r, c) = packed[at++];
      if (points > 0 && !(factor.diagonal().minCoeff() > 0))
        container_.refuse(name("factors"), "positive on each diagonal");
    }
    return {Eigen::Map<const RowMatrix>(means.data(), index(labels), index(points)), std::move(factors)};
  }

 private:
  template <class T>
  std::vector<T> read(const char* section) const {
    const auto values = container_.array<T>(name(section));
    if constexpr (std::is_floating_point_v<T>)
      if (!std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); }))
        container_.refuse(name(section), "finite");
    return {values.begin(), values.end()};
  }
  std::vector<double> numbers(const char* section, std::optional<std::size_t> count = {}) const {
    std::vector<double> values = read<double>(section);
    if (count && values.size() != *count) container_.refuse(name(section), fmt::format("{} numbers", *count));
    return values;
  }

  const Container& container_;
  std::string prefix_;
};

}  // namespace

StructuredGp StructuredGp::load(const Container& container, std::string_view prefix,
                                std::shared_ptr<const Likelihood> likelihood) {
  const Loader loader(container, prefix);
  StructuredGp result({.kernel = loader.covariance()});
  InducingPoints points(result.options_.kernel, loader.points());
  PairwisePosterior pairwise = loader.pairwise();
  const auto labels = static_cast<std::size_t>(std::lround(std::sqrt(pairwise.means.size())));
  UnaryPosterior unary = loader.unary(labels, points.size());
  result.model_ = std::make_unique<Model>(
      Model{std::move(points), std::move(unary), std::move(pairwise), std::move(likelihood), loader.temperature()});
  return result;
}

}  // namespace fovea::gp
