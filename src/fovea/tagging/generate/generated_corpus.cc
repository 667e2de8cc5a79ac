// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/generate/generated_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fovea::tagging {
namespace {

constexpr std::uint32_t kContexts = 4;  // what an odd label remembers of the label before it
constexpr std::string_view kConsonants = "bcdfghjklmnprstvwz", kVowels = "aeiou";

bool is_closed(std::uint32_t label) { return label % 2 == 1; }

void append_syllables(int count, Random& random, std::string& text) {
  for (int i = 0; i < count; ++i) {
    text += kConsonants[random.uniform_index(static_cast<std::uint32_t>(kConsonants.size()))];
    text += kVowels[random.uniform_index(static_cast<std::uint32_t>(kVowels.size()))];
  }
}

// Cubed exponentials: a few large weights among many small ones, as between real labels.
std::vector<double> draw_weights(std::uint32_t count, Random random) {
  std::vector<double> weights(count);
  for (double& w : weights) w = std::pow(random.exponential(), 3);
  return weights;
}

std::string draw_suffix(Random random) {
  std::string suffix;
  append_syllables(1, random, suffix);
  suffix += kConsonants[random.uniform_index(static_cast<std::uint32_t>(kConsonants.size()))];
  return suffix;
}

}  // namespace

GeneratedCorpus::GeneratedCorpus(const CorpusOptions& options, const Random& language)
    : options_(options), language_(language) {
  validate(options);
  for (std::uint32_t label = 0; label < label_count(); ++label) traits_.push_back(draw_traits(label));
}

GeneratedCorpus::LabelTraits GeneratedCorpus::draw_traits(std::uint32_t label) const {
  const Random own = language_.child("label", label);
  Random random = own;
  LabelTraits traits;
  traits.tail = 0.25 + 0.05 * random.uniform_index(7);
  if (is_closed(label)) {
    traits.vocabulary = 12 + random.uniform_index(48);
  } else {
    for (std::uint64_t i = 0; i < 2; ++i) traits.suffixes.push_back(draw_suffix(own.child("suffix", i)));
    traits.suffixes.push_back(draw_suffix(language_.child("shared suffix", std::min(label, partner(label)))));
  }
  for (std::uint64_t context = 0; context < (is_closed(label) ? kContexts : 1); ++context)
    traits.successors.push_back(draw_weights(label_count(), own.child("successors", context)));
  return traits;
}

std::string GeneratedCorpus::label_name(std::uint32_t label) const { return fmt::format("L{:02}", label); }

std::string GeneratedCorpus::word(std::uint32_t label, std::uint64_t rank) const {
  if (rank % 5 == 2) label = std::min(label, partner(label));
  Random random = language_.child("label", label).child("word", rank);
  std::string text;
  const auto& suffixes = traits_[label].suffixes;
  append_syllables(1 + static_cast<int>(random.uniform_index(suffixes.empty() ? 2 : 3)), random, text);
  if (!suffixes.empty()) text += suffixes[random.uniform_index(static_cast<std::uint32_t>(suffixes.size()))];
  return text;
}

std::uint32_t GeneratedCorpus::draw_label(const std::vector<std::uint32_t>& so_far, Random& random) const {
  if (so_far.empty()) return random.uniform_index(label_count());
  const auto& successors = traits_[so_far.back()].successors;
  const std::size_t context = so_far.size() < 2 ? 0 : so_far[so_far.size() - 2] % successors.size();
  return random.categorical(std::span<const double>(successors[context]));
}

std::uint64_t GeneratedCorpus::draw_rank(std::uint32_t label, Random& random) const {
  const double rank = std::exp(std::min(random.exponential() / traits_[label].tail, 20.0));
  return (static_cast<std::uint64_t>(rank) - 1) % traits_[label].vocabulary + 1;
}

GeneratedCorpus::Sentence GeneratedCorpus::sentence(std::uint64_t index) const {
  Random random = language_.child("part", options_.part).child("sentence", index);
  const int length = 1 + static_cast<int>(8 * (random.exponential() + random.exponential()));
  Sentence sentence;
  for (int t = 0; t < length; ++t) {
    const std::uint32_t label = draw_label(sentence.labels, random);
    sentence.words.push_back(word(label, draw_rank(label, random)));
    sentence.labels.push_back(label);
  }
  sentence.words[0][0] = static_cast<char>(sentence.words[0][0] - 'a' + 'A');
  return sentence;
}

void GeneratedCorpus::append_conll(std::uint64_t index, std::string& text) const {
  const Sentence s = sentence(index);
  for (std::size_t t = 0; t < s.words.size(); ++t) text += s.words[t] + " " + label_name(s.labels[t]) + "\n";
  text += "\n";
}

}  // namespace fovea::tagging
