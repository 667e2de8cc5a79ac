// fovea gestures decode: finds the words that swipes mean.
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/decode_file.h"

namespace fovea::cli {
namespace {

struct GesturesReportOption {
  bool report = false;

  template <class V>
  static void describe(V&& visit) {
    visit(&GesturesReportOption::report,
          OptionInfo{.name = "report",
                     .description = "Write a report to standard error at the end: counts, milliseconds per gesture, "
                                    "and how many words were right where the input has them; JSON with --json."});
  }
};

class GesturesDecode : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        job_.model,
        {.name = "MODEL", .description = "Keyboard model written by 'fovea gestures train'.", .file = FileRole::kInput},
        Binder::Presence::kRequired);
    binder.argument(job_.input,
                    {.name = "SWIPES",
                     .description = "Gestures to read; standard input if omitted or -.",
                     .file = FileRole::kInput},
                    Binder::Presence::kOptional);
    binder.options(job_.options);
    binder.options(report_);
  }

  void run(const Context& context) override {
    job_.as_json = context.common.json;
    const gestures::DecodeFileReport report = gestures::decode_file(job_, run_of(context));
    context.console.clear_progress();
    if (report_.report) context.console.note(context.common.json ? report.json : report.text);
  }

 private:
  gestures::DecodeFileJob job_;
  GesturesReportOption report_;
};

}  // namespace

CommandEntry gestures_decode_command() {
  return {
      .name = "gestures decode",
      .summary = "Read words that were swiped over a keyboard.",
      .description =
          "Writes a table with the uid of the gesture, rank, word and score (the logarithm of the word's share of the "
          "samples kept, or of the probability of the words scored). With --json it writes a line for each gesture.",
      .examples =
          "  fovea gestures decode keyboard.model --n-best 5 --budget '20 transitions/item' < swipes.tsv\n"
          "  fovea gestures decode keyboard.model swipes.tsv.gz --n-best 4 --report -o words.tsv\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<GesturesDecode>(); }};
}

}  // namespace fovea::cli
