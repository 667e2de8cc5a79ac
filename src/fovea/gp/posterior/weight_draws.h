// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/gp/data/sequences.h"
#include "fovea/gp/inducing/inducing_points.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// Draws of the latent functions of a linear covariance v x^T x' as weights, f_j(x) = sum_d x_d w_jd, so that a value
/// costs O(features of the item), whatever the number of inducing points. By Matheron's rule (Wilson, Borovitskiy,
/// Terenin, Mostowsky, Deisenroth (2020), "Efficiently sampling functions from Gaussian process posteriors") a draw of
/// the prior, w = sqrt(v) e, is moved to where the posterior wants its values at the inducing points Z:
///   w + v Z^T L^{-T} (F^{-T} z - L^{-1} (Z w + sqrt(jitter) n)),   with standard normal e, z, n.
/// It has the posterior's covariance, except that two attributes share their prior's normals with probability 4e-6:
/// all come from one table. Draws come in antithetic pairs around the means; all sequences share
/// them.
class WeightDraws {
 public:
  /// `pairs`: for each component. Attributes that neither the points nor the means have count as unknown. `posterior`
  /// must outlive this. Throws UsageError unless the covariance is linear.
  WeightDraws(const InducingPoints& points, const MixturePosterior& posterior, std::size_t pairs, Random random,
              int threads);

  std::size_t labels() const { return labels_; }
  std::size_t pairs() const { return pairs_; }
  std::size_t draws() const { return 2 * pairs_ * posterior_.size(); }

  /// Writes the values at the items of one sequence: [component][pair, then its opposite][item][label]. Does not depend
  /// on other sequences, nor on the numbers of unknown attributes.
  void draw(const Sequences& sequences, std::size_t sequence, std::vector<double>& values) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{};

  std::size_t deviation_count() const { return posterior_.size() * pairs_ * labels_; }
  std::size_t mean_count() const { return posterior_.size() * labels_; }
  /// Index into normals_ at which the values of an attribute, or of anything else, begin.
  std::size_t normals_at(std::string_view kind, std::uint64_t number) const;
  void number_attributes(const InducingPoints& points);
  void move_to_posterior(const InducingPoints& points, const ByColumn& columns, std::size_t component,
                         std::size_t label);
  std::vector<std::uint32_t> unknown_numbers(const Sequences& sequences, std::size_t sequence) const;

  const MixturePosterior& posterior_;
  std::size_t labels_, pairs_;
  double deviation_;  // sqrt(v)
  Random random_;
  std::vector<float> normals_;        // shared by all: see normals_at
  std::vector<std::uint32_t> slots_;  // [attribute]: its row of weights_; kNone if no point has it
  std::vector<std::uint32_t> begin_;  // [attribute], known ones: where its normals begin
  std::vector<float> weights_;        // [slot]: means [component][label], deviations [component][label][pair]
};

}  // namespace fovea::gp
