// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/graph/format/bif/bif.h"
#include "fovea/graph/format/bif/xmlbif.h"
#include "fovea/graph/format/cost/cfn.h"
#include "fovea/graph/format/cost/wcsp.h"
#include "fovea/graph/format/opengm/opengm_hdf5.h"
#include "fovea/graph/format/uai.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {
namespace {

struct ModelFormat {
  const char* name;
  ModelFile (*read)(io::ByteSource source);
  void (*write)(const ModelFile& model, io::OutputFile& output);  ///< null if the format is read-only
};

ModelFile read_h5(io::ByteSource source) { return {.graph = read_opengm_hdf5(std::move(source)), .format = "h5"}; }

constexpr std::array kFormats = {
    ModelFormat{"uai", read_uai, write_uai},    ModelFormat{"bif", read_bif, write_bif},
    ModelFormat{"wcsp", read_wcsp, write_wcsp}, ModelFormat{"cfn", read_cfn, write_cfn},
    ModelFormat{"h5", read_h5, nullptr},        ModelFormat{"xmlbif", read_xmlbif, nullptr},
};

const ModelFormat& find_format(std::string_view name) {
  for (const ModelFormat& format : kFormats)
    if (name == format.name) return format;
  const std::vector<std::string> names = model_formats();
  throw UsageError(fmt::format("unknown model format '{}'.{} Known formats are {}", name, suggestion(name, names),
                               fmt::join(names, ", ")));
}

const ModelFormat& find_format(const std::string& path, const std::string& format) {
  return find_format(format.empty() ? model_format_of(path) : format);
}

/// True if the entries of each row, over the scope's last variable, sum to one.
bool is_distribution(const FactorGraph& graph, FactorId f) {
  constexpr double kRounding = 1e-3;  // files hold few digits
  if (graph.scope(f).empty()) return true;
  const std::span<const double> table = graph.table(f);
  const std::size_t size = graph.cardinality(graph.scope(f).back());
  for (std::size_t begin = 0; begin < table.size(); begin += size) {
    double sum = 0;
    for (const double score : table.subspan(begin, size)) sum += std::exp(score);
    if (!(std::abs(sum - 1) <= kRounding)) return false;
  }
  return true;
}

void warn_of_sums(ModelFile& model) {
  std::size_t count = 0;
  FactorId first = 0;
  for (FactorId f = 0; f < model.graph.factor_count(); ++f)
    if (!is_distribution(model.graph, f) && count++ == 0) first = f;
  if (count > 0)
    model.warnings.push_back(
        fmt::format("{} of {} tables do not sum to one over the values of their variable, first that of '{}': the "
                    "tables may be transposed, and the model is read as it stands",
                    count, model.graph.factor_count(), model.names.variable(model.graph.scope(first).back())));
}

}  // namespace

std::vector<std::string> model_formats() {
  std::vector<std::string> names;
  for (const ModelFormat& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::string model_format_of(std::string_view path) {
  std::string small(path);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view stem = small;
  for (const std::string_view packing : {".gz", ".xz", ".zst"})
    if (stem.ends_with(packing)) stem.remove_suffix(packing.size());
  for (const std::string_view ending : {".xml", ".bifxml"})
    if (stem.ends_with(ending)) return "xmlbif";
  const std::size_t dot = stem.find_last_of("./");
  for (const ModelFormat& format : kFormats)
    if (dot != std::string_view::npos && stem[dot] == '.' && stem.substr(dot + 1) == format.name) return format.name;
  throw UsageError(fmt::format("the name '{}' does not tell the format of a model. Name the format: {}", path,
                               fmt::join(model_formats(), ", ")));
}

ModelFile read_model(const std::string& path, const std::string& format) {
  const ModelFormat& chosen = find_format(path, format);
  ModelFile model = chosen.read(io::ByteSource(path));
  if (model.is_bayesian) warn_of_sums(model);
  return model;
}

void write_model(const std::string& path, const ModelFile& model, const std::string& format) {
  const ModelFormat& chosen = find_format(path, format);
  if (chosen.write == nullptr) throw UsageError(fmt::format("the format {} can be read but not written", chosen.name));
  io::OutputFile output(path);
  chosen.write(model, output);
  output.finish();
}

}  // namespace fovea::graph
