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

  template <class V>
  static void describe(V&& visit) {
    using O = GenerateGesturesOptions;
    visit(&O::words,
          OptionInfo{.name = "words",
                     .description =
                         "Table of the words to draw from: word, count and further columns, tab-separated; required.",
                     .value_name = "FILE",
                     .file = FileRole::kInput});
    visit(&O::count, OptionInfo{.name = "count", .description = "Number of gestures to write.", .min = 1, .max = 1e9});
    visit(&O::dictionary, OptionInfo{.name = "dictionary",
                                     .description = "Number of words to take from the start of the table; 0 is all.",
                                     .min = 0,
                                     .max = 1e9});
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
  return {
      .name = "generate gestures",
      .summary = "Write words swiped over a keyboard by a made-up finger.",
      .description =
          "Writes a table with the columns uid, word, keys (the key under the finger at each time step) and xy (its "
          "position). A finger chases one letter after another and trembles; words are drawn by their counts.",
      .examples =
          "  fovea generate gestures --words word_frequencies.tsv.gz --count 10000 --seed 1 -o gestures.tsv\n"
          "  fovea generate gestures --words words.tsv --uniform --tremor .5 | fovea gestures decode keyboard.model\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<GenerateGestures>(); }};
}

}  // namespace fovea::cli
