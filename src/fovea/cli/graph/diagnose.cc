// fovea diagnose: checks whether chains have mixed, and what their draws are worth.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fovea/cli/run/commands.h"
#include "fovea/graph/report/draws_page.h"

namespace fovea::cli {
namespace {

class Diagnose : public Command {
 public:
  void bind(Binder& binder) override {
    binder.optional_input(draws_, "DRAWS",
                          "CSV of draws; with several files, one chain in each. Standard input if omitted or -.");
    binder.option(report_html_, output_file("report-html",
                                            "Also write a page for people: the draws, their ranks and the figures, "
                                            "variable by variable. It needs no network."));
  }

  void run(const Context& context) override {
    if (draws_.empty()) draws_ = {"-"};
    std::vector<io::ByteSource> sources;
    for (const std::string& path : draws_) sources.emplace_back(path);
    const graph::DrawTable table = graph::read_draws(std::move(sources));
    if (table.left_out > 0)
      context.console.note(fmt::format(
          "{} draws at the end of longer chains left out, so that all chains have the same length", table.left_out));
    const std::vector<graph::VariableDiagnosis> rows = graph::diagnose(table);
    if (!report_html_.empty())
      graph::draws_page(fmt::format("{}", fmt::join(draws_, ", ")), table, rows).write(report_html_);
    if (context.common.json) context.console.out() << graph::diagnosis_json(rows) << '\n';
    else context.console.out() << graph::diagnosis_text(rows);
  }

 private:
  std::vector<std::string> draws_;
  std::string report_html_;
};

}  // namespace

CommandEntry diagnose_command() {
  return command_of<Diagnose>(
      "diagnose", "Check whether chains have mixed: R-hat and effective sample sizes.",
      "Reads tables with a column of numbers for each variable and a row for each draw, as written by 'fovea sample', "
      "Stan and R's posterior. Chains are told apart by the column chain or .chain, or by file. Reports "
      "rank-normalised split R-hat, bulk and tail effective sample sizes (Vehtari et al. 2021), and the standard error "
      "of the mean. Chains have mixed where R-hat is at most 1.01 and at least 400 draws are effective; for a variable "
      "that never moved this cannot be decided.",
      "  fovea sample model.uai --chains 4 --draws 1000 | fovea diagnose\n"
      "  fovea diagnose --json draws.csv.gz\n"
      "  fovea diagnose draws.csv.gz --report-html chains.html\n"
      "  fovea diagnose stan-1.csv stan-2.csv stan-3.csv stan-4.csv\n");
}

}  // namespace fovea::cli
