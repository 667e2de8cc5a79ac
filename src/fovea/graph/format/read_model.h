// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"

namespace fovea::graph {

/// The formats that read_model knows, in the order of the documentation.
std::vector<std::string> model_formats();

/// The format of a file of this name: its ending, but for .gz, .xz or .zst; .xml and .bifxml are
/// xmlbif. Throws UsageError for names that tell none.
std::string model_format_of(std::string_view path);

/// Reads a model of any format, packed or not; "-" is standard input. `format`: "" goes by the name. Throws InputError
/// (file:line) for what is not a model, UsageError for an unknown format.
ModelFile read_model(const std::string& path, const std::string& format = "");

/// Writes the model, whole or not at all (OutputFile). Throws UsageError for an unknown format or one that is only
/// read, InputError for a model that the format cannot hold.
void write_model(const std::string& path, const ModelFile& model, const std::string& format = "");

}  // namespace fovea::graph
