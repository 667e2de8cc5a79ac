// SPDX-License-Identifier: Apache-2.0
// fovea dedupe: which records of a table are of one entity?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/cli/linkage/label_learning.h"
#include "fovea/cli/linkage/matching_job.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/components/incremental_clustering.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::cli {
namespace {

struct DedupeOptions {
  std::string output, cluster_column = "cluster", id, clusters, pairs, gold, checkpoint, resume;

  template <class V>
  static void describe(V&& visit) {
    using O = DedupeOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Table to write: the records with a cluster each; - or none is "
                                                "standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::cluster_column, OptionInfo{.name = "cluster-column",
                                         .description = "Name of the column of clusters, the last one.",
                                         .value_name = "COLUMN"});
    visit(&O::id, OptionInfo{.name = "id",
                             .description = "Column that tells the records apart; default: the first.",
                             .value_name = "COLUMN"});
    visit(&O::pairs, OptionInfo{.name = "pairs",
                                .description = "Also write pairs of records that may match, the most doubtful first.",
                                .value_name = "FILE",
                                .file = FileRole::kOutput});
    visit(&O::gold, OptionInfo{.name = "gold",
                               .description = "Column of true clusters, by which the result is scored.",
                               .value_name = "COLUMN"});
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "Where to keep what is done, once a minute and on Ctrl-C.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same job, to go on from.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
    visit(&O::clusters, OptionInfo{.name = "clusters",
                                   .description = "Records with clusters, as 'dedupe' writes them: those of TABLE are "
                                                  "new and join these clusters or found others; needs --model.",
                                   .value_name = "FILE",
                                   .file = FileRole::kInput});
  }
};

struct DedupeLimitOptions {
  std::string time_limit, budget;

  template <class V>
  static void describe(V&& visit) {
    using O = DedupeLimitOptions;
    visit(&O::time_limit, OptionInfo{.name = "time-limit",
                                     .description = "Wall clock from process start to exit, as in 30s or 5min: groups "
                                                    "of records that are not clustered by then are left as they are.",
                                     .value_name = "TIME"});
    visit(&O::budget, OptionInfo{.name = "budget",
                                 .description = "Proposals, as in '20 sweeps' (for each record) or '1e8 transitions': "
                                                "at most so many of --sweeps, and the same clusters on every run, at "
                                                "any number of threads.",
                                 .value_name = "COUNT"});
  }

  /// Throws UsageError.
  Budget parse() const {
    const Budget parsed = parse_budget(budget, time_limit);
    if (parsed.per_item || parsed.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
    if (parsed.factors < Budget::kUnlimited || parsed.oracle_calls < Budget::kUnlimited)
      throw UsageError("--budget: 'dedupe' counts sweeps or transitions");
    return parsed;
  }
};

class Dedupe : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_, {.name = "TABLE", .description = "Records; - is standard input.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(options_);
    job_.bind(binder);
    labels_.bind(binder);
    binder.options(clustering_, "Clustering");
    binder.options(limits_, "Limits");
    binder.options(reading_, "Reading tables");
    binder.options(writing_, "Writing tables");
  }

  void run(const Context& context) override {
    if (context.common.json && !job_.only_tells() && !is_only_learning() &&
        (options_.output.empty() || options_.output == "-"))
      throw UsageError("--json is a summary on standard output: give the table of clusters a file by -o");
    limits_.parse();
    const io::Table table = io::read_table(file_, reading_);
    const std::size_t id_column = options_.id.empty() ? 0 : table.column(options_.id);
    if (!options_.clusters.empty()) return update(table, id_column, context);
    const io::IdIndex ids = io::unique_ids(table, id_column);
    check_options(table, id_column);
    job_.end_at(deadline(limits_.parse(), table.row_count(), context));
    const linkage::RecordMatching matching = job_.prepare(table, {}, context);
    if (labels_.is_asked_for()) learn(matching, ids, context);
    const std::optional<linkage::MatchModel> model = job_.model(matching, context);
    if (!model || is_only_learning()) return;
    if (job_.explains()) return explain(*model, table, ids, context);
    const std::vector<linkage::ScoredPair> pairs = score(*model, matching, context);
    const std::vector<std::uint32_t> gold = true_entities(table);
    const linkage::RecordClusters clusters = cluster(*model, matching, pairs, gold, context);
    context.console.clear_progress();
    if (clusters.left > 0 && clusters.components + clusters.begun == 0) stopped_too_early(context);
    linkage::write_clusters(
        options_.output, table, id_column,
        {.clusters = clusters.clusters, .confidence = clusters.confidence, .name = options_.cluster_column}, writing_);
    if (!options_.pairs.empty())
      linkage::write_pairs(
          options_.pairs, linkage::most_doubtful_first(pairs, clusters.probabilities),
          [&](std::uint32_t row) { return table.cell(row, id_column); }, writing_);
    report(clusters, gold, context);
  }

