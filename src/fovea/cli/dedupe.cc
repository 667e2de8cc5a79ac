// SPDX-License-Identifier: Apache-2.0
// fovea dedupe: which records of a table are of one entity?
#include <fmt/format.h>

#include <optional>

#include "fovea/apps/coreference/canopy_clustering.h"
#include "fovea/apps/coreference/cluster_table.h"
#include "fovea/apps/coreference/clustered_records.h"
#include "fovea/apps/coreference/incremental_clustering.h"
#include "fovea/apps/coreference/scored_pairs.h"
#include "fovea/base/error.h"
#include "fovea/cli/commands.h"
#include "fovea/cli/matching_job.h"
#include "fovea/io/table/read_table.h"
#include "fovea/io/table/unique_ids.h"

namespace fovea::cli {
namespace {

struct DedupeOptions {
  std::string output, cluster_column = "cluster", id, clusters;

  template <class V>
  static void describe(V&& visit) {
    using O = DedupeOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Table to write: the records with a cluster each; - or none is "
                                                "standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o'});
    visit(&O::cluster_column, OptionInfo{.name = "cluster-column",
                                         .description = "Name of the column of clusters, the last one.",
                                         .value_name = "COLUMN"});
    visit(&O::id, OptionInfo{.name = "id",
                             .description = "Column that tells the records apart; default: the first.",
                             .value_name = "COLUMN"});
    visit(&O::clusters, OptionInfo{.name = "clusters",
                                   .description = "Records with clusters, as 'dedupe' writes them: those of TABLE are "
                                                  "new and join these clusters or found others; needs --model.",
                                   .value_name = "FILE"});
  }
};

class Dedupe : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_, {.name = "TABLE", .description = "Records; - is standard input."},
                    Binder::Presence::kRequired);
    binder.options(options_);
    job_.bind(binder);
    binder.options(clustering_, "Clustering");
    binder.options(reading_, "Reading tables");
    binder.options(writing_, "Writing tables");
  }

  void run(const Context& context) override {
    const Table table = read_table(file_, reading_);
    const std::size_t id_column = options_.id.empty() ? 0 : table.column(options_.id);
    if (!options_.clusters.empty()) return update(table, id_column, context);
    const IdIndex ids = unique_ids(table, id_column);
    const RecordMatching matching = job_.prepare(table, {}, context);
    const std::optional<MatchModel> model = job_.model(matching, context);
    if (!model) return;
    if (job_.explains()) return explain(*model, table, ids, context);
    const RecordClusters clusters = cluster(*model, matching, context);
    context.console.clear_progress();
    write_clusters(options_.output, table, id_column,
                   {.clusters = clusters.clusters, .confidence = clusters.confidence, .name = options_.cluster_column},
                   writing_);
    tell(clusters, context);
  }

 private:
  /// Adds the records of `more` to those that are clustered already.
  void update(const Table& more, std::size_t id_column, const Context& context) {
    if (!job_.reads_model()) throw UsageError("--clusters needs --model: the model by which the clusters were found");
    const LabelledRecords old = read_labels(options_.clusters, "", {""});
    const std::size_t cluster_column = old.table.column_count() - 1;
    const ClusteredRecords records = append_records(old, cluster_column, more, id_column);
    const RecordMatching matching = job_.prepare(records.table, {PairScope::Kind::kNew, records.old_count()}, context);
    const std::optional<MatchModel> model = job_.model(matching, context);
    if (job_.explains()) return explain(*model, records.table, unique_ids(records.table, records.id_column), context);
    const double least_score = job_.matching().least_score();
    const IncrementalClusters clusters =
        cluster_new_rows(*model, least_score, records.clusters, records.table.row_count(),
                         score_candidates(*model, matching.candidates(), least_score, MatchingJob::control(context)));
    context.console.clear_progress();
    write_clusters(
        options_.output, records.table, records.id_column,
        {.clusters = clusters.clusters, .name = records.table.columns()[cluster_column], .names = cluster_column},
        writing_);
    context.console.note(
        fmt::format("{} new records, of which {} joined clusters that were there", more.row_count(), clusters.joined));
    if (!clusters.between.empty())
      context.console.warn(fmt::format(
          "{} new record(s) match more than one cluster that was there, the first '{}'; these clusters stay apart. Run "
          "'fovea dedupe' on all records to merge them",
          clusters.between.size(), records.table.cell(clusters.between.front(), records.id_column)));
  }

  void explain(const MatchModel& model, const Table& table, const IdIndex& ids, const Context& context) const {
    job_.explain(
        model, table, [&](int, std::string_view id) { return ids.find(id); }, context);
  }

  RecordClusters cluster(const MatchModel& model, const RecordMatching& matching, const Context& context) const {
    const JobControl control = MatchingJob::control(context);
    const double least_score = job_.matching().least_score();
    const std::vector<ScoredPair> pairs = score_candidates(model, matching.candidates(), least_score, control);
    const std::size_t rows = matching.table().row_count();
    return cluster_canopies(model, least_score, connected_components(rows, pairs), rows, {}, clustering_,
                            Random(context.common.seed).child("clustering"), control);
  }

  static void tell(const RecordClusters& clusters, const Context& context) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < clusters.clusters.size(); ++row) count += clusters.clusters[row] == row;
    context.console.note(fmt::format("{} records, {} clusters; {} proposals, {} factors, {} look-ups",
                                     clusters.clusters.size(), count, clusters.work.proposals, clusters.work.factors,
                                     clusters.work.lookups));
    if (clusters.left > 0)
      context.console.warn(
          fmt::format("stopped with {} of {} groups of records not clustered yet: those records are "
                      "alone",
                      clusters.left, clusters.left + clusters.canopies));
  }

  std::string file_;
  DedupeOptions options_;
  MatchingJob job_;
  CanopyClusteringOptions clustering_;
  TableReadOptions reading_;
  TableWriteOptions writing_;
};

}  // namespace

CommandEntry dedupe_command() {
  return {.name = "dedupe",
          .summary = "Find the records of a table that are of one entity.",
          .description =
              "Reads a table (CSV, TSV, JSON lines, SQLite) and writes it with a cluster for each record. Records that "
              "agree in a blocking rule are compared; how much each level of agreement says is learned from the "
              "records themselves, without labels.",
          .examples =
              "  fovea dedupe people.csv --compare 'name:jaro_winkler, born:date, city' --block 'surname, "
              "soundex(name)+year(born)' -o clusters.csv\n"
              "  fovea dedupe people.csv --compare ... --block ... --profile\n"
              "  fovea dedupe people.csv --compare ... --block ... --explain 17,4711\n"
              "  fovea dedupe people.csv --compare ... --block ... --save-model model.er -o clusters.csv\n"
              "  fovea dedupe more.csv --model model.er --clusters clusters.csv -o updated.csv\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Dedupe>(); }};
}

}  // namespace fovea::cli
