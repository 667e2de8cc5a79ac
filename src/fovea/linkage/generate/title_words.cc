// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/title_words.h"

#include <cctype>

#include "fovea/linkage/generate/zipf_law.h"

namespace fovea::linkage {
namespace {

constexpr auto kCommon = static_cast<std::uint32_t>(-1);  // the topic of words that all topics share
constexpr double kCommonShare = 0.4, kFirstTopicShare = 0.7;
const ZipfLaw kCommonLaw(1.1, 200), kTopicLaw(0.9, 2000);

}  // namespace

void TitleWords::append_word(std::uint32_t topic, std::uint32_t rank, std::string& text) const {
  Random random = world_.child("word", (std::uint64_t{topic} << 32) + rank);
  const int syllables = 1 + static_cast<int>(random.uniform_index(2)) + (topic == kCommon ? 0 : 1);
  syllables_.append(syllables, random, text);
}

std::string TitleWords::draw_title(std::uint32_t first_topic, std::uint32_t second_topic, Random& random) const {
  std::string title;
  const int words = 2 + static_cast<int>(3.75 * (random.exponential() + random.exponential()));
  for (int i = 0; i < words; ++i) {
    if (i > 0) title += ' ';
    if (random.bernoulli(kCommonShare)) append_word(kCommon, kCommonLaw.draw(random), title);
    else append_word(random.bernoulli(kFirstTopicShare) ? first_topic : second_topic, kTopicLaw.draw(random), title);
  }
  title[0] = static_cast<char>(std::toupper(title[0]));
  return title;
}

std::string TitleWords::venue(std::uint32_t number) const {
  Random random = world_.child("venue", number);
  std::string name;
  syllables_.append(2, random, name);
  return name + std::to_string(number);
}

}  // namespace fovea::linkage
