// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/cli/run/bind_options.h"
#include "fovea/graph/format/observed_model.h"

namespace fovea::cli {

/// Binds MODEL, --evidence and --from, for every command that asks a discrete model something.
inline void bind_model(Binder& binder, graph::ModelSource& source) {
  binder.input(source.model, "MODEL", "Model as UAI, BIF, XMLBIF, wcsp, cfn or OpenGM HDF5, compressed or not.");
  binder.options(source);
}

}  // namespace fovea::cli
