// SPDX-License-Identifier: Apache-2.0
// All stages together, as an engine with several workers would run them, against one machine.
#include "fovea/linkage/stages/match_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/generate/generated_authors.h"
#include "fovea/linkage/generate/generated_people.h"
#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/block_links.h"
#include "fovea/linkage/stages/component_clusters.h"
#include "fovea/linkage/stages/link_forest.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> with_stage_columns(const io::Table& table) {
  std::vector<std::string> columns = {StageColumns::kRule, StageColumns::kKey, StageColumns::kTile,
                                      StageColumns::kSide, StageColumns::kRow, StageColumns::kComponent};
  columns.insert(columns.end(), table.columns().begin(), table.columns().end());
  return columns;
}

/// An engine that sorts in memory, and shows its stages only parts of a table.
class ToyEngine {
 public:
  ToyEngine(const io::Table& table, MatchPlan plan, std::uint32_t parts, std::uint64_t cut_above = 1'000'000)
      : table_(table), plan_(std::move(plan)), parts_(parts), cut_above_(cut_above) {}

  /// [row] the first row of its cluster.
  std::vector<std::uint32_t> clusters(ConnectedBy by, const ComponentClusteringOptions& options = {}) {
    count_contexts();
    const std::vector<Entry> all = keys({});
    find_special_blocks(all);
    std::vector<Entry> sorted = keys(special_);
    std::ranges::sort(sorted);
    std::vector<Entry> grouped;
    if (by == ConnectedBy::kBlocks) {
      for (const auto& [entry, count] : counted(sorted))
        if (count < 2) std::erase_if(sorted, [&](const Entry& one) { return one.key == entry.second; });
      grouped = sorted;
    } else {
      const std::vector<std::uint32_t> components = components_of(sorted);
      for (std::uint32_t row = 0; row < components.size(); ++row)
        grouped.push_back({.row = row, .component = components[row]});
      std::ranges::sort(grouped, {}, [](const Entry& e) { return std::pair(e.component, e.row); });
    }
    std::vector<std::uint32_t> clusters(table_.row_count());
    for (std::uint32_t row = 0; row < clusters.size(); ++row) clusters[row] = row;
    for (std::uint32_t part = 0; part < parts_; ++part) {
      ComponentClusters stage(plan_, options, by, special_, "id");
      const io::Table own = table_of(grouped, [&](const Entry& e) {
        return by == ConnectedBy::kBlocks ? hash_text(e.key) % parts_ == part : e.component % parts_ == part;
      });
      const Run run{.threads = 1, .random = Random(1)};
      PartClusters found = stage.add(own, run);
      found.add(stage.finish(run));
      for (std::size_t i = 0; i < found.records.size(); ++i) clusters[found.records[i]] = found.clusters[i];
    }
    return clusters;
  }

