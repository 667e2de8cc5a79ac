// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"

namespace fovea::graph {

/// The formats that read_model knows, in the order of the documentation.
std::vector<std::string> model_formats();

/// The format of a file of this name: its extension, except any .gz, .xz or .zst after that; .xml and .bifxml mean
/// xmlbif. Throws UsageError for names that do not show a format.
std::string model_format_of(std::string_view path);

/// Reads a model in any format, compressed or not; "-" is standard input. A `format` of "" means that of the name.
/// Throws InputError (file:line) for a file that is not a model, UsageError for an unknown format.
ModelFile read_model(const std::string& path, const std::string& format = "");

/// Writes the model, whole or not at all (OutputFile). Throws UsageError for an unknown or read-only format, InputError
/// for a model that the format cannot hold.
void write_model(const std::string& path, const ModelFile& model, const std::string& format = "");

}  // namespace fovea::graph
