// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/dedupe.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/golden/golden_table.h"
#include "fovea/linkage/job/command_scorer.h"
#include "fovea/linkage/job/dedupe_page.h"
#include "fovea/linkage/job/spilled_dedupe.h"
#include "fovea/linkage/job/update.h"
#include "fovea/linkage/matching/candidate_scoring.h"
#include "fovea/linkage/matching/known_pairs.h"
#include "fovea/linkage/matching/labelled_pairs.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {
namespace {

/// One call of dedupe() or dedupe_file().
class Deduplication {
 public:
  explicit Deduplication(DedupeJob job)
      : job_(std::move(job)), matching_(job_.matching), labels_(job_.labels, job_.learning, job_.pair_labels) {
    matching_.set_draw_by(job_.options.draw_by);
  }

  /// In memory.
  DedupeResult run(const io::Table& table, const Run& whole) {
    if (!job_.options.clusters.empty())
      throw UsageError("option 'clusters' is for tables in files; in memory, update() adds records to clusters");
    if (matching_.job().only_tells()) throw UsageError("option 'explain' and option 'profile' are for tables in files");
    job_.options.output.clear();
    job_.limits.parse();
    const std::size_t id_column = job_.options.id.empty() ? 0 : table.column(job_.options.id);
    std::optional<io::IdIndex> ids;
    if (!job_.options.id.empty()) ids.emplace(io::unique_ids(table, id_column));
    check_input(table);
    return *find(table, id_column, ids ? &*ids : nullptr, whole);
  }

  /// From file to file.
  void run(const Run& whole) {
    if (matching_.job().as_json && !matching_.job().only_tells() && !is_only_learning() &&
        (job_.options.output.empty() || job_.options.output == "-"))
      throw UsageError(
          "option 'json' is a summary on standard output: give the table of clusters a file by option 'output'");
    if (!job_.options.report_html.empty() && (matching_.job().only_tells() || is_only_learning()))
      throw UsageError(
          "option 'report-html' shows clusters: it excludes option 'explain' and option 'profile', and a model as "
          "option "
          "'output'");
    job_.limits.parse();
    whole.begin_phase("reading");
    const io::Table table = io::read_table(job_.file, job_.reading, whole.threads);
    const std::size_t id_column = job_.options.id.empty() ? 0 : table.column(job_.options.id);
    const io::IdIndex ids = io::unique_ids(table, id_column);
    check_input(table);
    check_outputs(table, id_column);
    const std::optional<DedupeResult> found = find(table, id_column, &ids, whole);
    if (!found) return;
    whole.begin_phase("writing");
    write(*found, table, id_column, whole);
    if (!job_.options.pairs.empty())
      write_pairs(
          job_.options.pairs, found->pairs, [&](std::uint32_t row) { return table.cell(row, id_column); },
          job_.writing);
    report(*found, whole);
  }

