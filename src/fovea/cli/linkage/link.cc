// fovea link: finds the records of two tables that refer to the same entity.
#include "fovea/linkage/job/link.h"

#include "fovea/cli/linkage/matching_options.h"
#include "fovea/cli/run/commands.h"

namespace fovea::cli {
namespace {

class Link : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.first, "FIRST", "First table of records; - is standard input.");
    binder.input(job_.second, "SECOND", "Second table of records.");
    binder.options(job_.options);
    bind_matching(binder, job_.matching);
    binder.options(job_.limits, "Limits");
    binder.options(job_.reading, "Reading tables");
    binder.options(job_.writing, "Writing tables");
  }

  void run(const Context& context) override {
    tell_on_console(context, job_.matching);
    linkage::link_files(job_, run_of(context));
  }

 private:
  linkage::LinkJob job_;
};

}  // namespace

CommandEntry link_command() {
  static const std::string kDescription =
      "Reads two tables (CSV, TSV, JSON lines, SQLite) with columns of the same names and writes the pairs of "
      "records that match, with their ids, the score (log odds) and the probability. Without --compare or --block, "
      "these "
      "lists are proposed. How much each level of agreement counts is learned from the records themselves, without "
      "labels." +
      matching_help();
  return command_of<Link>(
      "link", "Find the records of two tables that refer to the same entity.", kDescription.c_str(),
      "  fovea link a.csv b.csv --compare 'title:words, year:number(absolute 1, 5)' --block 'year, prefix(title, 5)' "
      "-o links.csv\n"
      "  fovea link a.csv b.csv --compare ... --block ... --one-to-one --threshold .9 -o links.csv\n");
}

}  // namespace fovea::cli
