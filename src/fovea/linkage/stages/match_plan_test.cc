// SPDX-License-Identifier: Apache-2.0
// All stages together, as an engine with several workers would run them, against one machine.
#include "fovea/linkage/stages/match_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
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
#include "fovea/linkage/job/link.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/bucket_clusters.h"
#include "fovea/linkage/stages/bucket_links.h"
#include "fovea/linkage/stages/link_forest.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

/// An engine that keeps buckets in memory, and shows its stages only parts of a table.
class ToyEngine {
 public:
  ToyEngine(const io::Table& table, MatchPlan plan, std::uint32_t parts, std::uint64_t cut_above = 1'000'000)
      : table_(table), plan_(std::move(plan)), parts_(parts), cut_above_(cut_above) {
    count_contexts();
    find_special_blocks();
  }

  /// [row] the first row of its cluster.
  std::vector<std::uint32_t> clusters(ConnectedBy by, const ComponentClusteringOptions& options = {}) {
    const Buckets grouped = by == ConnectedBy::kBlocks ? blocks() : components();
    std::vector<std::uint32_t> clusters(table_.row_count());
    std::iota(clusters.begin(), clusters.end(), 0U);
    for (std::uint32_t bucket = 0; bucket < parts_; ++bucket) {
      const BucketClusters found =
          clusters_of_bucket(plan_, options, by, special_, grouped.bytes(bucket), {.threads = 1, .random = Random(1)});
      for (std::size_t i = 0; i < found.records.size(); ++i) clusters[found.records[i]] = found.clusters[i];
    }
    return clusters;
  }

