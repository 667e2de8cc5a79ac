// SPDX-License-Identifier: Apache-2.0
// fovea eval clusters: scores clusters of records by gold ones, or compares two clusterings.
#include <fmt/format.h>

#include "fovea/cli/run/commands.h"
#include "fovea/linkage/evaluate/cluster_table.h"

namespace fovea::cli {
namespace {

struct EvalClustersOptions {
  std::string gold;
  std::string gold_file;
  std::string id;
  std::string clusters_column;
  std::string against;
  bool brief = false;

  static void describe(auto&& visit) {
    visit(
        &EvalClustersOptions::gold,
        option("gold", "Column of gold labels, one for each entity; records without a label are left out.", "COLUMN"));
    visit(&EvalClustersOptions::gold_file,
          input_file("gold-file", "Table with the same records and the column --gold; default: CLUSTERS itself."));
    visit(&EvalClustersOptions::id, option("id", "Column of unique ids in every file; default: the first.", "COLUMN"));
    visit(&EvalClustersOptions::clusters_column,
          option("clusters-column", "Column of clusters; default: the last.", "COLUMN"));
    visit(&EvalClustersOptions::against,
          input_file("against", "Another clustering of the same records, to compare with CLUSTERS."));
    visit(&EvalClustersOptions::brief, option("brief", "Write one line instead of a table."));
  }
};

class EvalClusters : public Command {
 public:
  void bind(Binder& binder) override {
    binder.optional_input(file_, "CLUSTERS", "Table of records; standard input if omitted or -.");
    binder.options(options_);
    binder.options(reading_, "Reading tables");
  }

  void run(const Context& context) override {
    if (options_.gold.empty()) throw UsageError("--gold is needed: the column of gold labels");
    const linkage::LabelledRecords records = read(file_, columns_of_clusters());
    if (options_.gold_file.empty()) evaluate(records, records, context);
    else evaluate(records, read(options_.gold_file, {options_.gold}), context);
  }

 private:
  /// The clusters and, where they lie in the same file, the gold labels.
  std::vector<std::string> columns_of_clusters() const {
    if (options_.gold_file.empty()) return {options_.clusters_column, options_.gold};
    return {options_.clusters_column};
  }

  linkage::LabelledRecords read(const std::string& path, const std::vector<std::string>& label_columns) const {
    return linkage::read_labels(path, options_.id, label_columns, reading_);
  }

  void evaluate(const linkage::LabelledRecords& records, const linkage::LabelledRecords& gold,
                const Context& context) const {
    const linkage::ClusterMetrics metrics = linkage::score_labels(records, gold);
    if (options_.against.empty()) {
      if (context.common.json) context.console.out() << metrics.json() << '\n';
      else context.console.out() << (options_.brief ? metrics.brief() + "\n" : metrics.full());
      return;
    }
    const linkage::ClusterMetrics other =
        linkage::score_labels(read(options_.against, {options_.clusters_column}), gold);
    const double difference = metrics.b_cubed.f1() - other.b_cubed.f1();
    if (context.common.json)
      context.console.out() << fmt::format(R"({{"metrics":{},"against":{},"b_cubed_f1_difference":{}}})",
                                           metrics.json(), other.json(), difference)
                            << '\n';
    else
      context.console.out() << fmt::format("{}\nagainst {}: {}\nB-cubed F1 difference {:+.2f}\n", metrics.brief(),
                                           options_.against, other.brief(), 100 * difference);
  }

  std::string file_;
  EvalClustersOptions options_;
  io::TableReadOptions reading_;
};

}  // namespace

CommandEntry eval_clusters_command() {
  return command_of<EvalClusters>(
      "eval clusters", "Score clusters of records: B-cubed, pairs, whole clusters.",
      "Reads a table (CSV, TSV, JSON lines, SQLite) whose first column is a record's id and whose last column is its "
      "cluster. Compares the clusters with gold labels in that table or another one: B-cubed, pairwise and "
      "exact-cluster precision, recall and F1.",
      "  fovea eval clusters clusters.csv --gold entity\n"
      "  fovea eval clusters new.csv --gold entity --gold-file people.csv --against old.csv --json\n");
}

}  // namespace fovea::cli
