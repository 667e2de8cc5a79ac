// SPDX-License-Identifier: Apache-2.0
// Feature templates that parse can be expanded anywhere, and the indexer yields as many attributes as the lines do.
// The input is a template, then (after a line with two dashes) the cells of one column, one a line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/tagging/feature/bundle_indexer.h"
#include "fovea/tagging/feature/template.h"
#include "fuzz/require.h"

namespace {

using fovea::fuzz::require;

fovea::tagging::ItemSequence make_sequence(std::string_view cells, std::size_t columns) {
  fovea::tagging::ItemSequence sequence;
  sequence.clear(1);
  while (!cells.empty() && sequence.size() < 20) {
    const std::size_t end = std::min(cells.find('\n'), cells.size());
    // The same cell in every column.
    const std::vector<fovea::tagging::ItemSequence::Cell> line(columns, {0, static_cast<std::uint32_t>(end)});
    sequence.add_line(cells.substr(0, end), line);
    cells.remove_prefix(std::min(end + 1, cells.size()));
  }
  return sequence;
}

std::size_t count_by_lines(const fovea::tagging::FeatureTemplate& feature_template,
                           const fovea::tagging::ItemSequence& sequence) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < sequence.size(); ++t)
    for (const fovea::tagging::TemplateLine& line : feature_template.lines()) {
      std::string text = "before";
      const bool yields = line.expand(sequence, t, text);
      require(yields || text == "before");
      count += yields;
    }
  return count;
}

std::size_t count_by_bundles(const fovea::tagging::FeatureTemplate& feature_template,
                             const fovea::tagging::ItemSequence& sequence) {
  fovea::tagging::BundleIndexer indexer(feature_template);
  std::vector<std::uint32_t> bundles;
  const fovea::tagging::NewBundles& fresh = indexer.index(sequence, bundles);
  std::vector<std::size_t> sizes(fresh.bundle_count());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::uint32_t part : fresh.parts(i)) sizes[i] += fresh.attributes(part).size();
  std::size_t count = 0;
  for (std::uint32_t bundle : bundles) count += sizes[bundle];
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(input.find("\n--\n"), input.size());
  try {
    const auto feature_template = fovea::tagging::FeatureTemplate::parse(input.substr(0, split), "fuzz");
    if (feature_template.column_count() > 100 || feature_template.lines().size() > 100) return 0;
    const auto sequence = make_sequence(input.substr(std::min(split + 4, size)), feature_template.column_count());
    require(count_by_lines(feature_template, sequence) == count_by_bundles(feature_template, sequence));
  } catch (const fovea::InputError&) {
  }
  return 0;
}
