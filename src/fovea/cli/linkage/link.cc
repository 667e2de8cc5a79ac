// fovea link: finds the records of two tables that refer to the same entity.
#include "fovea/linkage/job/link.h"

#include <string>
#include <vector>

#include "fovea/cli/linkage/matching_options.h"
#include "fovea/cli/run/commands.h"

namespace fovea::cli {
namespace {

class Link : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(first_, "FIRST", "First table of records; - is standard input.");
    binder.input(others_, "SECOND", "Second table of records, and any further ones.");
    binder.options(job_.options);
    bind_matching(binder, job_.matching);
    binder.options(job_.labels, "Learning from labels");
    binder.options(job_.limits, "Limits");
    binder.options(job_.reading, "Reading tables");
    binder.options(job_.writing, "Writing tables");
  }

  void run(const Context& context) override {
    tell_on_console(context, job_.matching);
    job_.files = {first_};
    job_.files.insert(job_.files.end(), others_.begin(), others_.end());
    linkage::link_files(job_, run_of(context));
  }

 private:
  std::string first_;
  std::vector<std::string> others_;
  linkage::LinkJob job_;
};

}  // namespace

CommandEntry link_command() {
  static const std::string kDescription =
      "Reads two or more tables (CSV, TSV, JSON lines, SQLite) with columns of the same names, or mapped by --map, and "
      "writes the pairs of records of different tables that match, with their ids, the score (log odds) and the "
      "probability. Without --compare or --block, these lists are proposed. How much each level of agreement counts is "
      "learned from the records themselves, without labels." +
      matching_help();
  return command_of<Link>(
      "link", "Find the records of several tables that refer to the same entity.", kDescription.c_str(),
      "  fovea link a.csv b.csv --compare 'title:words, year:number(absolute 1, 5)' --block 'year, prefix(title, 5)' "
      "-o links.csv\n"
      "  fovea link a.csv b.csv --compare ... --block ... --one-to-one --threshold .9 -o links.csv\n"
      "  fovea link a.csv b.csv c.csv --map 'jahr=year' --compare ... --block ... -o links.csv\n");
}

}  // namespace fovea::cli
