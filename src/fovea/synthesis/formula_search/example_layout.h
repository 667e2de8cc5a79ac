// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

/// The examples as bits of words, so that a formula's truth at all of them is a few words and its errors are
///
///   popcount(f xor expected) over the first words + popcount(f and not f') over pairs of words of the rest.
///
///   words 0 .. labelled - 1          a bit for each good or bad example
///   labelled .. + implications - 1   a bit for each implication: its row ...
///   the same number                  ... and, at the same bit, the row that it leads to
///
/// Bits that stand for no example are 0 in every set. There is room for more examples: words are added by doubling.
class ExampleLayout {
 public:
  /// Adds the examples that it does not have yet. Returns true if the words were laid out anew, so that all bits have
  /// moved.
  bool take(const ExampleSet& examples);

  std::size_t words() const { return labelled_ + 2 * implications_; }
  std::size_t labelled_words() const { return labelled_; }
  std::size_t implication_words() const { return implications_; }

  /// [word below labelled_words()]: a 1 for each good example.
  std::span<const std::uint64_t> expected() const { return expected_; }
  /// [word below labelled_words()]: a 1 for each bad example.
  std::span<const std::uint64_t> bad() const { return bad_; }

  /// A row and its bit, in the order of the examples.
  struct Bit {
    std::size_t word;
    unsigned bit;
    std::uint32_t example;
    bool is_target;
  };
  std::span<const Bit> bits() const { return bits_; }

 private:
  bool make_room(std::size_t labelled, std::size_t implications);
  void place(const ExampleSet& examples, std::size_t example);

  std::size_t labelled_ = 1, implications_ = 0;
  std::size_t labelled_count_ = 0, implication_count_ = 0, taken_ = 0;
  std::vector<std::uint64_t> expected_ = {0}, bad_ = {0};
  std::vector<Bit> bits_;
};

}  // namespace fovea::synthesis
