// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fovea/cli/run/command.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::cli {

/// Which of several kernels is kept.
enum class KernelChoice { kError, kBound };
constexpr auto words_of(KernelChoice) {
  return std::array{Word{KernelChoice::kError, "error"}, Word{KernelChoice::kBound, "bound"}};
}

/// `fovea train --family gp`: its options and what it does with the data that was read.
class GpTraining {
 public:
  void bind(Binder& binder);

  /// Where taggers are written to and read from.
  struct Files {
    std::string output;
    std::string checkpoint = {};  ///< once a minute, the tagger as it stands; empty: none
    std::string resume = {};      ///< a tagger to go on from; empty: none
  };

  /// Fits to the data and writes the tagger, which gets `vocabulary`; adds what it did to `facts`, and returns that as
  /// text.
  std::string train(const tagging::TaggingData& data, const std::optional<tagging::TaggingData>& dev,
                    tagging::TaggerVocabulary vocabulary, const Files& files, nlohmann::ordered_json& facts,
                    const Context& context) const;

  /// Fits to one part and scores the other.
  tagging::TaggingMetrics cross_validate(const tagging::TaggingData& train, const tagging::TaggingData& held_out,
                                         const Context& context) const;

 private:
  struct Options {
    std::vector<std::string> kernel = {"linear"};
    KernelChoice choose = KernelChoice::kError;
    bool learn_kernel = false;
    tagging::GpLikelihood likelihood = tagging::GpLikelihood::kChain;
    int inducing_points = 500;
    gp::InducingChoice inducing = gp::InducingChoice::kPivotedCholesky;
    gp::GpMeans means = gp::GpMeans::kAuto;
    double pairwise_variance = 1;

    template <class V>
    static void describe(V&& visit);
  };

  struct InferenceOptions {
    gp::GpInference inference = gp::GpInference::kNaturalGradient;
    int gp_draws = 0;
    int gp_steps = 0;
    int minibatch = 0;
    double gp_tolerance = 1e-3;
    int components = 1;
    bool diagonal = false;
    bool no_control_variates = false;
    std::string time_limit;
    std::string trace;

    template <class V>
    static void describe(V&& visit);
  };

  struct Fitted {
    gp::StructuredGp process;
    gp::FitSummary summary;
    nlohmann::ordered_json tried = {};  ///< every kernel with its fit
  };
  /// With each kernel; returns the best.
  Fitted fit(const tagging::TaggingData& data, const gp::FitObserver& observer, const Context& context) const;
  Fitted fit(const tagging::TaggingData& data, const gp::Covariance& kernel, const gp::FitObserver& observer,
             const Stop& stop, const Context& context) const;
  Fitted resume(const tagging::TaggingData& data, const tagging::TaggerVocabulary& vocabulary, const std::string& path,
                const gp::FitObserver& observer, const Context& context) const;
  gp::StructuredGpOptions process_options(const gp::Covariance& kernel, const Context& context) const;
  Stop stop(const Context& context) const;

  Options options_;
  InferenceOptions inference_;
};

}  // namespace fovea::cli
