// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/train/gp_training_options.h"

namespace fovea::tagging {

/// Facts that a model stores about its training: all except the times, so that the same training makes the same file.
inline std::string stored_facts(nlohmann::ordered_json facts) {
  const auto leave_out_times = [](const auto& self, nlohmann::ordered_json& json) -> void {
    if (json.is_object()) json.erase("seconds");
    if (!json.is_structured()) return;
    for (nlohmann::ordered_json& element : json) self(self, element);
  };
  leave_out_times(leave_out_times, facts);
  return facts.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Fits structured Gaussian processes to labelled sequences.
class GpTraining {
 public:
  GpTraining(const GpModelOptions& options, const GpInferenceOptions& inference)
      : options_(options), inference_(inference) {}

  /// Files that taggers are written to and read from.
  struct Files {
    ContainerTarget output;
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
  struct Fit {
    gp::StructuredGp process;
    gp::FitSummary summary;
  };
  struct Fitted {
    gp::AveragedGps processes;
    gp::FitSummary summary = {};        ///< of the best fit, or the one of most weight
    nlohmann::ordered_json tried = {};  ///< every kernel with its fit, and its weight in an average
    std::string text_of_average = {};
  };
  /// Fits with each kernel, and returns the best fit or an average of all.
  Fitted fit(const TaggingData& data, const gp::FitObserver& observer, const Run& run) const;
  Fit fit(const TaggingData& data, const gp::Covariance& kernel, const gp::FitObserver& observer, const Run& run) const;
  Fitted chosen(std::vector<Fit> fits, nlohmann::ordered_json tried) const;
  Fitted resume(const TaggingData& data, const TaggerVocabulary& vocabulary, const std::string& path,
                const gp::FitObserver& observer, const Run& run) const;
  gp::StructuredGpOptions process_options(const gp::Covariance& kernel, const Run& run) const;

  GpModelOptions options_;
  GpInferenceOptions inference_;
};

}  // namespace fovea::tagging
