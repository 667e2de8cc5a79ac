// SPDX-License-Identifier: Apache-2.0
// fovea tag: labels sequences with a trained tagger.
#include "fovea/cli/run/commands.h"
#include "fovea/tagging/stream/tag_file.h"

namespace fovea::cli {
namespace {

struct TagReportOption {
  bool report = false;

  template <class V>
  static void describe(V&& visit) {
    visit(&TagReportOption::report,
          OptionInfo{.name = "report",
                     .description = "Write a report to standard error at the end: what was given and used, and the "
                                    "counts and seconds of each phase; JSON with --json."});
  }
};

class Tag : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(job_.model,
                    {.name = "MODEL", .description = "Tagger written by 'fovea train'.", .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.argument(
        job_.input,
        {.name = "FILE", .description = "Sequences to tag; standard input if omitted or -.", .file = FileRole::kInput},
        Binder::Presence::kOptional);
    binder.options(job_.files);
    binder.options(report_);
    binder.options(job_.features);
    binder.options(job_.options, "Results and limits");
    binder.options(job_.decode, "How to decode");
  }

  void run(const Context& context) override {
    job_.color = context.console.color();
    const tagging::TagFileReport report = tagging::tag_file(job_, run_of(context).child("tag"));
    context.console.clear_progress();
    if (report_.report) context.console.note(context.common.json ? report.json : report.text);
  }

 private:
  tagging::TagFileJob job_;
  TagReportOption report_;
};

}  // namespace

CommandEntry tag_command() {
  return {.name = "tag",
          .summary = "Label sequences with a trained tagger.",
          .description =
              "Writes the input's columns and one more with the predicted label; blank lines, separators and line ends "
              "stay as they are. Cells are separated as in the training data. Columns behind those that the model "
              "observes, such as a gold label, are optional. A model of ready-made attributes reads CRFsuite's format "
              "and writes the label of each line, a tab and the prediction; a model of pixels writes word, position, "
              "letter and prediction.",
          .examples =
              "  fovea tag ner.model test.txt.gz | fovea eval tags\n"
              "  fovea tag ner.model --policy ner.policy --budget '1.5 sweeps' test.txt.gz > out.txt\n"
              "  fovea tag ner.model --method auto --time-limit 2ms/item < test.txt\n"
              "  fovea tag ner.model --n-best 3 --report test.txt\n"
              "  fovea tag np.gp --marginals test.txt\n"
              "  fovea tag ocr.model --features pixels fold0.tsv.gz | fovea eval tags\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Tag>(); }};
}

}  // namespace fovea::cli
