// SPDX-License-Identifier: Apache-2.0
// A table lists some people twice, with typing errors: which rows are the same person? No labels are needed.
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "fovea/linkage.h"

int main() {
  namespace linkage = fovea::linkage;
  constexpr std::string_view kRows[][4] = {
      {"Anna", "Meyer", "1980-02-11", "Bonn"},  {"Ana", "Meyer", "1980-02-11", "Bonn"},
      {"Bernd", "Schulz", "1975-07-30", "Ulm"}, {"Bernt", "Schulz", "1975-07-30", "Ulm"},
      {"Carla", "Vogel", "1991-12-01", "Kiel"}, {"Anna", "Meier", "1980-02-11", ""},
      {"Dora", "Vogel", "1962-05-09", "Kiel"}};
  fovea::io::Table people("people", {"given", "surname", "born", "city"}, fovea::io::RowNumbers::kRows);
  std::int64_t number = 0;
  for (const auto& row : kRows) people.add_row(row, ++number);

  linkage::DedupeJob job;
  job.matching.matching.compare = "given:jaro_winkler, surname:jaro_winkler, born:date, city";
  job.matching.matching.block = "surname, born";
  job.keeps_pairs = true;
  const linkage::DedupeResult found = linkage::dedupe(people, job);

  for (std::size_t row = 0; row < people.row_count(); ++row)
    std::printf("%-6s %-7s person %u\n", kRows[row][0].data(), kRows[row][1].data(), found.clusters[row] + 1);
  std::printf("%s\n", found.brief().c_str());
  for (const linkage::ProbablePair& pair : found.pairs)
    std::printf("rows %u and %u: %.2f\n", pair.pair.rows.first + 1, pair.pair.rows.second + 1, pair.probability);

  // The model scores other tables, of any size, as it scored this one; dedupe_file does the same from file to file.
  linkage::DedupeJob again;
  again.matching.model_json = found.model;
  return found.clusters[5] == 0 && linkage::dedupe(people, again).clusters == found.clusters ? 0 : 1;
}
