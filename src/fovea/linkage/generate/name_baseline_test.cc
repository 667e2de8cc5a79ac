// SPDX-License-Identifier: Apache-2.0
// Scores of the trivial clustering of real authors, one cluster for each surname with a first initial, against those
// that another program computed. Names keep only the letters a to z, in lower case, without their accents.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/io/stream.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "tests/support/data.h"

namespace fovea::linkage {
namespace {

/// All accented letters of the data that are a letter of a to z with an accent: ø and ł are letters of their own.
std::string letters_of(std::string_view name) {
  static const std::map<std::string_view, char> kAccented = {
      {"Á", 'a'}, {"á", 'a'}, {"à", 'a'}, {"ä", 'a'}, {"å", 'a'}, {"ć", 'c'}, {"č", 'c'}, {"é", 'e'}, {"è", 'e'},
      {"ę", 'e'}, {"ğ", 'g'}, {"í", 'i'}, {"ñ", 'n'}, {"ń", 'n'}, {"Ö", 'o'}, {"ö", 'o'}, {"ò", 'o'}, {"ó", 'o'},
      {"ô", 'o'}, {"Ś", 's'}, {"Ş", 's'}, {"Š", 's'}, {"ü", 'u'}, {"ż", 'z'}, {"ž", 'z'}};
  std::string letters;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto accented = kAccented.find(name.substr(i, 2));
    if (accented != kAccented.end()) letters += accented->second;
    else if (std::isalpha(static_cast<unsigned char>(name[i]))) letters += static_cast<char>(std::tolower(name[i]));
  }
  return letters;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0, end = 0; end != line.npos; at = end + 1) {
    end = line.find('\t', at);
    cells.push_back(line.substr(at, end - at));
  }
  return cells;
}

/// name(cells) is {surname, first names}; the entity is in the last column.
template <class Name>
ClusterMetrics score_baseline(const std::string& path, const Name& name) {
  io::LineReader lines{io::ByteSource(path)};
  lines.next();
  Dictionary names, entities;
  std::vector<std::uint32_t> clusters, gold;
  while (lines.next()) {
    const std::vector<std::string_view> cells = cells_of(lines.line());
    const auto [surname, first] = name(cells);
    clusters.push_back(names.add(letters_of(surname) + " " + letters_of(first).substr(0, 1)));
    gold.push_back(entities.add(cells.back()));
  }
  return score_clusters(clusters, gold);
}

using Name = std::pair<std::string_view, std::string_view>;

TEST(NameBaselineTest, ScoresAuthorsOfInspire) {
  FOVEA_DATA_OR_SKIP(path, "entity_resolution/beard72k.tsv.gz");
  const ClusterMetrics metrics = score_baseline(path, [](const auto& cells) {
    const std::size_t comma = cells[1].find(',');  // "Last, First"
    return Name(cells[1].substr(0, comma), comma == std::string_view::npos ? "" : cells[1].substr(comma));
  });
  EXPECT_EQ(metrics.records, 72'096u);
  EXPECT_EQ(metrics.clusters.gold, 1'033u);
  EXPECT_EQ(metrics.clusters.predicted, 912u);
  EXPECT_EQ(metrics.largest_entity, 1'046u);
  EXPECT_NEAR(metrics.b_cubed.precision, 0.9123679191, 1e-9);
  EXPECT_NEAR(metrics.b_cubed.recall, 0.9887893015, 1e-9);
  EXPECT_NEAR(metrics.b_cubed.f1(), 0.9490426438, 1e-9);
}

TEST(NameBaselineTest, ScoresAuthorsOfTheAclAnthology) {
  FOVEA_DATA_OR_SKIP(path, "entity_resolution/acl187k_abbrev.tsv.gz");
  const ClusterMetrics metrics = score_baseline(path, [](const auto& cells) { return Name(cells[3], cells[2]); });
  EXPECT_EQ(metrics.records, 187'066u);
  EXPECT_EQ(metrics.clusters.gold, 51'077u);
  EXPECT_EQ(metrics.clusters.predicted, 39'176u);
  EXPECT_NEAR(metrics.b_cubed.precision, 0.8295976357, 1e-9);
  EXPECT_NEAR(metrics.b_cubed.recall, 0.9899312834, 1e-9);
  EXPECT_NEAR(metrics.b_cubed.f1(), 0.9027003018, 1e-9);
}

}  // namespace
}  // namespace fovea::linkage
