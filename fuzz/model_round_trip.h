// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/graph/format/tables/model_file.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"
#include "fuzz/require.h"

namespace fovea::fuzz {

/// Requires the same variables, names, scopes and tables; scores may differ by a billionth of the largest.
inline void require_same(const graph::ModelFile& actual, const graph::ModelFile& expected) {
  const graph::FactorGraph &a = actual.graph, &b = expected.graph;
  require(std::ranges::equal(a.cardinalities(), b.cardinalities()) && a.factor_count() == b.factor_count());
  double largest = 1;
  for (graph::TableId t = 0; t < b.table_count(); ++t)
    for (const double score : b.shared_table(t))
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
  for (graph::FactorId f = 0; f < b.factor_count(); ++f) {
    require(std::ranges::equal(a.scope(f), b.scope(f)) && a.table(f).size() == b.table(f).size());
    for (std::size_t i = 0; i < b.table(f).size(); ++i)
      require(a.table(f)[i] == b.table(f)[i] || std::abs(a.table(f)[i] - b.table(f)[i]) <= 1e-9 * largest);
  }
}

/// What is read, if it is a model and not too large, and can be written, reads the same again.
template <class Read, class Write>
void check_round_trip(std::string_view bytes, Read read, Write write) {
  constexpr std::size_t kMaxEntries = 100000;
  std::optional<graph::ModelFile> model;
  std::string text;
  try {
    model = read(io::ByteSource::from_memory(bytes, "fuzz"));
    if (model->graph.entry_count() > kMaxEntries) return;
    io::OutputFile output = io::OutputFile::to_memory(text);
    write(*model, output);
    output.finish();
  } catch (const InputError&) {
    return;
  }
  require_same(read(io::ByteSource::from_memory(text, "written")), *model);
}

}  // namespace fovea::fuzz
