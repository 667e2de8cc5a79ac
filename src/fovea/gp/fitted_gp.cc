// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/fitted_gp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "fovea/base/error.h"
#include "fovea/gp/covariance/functions.h"

namespace fovea::gp {
namespace {

constexpr std::string_view kOwnCovariance = "own";
constexpr double kWeightRounding = 1e-6;

void append(std::vector<double>& all, const std::vector<double>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

/// Appends the lower triangle, column by column.
void append_triangle(std::vector<float>& packed, const LargeColumns& factor) {
  for (Index c = 0; c < factor.cols(); ++c)
    for (Index r = c; r < factor.rows(); ++r) packed.push_back(factor(r, c));
}

}  // namespace

/// Means and factors of all components are stored end to end.
void FittedGp::save(ContainerWriter& writer, std::string_view prefix) const {
  const auto add = [&](const char* name, const auto& values) {
    writer.add_array(fmt::format("{}{}", prefix, name), std::span(values.data(), values.size()));
  };
  const std::string covariance = points.covariance().text();
  if (covariance.find(kOwnCovariance) != std::string::npos)
    throw UsageError("a model with a covariance function of your own cannot be saved: only those with a text can");
  writer.add(fmt::format("{}covariance", prefix), covariance);
  add("points.offsets", points.points().offsets);
  add("points.columns", points.points().columns);
  add("points.values", points.points().values);
  std::vector<double> weights, pairwise_means, pairwise_deviations, means;
  std::vector<float> factors;
  for (const PosteriorComponent& component : posterior) {
    weights.push_back(component.weight);
    append(pairwise_means, component.pairwise.means);
    append(pairwise_deviations, component.pairwise.deviations);
    const RowMatrix& rows = component.unary.means();
    means.insert(means.end(), rows.data(), rows.data() + rows.size());
    for (std::size_t j = 0; !component.unary.is_point() && j < component.unary.labels(); ++j)
      append_triangle(factors, component.unary.factor(j));
  }
  const AttributeMeans* attribute_means = posterior[0].unary.attribute_means();
  add("attribute_means", attribute_means ? attribute_means->weights() : std::vector<float>());
  add("temperature", std::vector<double>{temperature});
  add("weights", weights);
  add("pairwise.prior", std::vector<double>{posterior[0].pairwise.prior_variance});
  add("pairwise.means", pairwise_means);
  add("pairwise.deviations", pairwise_deviations);
  add("means", means);
  add("factors", factors);
}

namespace {

class FittedGpLoader {
 public:
  FittedGpLoader(const Container& container, std::string_view prefix) : container_(container), prefix_(prefix) {}

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

  double temperature() const { return positive("temperature", 1)[0]; }

  MixturePosterior posterior(std::size_t points) {
    const std::vector<double> weights = positive("weights"), prior = positive("pairwise.prior", 1);
    if (std::abs(std::accumulate(weights.begin(), weights.end(), -1.0)) > kWeightRounding)
      container_.refuse(name("weights"), "one for each component, of sum 1");
    read_pairwise(weights.size());
    const std::vector<double> means = numbers("means", weights.size() * labels_ * points);
    const std::vector<float> factors = read<float>("factors");
    const std::size_t triangles = weights.size() * labels_ * (points * (points + 1) / 2);
    if (!factors.empty() && factors.size() != triangles)
      container_.refuse(name("factors"), "none, or a triangle for each component and label, as many rows as points");
    MixturePosterior result;
    for (std::size_t k = 0; k < weights.size(); ++k)
      result.push_back({.weight = weights[k],
                        .unary = unary(std::span(means).subspan(k * labels_ * points, labels_ * points),
                                       factors.empty() ? std::span<const float>()
                                                       : std::span(factors).subspan(k * (triangles / weights.size()),
                                                                                    triangles / weights.size()),
                                       points),
                        .pairwise = pairwise(k, prior[0])});
    const std::vector<float> attribute_means = read<float>("attribute_means");
    if (attribute_means.size() % labels_ != 0 || (!attribute_means.empty() && result.size() > 1))
      container_.refuse(name("attribute_means"), "none, or with one component as many as labels for each attribute");
    if (!attribute_means.empty())
      result[0].unary = result[0].unary.with_means(AttributeMeans(attribute_means, labels_));
    return result;
  }

 private:
  void read_pairwise(std::size_t components) {
    pairwise_means_ = numbers("pairwise.means");
    pairwise_deviations_ = numbers("pairwise.deviations", pairwise_means_.size());
    if (!std::all_of(pairwise_deviations_.begin(), pairwise_deviations_.end(), [](double d) { return d >= 0; }))
      container_.refuse(name("pairwise.deviations"), "at least 0");
    labels_ = static_cast<std::size_t>(std::lround(std::sqrt(pairwise_means_.size() / components)));
    if (labels_ == 0 || labels_ * labels_ * components != pairwise_means_.size())
      container_.refuse(name("pairwise.means"), "a square for each component");
  }

  PairwisePosterior pairwise(std::size_t component, double prior) const {
    PairwisePosterior result(labels_, prior);
    const std::size_t pairs = result.means.size();
    std::copy_n(pairwise_means_.begin() + static_cast<std::ptrdiff_t>(component * pairs), pairs, result.means.begin());
    std::copy_n(pairwise_deviations_.begin() + static_cast<std::ptrdiff_t>(component * pairs), pairs,
                result.deviations.begin());
    return result;
  }

  /// `packed`: empty for a point.
  UnaryPosterior unary(std::span<const double> means, std::span<const float> packed, std::size_t points) const {
    std::vector<LargeColumns> factors;
    for (std::size_t at = 0; at < packed.size();) {
      LargeColumns& factor = factors.emplace_back(LargeColumns::Zero(index(points), index(points)));
      for (Index c = 0; c < factor.cols(); ++c)
        for (Index r = c; r < factor.rows(); ++r) factor(r, c) = packed[at++];
      if (!(factor.diagonal().minCoeff() > 0)) container_.refuse(name("factors"), "positive on each diagonal");
    }
    return UnaryPosterior(Eigen::Map<const RowMatrix>(means.data(), index(labels_), index(points)), std::move(factors));
  }

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
  std::vector<double> positive(const char* section, std::optional<std::size_t> count = {}) const {
    std::vector<double> values = numbers(section, count);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return value > 0; }))
      container_.refuse(name(section), "positive");
    return values;
  }

  const Container& container_;
  std::string prefix_;
  std::size_t labels_ = 0;
  std::vector<double> pairwise_means_, pairwise_deviations_;
};

}  // namespace

FittedGp FittedGp::load(const Container& container, std::string_view prefix) {
  FittedGpLoader loader(container, prefix);
  InducingPoints points(loader.covariance(), loader.points());
  MixturePosterior posterior = loader.posterior(points.size());
  return {.points = std::move(points), .posterior = std::move(posterior), .temperature = loader.temperature()};
}

}  // namespace fovea::gp
