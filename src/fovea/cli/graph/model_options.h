// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/cli/run/bind_options.h"

namespace fovea::cli {

/// MODEL, --evidence and --from: what every command takes that asks a discrete model something.
struct ModelOptions {
  std::string model, evidence, from;
  int evidence_sample = 0;

  template <class V>
  static void describe(V&& visit) {
    using O = ModelOptions;
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

  void bind(Binder& binder) {
    binder.argument(model,
                    {.name = "MODEL",
                     .description = "UAI, BIF, XMLBIF, wcsp, cfn or OpenGM HDF5; packed or not.",
                     .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(*this);
  }
};

}  // namespace fovea::cli
