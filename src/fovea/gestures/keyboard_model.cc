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

/// Words that often follow those before are looked at besides the words found, up to this number.
constexpr std::size_t kMostFollowers = 20;

constexpr const char* kKeyboardKind = "keyboard";
constexpr std::uint32_t kKeyboardVersion = 1;
constexpr const char* kKeyboardWords = "words";
constexpr const char* kKeyboardCounts = "counts";
constexpr const char* kKeyboardAlignmentWeights = "alignment.weights";
constexpr const char* kKeyboardAlignmentChain = "alignment.chain";  // radius, epsilon
constexpr const char* kKeyboardPathWeights = "path.weights";
constexpr const char* kKeyboardNetwork = "path.network";
constexpr const char* kKeyboardContext = "context";  // grams: two words before, word, count
constexpr const char* kKeyboardTraining = "training";

std::vector<CountedWord> read_dictionary(const Container& container) {
  const std::span<const double> counts = container.array<double>(kKeyboardCounts);
  std::string_view text = container.bytes(kKeyboardWords);
  std::vector<CountedWord> words;
  for (const double count : counts) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words.push_back({.word = std::string(text.substr(0, end)), .count = count});
    text.remove_prefix(std::min(end + 1, text.size()));
    if (typed_letters(words.back().word).empty() || !(count > 0) || std::isinf(count))
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

WordContext read_context(const Container& container, std::size_t words) {
  const std::span<const std::uint32_t> numbers = container.array<std::uint32_t>(kKeyboardContext);
  std::vector<WordContext::Gram> grams;
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
    grams.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  const auto is_wrong = [&](const WordContext::Gram& gram) {
    return (gram.first >= words && gram.first != WordContext::kUnknown) || gram.second >= words || gram.word >= words ||
           gram.count == 0;
  };
  if (numbers.size() % 4 != 0 || std::any_of(grams.begin(), grams.end(), is_wrong) ||
      !std::is_sorted(grams.begin(), grams.end()))
    container.refuse(kKeyboardContext, "it must hold numbers of words and counts above 0, ascending");
  return WordContext(std::move(grams));
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
  if (!context.empty()) {
    std::vector<std::uint32_t> grams;
    for (const WordContext::Gram& gram : context.grams())
      grams.insert(grams.end(), {gram.first, gram.second, gram.word, gram.count});
    writer.add_array(kKeyboardContext, std::span<const std::uint32_t>(grams));
  }
  writer.add(kKeyboardTraining, training);
  writer.write(target);
}

KeyboardModel KeyboardModel::load(const ContainerSource& source) {
  const Container container = Container::open(source, kKeyboardKind, kKeyboardVersion);
  KeyboardModel model{.words = WordTrie(read_dictionary(container)), .alignment = {}, .path = {}};
  if (container.has(kKeyboardAlignmentWeights)) model.alignment = read_alignment(container);
  else model.path = read_path(container);
  if (container.has(kKeyboardContext)) model.context = read_context(container, model.words.words().size());
  model.training = container.bytes(kKeyboardTraining);
  if (nlohmann::json::parse(model.training, nullptr, false).is_discarded())
    container.refuse(kKeyboardTraining, "it must be a JSON object");
  return model;
}

GestureDecoder::GestureDecoder(const KeyboardModel& model, AlignmentReading reading)
    : model_(model), reading_(reading) {
  if (model.path) lattice_ = std::make_unique<PathLattice>(model.path->weights, model.words);
  else if (model.alignment->has_chain()) law_ = AlignmentLaw::kChain;
}

std::vector<DecodedWord> GestureDecoder::decode(const Gesture& gesture, std::size_t transitions, std::size_t count,
                                                Random random, const InputLocation& location) {
  const WordContext::Before before = before_of(gesture);
  std::vector<PathCandidate> found = candidates(gesture, transitions, before, location);
  std::vector<DecodedWord> words;
  if (found.empty() && model_.alignment) {
    words = sample(gesture, transitions, random);
    if (words.size() > count) words.resize(count);
    return words;
  }
  add_alike(found);
  if (before.second != WordContext::kUnknown) heed(before, found);
  normalise(found);
  if (found.size() > count) found.resize(count);
  for (const PathCandidate& candidate : found)
    words.push_back({.word = model_.words.words()[candidate.word].word, .score = double{candidate.score}});
  return words;
}

/// Words of the dictionary; nothing if the chain is to read the gesture.
std::vector<PathCandidate> GestureDecoder::candidates(const Gesture& gesture, std::size_t transitions,
                                                      const WordContext::Before& before,
                                                      const InputLocation& location) {
  if (model_.alignment) return all_words(gesture);
  if (gesture.points.empty())
    throw InputError(location, "the gesture has no points in column 'xy' or 'xy32'",
                     "Give coordinates, or train a model with option 'family alignment', which reads keys alone");
  lattice_->set(swipe_path(gesture));
  const bool has_context = before.second != WordContext::kUnknown;
  return model_.path->decode(
      *lattice_, transitions,
      has_context ? model_.context.followers(before, kMostFollowers) : std::vector<std::uint32_t>());
}

std::vector<PathCandidate> GestureDecoder::all_words(const Gesture& gesture) const {
  std::vector<PathCandidate> found;
  if (reading_ == AlignmentReading::kChain || gesture.keys.size() > kMostSummedKeys) return found;
  for (const WordSum& sum : word_sums(AlignmentLattice(gesture.keys, *model_.alignment), model_.words, law_))
    found.push_back({.word = sum.word, .score = static_cast<float>(sum.log_sum)});
  return found;
}

/// The numbers of the last two words before, if the model knows what follows words.
WordContext::Before GestureDecoder::before_of(const Gesture& gesture) const {
  WordContext::Before before;
  if (model_.context.empty() || gesture.before.empty()) return before;
  before.second = model_.words.find_word(gesture.before.back());
  if (gesture.before.size() > 1) before.first = model_.words.find_word(gesture.before[gesture.before.size() - 2]);
  return before;
}

void GestureDecoder::heed(const WordContext::Before& before, std::vector<PathCandidate>& words) const {
  for (PathCandidate& candidate : words) {
    const double log_frequency = model_.words.log_frequency(candidate.word);
    candidate.score +=
        static_cast<float>(model_.context.log_probability(candidate.word, before, log_frequency) - log_frequency);
  }
}

/// Adds the words that are typed by the same letters, by their frequency.
void GestureDecoder::add_alike(std::vector<PathCandidate>& words) const {
  const std::size_t found = words.size();
  for (std::size_t i = 0; i < found; ++i)
    for (std::uint32_t other = model_.words.next_alike(words[i].word); other != WordTrie::kNone;
         other = model_.words.next_alike(other)) {
      const bool is_there =
          std::any_of(words.begin(), words.end(), [&](const PathCandidate& known) { return known.word == other; });
      if (!is_there)
        words.push_back(
            {.word = other,
             .score = words[i].score + model_.words.log_frequency(other) - model_.words.log_frequency(words[i].word)});
    }
}

/// Sorts words, the best first, and gives them log probabilities.
void GestureDecoder::normalise(std::vector<PathCandidate>& words) {
  std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  float sum = 0;
  for (const PathCandidate& candidate : words) sum += std::exp(candidate.score - words[0].score);
  const float log_sum = words.empty() ? 0 : words[0].score + std::log(sum);
  for (PathCandidate& candidate : words) candidate.score -= log_sum;
}

/// Adds the words that are typed by these letters, which share their probability by their frequencies, or the letters.
void GestureDecoder::add_words_of(const std::string& letters, double score, std::vector<DecodedWord>& words) const {
  if (letters.empty()) return;
  const std::uint32_t node = model_.words.find(keys_of(letters, {}));
  const std::uint32_t first = node == WordTrie::kNone ? WordTrie::kNone : model_.words.nodes()[node].word;
  if (first == WordTrie::kNone) return words.push_back({.word = letters, .score = score});
  double total = 0;
  for (std::uint32_t word = first; word != WordTrie::kNone; word = model_.words.next_alike(word))
    total += model_.words.words()[word].count;
  for (std::uint32_t word = first; word != WordTrie::kNone; word = model_.words.next_alike(word))
    words.push_back(
        {.word = model_.words.words()[word].word, .score = score + std::log(model_.words.words()[word].count / total)});
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
  for (const auto& [word, times] : kept) add_words_of(word, std::log(times / samples), words);
  std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return words;
}

}  // namespace fovea::gestures
