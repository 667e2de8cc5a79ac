// SPDX-License-Identifier: Apache-2.0
// fovea sample: draws from a discrete model by Gibbs chains.
#include <fmt/format.h>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/cli/commands.h"
#include "fovea/cli/model_options.h"
#include "fovea/engine/draw_chains.h"
#include "fovea/io/csv.h"
#include "fovea/io/evidence_file.h"
#include "fovea/io/model_file.h"

namespace fovea::cli {
namespace {

struct SampleOptions {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&SampleOptions::output, OptionInfo{.name = "output",
                                             .description = "Where to write the draws; - or none is standard output.",
                                             .value_name = "FILE",
                                             .letter = 'o'});
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
    if (context.common.json) throw UsageError("draws are a table: 'fovea diagnose --json' says what they are worth");
    const ModelFile model = read_model(model_.model, model_.from);
    const Evidence evidence = evidence_argument(model_.evidence, model.graph, model.names);
    OutputFile output(options_.output);
    write_header(model, output);
    const auto started = std::chrono::steady_clock::now();
    const ProgressFunction progress = context.console.progress();
    const int draws = draw_chains(
        model.graph, evidence, draw_,
        {.stop = {.cancel = &context.cancel}, .threads = resolve_threads(context.common.threads)},
        Random(context.common.seed).child("sample"), [&](int draw, std::span<const Assignment> chains) {
          write_draw(draw, chains, output);
          if (progress)
            progress({.phase = "sampling",
                      .done = draw + 1.0,
                      .total = static_cast<double>(draw_.draws),
                      .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count()});
        });
    output.finish();
    context.console.clear_progress();
    context.console.note(fmt::format("{} draws of {} chains", draws, draw_.chains));
  }

 private:
  static void write_header(const ModelFile& model, OutputFile& output) {
    std::vector<std::string> cells = {"chain", "draw"};
    for (std::size_t v = 0; v < model.graph.variable_count(); ++v) cells.push_back(model.names.variable(v));
    write_csv_row(cells, output);
  }

  static void write_draw(int draw, std::span<const Assignment> chains, OutputFile& output) {
    fmt::memory_buffer row;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      row.clear();
      fmt::format_to(fmt::appender(row), "{},{}", c + 1, draw + 1);
      for (const Value value : chains[c]) fmt::format_to(fmt::appender(row), ",{}", value);
      row.push_back('\n');
      output.write({row.data(), row.size()});
    }
  }

  ModelOptions model_;
  SampleOptions options_;
  DrawOptions draw_;
};

}  // namespace

CommandEntry sample_command() {
  return {
      .name = "sample",
      .summary = "Draw assignments from a discrete model by Gibbs chains.",
      .description =
          "Writes a table: chain, draw, then the number of each variable's value. Chains visit variables in colour "
          "order, which leaves the model's distribution invariant; schedules that look at values would not. The same "
          "seed gives the same draws at any number of threads. 'fovea diagnose' tells what they are worth.",
      .examples =
          "  fovea sample model.uai --chains 4 --draws 1000 -o draws.csv\n"
          "  fovea sample net.bif.gz --evidence 'smoke=yes' --thin 5 -o draws.csv.gz\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<Sample>(); }};
}

}  // namespace fovea::cli
