// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/decode_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
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

/// Shares of the gestures whose word is known.
struct ReadingCounts {
  std::size_t labelled = 0, unknown = 0, first = 0, listed = 0;

  void count(const std::string& word, const std::vector<DecodedWord>& found, const WordTrie& words) {
    ++labelled;
    unknown += words.find_word(word) == WordTrie::kNone ? 1 : 0;
    for (std::size_t rank = 0; rank < found.size(); ++rank)
      if (found[rank].word == word) {
        first += rank == 0 ? 1 : 0;
        ++listed;
      }
  }

  void add_to(Json& report, const std::string& prefix) const {
    const auto share = [&](std::size_t count) { return static_cast<double>(count) / static_cast<double>(labelled); };
    report[prefix + "labelled"] = labelled;
    report[prefix + "not_in_dictionary"] = share(unknown);
    report[prefix + "first_is_right"] = share(first);
    report[prefix + "listed"] = share(listed);
  }
};

/// Counts of what was read. Swipes that the file calls failed are among all, and apart.
struct DecodingReport {
  std::size_t gestures = 0;
  ReadingCounts all, failed, others;
  double seconds = 0;

  void count(const Gesture& gesture, const std::vector<DecodedWord>& found, const WordTrie& words) {
    ++gestures;
    if (gesture.word.empty()) return;
    all.count(gesture.word, found, words);
    (gesture.has_failed ? failed : others).count(gesture.word, found, words);
  }

  Json json() const {
    Json report = {
        {"gestures", gestures},
        {"milliseconds_per_gesture", 1e3 * seconds / static_cast<double>(std::max<std::size_t>(1, gestures))}};
    if (all.labelled == 0) return report;
    all.add_to(report, "");
    if (failed.labelled == 0) return report;
    failed.add_to(report, "failed_");
    if (others.labelled > 0) others.add_to(report, "others_");
    return report;
  }

  std::string text() const {
    std::string text;
    const Json report = json();
    for (const auto& [key, value] : report.items()) text += fmt::format("{:<26}{}\n", key, value.dump());
    return text;
  }
};

/// The last words of each uid's swipes.
class EarlierWords {
 public:
  explicit EarlierWords(GestureContext context) : context_(context) {}

  void set_before(Gesture& gesture) const {
    if (context_ == GestureContext::kColumn) return;
    const auto known = words_.find(gesture.id);
    gesture.before = known == words_.end() ? std::vector<std::string>() : known->second;
  }

  /// `found`: the words that were read, best first.
  void add(const Gesture& gesture, const std::vector<DecodedWord>& found) {
    if (context_ == GestureContext::kColumn || gesture.has_failed) return;
    const std::string word = context_ == GestureContext::kMeant ? gesture.word : found.empty() ? "" : found[0].word;
    if (word.empty()) return;
    std::vector<std::string>& last = words_[gesture.id];
    last.push_back(word);
    if (last.size() > 2) last.erase(last.begin());
  }

 private:
  GestureContext context_;
  std::map<std::string, std::vector<std::string>> words_;  // [uid]
};

/// One call of decode_file().
class Decoding {
 public:
  explicit Decoding(const DecodeFileJob& job, const Run& run)
      : job_(job),
        run_(run),
        transitions_(transitions_of(job.options.budget)),
        model_(KeyboardModel::load(job.model)),
        earlier_(job.options.context) {
    if (job.options.context != GestureContext::kColumn && model_.context.empty())
      throw UsageError(fmt::format(
          "option 'context {}': this model has not learned what words follow each other. Train one with option 'text'",
          word_of(job.options.context)));
  }

  DecodeFileReport run() {
    GestureReader reader{io::ByteSource(job_.input)};
    io::OutputFile output(job_.options.output);
    if (!job_.as_json) output.write("uid\trank\tword\tscore\n");
    // If the words that were read are the context of later swipes, swipes are read one after the other.
    const bool is_alone = job_.options.context == GestureContext::kRead;
    const std::size_t most = is_alone ? 1 : kBatch;
    std::vector<Swipe> batch;
    while (!run_.is_cancelled() && take(reader, most, batch)) {
      const auto start = std::chrono::steady_clock::now();
      read(batch);
      report_.seconds += seconds_since(start);
      write(batch, output);
    }
    if (!run_.is_cancelled()) output.finish();
    return {.text = report_.text(), .json = report_.json().dump()};
  }

