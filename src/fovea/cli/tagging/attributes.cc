// fovea attributes: writes the attributes that a tagger sees in text, in CRFsuite's format.
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/model/write_attributes.h"

namespace fovea::cli {
namespace {

class Attributes : public Command {
 public:
  void bind(Binder& binder) override {
    binder.optional_input(job_.file, "FILE", "Columns with the label last; standard input if omitted or -.");
    binder.options(job_.options);
  }

  void run(const Context& context) override { tagging::write_attributes(job_, run_of(context)); }

 private:
  tagging::AttributesJob job_;
};

}  // namespace

CommandEntry attributes_command() {
  return command_of<Attributes>("attributes", "Show the attributes that a template makes of each item.",
                                "Reads columns with the label last and writes CRFsuite's format: the label, then the "
                                "attributes, separated by tabs. 'fovea train' and CRFsuite read it.",
                                "  fovea attributes --template ner.template train.txt | less\n"
                                "  fovea attributes train.txt.gz -o train.attributes\n"
                                "  fovea attributes --features pixels fold1.tsv.gz -o letters.attributes\n");
}

}  // namespace fovea::cli
