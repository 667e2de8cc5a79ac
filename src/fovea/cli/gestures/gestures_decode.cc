// fovea gestures decode: finds the words that swipes mean.
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/decode_file.h"

namespace fovea::cli {
namespace {

class GesturesDecode : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.model, "MODEL", "Keyboard model written by 'fovea gestures train'.");
    binder.optional_input(job_.input, "SWIPES", "Gestures to read; standard input if omitted or -.");
    binder.options(job_.options);
    binder.option(report_, option("report",
                                  "Write a report to standard error at the end: counts, milliseconds per gesture, and "
                                  "how many words were right where the input has them; JSON with --json."));
  }

  void run(const Context& context) override {
    job_.as_json = context.common.json;
    const gestures::DecodeFileReport report = gestures::decode_file(job_, run_of(context));
    context.console.clear_progress();
    if (report_) context.console.note(context.common.json ? report.json : report.text);
  }

 private:
  gestures::DecodeFileJob job_;
  bool report_ = false;
};

}  // namespace

CommandEntry gestures_decode_command() {
  return command_of<GesturesDecode>(
      "gestures decode", "Read words that were swiped over a keyboard.",
      "Writes a table with the uid of the gesture, rank, word and score (the logarithm of the word's share of the "
      "probability of all words scored, or of the samples kept). With --json it writes a line for each gesture.",
      "  fovea gestures decode keyboard.model --n-best 5 --budget '20 transitions/item' < swipes.tsv\n"
      "  fovea gestures decode keyboard.model swipes.tsv.gz --n-best 4 --report -o words.tsv\n");
}

}  // namespace fovea::cli
