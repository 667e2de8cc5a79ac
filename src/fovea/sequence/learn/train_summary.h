// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/optimize/iteration.h"

namespace fovea::sequence {

/// An attribute that was trained on its values divided by `scale`, their largest (attribute_scales.h).
struct ScaledAttribute {
  std::uint32_t attribute = 0;
  float scale = 1;
};

/// Summary of a training; starts as "not run".
struct TrainSummary {
  struct TrainingPhase {
    std::string name;
    int iterations = 0;   ///< or passes
    int evaluations = 0;  ///< of objective and gradient
    double seconds = 0;
  };

  optimize::Termination termination = optimize::Termination::kNotRun;
  bool counts_errors = false;                 ///< the objective of records is the share of label errors in samples
  std::string given_gradient, used_gradient;  ///< words, for the report
  std::string given_optimizer, used_optimizer;
  std::size_t sequences = 0, items = 0, attributes = 0;
  std::size_t pair_features = 0;  ///< (attribute, label)
  std::size_t ngram_features = 0;
  std::size_t nonzero = 0;         ///< weights that are not 0
  optimize::IterationRecord last;  ///< the last record; its objective is final unless the gradient is estimated
  std::vector<TrainingPhase> phases;
  std::vector<optimize::IterationRecord> curve;  ///< of passes whose objective is estimated
  double given_restart_rate = 0;                 ///< 0: to be learned
  double restart_rate = 0;                       ///< doeblin: as given or learned, for use; 0 otherwise
  double seconds = 0;
  std::vector<ScaledAttribute> scaled;

  bool usable() const {
    return termination != optimize::Termination::kNotRun && termination != optimize::Termination::kNotFinite;
  }
  /// One line.
  std::string brief() const;
  /// A table: what was requested and what was used, sizes, phases.
  std::string full() const;
};

}  // namespace fovea::sequence