 private:
  /// The clusters; nullopt if the job is to learn, explain or profile only. `ids`: null where records have none.
  std::optional<DedupeResult> find(const io::Table& table, std::size_t id_column, const io::IdIndex* ids,
                                   const Run& whole) {
    constexpr double kForLearning = .35, kForScoring = .8;  // of the time that is left, if it is limited
    const Run run = whole.ending_after(clustering_seconds(table.row_count()));
    matching_.leave_out({ids != nullptr ? table.columns()[id_column] : "", job_.options.gold, job_.labels.labels});
    run.begin_phase("preparing");
    const RecordMatching matching = matching_.prepare(table, {}, run);
    run.begin_phase("learning");
    known_ = known_pairs(table, id_column, ids);
    if (labels_.is_asked_for()) learn(matching, ids, with_share_of_time(run, kForLearning));
    const std::optional<MatchModel> model = matching_.model(matching, with_share_of_time(run, kForLearning));
    if (!model || is_only_learning()) return std::nullopt;
    if (matching_.job().explains()) {
      explain(*model, table, *ids);
      return std::nullopt;
    }
    run.begin_phase("comparing");
    FoundPairs pairs =
        score(*model, matching, {.doubtful = job_.wants_pairs(), .links = !known_.empty() || has_scorer()},
              with_share_of_time(run, kForScoring));
    known_.apply(*model, matching_.least_score(), pairs.links);
    std::erase_if(pairs.reported, [&](const ScoredPair& pair) { return known_.holds(pair.rows); });
    if (pairs.share == 0) stopped_too_early(run);
    if (pairs.share < 1) warn_of_share(pairs.share, run);
    run.begin_phase("clustering");
    const std::vector<std::uint32_t> gold = true_entities(table);
    const Run clustering = pairs.share < 1 ? with_grace(run) : run;
    std::uint64_t asked = 0;
    const PairScorer scorer = counted(scorer_of(table, clustering.stop), asked);
    DedupeResult found{cluster(*model, matching, pairs, {id_column, gold, scorer}, clustering)};
    if (scorer) found.asked = asked;
    if (found.left > 0 && found.components + found.begun == 0) stopped_too_early(run);
    if (job_.wants_pairs()) found.pairs = most_doubtful_first(pairs.reported, found.probabilities);
    if (!gold.empty()) found.metrics = score_clusters(found.clusters, gold);
    found.proposal = matching_.proposal();
    if (job_.options.output.empty()) found.model = matching_.json_of(*model, matching);
    warn_of_what_is_left(found, run);
    if (job_.wants_page()) make_page(found, *model, matching, ids != nullptr ? std::optional(id_column) : std::nullopt);
    return found;
  }

  void make_page(const DedupeResult& found, const MatchModel& model, const RecordMatching& matching,
                 std::optional<std::size_t> id_column) const {
    const MatchModelDescription description = parse_match_model(matching_.json_of(model, matching), "the model");
    const report::Page page = dedupe_page({.table = matching.table(),
                                           .id_column = id_column,
                                           .matching = matching,
                                           .model = model,
                                           .description = description,
                                           .found = found,
                                           .least_score = matching_.least_score(),
                                           .useful_first = job_.useful_first});
    if (job_.take_page) job_.take_page(page);
    if (!job_.options.report_html.empty()) page.write(job_.options.report_html);
  }

  bool has_scorer() const { return job_.scorer || !job_.options.score.empty(); }

  PairScorer scorer_of(const io::Table& table, const Stop& stop) const {
    return job_.options.score.empty() ? job_.scorer : command_scorer(job_.options.score, table, stop);
  }

  static PairScorer counted(PairScorer scorer, std::uint64_t& calls) {
    if (!scorer) return scorer;
    return [scorer = std::move(scorer), &calls](RowPair pair) {
      ++calls;
      return scorer(pair);
    };
  }

  KnownPairs known_pairs(const io::Table& table, std::size_t id_column, const io::IdIndex* ids) const {
    return read_known_pairs(
        {job_.known_pairs, job_.options.must_link, job_.options.cannot_link}, labels_, table.row_count(),
        [&] {
          return PairNames(RecordNames{ids, table.row_count()});
        },
        [&](std::uint32_t row) {
          return ids != nullptr ? fmt::format("'{}'", table.cell(row, id_column)) : std::to_string(row);
        });
  }

  void check_input(const io::Table& table) const {
    mcmc::Exactness::parse(job_.clustering.exactness);
    if (has_scorer() && !(job_.options.checkpoint.empty() && job_.options.resume.empty()))
      throw UsageError("option 'score' excludes option 'checkpoint' and option 'resume'");
    if (table.row_count() == 0)
      throw InputError(
          {.file = table.name()}, "a table without records",
          job_.file.empty() ? "Give at least one record" : "The first line names the columns; it is not a record");
  }