 private:
  /// All that can be known to be wrong before records are compared.
  void check_options(const io::Table& table, std::size_t id_column) const {
    if (table.row_count() == 0)
      throw InputError({.file = table.name()}, "a table without records", "The first line names columns, no record");
    mcmc::Exactness::parse(clustering_.exactness);
    if (job_.only_tells() || is_only_learning()) return;
    const bool has_confidence = clustering_.samples > 0;
    const double any = 0;
    linkage::check_clusters_can_be_written(
        options_.output, table, id_column,
        {.clusters = {}, .confidence = {&any, has_confidence ? 1u : 0u}, .name = options_.cluster_column}, writing_);
    if (!options_.pairs.empty()) linkage::check_pairs_can_be_written(options_.pairs, writing_);
  }

  /// -o is the model that is learned.
  bool is_only_learning() const { return labels_.is_asked_for() && options_.output.ends_with(".er"); }

  void learn(const linkage::RecordMatching& matching, const io::IdIndex& ids, const Context& context) {
    if (job_.reads_model() || job_.profiles())
      throw UsageError("--labels and --labelled-pairs exclude --model and --profile");
    labels_.check();
    if (is_only_learning()) job_.save_model(options_.output);
    if (labels_.are_pairs())
      return job_.use(labels_.correct(job_.known_without_labels(matching, context), matching, ids, context));
    const bool with_calibration = clustering_.samples > 0 || is_only_learning();
    job_.use(labels_.learn(matching, with_calibration, clustering_, job_.control(context), context));
  }

  /// Adds the records of `more` to those that are clustered already.
  void update(const io::Table& more, std::size_t id_column, const Context& context) {
    if (!job_.reads_model()) throw UsageError("--clusters needs --model: the model by which the clusters were found");
    if (labels_.is_asked_for() || clustering_.samples > 0 || !options_.pairs.empty() || !options_.gold.empty() ||
        !options_.checkpoint.empty() || !options_.resume.empty() || !limits_.time_limit.empty() ||
        !limits_.budget.empty())
      throw UsageError(
          "--clusters excludes --labels, --labelled-pairs, --samples, --pairs, --gold, --checkpoint, --resume, "
          "--time-limit and --budget");
    job_.check_columns(more);
    const linkage::LabelledRecords old = linkage::read_labels(options_.clusters, "", {""});
    const std::size_t cluster_column = old.table.column_count() - 1;
    const linkage::ClusteredRecords records = linkage::append_records(old, cluster_column, more, id_column);
    const linkage::ClusterColumns columns{
        .clusters = {}, .name = records.table.columns()[cluster_column], .names = cluster_column};
    if (!job_.explains())
      linkage::check_clusters_can_be_written(options_.output, records.table, records.id_column, columns, writing_);
    const linkage::RecordMatching matching =
        job_.prepare(records.table, {linkage::PairScope::Kind::kNew, records.old_count()}, context);
    const std::optional<linkage::MatchModel> model = job_.model(matching, context);
    if (job_.explains())
      return explain(*model, records.table, io::unique_ids(records.table, records.id_column), context);
    const double least_score = job_.matching().least_score();
    const linkage::IncrementalClusters clusters = linkage::cluster_new_rows(
        *model, least_score, records.clusters, records.table.row_count(),
        linkage::score_candidates(*model, matching.candidates(), least_score, job_.control(context)));
    context.console.clear_progress();
    linkage::write_clusters(options_.output, records.table, records.id_column,
                            {.clusters = clusters.clusters, .name = columns.name, .names = columns.names}, writing_);
    if (context.common.json)
      context.console.out() << nlohmann::ordered_json{{"records", records.table.row_count()},
                                                      {"new_records", more.row_count()},
                                                      {"joined", clusters.joined},
                                                      {"between", clusters.between.size()}}
                            << '\n';
    context.console.note(
        fmt::format("{} new records, of which {} joined clusters that were there", more.row_count(), clusters.joined));
    if (!clusters.between.empty())
      context.console.warn(fmt::format(
          "{} new record(s) match more than one cluster that was there, the first '{}'; these clusters stay apart. Run "
          "'fovea dedupe' on all records to merge them",
          clusters.between.size(), records.table.cell(clusters.between.front(), records.id_column)));
  }

  [[noreturn]] static void stopped_too_early(const Context& context) {
    if (context.cancel.cancelled()) throw CancelledError("interrupted before any group of records was clustered");
    throw LimitError("--time-limit was over before any group of records was clustered; give it more");
  }

  void explain(const linkage::MatchModel& model, const io::Table& table, const io::IdIndex& ids,
               const Context& context) const {
    job_.explain(
        model, table, [&](int, std::string_view id) { return ids.find(id); }, context);
  }

  std::vector<std::uint32_t> true_entities(const io::Table& table) const {
    return options_.gold.empty() ? std::vector<std::uint32_t>()
                                 : linkage::number_labels(table, table.column(options_.gold));
  }

