// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/latent_draws.h"

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/gp/inducing/inducing_choice.h"

namespace fovea::gp {
namespace {

/// Jitter relative to the variance: equal items, and rounding, leave covariances that are not quite positive definite.
constexpr double kLatentJitter = 1e-5;
constexpr std::size_t kSequencesAtOnce = 64;
constexpr double kLeastLatentVariance = 1e-12;  // of items without features
/// Share of the variance added to the residual given the inducing points, which may be 0: more than rounding takes
/// away.
constexpr double kRounding = 1e-9;

}  // namespace

SparseRows rows_between(const Sequences& sequences, std::size_t begin, std::size_t end) {
  SparseRows rows;
  const std::uint32_t first = sequences.features.offsets[begin], last = sequences.features.offsets[end];
  rows.columns.assign(sequences.features.columns.begin() + first, sequences.features.columns.begin() + last);
  if (!sequences.features.values.empty())
    rows.values.assign(sequences.features.values.begin() + first, sequences.features.values.begin() + last);
  for (std::size_t r = begin; r < end; ++r) rows.offsets.push_back(sequences.features.offsets[r + 1] - first);
  return rows;
}

ProjectedSequences::ProjectedSequences(const Sequences& sequences, const InducingPoints& points, int threads,
                                       const CancelToken* cancel)
    : begin_(sequences.begin),
      features_(&sequences.features),
      rows_(index(sequences.item_count()), index(points.size())),
      residuals_(sequences.sequence_count()) {
  parallel_for(sequence_count(), 8, threads, [&](std::size_t first, std::size_t last) {
    throw_if_cancelled(cancel);
    const SparseRows rows = rows_between(sequences, begin(first), begin_[last]);
    const RowMatrix projected = points.project(rows);
    rows_.middleRows(index(begin(first)), projected.rows()) = projected.cast<float>();
    for (std::size_t n = first; n < last; ++n) {
      const auto part = projected.middleRows(index(begin(n) - begin(first)), index(length(n)));
      residuals_[n] = points.residual(rows_between(sequences, begin(n), begin_[n + 1]), part);
      residuals_[n].diagonal() += kRounding * (residuals_[n].diagonal() + part.rowwise().squaredNorm());
    }
  });
}

void LatentGaussian::factorize(const RowMatrix& residual) {
  ColumnMatrix covariance = inducing_covariance + residual;
  covariance.diagonal().array() += kLatentJitter * covariance.diagonal().maxCoeff() + kLeastLatentVariance;
  const Eigen::LLT<ColumnMatrix> decomposed(covariance);
  FOVEA_CHECK(decomposed.info() == Eigen::Success);
  factor = decomposed.matrixL();
}

void for_each_latent(const ProjectedSequences& sequences, const UnaryPosterior& posterior, std::size_t begin,
                     std::size_t end, const LatentVisitor& visit) {
  const std::size_t first = sequences.begin(begin),
                    items = sequences.begin(end - 1) + sequences.length(end - 1) - first;
  const auto rows = sequences.rows().middleRows(index(first), index(items));
  LatentGaussian latent;
  LargeColumns whitened;
  const AttributeMeans* attribute_means = posterior.attribute_means();
  const RowMatrix means = attribute_means ? attribute_means->at(sequences.features(), first, first + items)
                                          : project(rows, posterior.means());
  for (std::size_t j = 0; j < posterior.labels(); ++j) {
    if (!posterior.is_point()) {
      whitened = rows.transpose();
      solve_lower(posterior.factor(j), whitened);
    }
    for (std::size_t n = begin; n < end; ++n) {
      const Index at = index(sequences.begin(n) - first), length = index(sequences.length(n));
      if (posterior.is_point()) {
        latent.inducing_covariance.setZero(length, length);
      } else {
        const auto part = whitened.middleCols(at, length);
        latent.inducing_covariance = (part.transpose() * part).cast<double>();
      }
      latent.factorize(sequences.residual(n));
      latent.mean = means.col(index(j)).segment(at, length);
      visit(n, j, latent);
    }
  }
}

std::vector<std::size_t> sequence_blocks(const ProjectedSequences& sequences, std::size_t first, std::size_t last) {
  std::vector<std::size_t> blocks = {first};
  std::size_t items = 0;
  for (std::size_t n = first; n < last; ++n) {
    if (items > 0 && items + sequences.length(n) > kBlockItems) {
      blocks.push_back(n);
      items = 0;
    }
    items += sequences.length(n);
  }
  if (last > first) blocks.push_back(last);
  return blocks;
}

LatentDraws::LatentDraws(const ProjectedSequences& sequences, std::size_t first, std::size_t last, std::size_t labels,
                         std::size_t count, Use use, Random random)
    : first_(first), last_(last), labels_(labels), count_(count), use_(use), random_(random) {
  FOVEA_CHECK(count % 2 == 0);
  for (std::size_t n = first; n <= last; ++n) begin_.push_back(sequences.begin(n));
  values_.resize((begin_.back() - begin_[0]) * count * labels);
}

void LatentDraws::draw(const ProjectedSequences& sequences, const UnaryPosterior& posterior, int threads,
                       const LatentVisitor& visit) {
  const std::vector<std::size_t> blocks = sequence_blocks(sequences, first_, last_);
  parallel_for(blocks.size() - 1, 1, threads, [&](std::size_t b, std::size_t) {
    for_each_latent(sequences, posterior, blocks[b], blocks[b + 1],
                    [&](std::size_t n, std::size_t j, LatentGaussian& latent) {
                      if (visit) visit(n, j, latent);
                      draw_label(n, j, latent);
                    });
  });
}

void LatentDraws::shift(const RowMatrix& by, int threads) {
  parallel_for(last_ - first_, kSequencesAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t scores = length(first_ + n) * labels_;
      const double* shift = by.row(index(begin_[n] - begin_[0])).data();
      double* out = values_.data() + offset(first_ + n);
      for (std::size_t s = 0; s < count_; ++s)
        for (std::size_t i = 0; i < scores; ++i) *out++ += shift[i];
    }
  });
}

void LatentDraws::draw_label(std::size_t sequence, std::size_t label, const LatentGaussian& latent) {
  Random random = random_.child("latent", (use_ == Use::kTraining ? sequence : 0) * labels_ + label);
  const Index items = latent.mean.size();
  const std::size_t half = count_ / 2, stride = size(items) * labels_;
  ColumnMatrix normals(items, index(half));
  for (double& normal : normals.reshaped()) normal = random.normal();
  const ColumnMatrix deviations = latent.factor.triangularView<Eigen::Lower>() * normals;
  double* out = values_.data() + offset(sequence) + label;
  for (std::size_t s = 0; s < half; ++s)
    for (Index t = 0; t < items; ++t) {
      const std::size_t at = s * stride + size(t) * labels_;
      out[at] = latent.mean[t] + deviations(t, index(s));
      out[at + half * stride] = latent.mean[t] - deviations(t, index(s));
    }
}

}  // namespace fovea::gp
