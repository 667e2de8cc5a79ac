// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/job/linked_tables.h"
#include "fovea/linkage/matching/assignment.h"
#include "fovea/linkage/matching/candidate_scoring.h"
#include "fovea/linkage/matching/known_pairs.h"

namespace fovea::linkage {
namespace {

std::string percentages(const MatchCounts& counts) {
  return fmt::format("links F1 {:.2f}, precision {:.2f}, recall {:.2f}", 100 * counts.f1(), 100 * counts.precision(),
                     100 * counts.recall());
}

/// Links against the pairs of records of different tables that have the same gold label. Records without one are left
/// out. `gold`: [row].
MatchCounts score_links(const std::vector<ScoredPair>& links, std::span<const std::uint32_t> gold,
                        const PairScope& scope) {
  MatchCounts counts;
  for (const ScoredPair& link : links) {
    const std::uint32_t first = gold[link.rows.first], second = gold[link.rows.second];
    if (first == kUnlabelled || second == kUnlabelled) continue;
    ++counts.predicted;
    counts.correct += first == second;
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> rows;  // of each label, ascending
  for (std::uint32_t row = 0; row < gold.size(); ++row)
    if (gold[row] != kUnlabelled) rows[gold[row]].push_back(row);
  for (const auto& [label, same] : rows) counts.gold += scope.pair_count(same);
  return counts;
}

/// One call of link() or link_files().
class Linking {
 public:
  explicit Linking(LinkJob job)
      : job_(std::move(job)),
        matching_(job_.matching),
        labels_(job_.labels, {}, job_.pair_labels),
        map_(job_.options.map),
        seconds_(limit_of(job_.limits)) {}

  /// In memory.
  LinkResult run(std::span<const io::Table* const> tables, const Run& whole) {
    if (tables.size() < 2) throw UsageError("there is one table only: link two or more");
    if (matching_.job().only_tells()) throw UsageError("option 'explain' and option 'profile' are for tables in files");
    job_.options.output.clear();
    const Run run = whole.ending_after(seconds_);
    std::vector<std::optional<std::size_t>> ids;
    for (const io::Table* table : tables) {
      const std::string& name = id_of(ids.size());
      ids.push_back(name.empty() ? std::nullopt : std::optional(table->column(name)));
    }
    const LinkedTables linked({tables.begin(), tables.end()}, ids, map_);
    LinkResult result = *find(linked, run);
    for (ProbablePair& link : result.links) {
      RowPair& rows = link.pair.rows;
      result.tables.push_back({linked.table_of(rows.first), linked.table_of(rows.second)});
      rows = {linked.own_row(rows.first), linked.own_row(rows.second)};
    }
    return result;
  }

  /// From file to file.
  void run(const Run& whole) {
    const Run run = whole.ending_after(seconds_);
    check_output();
    const std::vector<io::Table> read = read_tables(run.threads);
    std::vector<const io::Table*> tables;
    std::vector<std::optional<std::size_t>> ids;
    for (const io::Table& table : read) {
      const std::string& name = id_of(ids.size());
      tables.push_back(&table);
      ids.emplace_back(name.empty() ? 0 : table.column(name));
    }
    const LinkedTables linked(tables, ids, map_);
    const std::optional<LinkResult> found = find(linked, run);
    if (!found) return;
    write_pairs(
        job_.options.output, found->links, [&](std::uint32_t row) { return linked.id(row); }, job_.writing,
        table_numbers(linked));
    run.note_that(fmt::format("{} links between the records of {} tables, {} records", found->links.size(),
                              linked.size(), linked.stacked().row_count()));
    if (found->metrics) run.note_that(percentages(*found->metrics));
    if (matching_.job().as_json && matching_.job().tell) matching_.job().tell(summary(*found, linked) + "\n");
  }

 private:
  static constexpr double kForLearning = .4;  // of the time that is left, if it is limited

  /// The limit, with time left to write the links.
  static double limit_of(const LinkLimitOptions& limits) {
    constexpr double kToWrite = .05;
    const Budget budget = parse_budget("", limits.time_limit);
    if (budget.seconds_per_item) throw UsageError("the tables are one item: leave out '/item'");
    return (1 - kToWrite) * budget.seconds;
  }

  const std::string& id_of(std::size_t table) const { return table == 0 ? job_.options.id : job_.options.second_id; }

  /// True if the output (-o) is the model that is learned.
  bool is_only_learning() const { return labels_.is_asked_for() && job_.options.output.ends_with(".er"); }

  void check_output() const {
    const bool is_piped = job_.options.output.empty() || job_.options.output == "-";
    if (matching_.job().as_json && !matching_.job().only_tells() && is_piped)
      throw UsageError(
          "option 'json' is a summary on standard output: give the table of links a file by option 'output'");
    if (!is_only_learning()) check_pairs_can_be_written(job_.options.output, job_.writing, job_.files.size() > 2);
  }

  std::vector<io::Table> read_tables(int threads) {
    if (job_.files.size() < 2) throw UsageError("there is one table only: link two or more");
    std::vector<io::Table> tables;
    for (const std::string& file : job_.files) {
      if (tables.size() == 1 && !job_.options.second_encoding.empty())
        job_.reading.encoding = job_.options.second_encoding;
      tables.push_back(io::read_table(file, job_.reading, threads));
    }
    return tables;
  }

  /// The links, by rows of the tables laid end to end; nullopt if the job is to learn, explain or profile only.
  std::optional<LinkResult> find(const LinkedTables& tables, const Run& run) {
    std::vector<std::string> left_out = tables.columns_not_shared();
    left_out.insert(left_out.end(), {job_.options.gold, job_.labels.labels});
    matching_.leave_out(left_out);
    const RecordMatching matching = matching_.prepare(tables.stacked(), tables.scope(), run);
    tables.check_columns(matching);
    const std::vector<std::uint32_t> gold = tables.labels(job_.options.gold);
    const KnownPairs known = read_known_pairs(
        {job_.known_pairs, job_.options.must_link, job_.options.cannot_link}, labels_, tables.stacked().row_count(),
        [&] { return tables.pair_names(); }, [&](std::uint32_t row) { return tables.name_of(row); });
    if (labels_.is_asked_for()) learn(matching, tables, with_share_of_time(run, kForLearning));
    const std::optional<MatchModel> model = matching_.model(matching, with_share_of_time(run, kForLearning));
    if (!model || is_only_learning()) return std::nullopt;
    if (matching_.job().explains()) {
      matching_.explain(*model, tables.stacked(),
                        [&](int i, std::string_view id) { return find_record(tables, i, id); });
      return std::nullopt;
    }
    const std::vector<ScoredPair> links = score(*model, matching, known, run);
    LinkResult result = {.model = matching_.json_of(*model, matching), .proposal = matching_.proposal()};
    if (!gold.empty()) result.metrics = score_links(links, gold, tables.scope());
    for (const ScoredPair& link : links) result.links.push_back({link, probability_of(link.score)});
    return result;
  }

  /// The first of the records that are explained is sought in all tables but the last, the second in all but the first.
  static std::optional<std::size_t> find_record(const LinkedTables& tables, int i, std::string_view id) {
    const std::size_t begin = i == 0 ? 0 : 1, end = tables.size() - (i == 0 ? 1 : 0);
    for (std::size_t t = begin; t < end; ++t)
      if (const auto row = tables.find(t, id)) return row;
    return std::nullopt;
  }

  /// Lets labels correct the model that is given, or what is learned without them.
  void learn(const RecordMatching& matching, const LinkedTables& tables, const Run& run) {
    if (matching_.job().model.profile)
      throw UsageError("option 'labels' and option 'labelled-pairs' exclude option 'profile'");
    labels_.check();
    if (!job_.labels.labels.empty()) (void)tables.labels(job_.labels.labels);  // all tables need the column
    if (is_only_learning()) matching_.save_model(job_.options.output);
    constexpr double kWithoutLabels = .5;  // of the time that is left, if it is limited
    const MatchParameters known = matching_.known_without_labels(matching, with_share_of_time(run, kWithoutLabels));
    matching_.use(known);
    const RecordNames nobody;
    const PairNames names = labels_.are_pairs() ? tables.pair_names() : PairNames(nobody);
    try {
      matching_.use(labels_.correct(
          known, matching, names,
          [&](const MatchParameters& parameters) { return quick_clusters(parameters, matching, run); }, run));
    } catch (const LimitError&) {
      run.warn_of("the time limit left no time to learn from labels: what is learned without them is used");
    }
  }

  /// [row] records that links connect have the same number.
  std::vector<std::uint32_t> quick_clusters(const MatchParameters& parameters, const RecordMatching& matching,
                                            const Run& run) const {
    const Run quiet{.stop = run.stop, .threads = run.threads, .random = run.random.child("quick")};
    const auto links = score(MatchModel(matching.comparisons(), parameters), matching, {}, quiet);
    std::vector<std::uint32_t> clusters(matching.table().row_count());
    for (std::uint32_t row = 0; row < clusters.size(); ++row) clusters[row] = row;
    const Blocks connected = connected_components(clusters.size(), links);
    for (std::size_t c = 0; c < connected.size(); ++c)
      for (const std::uint32_t row : connected[c]) clusters[row] = connected[c].front();
    return clusters;
  }

  /// Pairs of rows of all tables, laid end to end, in the order of the first ones, the best first.
  std::vector<ScoredPair> score(const MatchModel& model, const RecordMatching& matching, const KnownPairs& known,
                                const Run& run) const {
    const double least = matching_.least_score();
    ScoredCandidates scored = score_candidates(model, matching.candidates(), least, run);
    if (scored.share == 0) ComparisonMeter(run.stop, "scoring pairs of records").look();
    if (scored.share < 1) warn_of_share(scored.share, run);
    std::vector<ScoredPair> links = std::move(scored.pairs);
    known.apply(model, least, links);
    if (job_.options.one_to_one) links = assign(links, matching.candidates().scope(), run);
    std::ranges::sort(links, {}, [](const ScoredPair& p) { return std::tuple(p.rows.first, -p.score, p.rows.second); });
    return links;
  }

  /// The best assignment of each two tables.
  std::vector<ScoredPair> assign(const std::vector<ScoredPair>& links, const PairScope& scope, const Run& run) const {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<ScoredPair>> of_tables;
    for (const ScoredPair& link : links)
      of_tables[{scope.table_of(link.rows.first), scope.table_of(link.rows.second)}].push_back(link);
    std::vector<ScoredPair> chosen;
    for (auto& [tables, between] : of_tables)
      for (const ScoredPair& link : best_assignment(std::move(between), matching_.least_score(), run.stop))
        chosen.push_back(link);
    if (run.stop.requested())
      run.warn_of("stopped before the best assignment was found: the best pairs were taken first");
    return chosen;
  }

  /// Numbers of tables from 1 on, where there are more than two.
  static std::function<std::size_t(std::uint32_t row)> table_numbers(const LinkedTables& tables) {
    if (tables.size() == 2) return {};
    return [&tables](std::uint32_t row) { return tables.table_of(row) + 1; };
  }

  static std::string summary(const LinkResult& found, const LinkedTables& tables) {
    std::vector<std::set<std::uint32_t>> linked(tables.size());
    for (const ProbablePair& link : found.links)
      for (const std::uint32_t row : {link.pair.rows.first, link.pair.rows.second})
        linked[tables.table_of(row)].insert(row);
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(found.json());
    for (std::size_t t = 0; t < tables.size(); ++t)
      json["tables"].push_back({{"records", tables.table(t).row_count()}, {"linked", linked[t].size()}});
    return json.dump();
  }

  LinkJob job_;
  Matching matching_;
  LabelLearning labels_;
  ColumnMap map_;
  double seconds_;
};

}  // namespace

std::string LinkResult::json() const {
  nlohmann::ordered_json json = {{"links", links.size()}};
  if (proposal) json["proposed"] = {{"compare", proposal->compare}, {"block", proposal->block}};
  if (metrics)
    json["metrics"] = {{"gold", metrics->gold},       {"predicted", metrics->predicted},
                       {"correct", metrics->correct}, {"precision", metrics->precision()},
                       {"recall", metrics->recall()}, {"f1", metrics->f1()}};
  return json.dump();
}

LinkResult link(std::span<const io::Table* const> tables, LinkJob job, const Run& run) {
  return Linking(std::move(job)).run(tables, run);
}

LinkResult link(const io::Table& first, const io::Table& second, LinkJob job, const Run& run) {
  return link(std::array{&first, &second}, std::move(job), run);
}

void link_files(LinkJob job, const Run& run) { Linking(std::move(job)).run(run); }

}  // namespace fovea::linkage
