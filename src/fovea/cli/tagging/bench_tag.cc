// fovea bench tag: measures every decoding method on labelled text.
#include <optional>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/evaluate/tag_curves.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::cli {
namespace {

constexpr double kCloseToBest = .001;

struct BenchTagOptions {
  std::string policy;
  bool cheapest = false;
  bool csv = false;

  static void describe(auto&& visit) {
    using O = BenchTagOptions;
    visit(&O::policy,
          input_file("policy", "Policy that 'fovea tune' learned; without it, learned methods are not measured."));
    visit(&O::cheapest, option("cheapest",
                               "Show one setting of each method and start: the fastest within .1 point of the best of "
                               "them, in F1 of entities if the labels mark any, otherwise in accuracy."));
    visit(&O::csv, option("csv", "Write the curves as CSV."));
  }
};

class BenchTag : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(model_, "MODEL", "Tagger written by 'fovea train'.");
    binder.input(file_, "FILE", "Labelled sequences; - is standard input.");
    binder.options(options_);
    binder.options(bench_, "What to measure");
  }

  void run(const Context& context) override {
    if (options_.csv && context.common.json) throw UsageError("--csv and --json exclude each other");
    const tagging::TaggerModel model = tagging::TaggerModel::load(model_);
    std::optional<sequence::Policy> policy;
    if (!options_.policy.empty()) policy = tagging::load_policy(options_.policy, model);
    tagging::TaggingDataReader reader(model, tagging::UnknownAttributes::kDrop);
    reader.read(io::ByteSource(file_), {.stop = {.cancel = &context.cancel},
                                        .threads = context.common.threads,
                                        .progress = context.console.progress()});
    tagging::TagCurves bench =
        tagging::trace_curves(model, policy ? &*policy : nullptr, std::move(reader).finish(), bench_,
                              Random(context.common.seed).child("bench"), context.console.progress(), &context.cancel);
    context.console.clear_progress();
    if (options_.cheapest) bench = bench.cheapest(kCloseToBest);
    if (context.common.json) context.console.out() << bench.json() << '\n';
    else context.console.out() << (options_.csv ? bench.csv() : bench.table());
  }

 private:
  std::string model_, file_;
  BenchTagOptions options_;
  tagging::TagCurveOptions bench_;
};

}  // namespace

CommandEntry bench_tag_command() {
  return command_of<BenchTag>("bench tag", "Measure every decoding method on labelled text.",
                              "Measures quality, visits and seconds on one thread, as medians of interleaved runs. "
                              "Attributes are scored once, beforehand.",
                              "  fovea bench tag ner.model test.txt.gz --policy ner.policy\n"
                              "  fovea bench tag ner.model test.txt.gz --policy ner.policy --cheapest\n"
                              "  fovea bench tag ner.model test.txt.gz --methods exact,beam --csv > curves.csv\n");
}

}  // namespace fovea::cli