 private:
  static constexpr std::size_t kBatch = 1024, kGrain = 32;

  struct Swipe {
    Gesture gesture;
    InputLocation place;
    std::vector<DecodedWord> words = {};
  };

  /// The next swipes, with the words before them; false at the end.
  bool take(GestureReader& reader, std::size_t most, std::vector<Swipe>& batch) {
    batch.clear();
    for (Gesture gesture; batch.size() < most && reader.next(gesture);) {
      earlier_.set_before(gesture);
      if (job_.options.context == GestureContext::kMeant) earlier_.add(gesture, {});
      batch.push_back({.gesture = gesture, .place = reader.location()});
    }
    return !batch.empty();
  }

  void read(std::vector<Swipe>& batch) {
    const Random random = run_.random.child("decode");
    parallel_for(batch.size(), kGrain, run_.threads, [&](std::size_t begin, std::size_t end) {
      std::unique_ptr<GestureDecoder> decoder = take_decoder();
      for (std::size_t i = begin; i < end && !run_.is_cancelled(); ++i)
        batch[i].words = decoder->decode(batch[i].gesture, transitions_, static_cast<std::size_t>(job_.options.n_best),
                                         random.child("gesture", report_.gestures + i), batch[i].place);
      give_back(std::move(decoder));
    });
  }

  /// A decoder costs much more than reading a swipe: threads hand them on.
  std::unique_ptr<GestureDecoder> take_decoder() {
    const std::lock_guard lock(mutex_);
    if (decoders_.empty()) return std::make_unique<GestureDecoder>(model_, job_.options.reading);
    std::unique_ptr<GestureDecoder> decoder = std::move(decoders_.back());
    decoders_.pop_back();
    return decoder;
  }
  void give_back(std::unique_ptr<GestureDecoder> decoder) {
    const std::lock_guard lock(mutex_);
    decoders_.push_back(std::move(decoder));
  }

  void write(const std::vector<Swipe>& batch, io::OutputFile& output) {
    if (run_.is_cancelled()) return;
    std::string text;
    for (const Swipe& swipe : batch) {
      if (job_.options.context == GestureContext::kRead) earlier_.add(swipe.gesture, swipe.words);
      report_.count(swipe.gesture, swipe.words, model_.words);
      append(swipe.gesture.id, swipe.words, text);
    }
    output.write(text);
    if (run_.progress)
      run_.progress({.phase = "reading swipes",
                     .done = static_cast<double>(report_.gestures),
                     .seconds = seconds_since(run_.started)});
  }

  void append(const std::string& id, const std::vector<DecodedWord>& words, std::string& text) const {
    if (!job_.as_json) {
      for (std::size_t i = 0; i < words.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{:.4f}\n", id, i + 1, words[i].word, words[i].score);
      return;
    }
    Json line = {{"uid", id}, {"words", Json::array()}};
    for (const DecodedWord& word : words) line["words"].push_back({{"word", word.word}, {"score", word.score}});
    text += line.dump() + '\n';
  }

  const DecodeFileJob& job_;
  const Run& run_;
  std::size_t transitions_;
  KeyboardModel model_;
  EarlierWords earlier_;
  DecodingReport report_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GestureDecoder>> decoders_;
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
    GestureDecoder decoder(model, options.reading);
    for (std::size_t i = begin; i < end; ++i) {
      if (run.stop.requested()) throw CancelledError("interrupted before the last gesture");
      words[i] = decoder.decode(gestures[i], transitions, static_cast<std::size_t>(options.n_best),
                                random.child("gesture", i), {.file = fmt::format("X[{}]", i)});
    }
  });
  return words;
}

DecodeFileReport decode_file(const DecodeFileJob& job, const Run& run) { return Decoding(job, run).run(); }

}  // namespace fovea::gestures
