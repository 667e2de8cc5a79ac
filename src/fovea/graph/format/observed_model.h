// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/reduction.h"

namespace fovea::graph {

/// A discrete model in a file, and its observed values.
struct ModelSource {
  std::string model = "", evidence = "", from = "";
  int evidence_sample = 0;

  static void describe(auto&& visit) {
    using O = ModelSource;
    visit(&O::evidence, OptionInfo{.name = "evidence",
                                   .description = "Observed values: a UAI evidence file, or a list such as "
                                                  "'smoke=yes,7=1' of names or numbers. Names with special characters "
                                                  "are put in double quotes.",
                                   .value_name = "FILE|TEXT",
                                   .letter = 'e',
                                   .file = FileRole::kInput});
    visit(&O::evidence_sample,
          number_in(0, 10'000, "evidence-sample",
                    "Number of the sample in an evidence file with several; 0 means the only one."));
    visit(&O::from, option("from", "Format of MODEL, if its name does not show it: uai, bif, xmlbif, wcsp, cfn or h5.",
                           "FORMAT"));
  }
};

/// Model and evidence read from a ModelSource.
struct ObservedModel {
  ModelFile file = {};
  Evidence evidence = {};
};

/// Reads a model and warns of suspicious content in its file. Throws InputError (file:line) if the file cannot be read.
ModelFile read_model_file(const std::string& path, const std::string& format, const WarningFunction& warn);
ObservedModel read_observed_model(const ModelSource& source, const WarningFunction& warn);

/// Warns, in tasks that do not use it, of an upper bound of costs in the model's file.
void warn_of_unheeded_bound(const ModelFile& model, const WarningFunction& warn);

}  // namespace fovea::graph
