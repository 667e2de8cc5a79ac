// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// Draws of the pairwise function from a fixed pool of standard normals, in antithetic pairs; each sequence starts at
/// another place of the pool.
class PairwiseDraws {
 public:
  /// Large enough that sequences hardly share draws, small enough to stay in the cache.
  static constexpr std::size_t kPool = 256;

  /// `count`: an even number of draws per sequence. `pool`: number of pairs for all sequences.
  PairwiseDraws(std::size_t labels, std::size_t count, Random random, std::size_t pool = kPool)
      : size_(labels * labels), half_(count / 2), pool_(pool), normals_(pool * size_) {
    for (double& normal : normals_) normal = random.normal();
  }

  /// Writes mean + deviation * normal for each pair of labels.
  void draw(const PairwisePosterior& posterior, std::size_t sequence, std::size_t draw,
            std::span<double> scores) const {
    const double* normals = normals_.data() + (sequence * half_ + draw % half_) % pool_ * size_;
    const double sign = draw < half_ ? 1 : -1;
    for (std::size_t e = 0; e < size_; ++e)
      scores[e] = posterior.means[e] + sign * posterior.deviations[e] * normals[e];
  }

 private:
  std::size_t size_, half_, pool_;
  std::vector<double> normals_;  // [pool][previous label][label]
};

}  // namespace fovea::gp
