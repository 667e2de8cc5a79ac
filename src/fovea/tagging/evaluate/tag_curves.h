// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

struct TagCurveOptions {
  int repetitions = 5;
  std::vector<sequence::DecodeMethod> methods;

  static void describe(auto&& visit) {
    using O = TagCurveOptions;
    visit(&O::repetitions,
          number_in(1, 1000, "repetitions", "Number of runs of each setting, interleaved; times are medians."));
    visit(&O::methods, option("methods", "Only these methods, separated by commas; default: all."));
  }
};

/// One setting of one method, with its results.
struct TagCurvePoint {
  sequence::DecodeOptions options;
  double sweeps_budget = 0;  ///< limit of visits per item; 0: no limit
  std::string setting;       ///< in words
  double visits_per_item = 0;
  double accuracy = 0;
  double f1 = 0;                ///< of entities, if the labels mark any
  double mean_score = 0;        ///< log score per item under the model
  std::vector<double> seconds;  ///< of each repetition, without scoring features; sorted

  double median_seconds() const { return seconds[seconds.size() / 2]; }
};

/// Quality, visits and seconds of every method on labelled data, in one thread.
struct TagCurves {
  std::size_t items = 0, sequences = 0;
  bool has_entities = false;
  double score_seconds = 0;  ///< for scoring attributes, the same for all methods
  std::vector<TagCurvePoint> rows;

  /// For each method and start, the setting of least median seconds whose quality (F1 of entities if the labels mark
  /// any, otherwise accuracy) is at most `margin` below the best of them.
  TagCurves cheapest(double margin) const;

  std::string table() const;
  std::string csv() const;
  std::string json() const;
};

/// Measures all methods. Without a policy, it leaves out learned schedules and, above factor size 2, the chain start;
/// it leaves out exact decoding if its tables would not fit or would take too long. Throws InputError if no item of
/// `data` has a label that the model knows.
TagCurves trace_curves(const TaggerModel& model, const sequence::Policy* policy, const TaggingData& data,
                       const TagCurveOptions& options, const Random& random, const ProgressFunction& progress = {},
                       const CancelToken* cancel = nullptr);

}  // namespace fovea::tagging
