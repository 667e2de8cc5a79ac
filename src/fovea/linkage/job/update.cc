// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/update.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/golden/golden_table.h"
#include "fovea/linkage/matching/candidate_scoring.h"

namespace fovea::linkage {
namespace {

/// One call of update() or update_file().
class Updating {
 public:
  explicit Updating(DedupeJob job) : job_(std::move(job)), matching_(job_.matching) {
    matching_.set_draw_by(job_.options.draw_by);
    check_options();
  }

  /// In memory.
  IncrementalClusters run(const io::Table& old, const io::Table& more, const Run& run) {
    if (matching_.job().only_tells()) throw UsageError("option 'explain' and option 'profile' are for tables in files");
    matching_.check_columns(more);
    matching_.check_columns(old);
    std::optional<std::size_t> old_id;
    if (!job_.options.id.empty()) old_id = old.column(job_.options.id);
    const ClusteredRecords records = append_records({old, old.column(job_.options.cluster_column), old_id}, more,
                                                    old_id ? more.column(job_.options.id) : 0);
    const RecordMatching matching = prepare(records, run);
    IncrementalClusters clusters = cluster(*matching_.model(matching, run), matching, records, run);
    if (!clusters.between.empty())
      warn_of_between(clusters, more.location(clusters.between.front() - records.old_count()).file,
                      "Cluster all records together", run);
    return clusters;
  }

  /// From file to file.
  void run(const Run& run) {
    const io::Table more = io::read_table(job_.file, job_.reading, run.threads);
    const std::size_t id_column = job_.options.id.empty() ? 0 : more.column(job_.options.id);
    matching_.check_columns(more);
    const LabelledRecords old = read_labels(job_.options.clusters, "", {""}, {}, run.threads);
    const ClusteredRecords records =
        append_records({old.table, old.table.column_count() - 1, old.id_column}, more, id_column);
    ClusterColumns columns{
        .clusters = {}, .name = records.table.columns()[records.cluster_column], .names = records.cluster_column};
    const GoldenOptions golden = golden_options(records);
    const bool is_golden = !job_.options.golden.empty();
    if (is_golden)
      check_golden_can_be_written(job_.options.output, records.table, records.id_column, columns, golden, job_.writing);
    else if (!matching_.job().explains())
      check_clusters_can_be_written(job_.options.output, records.table, records.id_column, columns, job_.writing);
    const RecordMatching matching = prepare(records, run);
    const std::optional<MatchModel> model = matching_.model(matching, run);
    if (matching_.job().explains()) return explain(*model, records);
    const IncrementalClusters clusters = cluster(*model, matching, records, run);
    columns.clusters = clusters.clusters;
    if (is_golden)
      write_golden(job_.options.output, records.table, records.id_column, columns, golden, job_.writing, run);
    else write_clusters(job_.options.output, records.table, records.id_column, columns, job_.writing, run.threads);
    report(records, more, clusters, run);
  }

 private:
  /// Clusters keep their names.
  GoldenOptions golden_options(const ClusteredRecords& records) const {
    GoldenOptions golden{parse_golden_rules(job_.options.golden, records.table, records.id_column),
                         matching_.date_format()};
    golden.rules[records.cluster_column].kind = GoldenRule::Kind::kFirst;
    return golden;
  }

  void check_options() const {
    if (!matching_.job().reads_model())
      throw UsageError("option 'clusters' needs option 'model': the model by which the clusters were found");
    const DedupeOptions& options = job_.options;
    if (LabelLearning(job_.labels, job_.learning, job_.pair_labels).is_asked_for() || job_.clustering.samples > 0 ||
        !options.pairs.empty() || !options.gold.empty() || !options.must_link.empty() || !options.cannot_link.empty() ||
        !options.score.empty() || job_.scorer || !options.report_html.empty() || !options.checkpoint.empty() ||
        !options.resume.empty() || !job_.limits.time_limit.empty() || !job_.limits.budget.empty())
      throw UsageError(
          "option 'clusters' excludes option 'labels', option 'labelled-pairs', option 'samples', option 'pairs', "
          "option 'gold', option 'must-link', option 'cannot-link', option 'score', "
          "option 'report-html', option 'checkpoint', option 'resume', option 'time-limit' and option 'budget'");
  }

  RecordMatching prepare(const ClusteredRecords& records, const Run& run) {
    return matching_.prepare(records.table, {PairScope::Kind::kNew, {records.old_count()}}, run);
  }

  IncrementalClusters cluster(const MatchModel& model, const RecordMatching& matching, const ClusteredRecords& records,
                              const Run& run) const {
    const double least_score = matching_.least_score();
    const ScoredCandidates scored = score_candidates(model, matching.candidates(), least_score, run);
    ComparisonMeter(run.stop, "scoring pairs of records").look();
    return cluster_new_rows(model, least_score, records.clusters, records.table.row_count(), scored.pairs);
  }

  void explain(const MatchModel& model, const ClusteredRecords& records) const {
    const io::IdIndex ids = io::unique_ids(records.table, records.id_column);
    matching_.explain(model, records.table, [&](int, std::string_view id) { return ids.find(id); });
  }

  void report(const ClusteredRecords& records, const io::Table& more, const IncrementalClusters& clusters,
              const Run& run) const {
    if (matching_.job().as_json && matching_.job().tell)
      matching_.job().tell(nlohmann::ordered_json{{"records", records.table.row_count()},
                                                  {"new_records", more.row_count()},
                                                  {"joined", clusters.joined},
                                                  {"between", clusters.between.size()}}
                               .dump() +
                           "\n");
    run.note_that(
        fmt::format("{} new records, of which {} joined existing clusters", more.row_count(), clusters.joined));
    if (!clusters.between.empty())
      warn_of_between(clusters, fmt::format("'{}'", records.table.cell(clusters.between.front(), records.id_column)),
                      "Run 'fovea dedupe' on all records", run);
  }

  static void warn_of_between(const IncrementalClusters& clusters, std::string_view first, std::string_view remedy,
                              const Run& run) {
    run.warn_of(fmt::format(
        "{} new record(s) match more than one existing cluster, the first {}; these clusters stay apart. {} "
        "to merge them",
        clusters.between.size(), first, remedy));
  }

  DedupeJob job_;
  Matching matching_;
};

}  // namespace

IncrementalClusters update(const io::Table& old, const io::Table& more, DedupeJob job, const Run& run) {
  return Updating(std::move(job)).run(old, more, run);
}

void update_file(DedupeJob job, const Run& run) { Updating(std::move(job)).run(run); }

}  // namespace fovea::linkage
