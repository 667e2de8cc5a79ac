// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// prod_i x_i^(count_i - 1) over probabilities x_0 .. x_(k-1): T(x)_i = log x_i.
struct Dirichlet : ExponentialFamily<Dirichlet, std::vector<double>> {
  static constexpr const char* kName = "dirichlet";

  static Dirichlet uniform(std::size_t size) { return {{std::vector<double>(size)}}; }
  static Dirichlet from_counts(std::vector<double> counts) {
    for (double& count : counts) count -= 1;
    return {{std::move(counts)}};
  }
  /// Solves for the logs of the counts by Newton steps whose matrix is diagonal plus rank one (Minka 2000, "Estimating
  /// a Dirichlet distribution").
  static Dirichlet from_expected_statistics(const Parameters& statistics);

  double count(std::size_t i) const { return natural[i] + 1; }
  double total_count() const;
  std::vector<double> mean() const;

  bool is_proper() const;
  double log_normalizer() const;
  Parameters expected_statistics() const;

  friend bool operator==(const Dirichlet&, const Dirichlet&) = default;
};

}  // namespace fovea::ep
