// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "fovea/base/run.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/train/gp_training_options.h"

namespace fovea::tagging {

/// Fits structured Gaussian processes to labelled sequences.
class GpTraining {
 public:
  /// Throws UsageError for a time limit that cannot be read.
  GpTraining(const GpModelOptions& options, const GpInferenceOptions& inference);

  /// Files that taggers are written to and read from.
  struct Files {
    std::string output;
    std::string checkpoint = {};  ///< once a minute, the tagger as it stands; empty: none
    std::string resume = {};      ///< a tagger to go on from; empty: none
  };

  /// Fits to the data and writes the tagger, which gets `vocabulary`; adds a record of its work to `facts`, and returns
  /// it as text.
  std::string train(const TaggingData& data, const std::optional<TaggingData>& dev, TaggerVocabulary vocabulary,
                    const Files& files, nlohmann::ordered_json& facts, const Run& run) const;

  /// Fits to one part and scores the other.
  TaggingMetrics cross_validate(const TaggingData& train, const TaggingData& held_out, const Run& run) const;

 private:
  struct Fitted {
    gp::StructuredGp process;
    gp::FitSummary summary;
    nlohmann::ordered_json tried = {};  ///< every kernel with its fit
  };
  /// Fits with each kernel, and returns the best fit.
  Fitted fit(const TaggingData& data, const gp::FitObserver& observer, const Run& run) const;
  Fitted fit(const TaggingData& data, const gp::Covariance& kernel, const gp::FitObserver& observer,
             const Run& run) const;
  Fitted resume(const TaggingData& data, const TaggerVocabulary& vocabulary, const std::string& path,
                const gp::FitObserver& observer, const Run& run) const;
  gp::StructuredGpOptions process_options(const gp::Covariance& kernel, const Run& run) const;

  GpModelOptions options_;
  GpInferenceOptions inference_;
  double most_seconds_;
};

}  // namespace fovea::tagging