  /// The pairs that match, with their scores, sorted.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> pairs() {
    find_special_blocks(keys({}));
    std::vector<Entry> sorted = keys(special_);
    std::ranges::sort(sorted);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> found;
    for (const std::vector<RecordPair>& of_part : pairs_of_parts(sorted))
      for (const RecordPair& pair : of_part) found.emplace_back(pair.first, pair.second, pair.score);
    std::ranges::sort(found);
    return found;
  }

  std::size_t special_blocks() const { return special_count_; }

 private:
  struct Entry {
    std::uint32_t rule = 0;
    std::string key = "";
    std::uint32_t tile = 0, side = 0, row = 0, component = 0;
    auto operator<=>(const Entry&) const = default;
  };

  io::Table part(std::uint32_t number, std::vector<std::uint32_t>& rows) const {
    io::Table own("part", table_.columns());
    std::vector<std::string_view> cells(table_.column_count());
    for (std::uint32_t row = number; row < table_.row_count(); row += parts_) {
      for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table_.cell(row, c);
      own.add_row(cells, row + 1);
      rows.push_back(row);
    }
    return own;
  }

  void count_contexts() {
    std::optional<MatchStatistics> all;
    for (std::uint32_t p = 0; p < parts_; ++p) {
      std::vector<std::uint32_t> rows;
      const MatchStatistics own = count_plan_contexts(plan_, part(p, rows));
      if (all) all->merge(own);
      else all = own;
    }
    use_contexts(*all, plan_);
  }

  std::vector<Entry> keys(const SpecialBlocks& special) const {
    std::vector<Entry> entries;
    for (std::uint32_t p = 0; p < parts_; ++p) {
      std::vector<std::uint32_t> rows;
      const io::Table own = part(p, rows);
      const BlockKeys found = block_keys(plan_, own, rows, special);
      for (std::size_t i = 0; i < found.size(); ++i)
        entries.push_back({found.rules[i], found.keys[i], found.tiles[i], found.sides[i], rows[found.places[i]]});
    }
    return entries;
  }

  static std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> counted(const std::vector<Entry>& entries) {
    std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> counts;
    for (const Entry& entry : entries) ++counts[{entry.rule, entry.key}];
    return counts;
  }

  void find_special_blocks(const std::vector<Entry>& entries) {
    const std::vector<std::uint64_t> most = most_rows_of_blocks(plan_, table_);
    for (const auto& [block, count] : counted(entries)) {
      if (count > most[block.first]) special_.leave_out(block.first, block.second);
      else if (count > cut_above_)
        special_.cut(block.first, block.second, static_cast<std::uint32_t>((count + cut_above_ - 1) / cut_above_));
      else continue;
      ++special_count_;
    }
  }

  template <class Wanted>
  io::Table table_of(const std::vector<Entry>& entries, Wanted&& wanted) const {
    io::Table table("stage", with_stage_columns(table_));
    for (const Entry& e : entries) {
      if (!wanted(e)) continue;
      const std::vector<std::string> own = {std::to_string(e.rule), e.key,
                                            std::to_string(e.tile), std::to_string(e.side),
                                            std::to_string(e.row),  std::to_string(e.component)};
      std::vector<std::string_view> cells(own.begin(), own.end());
      for (std::size_t c = 0; c < table_.column_count(); ++c) cells.push_back(table_.cell(e.row, c));
      table.add_row(cells, 1);
    }
    return table;
  }

  std::vector<std::vector<RecordPair>> pairs_of_parts(const std::vector<Entry>& sorted) const {
    std::vector<std::vector<RecordPair>> found;
    for (std::uint32_t p = 0; p < parts_; ++p) {
      BlockLinks stage(plan_, plan_.least_score);
      found.push_back(
          stage.add(table_of(sorted, [&](const Entry& e) { return (hash_text(e.key) + e.tile) % parts_ == p; })));
      const std::vector<RecordPair> more = stage.finish();
      found.back().insert(found.back().end(), more.begin(), more.end());
    }
    return found;
  }

  std::vector<std::uint32_t> components_of(const std::vector<Entry>& sorted) const {
    RecordForest forest(static_cast<std::uint32_t>(table_.row_count()));
    for (const std::vector<RecordPair>& pairs : pairs_of_parts(sorted)) {
      LinkForest own;
      std::vector<std::uint32_t> first, second;
      for (const RecordPair& pair : pairs) {
        EXPECT_LT(pair.first, pair.second);
        if (!own.add(pair.first, pair.second)) continue;
        first.push_back(pair.first);
        second.push_back(pair.second);
      }
      forest.add(first, second);
    }
    return std::move(forest).components();
  }

  const io::Table& table_;
  MatchPlan plan_;
  std::uint32_t parts_;
  std::uint64_t cut_above_;
  SpecialBlocks special_;
  std::size_t special_count_ = 0;
};

io::Table generated_people(int records) {
  const GeneratedPeople people({.records = records}, Random(5));
  io::Table table("people", GeneratedPeople::columns());
  GeneratedPeople::Cells cells;
  for (std::size_t record = 0; record < people.record_count(); ++record) {
    people.write(record, cells);
    const std::vector<std::string_view> views(cells.begin(), cells.end());
    table.add_row(views, static_cast<std::int64_t>(record) + 2);
  }
  return table;
}

io::Table generated_authors(int mentions) {
  const GeneratedAuthors authors({.records = mentions}, Random(5));
  std::string text(GeneratedAuthors::kHeader);
  text.replace(0, std::string_view("mention").size(), "id");
  for (std::size_t paper = 0; paper < authors.papers().papers.size(); ++paper) authors.append_paper(paper, text);
  const fovea::testing::TemporaryFolder folder;
  fovea::testing::write_file(folder / "authors.tsv", text);
  return io::read_table(folder / "authors.tsv");
}

struct Learned {
  std::string model;
  std::vector<std::uint32_t> clusters;
};

/// A model that one machine learns, and the clusters that it finds with it in `table`.
Learned on_one_machine(const io::Table& training, DedupeJob job, const io::Table& table) {
  const std::string model = dedupe(training, job).model;
  DedupeJob with_model{.clustering = job.clustering};
  with_model.options.id = job.options.id;
  with_model.matching.model_json = model;
  return {model, dedupe(table, with_model).clusters};
}

constexpr const char* kCompare =
    "given:jaro_winkler, surname:jaro_winkler, born:date, street:words, postcode, city:edits, phone";

TEST(MatchStages, PartsGiveTheClustersOfTheWholeByRulesThatOverlap) {
  const io::Table table = generated_people(6000);
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = "surname+born, soundex(surname)+postcode, phone, born+city"};
  const Learned whole = on_one_machine(table, job, table);
  for (const std::uint32_t parts : {1U, 4U, 9U}) {
    ToyEngine engine(table, MatchPlan::of_model(whole.model, table), parts);
    EXPECT_EQ(engine.clusters(ConnectedBy::kLinks), whole.clusters) << parts;
    EXPECT_LT(std::set(whole.clusters.begin(), whole.clusters.end()).size(), table.row_count() * 3 / 4);
  }
}