  /// Checks everything that can be known to be wrong before records are compared.
  void check_outputs(const io::Table& table, std::size_t id_column) const {
    if (matching_.job().only_tells() || is_only_learning()) return;
    const bool has_confidence = job_.clustering.samples > 0;
    const double any = 0;
    const ClusterColumns columns = {
        .clusters = {}, .confidence = {&any, has_confidence ? 1u : 0u}, .name = job_.options.cluster_column};
    if (job_.options.golden.empty()) {
      check_clusters_can_be_written(job_.options.output, table, id_column, columns, job_.writing);
    } else {
      check_golden_can_be_written(job_.options.output, table, id_column, columns, golden(table, id_column),
                                  job_.writing);
    }
    if (!job_.options.pairs.empty()) check_pairs_can_be_written(job_.options.pairs, job_.writing);
    if (!job_.options.report_html.empty()) check_can_be_replaced(job_.options.report_html);
  }

  void write(const DedupeResult& found, const io::Table& table, std::size_t id_column, const Run& run) const {
    const DedupeOptions& options = job_.options;
    const ClusterColumns columns = {
        .clusters = found.clusters, .confidence = found.confidence, .name = options.cluster_column};
    if (options.golden.empty())
      return write_clusters(options.output, table, id_column, columns, job_.writing, run.threads);
    write_golden(options.output, table, id_column, columns, golden(table, id_column), job_.writing, run);
  }

  GoldenOptions golden(const io::Table& table, std::size_t id_column) const {
    return {parse_golden_rules(job_.options.golden, table, id_column), matching_.date_format()};
  }

  /// True if the output (-o) is the model that is learned.
  bool is_only_learning() const { return labels_.is_asked_for() && job_.options.output.ends_with(".er"); }

  void learn(const RecordMatching& matching, const io::IdIndex* ids, const Run& run) {
    if (matching_.job().model.profile)
      throw UsageError("option 'labels' and option 'labelled-pairs' exclude option 'profile'");
    labels_.check();
    if (is_only_learning()) matching_.save_model(job_.options.output);
    // The lists of a preset are made for labels: without them, their many levels are learned less well.
    const bool is_preset = matching_.job().model.preset && matching.rules().size() == 1 &&
                           matching.candidates().is_partition(0) && !labels_.are_pairs();
    const bool is_enough = is_preset || labels_.are_complete(matching);
    try {
      if (matching_.job().reads_model() || !is_enough) return correct(matching, ids, run);
      const bool with_calibration = job_.clustering.samples > 0 || is_only_learning();
      matching_.use(labels_.learn(matching, with_calibration, job_.clustering, run));
    } catch (const LimitError&) {
      run.warn_of("the time limit left no time to learn from labels: what is learned without them is used");
    }
  }

  /// Lets labels correct the model that is given, or what is learned without them.
  void correct(const RecordMatching& matching, const io::IdIndex* ids, const Run& run) {
    constexpr double kWithoutLabels = .5;  // of the time that is left, if it is limited
    const MatchParameters known = matching_.known_without_labels(matching, with_share_of_time(run, kWithoutLabels));
    matching_.use(known);
    matching_.use(labels_.correct(
        known, matching, RecordNames{ids, matching.table().row_count()},
        [&](const MatchParameters& parameters) { return quick_clusters(parameters, matching, run); }, run));
  }

  /// After Ctrl-C while pairs were scored, a moment to cluster with those that are known.
  static Run with_grace(Run run) {
    constexpr double kSeconds = 1;
    if (run.is_cancelled()) run.stop = Stop{.deadline = run.stop.deadline}.within(kSeconds);
    return run;
  }

  [[noreturn]] static void stopped_too_early(const Run& run) {
    if (run.is_cancelled()) throw CancelledError("interrupted before any group of records was clustered");
    throw LimitError("the time limit was over before any group of records was clustered; give more time");
  }

  void explain(const MatchModel& model, const io::Table& table, const io::IdIndex& ids) const {
    matching_.explain(model, table, [&](int, std::string_view id) { return ids.find(id); });
  }

  std::vector<std::uint32_t> true_entities(const io::Table& table) const {
    return job_.options.gold.empty() ? std::vector<std::uint32_t>()
                                     : number_labels(table, table.column(job_.options.gold));
  }

  /// Pairs that may match, and those of them that do, which connect the components. Pairs that are only reported never
  /// change the clusters.
  struct FoundPairs {
    std::vector<ScoredPair> reported = {}, links = {};
    bool blocks_are_components = false;  ///< blocks of a single rule, which are small: no link is needed
    double share = 1;                    ///< of the candidate pairs that were scored
  };

