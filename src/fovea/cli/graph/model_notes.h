// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/cli/run/command.h"
#include "fovea/graph/format/read_model.h"

namespace fovea::cli {

/// read_model, with its warnings on the console.
graph::ModelFile read_model_aloud(const Context& context, const std::string& path, const std::string& format);

/// Warns of what answers that are not the likeliest assignment leave out: an upper bound of whole costs, which is no
/// factor and makes no probability 0.
void warn_of_unheeded_bound(const Context& context, const graph::ModelFile& model);

}  // namespace fovea::cli
