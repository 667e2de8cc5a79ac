// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/keyboard_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "fovea/base/container.h"
#include "fovea/mcmc/restart/restart_kernel.h"

namespace fovea::gestures {
namespace {

constexpr const char* kKeyboardKind = "keyboard";
constexpr std::uint32_t kKeyboardVersion = 1;
constexpr const char* kKeyboardWords = "words";
constexpr const char* kKeyboardCounts = "counts";
constexpr const char* kKeyboardAlignmentWeights = "alignment.weights";
constexpr const char* kKeyboardAlignmentChain = "alignment.chain";  // radius, epsilon
constexpr const char* kKeyboardPathWeights = "path.weights";
constexpr const char* kKeyboardNetwork = "path.network";
constexpr const char* kKeyboardTraining = "training";

std::vector<CountedWord> read_dictionary(const Container& container) {
  const std::span<const double> counts = container.array<double>(kKeyboardCounts);
  std::string_view text = container.bytes(kKeyboardWords);
  std::vector<CountedWord> words;
  for (const double count : counts) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words.push_back({.word = std::string(text.substr(0, end)), .count = count});
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_typed_by_letters(words.back().word) || !(count > 0) || std::isinf(count))
      container.refuse(kKeyboardWords, "words must have letters a .. z and counts above 0");
  }
  if (words.empty() || text.size() > 1)
    container.refuse(kKeyboardWords, "there must be as many words as counts, at least one");
  std::vector<CountedWord> sorted = words;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  if (std::adjacent_find(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.word == b.word; }) !=
      sorted.end())
    container.refuse(kKeyboardWords, "each word must occur once");
  return words;
}

/// Reads `count` finite numbers.
std::vector<float> read_weights(const Container& container, const char* name, std::size_t count) {
  const std::span<const float> weights = container.array<float>(name);
  if (weights.size() != count || !std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w); }))
    container.refuse(name, fmt::format("it must hold {} finite numbers", count));
  return {weights.begin(), weights.end()};
}

AlignmentParameters read_alignment(const Container& container) {
  AlignmentParameters parameters;
  parameters.weights = read_weights(container, kKeyboardAlignmentWeights, AlignmentWeightIndex::kCount);
  const std::span<const double> chain = container.array<double>(kKeyboardAlignmentChain);
  if (chain.size() != 2 || !(chain[0] >= 0 && chain[0] <= kKeyCount) || !(chain[1] > 0 && chain[1] <= 1))
    container.refuse(kKeyboardAlignmentChain, "it must hold a radius of 0 or more and an epsilon in (0, 1]");
  parameters.radius = static_cast<float>(chain[0]);
  parameters.epsilon = chain[1];
  return parameters;
}

PathModel read_path(const Container& container) {
  PathModel model;
  const std::vector<float> weights = read_weights(container, kKeyboardPathWeights, PathFeature::kCount);
  std::copy(weights.begin(), weights.end(), model.weights.begin());
  model.network = ChoiceNetwork(read_weights(container, kKeyboardNetwork, ChoiceNetwork::kCount));
  return model;
}

}  // namespace

void KeyboardModel::save(const ContainerTarget& target) const {
  ContainerWriter writer(kKeyboardKind, kKeyboardVersion);
  std::string text;
  std::vector<double> counts;
  for (const CountedWord& word : words.words()) {
    text += word.word + '\n';
    counts.push_back(word.count);
  }
  writer.add(kKeyboardWords, text);
  writer.add_array(kKeyboardCounts, std::span<const double>(counts));
  if (alignment) {
    const std::array<double, 2> chain = {double{alignment->radius}, alignment->epsilon};
    writer.add_array(kKeyboardAlignmentWeights, std::span<const float>(alignment->weights));
    writer.add_array(kKeyboardAlignmentChain, std::span<const double>(chain));
  } else {
    writer.add_array(kKeyboardPathWeights, std::span<const float>(path->weights));
    writer.add_array(kKeyboardNetwork, path->network.weights());
  }
  writer.add(kKeyboardTraining, training);
  writer.write(target);
}

KeyboardModel KeyboardModel::load(const ContainerSource& source) {
  const Container container = Container::open(source, kKeyboardKind, kKeyboardVersion);
  KeyboardModel model{.words = WordTrie(read_dictionary(container)), .alignment = {}, .path = {}};
  if (container.has(kKeyboardAlignmentWeights)) model.alignment = read_alignment(container);
  else model.path = read_path(container);
  model.training = container.bytes(kKeyboardTraining);
  if (nlohmann::json::parse(model.training, nullptr, false).is_discarded())
    container.refuse(kKeyboardTraining, "it must be a JSON object");
  return model;
}

GestureDecoder::GestureDecoder(const KeyboardModel& model) : model_(model) {
  if (model.path) lattice_ = std::make_unique<PathLattice>(model.path->weights, model.words);
}

std::vector<DecodedWord> GestureDecoder::decode(const Gesture& gesture, std::size_t transitions, std::size_t count,
                                                Random random, const InputLocation& location) {
  if (model_.alignment) {
    std::vector<DecodedWord> words = sample(gesture, transitions, random);
    if (words.size() > count) words.resize(count);
    return words;
  }
  if (gesture.points.empty())
    throw InputError(location, "the gesture has no points in column 'xy' or 'xy32'",
                     "Give coordinates, or train a model with option 'family alignment', which reads keys alone");
  lattice_->set(swipe_path(gesture));
  std::vector<DecodedWord> words;
  for (const PathCandidate& candidate : model_.path->decode(*lattice_, transitions, count))
    words.push_back({.word = model_.words.words()[candidate.word].word, .score = double{candidate.score}});
  return words;
}

std::vector<DecodedWord> GestureDecoder::sample(const Gesture& gesture, std::size_t transitions, Random random) const {
  const AlignmentLattice lattice(gesture.keys, *model_.alignment);
  const AlignmentChain chain(lattice, model_.words);
  auto kernel = mcmc::with_restarts([&](Alignment& z, Random& stream) { chain.step(z, stream); },
                                    [&](Alignment& z, Random& stream) { z = chain.draw_start(stream); },
                                    model_.alignment->epsilon);
  Alignment z = chain.draw_start(random);
  std::map<std::string, double> kept;
  double samples = 0;
  for (std::size_t t = 0; t <= transitions; ++t) {
    if (t > 0) kernel.step(z, random);
    if (2 * t < transitions) continue;
    ++kept[letters_of(lattice.word(z))];
    ++samples;
  }
  std::vector<DecodedWord> words;
  for (const auto& [word, times] : kept)
    if (!word.empty()) words.push_back({.word = word, .score = std::log(times / samples)});
  std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return words;
}

}  // namespace fovea::gestures
