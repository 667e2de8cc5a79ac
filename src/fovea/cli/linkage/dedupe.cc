// fovea dedupe: finds the records of a table that refer to the same entity.
#include "fovea/linkage/job/dedupe.h"

#include "fovea/cli/linkage/matching_options.h"
#include "fovea/cli/run/commands.h"

namespace fovea::cli {
namespace {

class Dedupe : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "TABLE", "Table of records; - is standard input.");
    binder.options(job_.options);
    bind_matching(binder, job_.matching);
    binder.options(job_.labels, "Learning from labels");
    binder.options(job_.learning, "Learning from labels");
    binder.options(job_.clustering, "Clustering");
    binder.options(job_.limits, "Limits");
    binder.options(job_.spilling, "Limits");
    binder.options(job_.reading, "Reading tables");
    binder.options(job_.writing, "Writing tables");
  }

  void run(const Context& context) override {
    tell_on_console(context, job_.matching);
    linkage::dedupe_file(job_, run_of(context));
  }

 private:
  linkage::DedupeJob job_;
};

}  // namespace

CommandEntry dedupe_command() {
  static const std::string kDescription =
      "Reads a table (CSV, TSV, JSON lines, SQLite) and writes it with a cluster for each record. Records that "
      "agree in a blocking rule are compared; without --compare or --block, these lists are proposed. How much each "
      "level of agreement counts is learned from the records themselves, without labels." +
      matching_help();
  return command_of<Dedupe>(
      "dedupe", "Find the records of a table that refer to the same entity.", kDescription.c_str(),
      "  fovea dedupe people.csv -o clusters.csv\n"
      "  fovea dedupe people.csv --compare 'name:jaro_winkler, born:date, city' --block 'surname, "
      "soundex(name)+year(born)' -o clusters.csv\n"
      "  fovea dedupe people.csv --compare ... --block ... --profile\n"
      "  fovea dedupe people.csv --compare ... --block ... --explain 17,4711\n"
      "  fovea dedupe people.csv --compare ... --block ... --save-model model.er -o clusters.csv\n"
      "  fovea dedupe people.csv --golden 'name:longest, city:most-frequent, born:join' -o golden.csv\n"
      "  fovea dedupe mentions.tsv --preset authors --labels entity -o authors.er\n"
      "  fovea dedupe more.csv --model model.er --adapt -o clusters.csv\n"
      "  fovea dedupe more.csv --model model.er --spill parts --memory-limit 1GB -o clusters.csv\n"
      "  fovea dedupe more.csv --model model.er --clusters clusters.csv -o updated.csv\n");
}

}  // namespace fovea::cli
