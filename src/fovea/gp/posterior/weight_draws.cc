// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/weight_draws.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

/// Places where an attribute's normals may begin: two attributes share a value with probability 4e-6, and no memory is
/// needed for attributes that no inducing point has.
constexpr std::size_t kNormals = std::size_t{1} << 18;

void add(float factor, const float* from, std::span<float> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

}  // namespace

WeightDraws::WeightDraws(const InducingPoints& points, const MixturePosterior& posterior, std::size_t pairs,
                         Random random, int threads)
    : posterior_(posterior), labels_(posterior[0].unary.labels()), pairs_(pairs), random_(random) {
  const std::optional<double> variance = points.covariance().linear_variance();
  if (!variance) throw UsageError("weights can be drawn for a linear covariance only");
  deviation_ = std::sqrt(*variance);
  Random normals = random.child("normals");
  normals_.resize(kNormals + deviation_count());
  for (float& normal : normals_) normal = static_cast<float>(normals.normal());
  number_attributes(points);
  const ByColumn columns(points.points());
  parallel_for(posterior.size() * labels_, 1, threads, [&](std::size_t task, std::size_t) {
    move_to_posterior(points, columns, task / labels_, task % labels_);
  });
}

std::size_t WeightDraws::normals_at(std::string_view kind, std::uint64_t number) const {
  return random_.child(kind, number).key() % kNormals;
}

void WeightDraws::number_attributes(const InducingPoints& points) {
  const ByColumn columns(points.points());
  slots_.assign(columns.columns(), kNone);
  std::uint32_t used = 0;
  for (std::size_t c = 0; c < columns.columns(); ++c)
    if (columns.offsets[c] < columns.offsets[c + 1]) slots_[c] = used++;
  weights_.resize(used * (mean_count() + deviation_count()));
  std::size_t known = columns.columns();
  if (const AttributeMeans* means = posterior_[0].unary.attribute_means()) known = std::max(known, means->columns());
  begin_.resize(known);
  for (std::size_t c = 0; c < known; ++c) begin_[c] = static_cast<std::uint32_t>(normals_at("attribute", c));
}

/// Sets the weights of one component and label.
void WeightDraws::move_to_posterior(const InducingPoints& points, const ByColumn& columns, std::size_t component,
                                    std::size_t label) {
  const UnaryPosterior& posterior = posterior_[component].unary;
  const std::size_t task = component * labels_ + label;
  const Index m = index(points.size()), pairs = index(pairs_);
  using Pairs = Eigen::Map<const Eigen::RowVectorXf>;
  const auto prior = [&](std::size_t column) {  // in units of sqrt(v)
    return Pairs(normals_.data() + begin_[column] + task * pairs_, pairs);
  };
  LargeRows values = LargeRows::Zero(m, pairs);  // of the prior's draws at the points
  for (std::size_t c = 0; c < columns.columns(); ++c)
    for (std::uint32_t e = columns.offsets[c]; e < columns.offsets[c + 1]; ++e)
      values.row(columns.entries[e].first) += static_cast<float>(deviation_) * columns.entries[e].second * prior(c);
  LargeColumns wanted = LargeColumns::Zero(m, pairs);
  const auto jitter = static_cast<float>(std::sqrt(points.jitter()));
  for (Index r = 0; r < m; ++r) {
    const std::size_t row = task * points.size() + size(r);
    values.row(r) += jitter * Pairs(normals_.data() + normals_at("jitter", row), pairs);
    if (!posterior.is_point()) wanted.row(r) = Pairs(normals_.data() + normals_at("value", row), pairs);
  }
  if (!posterior.is_point()) posterior.factor(label).triangularView<Eigen::Lower>().transpose().solveInPlace(wanted);
  const auto lower = points.factor().triangularView<Eigen::Lower>();
  ColumnMatrix moves(m, pairs + 1);  // the last column moves the means
  moves.leftCols(pairs) = values.cast<double>();
  lower.solveInPlace(moves.leftCols(pairs));
  moves.leftCols(pairs) = wanted.cast<double>() - moves.leftCols(pairs);
  moves.col(pairs) = posterior.means().row(index(label)).transpose();
  lower.transpose().solveInPlace(moves);

  const RowMatrix rows = deviation_ * deviation_ * moves;
  Eigen::RowVectorXd weights(pairs + 1);
  for (std::size_t c = 0; c < columns.columns(); ++c) {
    if (slots_[c] == kNone) continue;
    weights.setZero();
    for (std::uint32_t e = columns.offsets[c]; e < columns.offsets[c + 1]; ++e)
      weights += double{columns.entries[e].second} * rows.row(columns.entries[e].first);
    float* row = weights_.data() + slots_[c] * (mean_count() + deviation_count());
    if (!posterior.attribute_means()) row[task] = static_cast<float>(weights[pairs]);
    Eigen::Map<Eigen::RowVectorXf>(row + mean_count() + task * pairs_, pairs) =
        static_cast<float>(deviation_) * prior(c) + weights.head(pairs).cast<float>();
  }
}

