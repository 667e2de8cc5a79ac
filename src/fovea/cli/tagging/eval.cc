// SPDX-License-Identifier: Apache-2.0
// fovea eval tags: scores a tagger's output and its probabilities, or compares two taggings of the same text.
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/evaluate/evaluate.h"

namespace fovea::cli {
namespace {

class EvalTags : public Command {
 public:
  void bind(Binder& binder) override {
    binder.optional_input(job_.file, "FILE", "Tagged file; standard input if omitted or -.");
    binder.options(job_.options);
    binder.options(job_.bootstrap, "Interval of --against");
  }

  void run(const Context& context) override {
    const tagging::EvaluateReport report = tagging::evaluate(job_, run_of(context));
    if (context.common.json) context.console.out() << report.json << '\n';
    else context.console.out() << report.text;
  }

 private:
  tagging::EvaluateJob job_;
};

}  // namespace

CommandEntry eval_tags_command() {
  return command_of<EvalTags>(
      "eval tags", "Score tagged text: entities, labels, confusions.",
      "Reads columns with the gold label second to last and the prediction last, as 'fovea tag' writes them from data "
      "with gold labels. Entities are counted by the rules of conlleval, in any of IOB1, IOB2, IOE, IOBES, BILOU and "
      "BMES. Where probabilities follow the prediction ('fovea tag --marginals', better --all-marginals), they are "
      "judged too: whether labels of probability p are right in a share p of the cases, and how many mistakes the most "
      "certain items have.",
      "  fovea tag ner.model test.txt | fovea eval tags\n"
      "  fovea eval tags new.txt --against old.txt --json\n"
      "  fovea tag ner.model --all-marginals test.txt | fovea eval tags --reliability how-sure.svg\n"
      "  fovea eval tags news.out --out-of-domain tweets.out --brief\n");
}

}  // namespace fovea::cli
