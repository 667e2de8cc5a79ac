// SPDX-License-Identifier: Apache-2.0
// fovea tag: labels sequences with a trained tagger.
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/stream/tag_file.h"

namespace fovea::cli {
namespace {

class Tag : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.model, "MODEL", "Tagger written by 'fovea train', or a model of CRFsuite or of CRF++ (as text).");
    binder.optional_input(job_.input, "FILE", "Sequences to tag; standard input if omitted or -.");
    binder.options(job_.files);
    binder.option(report_, option("report",
                                  "Write a report to standard error at the end: what was given and used, and the "
                                  "counts and seconds of each phase; JSON with --json."));
    binder.options(job_.features);
    binder.options(job_.options, "Results and limits");
    binder.options(job_.decode, "How to decode");
  }

  void run(const Context& context) override {
    job_.color = context.console.color();
    const tagging::TagFileReport report = tagging::tag_file(job_, run_of(context).child("tag"));
    context.console.clear_progress();
    if (report_) context.console.note(context.common.json ? report.json : report.text);
  }

 private:
  tagging::TagFileJob job_;
  bool report_ = false;
};

}  // namespace

CommandEntry tag_command() {
  return command_of<Tag>(
      "tag", "Label sequences with a trained tagger.",
      "Writes the input's columns and one more with the predicted label; blank lines, separators and line ends stay as "
      "they are. Cells are separated as in the training data. Columns behind those that the model observes, such as a "
      "gold label, are optional. A model of ready-made attributes reads CRFsuite's format and writes the label of each "
      "line, a tab and the prediction; a model of pixels writes word, position, letter and prediction.",
      "  fovea tag ner.model test.txt.gz | fovea eval tags\n"
      "  fovea tag ner.model --policy ner.policy --budget '1.5 sweeps' test.txt.gz > out.txt\n"
      "  fovea tag ner.model --method auto --time-limit 2ms/item < test.txt\n"
      "  fovea tag ner.model --n-best 3 --report test.txt\n"
      "  fovea tag ner.model --spans test.txt\n"
      "  fovea tag ner.model --explain 5 test.txt\n"
      "  fovea tag np.gp --marginals test.txt\n"
      "  fovea tag ocr.model --features pixels fold0.tsv.gz | fovea eval tags\n");
}

}  // namespace fovea::cli
