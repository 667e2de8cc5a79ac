// SPDX-License-Identifier: Apache-2.0
// fovea gestures train: learns to read words that are swiped over a keyboard.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/keyboard_training.h"

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

class GesturesTrain : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(words_, "WORDS", "Dictionary: word, count and further columns, tab-separated.");
    binder.optional_input(swipes_, "SWIPES", "Swipes with their words; leave out with --generate.");
    binder.option(output_, output_file("output", "Where to write the model; required.", 'o'));
    binder.options(options_);
    binder.options(alignment_, "Alignment models");
    binder.options(path_, "Path models");
    binder.options(finger_, "Generated gestures");
  }

  void run(const Context& context) override {
    if (output_.empty()) throw UsageError("--output is required");
    if (swipes_.empty() == (options_.generate == 0))
      throw UsageError("give either SWIPES or --generate with a number above 0");
    const gestures::KeyboardModel model = gestures::train_keyboard({.words_file = words_,
                                                                    .swipes_file = swipes_,
                                                                    .options = options_,
                                                                    .alignment = alignment_,
                                                                    .path = path_,
                                                                    .finger = finger_},
                                                                   run_of(context).child("keyboard"));
    model.save(output_);
    context.console.clear_progress();
    const double seconds = seconds_since(context.started);
    if (context.common.json) {
      Json report = Json::parse(model.training);
      report["seconds"] = seconds;
      context.console.out() << report.dump() << '\n';
    } else if (!context.common.quiet) {
      context.console.out() << gestures::keyboard_training_text(model)
                            << fmt::format("{:<16}{:.3g}\n", "seconds", seconds);
    }
  }

 private:
  std::string words_, swipes_;
  std::string output_;
  gestures::KeyboardTrainingOptions options_;
  gestures::AlignmentTrainingOptions alignment_;
  gestures::PathTrainingOptions path_;
  gestures::FingerOptions finger_;
};

}  // namespace

CommandEntry gestures_train_command() {
  return command_of<GesturesTrain>(
      "gestures train", "Learn to read words that are swiped over a keyboard.",
      "WORDS holds lines 'word <tab> count', with words of the letters a .. z. SWIPES is a table with the columns uid, "
      "word, keys (letters, one per observation) and, for path models, xy (points 'x,y' in thousandths of the "
      "keyboard's width); rows whose is_err is not 0 are left out. Writes the model and reports how training went.",
      "  fovea gestures train words.tsv swipes.tsv -o keyboard.model\n"
      "  fovea gestures train words.tsv --generate 50000 --uniform --epsilon .02 -o keyboard.model\n"
      "  fovea gestures train words.tsv.gz swipes.tsv.gz --dictionary 30000 --json -o keyboard.model\n");
}

}  // namespace fovea::cli
