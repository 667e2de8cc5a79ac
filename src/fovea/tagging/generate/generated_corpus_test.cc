// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/generate/generated_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

std::string corpus_text(const CorpusOptions& options, std::uint64_t seed = 1) {
  const GeneratedCorpus corpus(options, Random(seed));
  std::string text;
  for (std::size_t i = 0; i < corpus.sentence_count(); ++i) corpus.append_conll(i, text);
  return text;
}

template <class Visit>
void for_each_token(const GeneratedCorpus& corpus, const Visit& visit) {
  for (std::size_t i = 0; i < corpus.sentence_count(); ++i) {
    const auto sentence = corpus.sentence(i);
    for (std::size_t t = 0; t < sentence.words.size(); ++t) visit(sentence, t);
  }
}

TEST(GeneratedCorpusTest, IsAFunctionOfItsOptions) {
  const CorpusOptions options{.sentences = 50};
  EXPECT_EQ(corpus_text(options), corpus_text(options));
  EXPECT_NE(corpus_text(options), corpus_text(options, 2));
  EXPECT_NE(corpus_text(options), corpus_text({.sentences = 50, .part = 1}));
  const std::string longer = corpus_text({.sentences = 60});
  EXPECT_EQ(longer.substr(0, corpus_text(options).size()), corpus_text(options))
      << "more sentences change none before them";
}

TEST(GeneratedCorpusTest, LinesHoldAWordAndALabel) {
  const GeneratedCorpus corpus({.sentences = 1}, Random(1));
  const auto sentence = corpus.sentence(0);
  std::string text;
  corpus.append_conll(0, text);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<int>(sentence.words.size()) + 1);
  EXPECT_EQ(text.substr(0, text.find('\n')), sentence.words[0] + " " + corpus.label_name(sentence.labels[0]));
  EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[0])));
  EXPECT_EQ(text.substr(text.size() - 2), "\n\n");
}

TEST(GeneratedCorpusTest, PartsShareALanguageButNotAllWords) {
  std::set<std::string> known;
  for_each_token(GeneratedCorpus({}, Random(1)), [&](const auto& s, std::size_t t) { known.insert(s.words[t]); });
  int tokens = 0, unknown = 0;
  for_each_token(GeneratedCorpus({.part = 1}, Random(1)), [&](const auto& s, std::size_t t) {
    ++tokens;
    unknown += !known.contains(s.words[t]);
  });
  // Deterministic; the bounds say what "realistic" means, about one word in ten.
  EXPECT_GT(unknown, tokens / 50);
  EXPECT_LT(unknown, tokens / 4);
}

TEST(GeneratedCorpusTest, WordsAreAmbiguousButNotHopeless) {
  std::map<std::string, std::map<std::uint32_t, int>> counts;
  int tokens = 0, ambiguous = 0, most_frequent = 0;
  for_each_token(GeneratedCorpus({}, Random(1)),
                 [&](const auto& s, std::size_t t) { ++counts[s.words[t]][s.labels[t]]; });
  for (const auto& [word, by_label] : counts) {
    int total = 0, most = 0;
    for (const auto& [label, count] : by_label) total += count, most = std::max(most, count);
    tokens += total;
    most_frequent += most;
    if (by_label.size() > 1) ambiguous += total;
  }
  EXPECT_GT(ambiguous, tokens / 10);
  EXPECT_LT(most_frequent, tokens * 97 / 100) << "words alone should not settle the labels";
  EXPECT_GT(most_frequent, tokens / 2);
}

// Mutual information I(next; before | label) in nats, plug-in estimate: about (contexts - 1)(labels - 1) / 2n when
// `before` carries nothing, with labels^2 contexts at most 12^3 / 2n per label.
TEST(GeneratedCorpusTest, TwoLabelsTellMoreThanOne) {
  std::map<std::array<std::uint32_t, 3>, double> trigrams;
  std::map<std::array<std::uint32_t, 2>, double> left, right;
  std::map<std::uint32_t, double> middle;
  double n = 0;
  for_each_token(GeneratedCorpus({.sentences = 20000}, Random(1)), [&](const auto& s, std::size_t t) {
    if (t < 2) return;
    const std::uint32_t a = s.labels[t - 2], b = s.labels[t - 1], c = s.labels[t];
    ++trigrams[{a, b, c}], ++left[{a, b}], ++right[{b, c}], ++middle[b], ++n;
  });
  double information = 0;
  for (const auto& [abc, count] : trigrams)
    information += count / n * std::log(count * middle[abc[1]] / (left[{abc[0], abc[1]}] * right[{abc[1], abc[2]}]));
  EXPECT_GT(information, 0.1 + 12 * 12 * 12 / (2 * n));
}

TEST(GeneratedCorpusTest, RefusesBadOptions) {
  EXPECT_THROW(GeneratedCorpus({.labels = 1}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedCorpus({.sentences = 0}, Random(1)), UsageError);
}

TEST(GeneratedCorpusTest, SmallAndLargeLabelSets) {
  for (const int labels : {2, 3, 500}) EXPECT_GT(corpus_text({.sentences = 20, .labels = labels}).size(), 100u);
}

}  // namespace
}  // namespace fovea::tagging
