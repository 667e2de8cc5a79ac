// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/candidate_scoring.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {
namespace {

/// A table whose records have ids.
struct Records {
  Records(io::Table t, const std::string& id)
      : table(std::move(t)), id_column(id.empty() ? 0 : table.column(id)), ids(io::unique_ids(table, id_column)) {}
  Records(const Records&) = delete;  // `ids` refers to `table`

  std::uint32_t count() const { return static_cast<std::uint32_t>(table.row_count()); }
  std::string_view id(std::size_t row) const { return table.cell(row, id_column); }

  io::Table table;
  std::size_t id_column;
  io::IdIndex ids;
};

/// One call of link() or link_files().
class Linking {
 public:
  explicit Linking(LinkJob job) : job_(std::move(job)), matching_(job_.matching), seconds_(limit_of(job_.limits)) {}

  /// In memory.
  LinkResult run(const io::Table& first, const io::Table& second, const Run& whole) {
    const Run run = whole.ending_after(seconds_);
    if (matching_.job().only_tells()) throw UsageError("option 'explain' and option 'profile' are for tables in files");
    if (!job_.options.id.empty()) io::unique_ids(first, first.column(job_.options.id));
    if (!job_.options.second_id.empty()) io::unique_ids(second, second.column(job_.options.second_id));
    for (const io::Table* table : {&first, &second})
      if (table->row_count() == 0)
        throw InputError({.file = table->name()}, "a table without records", "Give both tables at least one record");
    const io::Table both = stack_tables(first, second);
    const auto count = static_cast<std::uint32_t>(first.row_count());
    leave_out(first, second, {job_.options.id, job_.options.second_id});
    const RecordMatching matching = matching_.prepare(both, {PairScope::Kind::kAcross, count}, run);
    check_columns(matching, first, second);
    const std::optional<MatchModel> model = matching_.model(matching, with_share_of_time(run, kForLearning));
    LinkResult result = {.links = find(*model, matching, run),
                         .model = matching_.json_of(*model, matching),
                         .proposal = matching_.proposal()};
    for (ProbablePair& link : result.links) link.pair.rows.second -= count;
    return result;
  }

  /// From file to file.
  void run(const Run& whole) {
    const Run run = whole.ending_after(seconds_);
    const bool is_piped = job_.options.output.empty() || job_.options.output == "-";
    if (matching_.job().as_json && !matching_.job().only_tells() && is_piped)
      throw UsageError(
          "option 'json' is a summary on standard output: give the table of links a file by option 'output'");
    check_pairs_can_be_written(job_.options.output, job_.writing);
    const Records first(io::read_table(job_.first, job_.reading), job_.options.id);
    if (!job_.options.second_encoding.empty()) job_.reading.encoding = job_.options.second_encoding;
    const Records second(io::read_table(job_.second, job_.reading), job_.options.second_id);
    const io::Table both = stack_tables(first.table, second.table);
    leave_out(first.table, second.table,
              {first.table.columns()[first.id_column], second.table.columns()[second.id_column]});
    const RecordMatching matching = matching_.prepare(both, {PairScope::Kind::kAcross, first.count()}, run);
    check_columns(matching, first.table, second.table);
    const std::optional<MatchModel> model = matching_.model(matching, with_share_of_time(run, kForLearning));
    if (!model) return;
    if (matching_.job().explains()) return explain(*model, both, first, second);
    const std::vector<ProbablePair> links = find(*model, matching, run);
    const auto id_of = [&](std::uint32_t row) {
      return row < first.count() ? first.id(row) : second.id(row - first.count());
    };
    write_pairs(job_.options.output, links, id_of, job_.writing);
    run.note_that(fmt::format("{} links between {} and {} records", links.size(), first.count(), second.count()));
    if (matching_.job().as_json && matching_.job().tell) matching_.job().tell(summary(links, first, second) + "\n");
  }

 private:
  static constexpr double kForLearning = .4;  // of the time that is left, if it is limited

  /// The limit, with time left to write the links.
  static double limit_of(const LinkLimitOptions& limits) {
    constexpr double kToWrite = .05;
    const Budget budget = parse_budget("", limits.time_limit);
    if (budget.seconds_per_item) throw UsageError("two tables are one item: leave out '/item'");
    return (1 - kToWrite) * budget.seconds;
  }

  /// Lets no proposal use ids, or columns that only one of the tables has.
  void leave_out(const io::Table& first, const io::Table& second, std::vector<std::string> names) {
    for (const std::string& name : first.columns())
      if (!second.find_column(name)) names.push_back(name);
    for (const std::string& name : second.columns())
      if (!first.find_column(name)) names.push_back(name);
    matching_.leave_out(names);
  }

  /// Pairs of rows of both tables, laid end to end.
  std::vector<ProbablePair> find(const MatchModel& model, const RecordMatching& matching, const Run& run) const {
    ScoredCandidates scored = score_candidates(model, matching.candidates(), matching_.least_score(), run);
    if (scored.share == 0) ComparisonMeter(run.stop, "scoring pairs of records").look();
    if (scored.share < 1) warn_of_share(scored.share, run);
    std::vector<ScoredPair> pairs = std::move(scored.pairs);
    if (job_.options.one_to_one) pairs = one_to_one(std::move(pairs));
    std::ranges::sort(pairs, {}, [](const ScoredPair& p) { return std::tuple(p.rows.first, -p.score, p.rows.second); });
    std::vector<ProbablePair> links;
    for (const ScoredPair& pair : pairs) links.push_back({pair, probability_of(pair.score)});
    return links;
  }

  /// A summary as one JSON object.
  std::string summary(const std::vector<ProbablePair>& links, const Records& first, const Records& second) const {
    const auto linked = [&](auto row_of) {
      std::set<std::uint32_t> rows;
      for (const ProbablePair& link : links) rows.insert(row_of(link.pair.rows));
      return rows.size();
    };
    nlohmann::ordered_json json = {{"first_records", first.count()},
                                   {"second_records", second.count()},
                                   {"links", links.size()},
                                   {"first_linked", linked([](const auto& rows) { return rows.first; })},
                                   {"second_linked", linked([](const auto& rows) { return rows.second; })}};
    if (matching_.proposal())
      json["proposed"] = {{"compare", matching_.proposal()->compare}, {"block", matching_.proposal()->block}};
    return json.dump();
  }

  /// Checks that both tables have the columns that are compared.
  static void check_columns(const RecordMatching& matching, const io::Table& first, const io::Table& second) {
    const auto check = [&](std::size_t column) {
      const std::string& name = matching.table().columns()[column];
      first.column(name);
      second.column(name);
    };
    for (const Comparison& comparison : matching.comparisons()) std::ranges::for_each(comparison.columns(), check);
    for (const BlockingRule& rule : matching.rules()) std::ranges::for_each(rule.columns(), check);
  }

  void explain(const MatchModel& model, const io::Table& both, const Records& first, const Records& second) const {
    const auto row_of = [&](int i, std::string_view id) -> std::optional<std::size_t> {
      if (i == 0) return first.ids.find(id);
      const auto row = second.ids.find(id);
      return row ? std::optional(*row + first.count()) : std::nullopt;
    };
    matching_.explain(model, both, row_of);
  }

  LinkJob job_;
  Matching matching_;
  double seconds_;
};

}  // namespace

LinkResult link(const io::Table& first, const io::Table& second, LinkJob job, const Run& run) {
  return Linking(std::move(job)).run(first, second, run);
}

void link_files(LinkJob job, const Run& run) { Linking(std::move(job)).run(run); }

}  // namespace fovea::linkage
