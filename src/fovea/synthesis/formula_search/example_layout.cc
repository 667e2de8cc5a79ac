// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/example_layout.h"

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr std::size_t kBits = 64;

/// Words for `count` bits: the present number, doubled until it suffices.
std::size_t words_for(std::size_t count, std::size_t words) {
  while (count > kBits * words) words = words == 0 ? 1 : 2 * words;
  return words;
}

}  // namespace

bool ExampleLayout::take(const ExampleSet& examples) {
  FOVEA_CHECK(examples.size() >= taken_);
  std::size_t implications = 0;
  for (std::size_t e = taken_; e < examples.size(); ++e) implications += examples.kind(e) == ExampleKind::kImplication;
  const bool is_new =
      make_room(labelled_count_ + examples.size() - taken_ - implications, implication_count_ + implications);
  for (; taken_ < examples.size(); ++taken_) place(examples, taken_);
  return is_new;
}

bool ExampleLayout::make_room(std::size_t labelled, std::size_t implications) {
  const std::size_t labelled_words = words_for(labelled, labelled_);
  const std::size_t implication_words = words_for(implications, implications_);
  if (labelled_words == labelled_ && implication_words == implications_) return false;
  labelled_ = labelled_words;
  implications_ = implication_words;
  labelled_count_ = implication_count_ = taken_ = 0;
  expected_.assign(labelled_, 0);
  bad_.assign(labelled_, 0);
  bits_.clear();
  return true;
}

void ExampleLayout::place(const ExampleSet& examples, std::size_t example) {
  const bool is_implication = examples.kind(example) == ExampleKind::kImplication;
  const std::size_t number = is_implication ? implication_count_++ : labelled_count_++;
  const std::size_t word = number / kBits;
  const auto bit = static_cast<unsigned>(number % kBits);
  const std::uint64_t mask = std::uint64_t{1} << bit;
  const auto id = static_cast<std::uint32_t>(example);
  if (!is_implication) {
    (examples.kind(example) == ExampleKind::kGood ? expected_ : bad_)[word] |= mask;
    bits_.push_back({.word = word, .bit = bit, .example = id, .is_target = false});
    return;
  }
  bits_.push_back({.word = labelled_ + word, .bit = bit, .example = id, .is_target = false});
  bits_.push_back({.word = labelled_ + implications_ + word, .bit = bit, .example = id, .is_target = true});
}

}  // namespace fovea::synthesis