  /// Wishes: doubtful pairs to report; links even where blocks would do as components.
  struct WantedPairs {
    bool doubtful = false, links = false;
  };

  FoundPairs score(const MatchModel& model, const RecordMatching& matching, const WantedPairs& wanted,
                   const Run& run) const {
    constexpr double kDoubt = 3;  // log odds: probabilities from .05 on
    FoundPairs pairs{.blocks_are_components =
                         !wanted.links && matching.rules().size() == 1 && matching.candidates().is_partition(0) &&
                         ComponentSolver::takes_whole_blocks(matching.candidates().blocks(0), model)};
    if (pairs.blocks_are_components && !wanted.doubtful) return pairs;
    const double least = matching_.least_score();
    ScoredCandidates candidates =
        score_candidates(model, matching.candidates(), wanted.doubtful ? least - kDoubt : least, run);
    std::vector<ScoredPair>& scored = candidates.pairs;
    pairs.share = candidates.share;
    if (!pairs.blocks_are_components)
      std::ranges::copy_if(scored, std::back_inserter(pairs.links),
                           [&](const ScoredPair& pair) { return double{pair.score} > least; });
    if (wanted.doubtful) pairs.reported = std::move(scored);
    return pairs;
  }

  struct RecordFacts {
    std::size_t id_column;
    std::span<const std::uint32_t> gold;
    const PairScorer& scorer;
  };

  RecordClusters cluster(const MatchModel& model, const RecordMatching& matching, const FoundPairs& pairs,
                         const RecordFacts& facts, const Run& run) const {
    const io::Table& table = matching.table();
    const std::size_t rows = table.row_count();
    const Blocks components = components_of(matching, pairs);
    warn_of_large_components(components, pairs.links, matching, run);
    ComponentTask task{.model = model,
                       .least_score = matching_.least_score(),
                       .components = components,
                       .row_count = rows,
                       .links = pairs.links,
                       .scorer = facts.scorer ? &facts.scorer : nullptr,
                       .known = &known_,
                       .gold = facts.gold,
                       .checkpoint = job_.options.checkpoint,
                       .resume = job_.options.resume};
    if (matching_.draw_by() == DrawBy::kId)
      for (std::size_t row = 0; row < rows; ++row) task.streams.push_back(hash_text(table.cell(row, facts.id_column)));
    for (const ScoredPair& pair : pairs.reported) task.watched.push_back(pair.rows);
    const Budget budget = job_.limits.parse();
    ComponentClusteringOptions clustering = job_.clustering;
    const auto records = static_cast<double>(std::max<std::size_t>(components.rows.size(), 1));
    clustering.sweeps =
        static_cast<int>(std::min<double>(clustering.sweeps, budget.transition_limit(records) / records));
    return cluster_components(task, clustering, run.child("clustering"));
  }

  /// Warns of groups that are so large that a rule or the threshold is probably at fault.
  static void warn_of_large_components(const Blocks& components, std::span<const ScoredPair> links,
                                       const RecordMatching& matching, const Run& run) {
    constexpr std::size_t kLarge = 2000;
    std::vector<bool> is_in_large(matching.table().row_count());
    std::size_t count = 0, largest = 0;
    for (std::size_t c = 0; c < components.size(); ++c) {
      if (components[c].size() <= kLarge) continue;
      ++count;
      largest = std::max(largest, components[c].size());
      for (const std::uint32_t row : components[c]) is_in_large[row] = true;
    }
    if (count == 0 || links.empty()) return;
    std::vector<std::uint64_t> links_of_rule(matching.rules().size());
    for (const ScoredPair& link : links)
      if (is_in_large[link.rows.first]) ++links_of_rule[matching.candidates().first_rule(link.rows)];
    const auto most = static_cast<std::size_t>(std::ranges::max_element(links_of_rule) - links_of_rule.begin());
    run.warn_of(fmt::format(
        "matching pairs connect {} group(s) of over {} records, the largest of {}; rule '{}' brings most of these "
        "pairs together. Groups are split into clusters, but this often means that comparisons say too little, "
        "or that option 'threshold' is too low",
        count, kLarge, largest, matching.rules()[most].text()));
  }