/// Numbers of the unknown attributes in the order of the sequence's entries. They are told apart only by the items that
/// have them, so numbers follow that, and not those of the attributes, which depend on the sequences before.
std::vector<std::uint32_t> WeightDraws::unknown_numbers(const Sequences& sequences, std::size_t sequence) const {
  const SparseRows& rows = sequences.features;
  using Place = std::pair<std::size_t, float>;  // item, value
  std::vector<std::pair<std::uint32_t, Place>> entries;
  for (std::size_t t = sequences.begin[sequence]; t < sequences.begin[sequence + 1]; ++t)
    for (std::uint32_t e = rows.offsets[t]; e < rows.offsets[t + 1]; ++e)
      if (rows.columns[e] >= begin_.size())
        entries.push_back({rows.columns[e], {t - sequences.begin[sequence], rows.value(e)}});
  std::vector<std::pair<std::vector<Place>, std::uint32_t>> attributes;  // places, column
  std::vector<std::uint32_t> in_order;
  for (const auto& [column, place] : entries) in_order.push_back(column);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [column, place] : entries) {
    if (attributes.empty() || attributes.back().second != column) attributes.push_back({{}, column});
    attributes.back().first.push_back(place);
  }
  std::sort(attributes.begin(), attributes.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers;  // column, number
  for (const auto& [places, column] : attributes)
    numbers.emplace_back(column, static_cast<std::uint32_t>(numbers.size()));
  std::sort(numbers.begin(), numbers.end());
  for (std::uint32_t& column : in_order)
    column = std::lower_bound(numbers.begin(), numbers.end(), std::pair{column, std::uint32_t{}})->second;
  return in_order;
}

void WeightDraws::draw(const Sequences& sequences, std::size_t sequence, std::vector<double>& values) const {
  const std::size_t first = sequences.begin[sequence], length = sequences.length(sequence);
  const SparseRows& rows = sequences.features;
  const std::vector<std::uint32_t> unknown = unknown_numbers(sequences, sequence);
  std::size_t next_unknown = 0;
  const AttributeMeans* attribute_means = posterior_[0].unary.attribute_means();
  const RowMatrix given = attribute_means ? attribute_means->at(rows, first, first + length) : RowMatrix();
  std::vector<float> means(mean_count()), deviations(deviation_count());
  values.resize(draws() * length * labels_);
  for (std::size_t t = 0; t < length; ++t) {
    std::fill(means.begin(), means.end(), 0.0f);
    std::fill(deviations.begin(), deviations.end(), 0.0f);
    for (std::uint32_t e = rows.offsets[first + t]; e < rows.offsets[first + t + 1]; ++e) {
      const std::uint32_t column = rows.columns[e];
      if (column < slots_.size() && slots_[column] != kNone) {
        const float* row = weights_.data() + slots_[column] * (mean_count() + deviation_count());
        add(rows.value(e), row, means);
        add(rows.value(e), row + mean_count(), deviations);
        continue;
      }
      const std::size_t at =
          column < begin_.size() ? begin_[column] : normals_at("attribute", begin_.size() + unknown[next_unknown++]);
      add(static_cast<float>(deviation_) * rows.value(e), normals_.data() + at, deviations);
    }
    for (std::size_t k = 0; k < posterior_.size(); ++k)
      for (std::size_t p = 0; p < pairs_; ++p) {
        double* out = values.data() + (2 * (k * pairs_ + p) * length + t) * labels_;
        for (std::size_t j = 0; j < labels_; ++j) {
          const double mean = means[k * labels_ + j] + (attribute_means ? given(index(t), index(j)) : 0);
          const double deviation = deviations[(k * labels_ + j) * pairs_ + p];
          out[j] = mean + deviation;
          out[length * labels_ + j] = mean - deviation;
        }
      }
  }
}

}  // namespace fovea::gp
