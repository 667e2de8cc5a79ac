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

struct ModelOutput {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&ModelOutput::output, OptionInfo{.name = "output",
                                           .description = "Where to write the model; required.",
                                           .value_name = "FILE",
                                           .letter = 'o',
                                           .file = FileRole::kOutput});
  }
};

class GesturesTrain : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(words_,
                    {.name = "WORDS",
                     .description = "Dictionary: word, count and further columns, tab-separated.",
                     .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.argument(swipes_,
                    {.name = "SWIPES",
                     .description = "Swipes with their words; leave out with --generate.",
                     .file = FileRole::kInput},
                    Binder::Presence::kOptional);
    binder.options(output_);
    binder.options(options_);
    binder.options(alignment_, "Alignment models");
    binder.options(path_, "Path models");
    binder.options(finger_, "Generated gestures");
  }

  void run(const Context& context) override {
    if (output_.output.empty()) throw UsageError("--output is required");
    if (swipes_.empty() == (options_.generate == 0))
      throw UsageError("give either SWIPES or --generate with a number above 0");
    const gestures::KeyboardModel model = gestures::train_keyboard({.words_file = words_,
                                                                    .swipes_file = swipes_,
                                                                    .options = options_,
                                                                    .alignment = alignment_,
                                                                    .path = path_,
                                                                    .finger = finger_},
                                                                   run_of(context).child("keyboard"));
    model.save(output_.output);
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
  ModelOutput output_;
  gestures::KeyboardTrainingOptions options_;
  gestures::AlignmentTrainingOptions alignment_;
  gestures::PathTrainingOptions path_;
  gestures::FingerOptions finger_;
};

}  // namespace

CommandEntry gestures_train_command() {
  return {
      .name = "gestures train",
      .summary = "Learn to read words that are swiped over a keyboard.",
      .description =
          "WORDS holds lines 'word <tab> count', with words of the letters a .. z. SWIPES is a table with the columns "
          "uid, word, keys (letters, one per observation) and, for path models, xy (points 'x,y' in thousandths of the "
          "keyboard's width); rows whose is_err is not 0 are left out. Writes the model and reports how training went.",
      .examples =
          "  fovea gestures train words.tsv swipes.tsv -o keyboard.model\n"
          "  fovea gestures train words.tsv --generate 50000 --uniform --epsilon .02 -o keyboard.model\n"
          "  fovea gestures train words.tsv.gz swipes.tsv.gz --dictionary 30000 --json -o keyboard.model\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<GesturesTrain>(); }};
}

}  // namespace fovea::cli
