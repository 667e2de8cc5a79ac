// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/syllables.h"

namespace fovea::linkage {

/// Made-up titles of papers and names of venues. Every topic has words of its own by Zipf's law, and all topics share
/// frequent ones. A word is a function of (world, topic, rank), so nothing is stored.
class TitleWords {
 public:
  /// Only children of `world` are drawn from.
  explicit TitleWords(const Random& world) : world_(world), syllables_(world.child("language of titles")) {}

  /// 2 words or more, 9 on average: common ones, and those of the two topics, the first one's being more frequent.
  std::string draw_title(std::uint32_t first_topic, std::uint32_t second_topic, Random& random) const;

  /// A word and the venue's number, so that no two are the same.
  std::string venue(std::uint32_t number) const;

 private:
  void append_word(std::uint32_t topic, std::uint32_t rank, std::string& text) const;

  Random world_;
  Syllables syllables_;
};

}  // namespace fovea::linkage
