// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/keyboard_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::gestures {
namespace {

LabelledGestures gestures_of(const KeyboardTrainingJob& job, const Run& run, const std::vector<CountedWord>& words) {
  if (job.options.generate == 0) return read_labelled_gestures(job.swipes_file);
  const GeneratedGestures generated(words, job.finger, run.random.child("finger"));
  std::vector<Gesture> gestures;
  for (int i = 0; i < job.options.generate && !run.is_cancelled(); ++i)
    gestures.push_back(generated.gesture(static_cast<std::uint64_t>(i)));
  return {.gestures = std::move(gestures)};
}

/// Adds words to the dictionary: those of letters only that at least `least` gestures mean and the dictionary lacks.
/// The share of a word in all counts is its share of the gestures. Returns the number of words added.
std::size_t learn_words(const std::vector<Gesture>& gestures, int least, std::vector<CountedWord>& words) {
  std::map<std::string, double> missing;
  for (const Gesture& gesture : gestures)
    if (!typed_letters(gesture.word).empty()) ++missing[gesture.word];
  double total = 0;
  for (const CountedWord& word : words) {
    total += word.count;
    missing.erase(word.word);
  }
  const std::size_t known = words.size();
  for (const auto& [word, count] : missing)
    if (least > 0 && count >= least)
      words.push_back({.word = word, .count = count * total / static_cast<double>(gestures.size())});
  return words.size() - known;
}

bool reads_paths(const KeyboardTrainingJob& job, const std::vector<Gesture>& gestures, bool are_generated) {
  const auto without =
      std::find_if(gestures.begin(), gestures.end(), [](const Gesture& gesture) { return gesture.points.empty(); });
  if (job.options.family == KeyboardFamily::kAuto) return without == gestures.end() && !are_generated;
  if (job.options.family == KeyboardFamily::kPath && without != gestures.end())
    throw InputError({.file = job.swipes_file}, fmt::format("the swipe of uid '{}' has no points", without->id),
                     "Give coordinates in a column xy, or use option 'family alignment'");
  return job.options.family == KeyboardFamily::kPath;
}

[[noreturn]] void refuse_all(const KeyboardTrainingJob& job, std::string_view reason) {
  throw InputError({.file = job.swipes_file}, fmt::format("there is nothing to learn from: {}", reason),
                   "Check that both files are in the same language");
}

nlohmann::ordered_json record_of(const AlignmentPass& pass) {
  nlohmann::ordered_json record = {{"of", pass.start_only ? "u" : "both"}, {"pass", pass.number}};
  if (std::isfinite(pass.log_likelihood)) record["log_likelihood"] = pass.log_likelihood;
  if (!pass.start_only && std::isfinite(pass.error)) record["standard_error"] = pass.error;
  record["transitions"] = pass.transitions;
  return record;
}

AlignmentParameters train_alignment(const KeyboardTrainingJob& job, const Run& run,
                                    const std::vector<Gesture>& gestures, const WordTrie& words,
                                    nlohmann::ordered_json& report) {
  AlignmentTrainer trainer(gestures, words, job.alignment, run.child("training"));
  nlohmann::ordered_json curve = nlohmann::ordered_json::array();
  const auto make = [&](auto&& pass_of) {
    if (run.is_cancelled()) return;
    const AlignmentPass pass = pass_of();
    if (pass.unreadable == gestures.size()) refuse_all(job, "no gesture's keys come near to the letters of its word");
    report["unreadable"] = pass.unreadable;
    curve.push_back(record_of(pass));
  };
  for (int pass = 0; pass < job.alignment.start_passes; ++pass) make([&] { return trainer.start_pass(); });
  for (int pass = 0; pass < job.alignment.passes; ++pass) make([&] { return trainer.pass(); });
  report["epsilon"] = job.alignment.epsilon;
  report["method"] = word_of(job.alignment.method);
  report["curve"] = curve;
  return trainer.parameters();
}

PathModel train_path(const KeyboardTrainingJob& job, const Run& run, const std::vector<Gesture>& gestures,
                     const WordTrie& words, nlohmann::ordered_json& report) {
  if (std::none_of(gestures.begin(), gestures.end(),
                   [&](const Gesture& gesture) { return words.find_word(gesture.word) != WordTrie::kNone; }))
    refuse_all(job, "no swipe's word is in the dictionary");
  const PathTraining training = train_path_model(gestures, words, job.path, run.child("training"));
  report["unknown"] = training.unknown;
  report["log_likelihood"] = training.log_likelihood;
  return training.model;
}

KeyboardModel model_of(std::vector<CountedWord> words, const std::vector<Gesture>& gestures, std::size_t failed,
                       const KeyboardTrainingJob& job, bool is_path, const Run& run) {
  const std::size_t learned = learn_words(gestures, job.options.learn_words, words);
  KeyboardModel model{.words = WordTrie(std::move(words)), .alignment = {}, .path = {}};
  nlohmann::ordered_json report = {{"family", is_path ? "path" : "alignment"},
                                   {"words", model.words.words().size()},
                                   {"learned_words", learned},
                                   {"gestures", gestures.size()},
                                   {"failed_left_out", failed}};
  if (!job.options.text.empty()) {
    model.context = WordContext(read_sentences(job.options.text, model.words));
    report["context_grams"] = model.context.grams().size();
  }
  if (is_path) model.path = train_path(job, run, gestures, model.words, report);
  else model.alignment = train_alignment(job, run, gestures, model.words, report);
  model.training = report.dump();
  return model;
}

}  // namespace

KeyboardModel train_keyboard(const KeyboardTrainingJob& job, const Run& run) {
  std::vector<CountedWord> words = read_words(job.words_file, static_cast<std::size_t>(job.options.dictionary));
  const LabelledGestures read = gestures_of(job, run, words);
  const bool is_path = reads_paths(job, read.gestures, job.options.generate > 0);
  return model_of(std::move(words), read.gestures, read.failed, job, is_path, run);
}

KeyboardModel train_keyboard(std::vector<CountedWord> words, const std::vector<Gesture>& gestures,
                             const KeyboardTrainingJob& job, const Run& run) {
  validate(job.options);
  validate(job.alignment);
  validate(job.path);
  require_words(words, "words");
  if (gestures.empty()) throw InputError({.file = job.swipes_file}, "training needs gestures, and has none");
  return model_of(std::move(words), gestures, 0, job, reads_paths(job, gestures, false), run);
}

std::string keyboard_training_text(const KeyboardModel& model) {
  const nlohmann::ordered_json report = nlohmann::ordered_json::parse(model.training);
  std::string text;
  for (const auto& [key, value] : report.items())
    if (key != "curve")
      text += fmt::format("{:<16}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  if (!report.contains("curve")) return text;
  text += "trained  pass  log-likelihood  +-\n";
  for (const nlohmann::ordered_json& pass : report["curve"])
    text +=
        fmt::format("{:<7}  {:>4}  {:>14.4f}  {}\n", pass["of"].get<std::string>(), pass["pass"].get<int>(),
                    pass.value("log_likelihood", std::numeric_limits<double>::quiet_NaN()),
                    pass.contains("standard_error") ? fmt::format("{:.4f}", pass["standard_error"].get<double>()) : "");
  return text;
}

}  // namespace fovea::gestures
