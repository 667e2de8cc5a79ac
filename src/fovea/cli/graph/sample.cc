// SPDX-License-Identifier: Apache-2.0
// fovea sample: draws from a discrete model by Gibbs chains.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/graph/model_notes.h"
#include "fovea/cli/graph/model_options.h"
#include "fovea/cli/run/commands.h"
#include "fovea/graph/draw/draw_chains.h"
#include "fovea/graph/format/evidence_file.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/io/table/text_table_writer.h"

namespace fovea::cli {
namespace {

struct SampleOptions {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&SampleOptions::output, OptionInfo{.name = "output",
                                             .description = "Where to write the draws; - or none is standard output.",
                                             .value_name = "FILE",
                                             .letter = 'o',
                                             .file = FileRole::kOutput});
  }
};

class Sample : public Command {
 public:
  void bind(Binder& binder) override {
    model_.bind(binder);
    binder.options(options_);
    binder.options(draw_, "How to draw");
  }

  void run(const Context& context) override {
    if (context.common.json && (options_.output.empty() || options_.output == "-"))
      throw UsageError("--json is a summary on standard output: give the table of draws a file by -o");
    const graph::ModelFile model = read_model_aloud(context, model_.model, model_.from);
    warn_of_unheeded_bound(context, model);
    const graph::Evidence evidence = graph::evidence_argument(model_.evidence, model.graph, model.names,
                                                              static_cast<std::size_t>(model_.evidence_sample));
    io::OutputFile output(options_.output);
    write_header(model, output);
    const auto started = std::chrono::steady_clock::now();
    const ProgressFunction progress = context.console.progress();
    const graph::DrawSummary summary = graph::draw_chains(
        model.graph, evidence, draw_,
        {.stop = {.cancel = &context.cancel}, .threads = resolve_threads(context.common.threads)},
        Random(context.common.seed).child("sample"), [&](int draw, std::span<const Assignment> chains) {
          write_draw(draw, chains, output);
          if (progress)
            progress({.phase = "sampling",
                      .done = draw + 1.0,
                      .total = static_cast<double>(draw_.draws),
                      .seconds = seconds_since(started)});
        });
    output.finish();
    context.console.clear_progress();
    if (context.common.json) context.console.out() << summary_json(summary) << '\n';
    context.console.note(summary_text(summary));
  }

 private:
  static void write_header(const graph::ModelFile& model, io::OutputFile& output) {
    std::vector<std::string> cells = {"chain", "draw"};
    for (std::size_t v = 0; v < model.graph.variable_count(); ++v) cells.push_back(model.names.variable(v));
    io::write_delimited_row(std::vector<std::string_view>(cells.begin(), cells.end()), ',', output);
  }

  static void write_draw(int draw, std::span<const Assignment> chains, io::OutputFile& output) {
    fmt::memory_buffer row;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      row.clear();
      fmt::format_to(fmt::appender(row), "{},{}", c + 1, draw + 1);
      for (const Value value : chains[c]) fmt::format_to(fmt::appender(row), ",{}", value);
      row.push_back('\n');
      output.write({row.data(), row.size()});
    }
  }

  std::string summary_json(const graph::DrawSummary& summary) const {
    return nlohmann::ordered_json{{"chains", draw_.chains},
                                  {"draws", summary.draws},
                                  {"restart_rate", draw_.restart_rate},
                                  {"mean_sweeps", summary.mean_sweeps},
                                  {"temperatures", summary.temperatures},
                                  {"trades_accepted", summary.trades}}
        .dump();
  }

  std::string summary_text(const graph::DrawSummary& summary) const {
    std::string text = fmt::format("{} draws of {} chains", summary.draws, draw_.chains);
    if (draw_.restart_rate > 0 && summary.draws < draw_.draws)
      return text + fmt::format(
                        " instead of {}, {:.1f} sweeps each. No guarantee: the runs that were cut short are left out, "
                        "and long runs are cut more often",
                        draw_.draws, summary.mean_sweeps);
    if (draw_.restart_rate > 0)
      return text + fmt::format(
                        ", independent and exact for the chain with restarts, {:.1f} sweeps each; its spectral "
                        "gap is at least {:g} a sweep, its law between that of its starts and the model's",
                        summary.mean_sweeps, draw_.restart_rate);
    if (summary.trades.empty()) return text;
    const auto worst = std::ranges::min_element(summary.trades);
    const auto i = static_cast<std::size_t>(worst - summary.trades.begin());
    return text + fmt::format("; of the trades between temperatures {:.3g} and {:.3g}, the fewest, {:.0f}% accepted",
                              summary.temperatures[i], summary.temperatures[i + 1], 100 * *worst);
  }

  ModelOptions model_;
  SampleOptions options_;
  graph::DrawOptions draw_;
};

}  // namespace

CommandEntry sample_command() {
  return {
      .name = "sample",
      .summary = "Draw assignments from a discrete model by Gibbs chains.",
      .description =
          "Writes a table: chain, draw, then the number of each variable's value. Chains visit variables in colour "
          "order, which leaves the model's distribution invariant; schedules that look at values would not. The same "
          "seed gives the same draws at any number of threads. 'fovea diagnose' tells what they are worth; where "
          "chains disagree, --temperatures helps. --restart-rate draws from a chain that mixes fast for certain: of a "
          "law that is nearer to the model's the smaller the rate. --json, with -o, tells how many trades between "
          "temperatures were accepted.",
      .examples =
          "  fovea sample model.uai --chains 4 --draws 1000 -o draws.csv\n"
          "  fovea sample net.bif.gz --evidence 'smoke=yes' --thin 5 -o draws.csv.gz\n"
          "  fovea sample model.uai --temperatures 8 --hottest 10 --json -o draws.csv\n"
          "  fovea sample model.uai --restart-rate .02 --draws 1000 -o draws.csv\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<Sample>(); }};
}

}  // namespace fovea::cli
