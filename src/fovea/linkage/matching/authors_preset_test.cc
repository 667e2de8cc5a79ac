// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/authors_preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "tests/support/data.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

TEST(AuthorsPresetTest, ComparesWhatTheTableHas) {
  const io::Table table("t.tsv", {"mention", "name", "affiliation"});
  const MatchingPreset preset = authors_preset(table);
  EXPECT_EQ(preset.blocking, "initial(given(name))+transliterated(family(surname(name)))");
  EXPECT_EQ(preset.comparisons, "given(name):author_name, given(name):given_name@distinct(full(first(given(name))), " +
                                    preset.blocking + "), affiliation:words");
  EXPECT_EQ(parse_comparisons(preset.comparisons, table).size(), 3u);
}

TEST(AuthorsPresetTest, KnowsPapers) {
  const io::Table table("t.tsv", {"paper", "first", "last", "venue", "coauthors", "title"});
  const MatchingPreset preset = authors_preset(table);
  EXPECT_EQ(preset.blocking, "initial(first)+transliterated(family(last))");
  EXPECT_THAT(preset.comparisons,
              AllOf(HasSubstr("variety("), HasSubstr("coauthors:elements, title:topic, venue:exact, paper:exact"),
                    Not(HasSubstr("affiliation"))));
  EXPECT_EQ(parse_comparisons(preset.comparisons, table).size(), 8u);
  EXPECT_EQ(parse_blocking_rules(preset.blocking, table).size(), 1u);
}

TEST(AuthorsPresetTest, RefusesTablesWithoutNames) {
  for (const char* column : {"first", "last", "title"})
    EXPECT_THAT(message_of<InputError>([&] { authors_preset(io::Table("t.tsv", {column})); }),
                AllOf(HasSubstr("t.tsv: no column of names"), HasSubstr("option 'compare'")));
}

/// Learned on a fifth of the blocks; B-cubed F1 of the rest by average link. The trivial clustering by surname and
/// first initial has .949 (name_baseline_test.cc).
TEST(AuthorsPresetTest, TellsRealAuthorsApart) {
  FOVEA_DATA_OR_SKIP(path, "entity_resolution/beard72k.tsv.gz");
  const io::Table table = io::read_table(path);
  const MatchingPreset preset = authors_preset(table);
  const std::vector<Comparison> comparisons = parse_comparisons(preset.comparisons, table);
  const BlockingRule rule(preset.blocking, table);
  const Blocks blocks = group_rows(table, rule);
  const std::vector<std::uint32_t> entities = number_labels(table, table.column("entity"));
  Blocks training, rest;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Blocks& part = hash_text(rule.key(table, blocks[b].front())) % 5 == 0 ? training : rest;
    part.rows.insert(part.rows.end(), blocks[b].begin(), blocks[b].end());
    part.begin.push_back(part.rows.size());
  }
  Random random(1);
  const LearnedMatching learned = learn_matching(comparisons, training, entities, {}, random);
  const MatchModel model(comparisons, {.weights = learned.weights});
  ComponentClusteringOptions options;
  options.sweeps = 0;
  const RecordClusters found = cluster_components({model, 0, rest, table.row_count()}, options, {.random = random});
  std::vector<std::uint32_t> gold(table.row_count(), kUnlabelled);
  for (const std::uint32_t row : rest.rows) gold[row] = entities[row];
  EXPECT_GT(score_clusters(found.clusters, gold).b_cubed.f1(), 0.96);
}

}  // namespace
}  // namespace fovea::linkage
