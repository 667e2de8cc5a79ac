// SPDX-License-Identifier: Apache-2.0
// fovea link: which records of two tables are of one entity?
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/cli/linkage/matching_job.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::cli {
namespace {

struct LinkOptions {
  std::string output, id, second_id, second_encoding;
  bool one_to_one = false;

  template <class V>
  static void describe(V&& visit) {
    using O = LinkOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Table of links to write; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::id, OptionInfo{.name = "id",
                             .description = "Column that tells the records of FIRST apart; default: the first.",
                             .value_name = "COLUMN"});
    visit(&O::second_id, OptionInfo{.name = "second-id",
                                    .description = "The same of SECOND; default: its first column.",
                                    .value_name = "COLUMN"});
    visit(&O::second_encoding, OptionInfo{.name = "second-encoding",
                                          .description = "Encoding of SECOND; default: that of FIRST.",
                                          .value_name = "TEXT"});
    visit(&O::one_to_one, OptionInfo{.name = "one-to-one",
                                     .description = "Link no record twice: of links that share one, the best is kept. "
                                                    "For tables without duplicates."});
  }
};

/// A table whose records have ids.
struct Records {
  Records(io::Table t, const std::string& id)
      : table(std::move(t)), id_column(id.empty() ? 0 : table.column(id)), ids(io::unique_ids(table, id_column)) {}
  Records(const Records&) = delete;  // `ids` looks at `table`

  std::uint32_t count() const { return static_cast<std::uint32_t>(table.row_count()); }
  std::string_view id(std::size_t row) const { return table.cell(row, id_column); }

  io::Table table;
  std::size_t id_column;
  io::IdIndex ids;
};

class Link : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(first_, {.name = "FIRST", .description = "Records; - is standard input.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.argument(second_, {.name = "SECOND", .description = "Records to link them to.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(options_);
    job_.bind(binder);
    binder.options(reading_, "Reading tables");
    binder.options(writing_, "Writing tables");
  }

  void run(const Context& context) override {
    linkage::check_pairs_can_be_written(options_.output, writing_);
    const Records first(io::read_table(first_, reading_), options_.id);
    if (!options_.second_encoding.empty()) reading_.encoding = options_.second_encoding;
    const Records second(io::read_table(second_, reading_), options_.second_id);
    const io::Table both = linkage::stack_tables(first.table, second.table);
    const linkage::RecordMatching matching =
        job_.prepare(both, {linkage::PairScope::Kind::kAcross, first.count()}, context);
    check_columns(matching, first.table, second.table);
    const std::optional<linkage::MatchModel> model = job_.model(matching, context);
    if (!model) return;
    if (job_.explains()) return explain(*model, both, first, second, context);
    std::vector<linkage::ScoredPair> pairs =
        linkage::score_candidates(*model, matching.candidates(), job_.matching().least_score(), job_.control(context));
    if (options_.one_to_one) pairs = linkage::one_to_one(std::move(pairs));
    context.console.clear_progress();
    std::ranges::sort(pairs, {},
                      [](const linkage::ScoredPair& p) { return std::tuple(p.rows.first, -p.score, p.rows.second); });
    const auto id_of = [&](std::uint32_t row) {
      return row < first.count() ? first.id(row) : second.id(row - first.count());
    };
    std::vector<linkage::ProbablePair> links;
    for (const linkage::ScoredPair& pair : pairs) links.push_back({pair, linkage::probability_of(pair.score)});
    linkage::write_pairs(options_.output, links, id_of, writing_);
    context.console.note(
        fmt::format("{} links between {} and {} records", pairs.size(), first.count(), second.count()));
  }

 private:
  /// What is compared must be in both tables.
  static void check_columns(const linkage::RecordMatching& matching, const io::Table& first, const io::Table& second) {
    const auto check = [&](std::size_t column) {
      const std::string& name = matching.table().columns()[column];
      first.column(name);
      second.column(name);
    };
    for (const linkage::Comparison& comparison : matching.comparisons())
      std::ranges::for_each(comparison.columns(), check);
    for (const linkage::BlockingRule& rule : matching.rules()) std::ranges::for_each(rule.columns(), check);
  }

  void explain(const linkage::MatchModel& model, const io::Table& both, const Records& first, const Records& second,
               const Context& context) const {
    const auto row_of = [&](int i, std::string_view id) -> std::optional<std::size_t> {
      if (i == 0) return first.ids.find(id);
      const auto row = second.ids.find(id);
      return row ? std::optional(*row + first.count()) : std::nullopt;
    };
    job_.explain(model, both, row_of, context);
  }

  std::string first_, second_;
  LinkOptions options_;
  MatchingJob job_;
  io::TableReadOptions reading_;
  io::TableWriteOptions writing_;
};

}  // namespace

CommandEntry link_command() {
  static const std::string kDescription =
      "Reads two tables (CSV, TSV, JSON lines, SQLite) with columns of the same names and writes the pairs of "
      "records that match, with their ids, the score (log odds) and the probability. How much each level of "
      "agreement says is learned from the records themselves, without labels." +
      matching_help();
  return {.name = "link",
          .summary = "Find the records of two tables that are of one entity.",
          .description = kDescription.c_str(),
          .examples =
              "  fovea link a.csv b.csv --compare 'title:words, year:number' --block 'year, prefix(title, 5)' -o "
              "links.csv\n"
              "  fovea link a.csv b.csv --compare ... --block ... --one-to-one --threshold .9 -o links.csv\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Link>(); }};
}

}  // namespace fovea::cli
