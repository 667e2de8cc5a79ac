// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/cli/run/bind_options.h"
#include "fovea/graph/format/observed_model.h"

namespace fovea::cli {

/// Binds MODEL, --evidence and --from, for every command that asks a discrete model something.
inline void bind_model(Binder& binder, graph::ModelSource& source) {
  binder.argument(source.model,
                  {.name = "MODEL",
                   .description = "Model as UAI, BIF, XMLBIF, wcsp, cfn or OpenGM HDF5, compressed or not.",
                   .file = FileRole::kInput},
                  Binder::Presence::kRequired);
  binder.options(source);
}

}  // namespace fovea::cli