  /// The pairs that match, with their scores, sorted.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> pairs() {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> found;
    for (const BucketLinks& links : links_of_buckets())
      for (const RecordPair& pair : links.pairs) found.emplace_back(pair.first, pair.second, pair.score);
    std::ranges::sort(found);
    return found;
  }

  std::size_t special_blocks() const { return special_count_; }

 private:
  /// The buckets that each part filled.
  struct Buckets {
    std::vector<RecordBuckets> of_part;
    std::vector<std::string_view> bytes(std::uint32_t bucket) const {
      std::vector<std::string_view> found;
      for (const RecordBuckets& own : of_part) found.emplace_back(own[bucket]);
      return found;
    }
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

  std::vector<std::size_t> columns() const {
    std::vector<std::size_t> found;
    for (const std::string& name : plan_.columns) found.push_back(table_.column(name));
    return found;
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

  Buckets blocks(bool with_cells = true) const {
    Buckets buckets;
    for (std::uint32_t p = 0; p < parts_; ++p) {
      std::vector<std::uint32_t> rows;
      const io::Table own = part(p, rows);
      buckets.of_part.emplace_back(parts_, with_cells ? columns() : std::vector<std::size_t>());
      fill_block_buckets(plan_, own, rows, special_, buckets.of_part.back());
    }
    return buckets;
  }

  void find_special_blocks() {
    const Buckets keys = blocks(false);
    for (std::uint32_t bucket = 0; bucket < parts_; ++bucket)
      for (const BlockSize& block :
           sizes_of_bucket(keys.bytes(bucket), std::vector<std::uint64_t>(plan_.most_rows.size(), 1))) {
        if (block.records > plan_.most_rows[block.rule]) special_.leave_out(block.rule, block.key);
        else if (block.records > cut_above_)
          special_.cut(block.rule, block.key, static_cast<std::uint32_t>((block.records - 1) / cut_above_) + 1);
        else continue;
        ++special_count_;
      }
  }

  std::vector<BucketLinks> links_of_buckets() const {
    const Buckets grouped = blocks();
    std::vector<BucketLinks> found;
    for (std::uint32_t bucket = 0; bucket < parts_; ++bucket)
      found.push_back(links_of_bucket(plan_, grouped.bytes(bucket), plan_.least_score));
    return found;
  }

  Buckets components() const {
    RecordForest forest(static_cast<std::uint32_t>(table_.row_count()));
    for (const BucketLinks& links : links_of_buckets()) {
      LinkForest own;
      std::vector<std::uint32_t> first, second;
      for (const RecordPair& pair : links.pairs) {
        EXPECT_LT(pair.first, pair.second);
        if (!own.add(pair.first, pair.second)) continue;
        first.push_back(pair.first);
        second.push_back(pair.second);
      }
      forest.add(first, second);
    }
    const std::vector<std::uint32_t> component_of = forest.components();
    Buckets buckets;
    for (std::uint32_t p = 0; p < parts_; ++p) {
      std::vector<std::uint32_t> rows, own_components;
      const io::Table own = part(p, rows);
      for (const std::uint32_t row : rows) own_components.push_back(component_of[row]);
      buckets.of_part.emplace_back(parts_, columns());
      fill_component_buckets(own, rows, own_components, buckets.of_part.back());
    }
    return buckets;
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

io::Table rows_of(const io::Table& table, std::size_t begin, std::size_t end) {
  io::Table some(table.name(), table.columns());
  std::vector<std::string_view> cells(table.column_count());
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table.cell(row, c);
    some.add_row(cells, static_cast<std::int64_t>(row) + 2);
  }
  return some;
}

/// Blocks that are whole, left out and cut; a rule by which records have several keys.
TEST(MatchStages, PartsGiveTheLinksOfTwoTables) {
  const io::Table both = generated_people(4000);
  constexpr std::uint32_t kFirst = 1500;
  const io::Table first = rows_of(both, 0, kFirst), second = rows_of(both, kFirst, both.row_count());
  LinkJob job;
  job.matching.matching = {.compare = kCompare, .block = "phone, any(word, street, 40)+sex, surname", .max_block = 120};
  const LinkResult learned = link(first, second, job);
  LinkJob with_model;
  with_model.matching.model_json = learned.model;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> links;
  for (const ProbablePair& found : link(first, second, with_model).links)
    links.emplace_back(found.pair.rows.first, found.pair.rows.second + kFirst, found.pair.score);
  std::ranges::sort(links);
  EXPECT_GT(links.size(), 200u);
  MatchPlan plan = MatchPlan::of_model(learned.model, both);
  plan.second_table = kFirst;
  for (const std::uint64_t cut_above : {1'000'000U, 25U}) {
    ToyEngine engine(both, plan, 4, cut_above);
    auto pairs = engine.pairs();
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());  // of several rules
    EXPECT_EQ(pairs, links) << cut_above;
    EXPECT_GT(engine.special_blocks(), 5u);
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
  ToyEngine engine(table, MatchPlan::of_model(whole.model, table, {}, "id"), 3);
  EXPECT_EQ(engine.clusters(ConnectedBy::kBlocks), whole.clusters);
  EXPECT_THROW(MatchPlan::of_model(whole.model, table), UsageError);
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
  const std::vector<std::uint32_t> components = records.components();
  EXPECT_EQ(components[9], 3u);
  EXPECT_EQ(components[5], 3u);
  EXPECT_EQ(components[4], kNoId);
  EXPECT_EQ(components[3], 3u);
}

TEST(RecordForest, RefusesRecordsThatThereAreNot) {
  RecordForest records(10);
  EXPECT_THROW(records.add(std::vector<std::uint32_t>{3}, std::vector<std::uint32_t>{10}), InputError);
}

/// A rule with words has a limit of its own.
TEST(BucketLinks, LeaveOutBlocksThatAreTooLarge) {
  const io::Table table = generated_people(400);
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = "born, sex, any(word, street, 30)"};
  job.matching.matching.max_block = 100;
  const MatchPlan plan = MatchPlan::of_model(dedupe(table, job).model, table);
  EXPECT_THAT(plan.most_rows, ElementsAre(100, 100, 30));
  std::vector<std::uint32_t> rows(table.row_count());
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<std::size_t> columns;
  for (const std::string& name : plan.columns) columns.push_back(table.column(name));
  RecordBuckets buckets(1, columns);
  fill_block_buckets(plan, table, rows, {}, buckets);
  const std::vector<std::string_view> bytes = {buckets[0]};
  const BucketLinks found = links_of_bucket(plan, bytes, plan.least_score);
  std::set<std::string> left_out;
  for (const BlockSize& block : found.left_out) {
    EXPECT_GT(block.records, plan.most_rows[block.rule]);
    if (block.rule == 1) left_out.insert(block.key);
  }
  EXPECT_THAT(left_out, ElementsAre("f\x1f", "m\x1f"));
}

TEST(RecordGroups, RefuseDamagedBytes) {
  const io::Table table = generated_people(20);
  RecordBuckets buckets(1, {1, 2});
  buckets.add("group", 0, 300, table, 3);
  const std::string whole = buckets[0];
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::vector<std::string_view> bytes = {std::string_view(whole).substr(0, size)};
    EXPECT_THROW(RecordGroups(bytes, {"given", "surname"}), InputError) << size;
  }
  const std::vector<std::string_view> bytes = {whole};
  EXPECT_EQ(RecordGroups(bytes, {"given", "surname"}).rows(0), 1u);
  const std::vector<std::string_view> twice = {whole, whole};
  EXPECT_EQ(RecordGroups(twice, {"given", "surname"}).rows(0), 1u);
}

}  // namespace
}  // namespace fovea::linkage
