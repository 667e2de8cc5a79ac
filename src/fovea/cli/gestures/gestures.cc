// SPDX-License-Identifier: Apache-2.0
// fovea gestures train, fovea gestures decode: typing by swiping.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/commands.h"
#include "fovea/gestures/keyboard_training.h"
#include "fovea/io/output_file.h"

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
    binder.argument(
        words_,
        {.name = "WORDS", .description = "Dictionary: word, count and more, tab-separated.", .file = FileRole::kInput},
        Binder::Presence::kRequired);
    binder.argument(
        swipes_,
        {.name = "SWIPES", .description = "Swipes with their words; none with --generate.", .file = FileRole::kInput},
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
    const gestures::KeyboardModel model =
        gestures::train_keyboard({.words_file = words_,
                                  .swipes_file = swipes_,
                                  .options = options_,
                                  .alignment = alignment_,
                                  .path = path_,
                                  .finger = finger_,
                                  .random = Random(context.common.seed).child("keyboard"),
                                  .threads = context.common.threads,
                                  .progress = context.console.progress(),
                                  .cancel = context.cancel});
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

struct GesturesDecodeOptions {
  int n_best = 1;
  std::string budget = "20 transitions/item";
  std::string output;
  bool report = false;

  template <class V>
  static void describe(V&& visit) {
    using O = GesturesDecodeOptions;
    visit(&O::n_best,
          OptionInfo{.name = "n-best", .description = "Words for a gesture, at most.", .min = 1, .max = 1e6});
    visit(&O::budget,
          OptionInfo{.name = "budget",
                     .description = "Work for each gesture: 'N transitions/item'. A transition updates one label "
                                    "(alignment) or scores one word in full (path).",
                     .value_name = "TEXT"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::report,
          OptionInfo{.name = "report",
                     .description = "Afterwards, on standard error: counts, milliseconds a gesture, and how "
                                    "many were right where the input has their words; JSON with --json."});
  }
};

/// The transitions that --budget allows each gesture.
std::size_t transitions_of(const std::string& text) {
  constexpr double kMost = 1e9;
  const Budget budget = parse_budget(text);
  Budget only;
  only.transitions = budget.transitions;
  only.per_item = budget.per_item;
  if (!(budget == only) || !(budget.transitions >= 1 && budget.transitions <= kMost))
    throw UsageError(fmt::format("--budget '{}': give at least 1 transition, as in '20 transitions/item'", text));
  return static_cast<std::size_t>(budget.transitions);
}

/// What --report tells.
struct DecodingReport {
  std::size_t gestures = 0, labelled = 0, unknown = 0, first = 0, listed = 0;
  double seconds = 0;

  void count(const std::string& word, const std::vector<gestures::DecodedWord>& found,
             const gestures::WordTrie& words) {
    ++gestures;
    if (word.empty()) return;
    ++labelled;
    unknown += words.find_word(word) == gestures::WordTrie::kNone ? 1 : 0;
    for (std::size_t rank = 0; rank < found.size(); ++rank)
      if (found[rank].word == word) {
        first += rank == 0 ? 1 : 0;
        ++listed;
      }
  }

  Json json() const {
    Json report = {
        {"gestures", gestures},
        {"milliseconds_per_gesture", 1e3 * seconds / static_cast<double>(std::max<std::size_t>(1, gestures))}};
    if (labelled == 0) return report;
    const auto share = [&](std::size_t count) { return static_cast<double>(count) / static_cast<double>(labelled); };
    report["labelled"] = labelled;
    report["not_in_dictionary"] = share(unknown);
    report["first_is_right"] = share(first);
    report["listed"] = share(listed);
    return report;
  }

  std::string text() const {
    std::string text;
    const Json report = json();
    for (const auto& [key, value] : report.items()) text += fmt::format("{:<26}{}\n", key, value.dump());
    return text;
  }
};

class GesturesDecode : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        model_,
        {.name = "MODEL", .description = "Keyboard model written by 'fovea gestures train'.", .file = FileRole::kInput},
        Binder::Presence::kRequired);
    binder.argument(
        input_,
        {.name = "SWIPES", .description = "Gestures to read; - or none is standard input.", .file = FileRole::kInput},
        Binder::Presence::kOptional);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const std::size_t transitions = transitions_of(options_.budget);
    const gestures::KeyboardModel model = gestures::KeyboardModel::load(model_);
    gestures::GestureDecoder decoder(model);
    gestures::GestureReader reader{io::ByteSource(input_)};
    io::OutputFile output(options_.output);
    const bool json = context.common.json;
    if (!json) output.write("uid\trank\tword\tscore\n");
    const Random random = Random(context.common.seed).child("decode");
    DecodingReport report;
    std::string text;
    const ProgressFunction progress = context.console.progress();
    for (gestures::Gesture gesture; !context.cancel.cancelled() && reader.next(gesture);) {
      const auto start = std::chrono::steady_clock::now();
      const std::vector<gestures::DecodedWord> words =
          decoder.decode(gesture, transitions, static_cast<std::size_t>(options_.n_best),
                         random.child("gesture", report.gestures), reader.location());
      report.seconds += seconds_since(start);
      report.count(gesture.word, words, model.words);
      append(gesture.id, words, json, text);
      output.write_and_clear(text);
      if (progress)
        progress({.phase = "reading swipes",
                  .done = static_cast<double>(report.gestures),
                  .seconds = seconds_since(context.started)});
    }
    context.console.clear_progress();
    if (!context.cancel.cancelled()) output.finish();
    if (options_.report) context.console.note(json ? report.json().dump() : report.text());
  }

 private:
  static void append(const std::string& id, const std::vector<gestures::DecodedWord>& words, bool json,
                     std::string& text) {
    if (!json) {
      for (std::size_t i = 0; i < words.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{:.4f}\n", id, i + 1, words[i].word, words[i].score);
      return;
    }
    Json line = {{"uid", id}, {"words", Json::array()}};
    for (const gestures::DecodedWord& word : words)
      line["words"].push_back({{"word", word.word}, {"score", word.score}});
    text += line.dump() + '\n';
  }

  std::string model_, input_;
  GesturesDecodeOptions options_;
};

}  // namespace

CommandEntry gestures_train_command() {
  return {.name = "gestures train",
          .summary = "Learn to read words that are swiped over a keyboard.",
          .description =
              "WORDS holds lines 'word <tab> count', words of letters a .. z. SWIPES is a table with the columns uid, "
              "word, keys (letters, one an observation) and, for path models, xy (points 'x,y' in thousandths of the "
              "keyboard's width); rows whose is_err is not 0 are left out. Writes the model and prints how training "
              "went.",
          .examples =
              "  fovea gestures train words.tsv swipes.tsv -o keyboard.model\n"
              "  fovea gestures train words.tsv --generate 50000 --uniform --epsilon .02 -o keyboard.model\n"
              "  fovea gestures train words.tsv.gz swipes.tsv.gz --dictionary 30000 --json -o keyboard.model\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<GesturesTrain>(); }};
}

CommandEntry gestures_decode_command() {
  return {.name = "gestures decode",
          .summary = "Read words that were swiped over a keyboard.",
          .description =
              "Writes a table: uid of the gesture, rank, word, score (log of the word's share: of the samples kept, or "
              "of the probability of the words scored). With --json a line for each gesture.",
          .examples =
              "  fovea gestures decode keyboard.model --n-best 5 --budget '20 transitions/item' < swipes.tsv\n"
              "  fovea gestures decode keyboard.model swipes.tsv.gz --n-best 4 --report -o words.tsv\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<GesturesDecode>(); }};
}

}  // namespace fovea::cli
