// fovea convert: writes a discrete model in another format.
#include <fmt/format.h>

#include "fovea/base/log_math.h"
#include "fovea/cli/run/commands.h"
#include "fovea/graph/format/observed_model.h"
#include "fovea/graph/format/read_model.h"

namespace fovea::cli {
namespace {

struct ConvertOptions {
  std::string from;
  std::string to;

  static void describe(auto&& visit) {
    visit(&ConvertOptions::from, option("from", "Format of INPUT; default: by the ending of its name.", "FORMAT"));
    visit(&ConvertOptions::to, option("to", "Format of OUTPUT; default: by the ending of its name.", "FORMAT"));
  }
};

class Convert : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(input_, "INPUT", "Model to read; - is standard input and needs --from.");
    binder.argument(output_,
                    {.name = "OUTPUT",
                     .description = "Where to write the model; - is standard output and needs --to.",
                     .file = FileRole::kOutput},
                    Binder::Presence::kRequired);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const std::string format = options_.to.empty() ? graph::model_format_of(output_) : options_.to;
    const graph::ModelFile model = graph::read_model_file(input_, options_.from, context.console.warnings());
    graph::write_model(output_, model, format);
    const bool has_names = !model.names.variables.empty() || !model.names.values.empty();
    if (model.cost_bound < kInfinity && format != "wcsp" && format != "cfn")
      context.console.warn(
          fmt::format("{} holds no upper bound of costs: assignments that cost {:.10g} and more, which "
                      "the input excludes, are possible in the output",
                      format, model.cost_bound));
    if (has_names && (format == "uai" || format == "wcsp"))
      context.console.note(
          fmt::format("{} holds no names: variables and values are numbered in the order of the input", format));
  }

 private:
  std::string input_, output_;
  ConvertOptions options_;
};

}  // namespace

CommandEntry convert_command() {
  return command_of<Convert>(
      "convert", "Write a discrete model in another format.",
      "Recognises formats by the endings of the names, such as .uai, .bif, .wcsp, .cfn or .h5, followed by .gz, .xz or "
      ".zst for compressed files. Scores are kept; a model that the format cannot hold is refused.",
      "  fovea convert net.bif.gz net.uai\n"
      "  fovea convert model.uai model.uai.xz\n"
      "  fovea convert --from uai - model.cfn < model.txt\n");
}

}  // namespace fovea::cli
