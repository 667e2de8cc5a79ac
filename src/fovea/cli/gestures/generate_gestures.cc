// fovea generate gestures: writes words swiped by a made-up finger.
#include "fovea/base/error.h"
#include "fovea/cli/run/command.h"
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/generated_gestures.h"
#include "fovea/io/output_file.h"

namespace fovea::cli {
namespace {

struct GenerateGesturesOptions {
  std::string words;
  int count = 1000;
  int dictionary = 0;

  static void describe(auto&& visit) {
    using O = GenerateGesturesOptions;
    visit(&O::words,
          input_file("words",
                     "Table of the words to draw from: word, count and further columns, tab-separated; required."));
    visit(&O::count, number_in(1, 1e9, "count", "Number of gestures to write."));
    visit(&O::dictionary,
          number_in(0, 1e9, "dictionary", "Number of words to take from the start of the table; 0 is all."));
  }
};

class GenerateGestures : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(gestures_);
    binder.options(finger_, "The finger");
    binder.options(options_);
  }

  void run(const Context& context) override {
    if (gestures_.words.empty()) throw UsageError("--words is required");
    const std::vector<gestures::CountedWord> words =
        gestures::read_words(gestures_.words, static_cast<std::size_t>(gestures_.dictionary));
    const gestures::GeneratedGestures generated(words, finger_, Random(context.common.seed).child("finger"));
    io::OutputFile output(options_.output);
    output.write(gestures::kGestureHeader);
    std::string text;
    for (int i = 0; i < gestures_.count; ++i) {
      if (context.cancel.cancelled()) throw CancelledError("interrupted before the last gesture");
      gestures::append_gesture(generated.gesture(static_cast<std::uint64_t>(i)), text);
      output.write_and_clear(text);
    }
    output.finish();
  }

 private:
  GenerateGesturesOptions gestures_;
  gestures::FingerOptions finger_;
  GenerateOptions options_;
};

}  // namespace

CommandEntry generate_gestures_command() {
  return command_of<GenerateGestures>(
      "generate gestures", "Write words swiped over a keyboard by a made-up finger.",
      "Writes a table with the columns uid, word, keys (the key under the finger at each time step) and xy (its "
      "position). A finger chases one letter after another and trembles; words are drawn by their counts.",
      "  fovea generate gestures --words word_frequencies.tsv.gz --count 10000 --seed 1 -o gestures.tsv\n"
      "  fovea generate gestures --words words.tsv --uniform --tremor .5 | fovea gestures decode keyboard.model\n");
}

}  // namespace fovea::cli