  /// The clusters of average link, to compare parameters by.
  std::vector<std::uint32_t> quick_clusters(const MatchParameters& parameters, const RecordMatching& matching,
                                            const Run& run) const {
    const MatchModel model(matching.comparisons(), parameters);
    const Run quiet{.stop = run.stop, .threads = run.threads, .random = run.random.child("quick")};
    const FoundPairs pairs = score(model, matching, {}, quiet);
    const Blocks components = components_of(matching, pairs);
    ComponentClusteringOptions options = job_.clustering;
    options.start = ClusteringStart::kAverageLink;
    options.sweeps = options.samples = 0;
    return cluster_components({.model = model,
                               .least_score = matching_.least_score(),
                               .components = components,
                               .row_count = matching.table().row_count(),
                               .links = pairs.links},
                              options, quiet)
        .clusters;
  }

  static Blocks components_of(const RecordMatching& matching, const FoundPairs& pairs) {
    return pairs.blocks_are_components ? matching.candidates().blocks(0)
                                       : connected_components(matching.table().row_count(), pairs.links);
  }

  /// Time limit for clustering, which leaves time to write the clusters.
  double clustering_seconds(std::size_t rows) const {
    const double seconds = job_.limits.parse().seconds;
    return seconds - std::min(seconds / 4, 0.01 + 2e-6 * static_cast<double>(rows));
  }

  static void warn_of_what_is_left(const RecordClusters& clusters, const Run& run) {
    if (clusters.left > 0)
      run.warn_of(
          fmt::format("stopped with {} of {} groups of records unfinished: those records are alone, or in the clusters "
                      "found so far",
                      clusters.left, clusters.left + clusters.components));
  }

  void report(const DedupeResult& found, const Run& run) const {
    run.note_that(found.brief());
    if (found.metrics) run.note_that(found.metrics->brief());
    if (matching_.job().as_json) tell(found.json());
  }

  void tell(const std::string& json) const {
    if (matching_.job().tell) matching_.job().tell(json + "\n");
  }

  DedupeJob job_;
  Matching matching_;
  LabelLearning labels_;
  KnownPairs known_;
};

}  // namespace

Budget DedupeLimitOptions::parse() const {
  const Budget parsed = parse_budget(budget, time_limit);
  if (parsed.per_item || parsed.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
  if (parsed.factors < Budget::kUnlimited || parsed.oracle_calls < Budget::kUnlimited)
    throw UsageError("option 'budget': 'dedupe' counts sweeps or transitions");
  return parsed;
}

std::string DedupeResult::brief() const {
  std::string text = fmt::format("{} records, {} clusters; {} proposals, {} factors, {} look-ups", clusters.size(),
                                 cluster_count(), work.proposals, work.factors, work.lookups);
  if (asked) text += fmt::format("; asked about {} pairs", *asked);
  return text;
}

std::string DedupeResult::json() const {
  nlohmann::ordered_json json = {{"records", clusters.size()},  {"clusters", cluster_count()},
                                 {"proposals", work.proposals}, {"factors", work.factors},
                                 {"lookups", work.lookups},     {"groups_left", left}};
  if (asked) json["asked"] = *asked;
  if (proposal) json["proposed"] = {{"compare", proposal->compare}, {"block", proposal->block}};
  if (metrics) json["metrics"] = nlohmann::json::parse(metrics->json());
  return json.dump();
}

DedupeResult dedupe(const io::Table& table, DedupeJob job, const Run& run) {
  return Deduplication(std::move(job)).run(table, run);
}

void dedupe_file(DedupeJob job, const Run& run) {
  if (!job.spilling.spill.empty()) return dedupe_by_parts(std::move(job), run);
  if (!job.options.clusters.empty()) return update_file(std::move(job), run);
  Deduplication(std::move(job)).run(run);
}

}  // namespace fovea::linkage