  /// Pairs that may match: with samples, also those that more likely do not. None where nobody asks for them: the
  /// blocks of a single rule are components as they are.
  std::vector<linkage::ScoredPair> score(const linkage::MatchModel& model, const linkage::RecordMatching& matching,
                                         const Context& context) const {
    constexpr double kDoubt = 3;  // log odds: probabilities from .05 on
    if (matching.rules().size() == 1 && options_.pairs.empty()) return {};
    const bool is_doubting = clustering_.samples > 0 || !options_.pairs.empty();
    return linkage::score_candidates(model, matching.candidates(),
                                     job_.matching().least_score() - (is_doubting ? kDoubt : 0), job_.control(context));
  }

  linkage::RecordClusters cluster(const linkage::MatchModel& model, const linkage::RecordMatching& matching,
                                  std::span<const linkage::ScoredPair> pairs, std::span<const std::uint32_t> gold,
                                  const Context& context) const {
    const std::size_t rows = matching.table().row_count();
    const bool has_one_rule = matching.rules().size() == 1;
    const linkage::Blocks components =
        has_one_rule ? matching.candidates().blocks(0) : linkage::connected_components(rows, pairs);
    linkage::ComponentTask task{model, job_.matching().least_score(), components,     rows, {},
                                gold,  options_.checkpoint,           options_.resume};
    if (!options_.pairs.empty())
      for (const linkage::ScoredPair& pair : pairs) task.watched.push_back(pair.rows);
    const Budget budget = limits_.parse();
    linkage::ComponentClusteringOptions clustering = clustering_;
    const auto records = static_cast<double>(std::max<std::size_t>(components.rows.size(), 1));
    clustering.sweeps =
        static_cast<int>(std::min<double>(clustering.sweeps, budget.transition_limit(records) / records));
    return linkage::cluster_components(task, clustering, Random(context.common.seed).child("clustering"),
                                       job_.control(context));
  }

  /// Leaves time to write the clusters.
  static Stop::Clock::time_point deadline(const Budget& budget, std::size_t rows, const Context& context) {
    if (!(budget.seconds < 1e9)) return Stop::Clock::time_point::max();
    const double reserved = std::min(budget.seconds / 4, 0.01 + 2e-6 * static_cast<double>(rows));
    return context.started +
           std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(budget.seconds - reserved));
  }

  void report(const linkage::RecordClusters& clusters, std::span<const std::uint32_t> gold,
              const Context& context) const {
    if (clusters.left > 0)
      context.console.warn(
          fmt::format("stopped with {} of {} groups of records not clustered to the end: those records are alone, or "
                      "where they had come to",
                      clusters.left, clusters.left + clusters.components));
    context.console.note(fmt::format("{} records, {} clusters; {} proposals, {} factors, {} look-ups",
                                     clusters.clusters.size(), clusters.cluster_count(), clusters.work.proposals,
                                     clusters.work.factors, clusters.work.lookups));
    if (!gold.empty()) context.console.note(linkage::score_clusters(clusters.clusters, gold).brief());
    if (context.common.json) context.console.out() << summary_json(clusters, gold) << '\n';
  }

  static std::string summary_json(const linkage::RecordClusters& clusters, std::span<const std::uint32_t> gold) {
    nlohmann::ordered_json json = {{"records", clusters.clusters.size()},  {"clusters", clusters.cluster_count()},
                                   {"proposals", clusters.work.proposals}, {"factors", clusters.work.factors},
                                   {"lookups", clusters.work.lookups},     {"groups_left", clusters.left}};
    if (!gold.empty()) json["metrics"] = nlohmann::json::parse(linkage::score_clusters(clusters.clusters, gold).json());
    return json.dump();
  }

  std::string file_;
  DedupeOptions options_;
  MatchingJob job_;
  LabelLearning labels_;
  linkage::ComponentClusteringOptions clustering_;
  DedupeLimitOptions limits_;
  io::TableReadOptions reading_;
  io::TableWriteOptions writing_;
};

}  // namespace

CommandEntry dedupe_command() {
  static const std::string kDescription =
      "Reads a table (CSV, TSV, JSON lines, SQLite) and writes it with a cluster for each record. Records that "
      "agree in a blocking rule are compared; how much each level of agreement says is learned from the "
      "records themselves, without labels." +
      matching_help();
  return {.name = "dedupe",
          .summary = "Find the records of a table that are of one entity.",
          .description = kDescription.c_str(),
          .examples =
              "  fovea dedupe people.csv --compare 'name:jaro_winkler, born:date, city' --block 'surname, "
              "soundex(name)+year(born)' -o clusters.csv\n"
              "  fovea dedupe people.csv --compare ... --block ... --profile\n"
              "  fovea dedupe people.csv --compare ... --block ... --explain 17,4711\n"
              "  fovea dedupe people.csv --compare ... --block ... --save-model model.er -o clusters.csv\n"
              "  fovea dedupe mentions.tsv --preset authors --labels entity -o authors.er\n"
              "  fovea dedupe more.csv --model model.er --clusters clusters.csv -o updated.csv\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Dedupe>(); }};
}

}  // namespace fovea::cli
