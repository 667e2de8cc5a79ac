// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/gp/data/sequences.h"
#include "fovea/gp/inducing/inducing_points.h"
#include "fovea/gp/matrix/dense.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// Features of the items [begin, end).
SparseRows rows_between(const Sequences& sequences, std::size_t begin, std::size_t end);

/// Sequences as inference sees them: the whitened features of their items, and the residual covariances.
class ProjectedSequences {
 public:
  /// `sequences` must outlive this. Throws CancelledError if `cancel` is cancelled meanwhile.
  ProjectedSequences(const Sequences& sequences, const InducingPoints& points, int threads,
                     const CancelToken* cancel = nullptr);

  std::size_t sequence_count() const { return begin_.size() - 1; }
  std::size_t item_count() const { return begin_.back(); }
  std::size_t begin(std::size_t sequence) const { return begin_[sequence]; }  ///< first item; item_count() at the end
  std::size_t length(std::size_t sequence) const { return begin_[sequence + 1] - begin_[sequence]; }
  const LargeRows& rows() const { return rows_; }                                         ///< items x M
  const SparseRows& features() const { return *features_; }                               ///< of the items
  const RowMatrix& residual(std::size_t sequence) const { return residuals_[sequence]; }  ///< T_n x T_n

 private:
  std::span<const std::uint32_t> begin_;
  const SparseRows* features_;
  LargeRows rows_;
  std::vector<RowMatrix> residuals_;
};

/// q(f_nj), the latent function j at the items of one sequence (equation 18): mean, and the Cholesky factor of
///   K_n - A_n A_n^T + A_n S_j A_n^T.
struct LatentGaussian {
  Vector mean;
  ColumnMatrix factor;               ///< lower
  ColumnMatrix inducing_covariance;  ///< A_n S_j A_n^T: the part due to uncertainty at the inducing points

  /// Sets the factor to that of residual + inducing_covariance.
  void factorize(const RowMatrix& residual);
};

using LatentVisitor = std::function<void(std::size_t sequence, std::size_t label, LatentGaussian& latent)>;

/// Calls visit(sequence, label, q(f_nj)) for all labels of the sequences [begin, end); O(items * M^2 * |V|).
void for_each_latent(const ProjectedSequences& sequences, const UnaryPosterior& posterior, std::size_t begin,
                     std::size_t end, const LatentVisitor& visit);

/// Draws of the latent functions at some sequences, from the same standard normals for every posterior, in antithetic
/// pairs, so that results are a smooth function of the posterior.
class LatentDraws {
 public:
  enum class Use {
    kTraining,   ///< every sequence has normals of its own
    kPrediction  ///< all share the same normals: predictions of a sequence do not depend on its neighbours
  };

  /// Draws for the sequences [first, last). `count`: an even number of draws.
  LatentDraws(const ProjectedSequences& sequences, std::size_t first, std::size_t last, std::size_t labels,
              std::size_t count, Use use, Random random);

  std::size_t first() const { return first_; }  ///< sequence
  std::size_t last() const { return last_; }    ///< one past the end
  std::size_t count() const { return count_; }
  std::size_t labels() const { return labels_; }

  /// Calls `visit`, if given, with each Gaussian before it is drawn from; `visit` may change it. Calls come from
  /// several threads, but never two at a time for one sequence.
  void draw(const ProjectedSequences& sequences, const UnaryPosterior& posterior, int threads,
            const LatentVisitor& visit = {});

  /// Adds `by`, items of its sequences x |V|, to all draws.
  void shift(const RowMatrix& by, int threads);

  /// Values of one draw: T_n x |V|.
  Matrix<const double> unary(std::size_t sequence, std::size_t draw) const {
    return {values_.data() + offset(sequence) + draw * length(sequence) * labels_, length(sequence), labels_};
  }

 private:
  void draw_label(std::size_t sequence, std::size_t label, const LatentGaussian& latent);
  std::size_t length(std::size_t sequence) const { return begin_[sequence - first_ + 1] - begin_[sequence - first_]; }
  std::size_t offset(std::size_t sequence) const { return (begin_[sequence - first_] - begin_[0]) * count_ * labels_; }

  std::size_t first_, last_, labels_, count_;
  Use use_;
  Random random_;
  std::vector<std::size_t> begin_;  // first item of each sequence, then the end
  std::vector<double> values_;
};

/// Approximate number of items in a block: consecutive sequences processed together, one task of a thread.
inline constexpr std::size_t kBlockItems = 256;
/// First sequence of each block of [first, last), then `last`.
std::vector<std::size_t> sequence_blocks(const ProjectedSequences& sequences, std::size_t first, std::size_t last);

}  // namespace fovea::gp
