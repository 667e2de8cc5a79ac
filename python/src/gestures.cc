// SPDX-License-Identifier: Apache-2.0
// fovea.gestures: words that are swiped over a keyboard, trained and decoded in memory.
#include <fmt/format.h>
#include <fovea/gestures.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"
#include "options.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

using gestures::Gesture;
/// Keys, points x, y, x, y, ..., keys at equal steps of time, and words before, of each gesture.
using Parts = std::vector<std::tuple<std::string, std::vector<double>, std::string, std::vector<std::string>>>;

std::vector<Gesture> gestures_of(const Parts& X) {
  std::vector<Gesture> result;
  for (std::size_t i = 0; i < X.size(); ++i) {
    const auto& [keys, xy, events, before] = X[i];
    result.push_back(gestures::make_gesture(keys, xy, events, {.file = fmt::format("X[{}]", i)}));
    result.back().before = before;
  }
  return result;
}

/// The model as bytes, the report as JSON, and whether Ctrl-C ended training.
nb::tuple train(const Parts& X, const std::vector<std::string>& y,
                const std::vector<std::pair<std::string, double>>& counted, nb::kwargs arguments) {
  const RunArguments limits = take_run_arguments(arguments);
  gestures::KeyboardTrainingJob job = {.words_file = "words", .swipes_file = "X"};
  take_options(arguments, job.options);
  take_options(arguments, job.alignment);
  take_options(arguments, job.path);
  refuse_rest(arguments, "fit");
  std::vector<gestures::CountedWord> words;
  for (const auto& [word, count] : counted) words.push_back({.word = word, .count = count});
  std::vector<Gesture> swipes = gestures_of(X);
  for (std::size_t i = 0; i < swipes.size(); ++i) swipes[i].word = y[i];
  std::string bytes, report;
  const auto [done, interrupted] = call(limits, "keyboard", [&](const Run& run) {
    const gestures::KeyboardModel model = gestures::train_keyboard(std::move(words), swipes, job, run);
    model.save(ContainerTarget::memory(bytes));
    report = model.training;
    return true;
  });
  return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()), report, interrupted);
}

/// A loaded model.
class Keyboard {
 public:
  explicit Keyboard(const nb::bytes& bytes)
      : bytes_(bytes.c_str(), bytes.size()), model_(gestures::KeyboardModel::load(ContainerSource::memory(bytes_))) {}

  std::string family() const { return model_.family(); }
  std::string training() const { return model_.training; }
  std::size_t word_count() const { return model_.words.words().size(); }

  /// [gesture], words and log scores, best first.
  nb::list decode(const Parts& X, nb::kwargs arguments) const {
    RunArguments limits = take_run_arguments(arguments);
    gestures::DecodeFileOptions options;
    std::string budget;
    std::swap(budget, limits.budget);
    if (!budget.empty()) options.budget = budget;
    take_options(arguments, options);
    refuse_rest(arguments, "predict");
    const std::vector<Gesture> swipes = gestures_of(X);
    const std::vector<std::vector<gestures::DecodedWord>> decoded =
        call_whole(limits, "", [&](const Run& run) { return gestures::decode_gestures(model_, swipes, options, run); });
    nb::list result;
    LongLoop loop;
    for (const std::vector<gestures::DecodedWord>& words : decoded) {
      loop.step();
      nb::list best;
      for (const gestures::DecodedWord& word : words) best.append(nb::make_tuple(word.word, word.score));
      result.append(best);
    }
    return result;
  }

 private:
  std::string bytes_;
  gestures::KeyboardModel model_;
};

}  // namespace

void bind_gestures(nb::module_& module) {
  nb::class_<Keyboard>(module, "Keyboard")
      .def(nb::init<const nb::bytes&>())
      .def_prop_ro("family", &Keyboard::family)
      .def_prop_ro("training", &Keyboard::training)
      .def_prop_ro("word_count", &Keyboard::word_count)
      .def("decode", &Keyboard::decode);
  module.def("train_keyboard", &train);
  module.def("gestures_options", [] {
    return describe_options<gestures::KeyboardTrainingOptions, gestures::AlignmentTrainingOptions,
                            gestures::PathTrainingOptions>();
  });
}

}  // namespace fovea::python
