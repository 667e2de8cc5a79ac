// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/pair_table.h"

#include <fmt/format.h>

#include <array>

namespace fovea {
namespace {

const std::vector<std::string> kColumns = {"first_id", "second_id", "score", "probability"};

}  // namespace

void check_pairs_can_be_written(const std::string& path, const TableWriteOptions& options) {
  check_table_can_be_written(path, kColumns, options);
}

void write_pairs(const std::string& path, std::span<const ScoredPair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of, std::span<const double> probabilities,
                 const TableWriteOptions& options) {
  const auto writer = make_table_writer(path, kColumns, options);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double score = pairs[i].score;
    const std::string score_text = fmt::format("{:.3f}", score);
    const std::string probability =
        fmt::format("{:.6f}", probabilities.empty() ? probability_of(score) : probabilities[i]);
    writer->add_row(std::array{id_of(pairs[i].rows.first), id_of(pairs[i].rows.second), std::string_view(score_text),
                               std::string_view(probability)});
  }
  writer->finish();
}

}  // namespace fovea
