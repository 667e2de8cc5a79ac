// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/reduction.h"

namespace fovea::graph {

/// A discrete model in a file, and what is observed of it.
struct ModelSource {
  std::string model = "", evidence = "", from = "";
  int evidence_sample = 0;

  template <class V>
  static void describe(V&& visit) {
    using O = ModelSource;
    visit(&O::evidence, OptionInfo{.name = "evidence",
                                   .description = "Observed values: a UAI evidence file, or 'smoke=yes,7=1' with names "
                                                  "or numbers, in double quotes where they hold signs.",
                                   .value_name = "FILE|TEXT",
                                   .letter = 'e',
                                   .file = FileRole::kInput});
    visit(&O::evidence_sample,
          OptionInfo{.name = "evidence-sample",
                     .description = "Which sample of an evidence file that holds several; 0: the only one.",
                     .min = 0,
                     .max = 10'000});
    visit(&O::from,
          OptionInfo{.name = "from",
                     .description = "uai, bif, xmlbif, wcsp, cfn or h5, where the name of MODEL does not tell.",
                     .value_name = "FORMAT"});
  }
};

/// What was read from a ModelSource.
struct ObservedModel {
  ModelFile file = {};
  Evidence evidence = {};
};

/// Warns of what the model's file holds that is not used. Throws InputError (file:line) for what cannot be read.
ModelFile read_model_file(const std::string& path, const std::string& format, const WarningFunction& warn);
ObservedModel read_observed_model(const ModelSource& source, const WarningFunction& warn);

/// For tasks that have no use for the upper bound of costs in a model's file.
void warn_of_unheeded_bound(const ModelFile& model, const WarningFunction& warn);

}  // namespace fovea::graph
