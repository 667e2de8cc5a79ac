// fovea attributes: writes the attributes that a tagger sees in text, in CRFsuite's format.
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/model/write_attributes.h"

namespace fovea::cli {
namespace {

class Attributes : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(job_.file,
                    {.name = "FILE",
                     .description = "Columns with the label last; standard input if omitted or -.",
                     .file = FileRole::kInput},
                    Binder::Presence::kOptional);
    binder.options(job_.options);
  }

  void run(const Context& context) override { tagging::write_attributes(job_, run_of(context)); }

 private:
  tagging::AttributesJob job_;
};

}  // namespace

CommandEntry attributes_command() {
  return {.name = "attributes",
          .summary = "Show the attributes that a template makes of each item.",
          .description =
              "Reads columns with the label last and writes CRFsuite's format: the label, then the attributes, "
              "separated by tabs. 'fovea train' and CRFsuite read it.",
          .examples =
              "  fovea attributes --template ner.template train.txt | less\n"
              "  fovea attributes train.txt.gz -o train.attributes\n"
              "  fovea attributes --features pixels fold1.tsv.gz -o letters.attributes\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Attributes>(); }};
}

}  // namespace fovea::cli
