// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/decode_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/gestures/keyboard_model.h"
#include "fovea/io/output_file.h"

namespace fovea::gestures {
namespace {

using Json = nlohmann::ordered_json;

/// The number of transitions that --budget allows each gesture.
std::size_t transitions_of(const std::string& text) {
  constexpr double kMost = 1e9;
  const Budget budget = parse_budget(text);
  Budget only;
  only.transitions = budget.transitions;
  only.per_item = budget.per_item;
  if (!(budget == only) || !(budget.transitions >= 1 && budget.transitions <= kMost))
    throw UsageError(
        fmt::format("option 'budget' '{}': give at least 1 transition, as in '20 transitions/item'", text));
  return static_cast<std::size_t>(budget.transitions);
}

/// Counts of what was read.
struct DecodingReport {
  std::size_t gestures = 0, labelled = 0, unknown = 0, first = 0, listed = 0;
  double seconds = 0;

  void count(const std::string& word, const std::vector<DecodedWord>& found, const WordTrie& words) {
    ++gestures;
    if (word.empty()) return;
    ++labelled;
    unknown += words.find_word(word) == WordTrie::kNone ? 1 : 0;
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

/// One call of decode_file().
class Decoding {
 public:
  explicit Decoding(const DecodeFileJob& job) : job_(job) {}

  DecodeFileReport run(const Run& run) const {
    const std::size_t transitions = transitions_of(job_.options.budget);
    const KeyboardModel model = KeyboardModel::load(job_.model);
    GestureDecoder decoder(model);
    GestureReader reader{io::ByteSource(job_.input)};
    io::OutputFile output(job_.options.output);
    const bool json = job_.as_json;
    if (!json) output.write("uid\trank\tword\tscore\n");
    const Random random = run.random.child("decode");
    DecodingReport report;
    std::string text;
    for (Gesture gesture; !run.is_cancelled() && reader.next(gesture);) {
      const auto start = std::chrono::steady_clock::now();
      const std::vector<DecodedWord> words =
          decoder.decode(gesture, transitions, static_cast<std::size_t>(job_.options.n_best),
                         random.child("gesture", report.gestures), reader.location());
      report.seconds += seconds_since(start);
      report.count(gesture.word, words, model.words);
      append(gesture.id, words, json, text);
      output.write_and_clear(text);
      if (run.progress)
        run.progress({.phase = "reading swipes",
                      .done = static_cast<double>(report.gestures),
                      .seconds = seconds_since(run.started)});
    }
    if (!run.is_cancelled()) output.finish();
    return {.text = report.text(), .json = report.json().dump()};
  }

 private:
  static void append(const std::string& id, const std::vector<DecodedWord>& words, bool json, std::string& text) {
    if (!json) {
      for (std::size_t i = 0; i < words.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{:.4f}\n", id, i + 1, words[i].word, words[i].score);
      return;
    }
    Json line = {{"uid", id}, {"words", Json::array()}};
    for (const DecodedWord& word : words) line["words"].push_back({{"word", word.word}, {"score", word.score}});
    text += line.dump() + '\n';
  }

  const DecodeFileJob& job_;
};

}  // namespace

std::vector<std::vector<DecodedWord>> decode_gestures(const KeyboardModel& model, std::span<const Gesture> gestures,
                                                      const DecodeFileOptions& options, const Run& run) {
  validate(options);
  constexpr std::size_t kGrain = 64;  // gestures for which a decoder is made
  const std::size_t transitions = transitions_of(options.budget);
  const Random random = run.random.child("decode");
  std::vector<std::vector<DecodedWord>> words(gestures.size());
  parallel_for(gestures.size(), kGrain, run.threads, [&](std::size_t begin, std::size_t end) {
    GestureDecoder decoder(model);
    for (std::size_t i = begin; i < end; ++i) {
      if (run.stop.requested()) throw CancelledError("interrupted before the last gesture");
      words[i] = decoder.decode(gestures[i], transitions, static_cast<std::size_t>(options.n_best),
                                random.child("gesture", i), {.file = fmt::format("X[{}]", i)});
    }
  });
  return words;
}

DecodeFileReport decode_file(const DecodeFileJob& job, const Run& run) { return Decoding(job).run(run); }

}  // namespace fovea::gestures