TEST(MatchStages, WordsAsKeysBlocksThatAreLeftOutAndTiles) {
  const io::Table table = generated_people(5000);
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = "any(word, street, 40)+sex, surname, city", .max_block = 150};
  const Learned whole = on_one_machine(table, job, table);
  ToyEngine engine(table, MatchPlan::of_model(whole.model, table), 3, 30);
  EXPECT_EQ(engine.clusters(ConnectedBy::kLinks), whole.clusters);
  EXPECT_GT(engine.special_blocks(), 20u);
}

/// With a threshold so low that chains of matches grow long. Some blocks are left out.
TEST(MatchStages, LargeComponentsFindTheirLinksAgain) {
  const io::Table table = generated_people(3000);
  DedupeJob job;
  job.matching.matching = {.compare = "given:jaro_winkler, born:date, postcode", .block = "postcode, given, born"};
  job.matching.matching.max_block = 40;
  const Learned learned = on_one_machine(table, job, table);
  for (const double threshold : {.01, .0002}) {
    DedupeJob with_model;
    with_model.matching.model_json = learned.model;
    with_model.matching.matching.threshold = threshold;
    const DedupeResult whole = dedupe(table, with_model);
    ASSERT_GT(whole.work.proposals, 0u);  // of chains, which small components do without
    ToyEngine engine(table, MatchPlan::of_model(learned.model, table, {.threshold = threshold}), 4);
    EXPECT_EQ(engine.clusters(ConnectedBy::kLinks), whole.clusters) << threshold;
    EXPECT_GT(engine.special_blocks(), 0u);
  }
}

TEST(MatchStages, TilesHaveEachPairOnce) {
  const io::Table table = generated_people(1500);
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = "sex"};
  const MatchPlan plan = MatchPlan::of_model(dedupe(table, job).model, table);
  const auto pairs = ToyEngine(table, plan, 3).pairs();
  EXPECT_THAT(pairs, Not(IsEmpty()));
  EXPECT_EQ(ToyEngine(table, plan, 3, 200).pairs(), pairs);
}

/// Namesakes count in the whole table, by a model of another, smaller one. Blocks hold only some of them.
TEST(MatchStages, ContextsAreThoseOfTheWholeTable) {
  const io::Table table = generated_people(6000), smaller = generated_people(600);
  DedupeJob job;
  job.matching.matching = {.compare = "given:jaro_winkler@size(surname), street:words@distinct(given, city), city",
                           .block = "born, phone"};
  const Learned whole = on_one_machine(smaller, job, table);
  ToyEngine engine(table, MatchPlan::of_model(whole.model, table), 4);
  EXPECT_EQ(engine.clusters(ConnectedBy::kLinks), whole.clusters);
}

TEST(MatchStages, DrawsById) {
  const io::Table table = generated_authors(3000);
  DedupeJob job;
  job.matching.model.preset = Preset::kAuthors;
  job.options.id = "id";
  job.options.draw_by = DrawBy::kId;
  const Learned whole = on_one_machine(table, job, table);
  ToyEngine engine(table, MatchPlan::of_model(whole.model, table), 3);
  EXPECT_EQ(engine.clusters(ConnectedBy::kBlocks), whole.clusters);
}

TEST(MatchPlan, RefusesATableThatLacksAColumn) {
  const io::Table table = generated_people(300);
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = "surname, born"};
  const std::string model = dedupe(table, job).model;
  EXPECT_THROW(MatchPlan::of_model(model, io::Table("other", {"id", "name"})), InputError);
}

TEST(LinkForest, KeepsTheLinksThatConnect) {
  LinkForest forest;
  EXPECT_TRUE(forest.add(3, 9));
  EXPECT_TRUE(forest.add(4, 5));
  EXPECT_TRUE(forest.add(9, 5));
  EXPECT_FALSE(forest.add(3, 4));
  RecordForest records(10);
  records.add(std::vector<std::uint32_t>{3, 5}, std::vector<std::uint32_t>{9, 3});
  const std::vector<std::uint32_t> components = std::move(records).components();
  EXPECT_EQ(components[9], 3u);
  EXPECT_EQ(components[5], 3u);
  EXPECT_EQ(components[4], 4u);
}

TEST(RecordForest, RefusesRecordsThatThereAreNot) {
  RecordForest records(10);
  EXPECT_THROW(records.add(std::vector<std::uint32_t>{3}, std::vector<std::uint32_t>{10}), InputError);
}

}  // namespace
}  // namespace fovea::linkage
