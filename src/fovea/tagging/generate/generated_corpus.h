// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"

namespace fovea::tagging {

struct CorpusOptions {
  int sentences = 2000;
  int labels = 12;
  std::uint64_t part = 0;

  static void describe(auto&& visit) {
    visit(&CorpusOptions::sentences, number_in(1, 1e9, "sentences", "Number of sentences to generate."));
    visit(&CorpusOptions::labels, number_in(2, 500, "labels", "Number of labels of the language."));
    visit(&CorpusOptions::part,
          option("part", "Number of an independent sample of the language: for example 0 to train, 1 to test."));
  }
};

/// A made-up language with the traits of tagged text that matter to a tagger:
///
/// - A hidden chain of labels. The label after an even one depends on that label alone; the label after an odd one also
///   on the label before it, so that factor size 3 knows more than factor size 2.
/// - Words by rank from a power law, P(rank >= r) = r^-a (Zipf): few frequent words and an endless tail, so that a new
///   sample of the language holds unknown words. Odd labels are closed classes of a few dozen words.
/// - Ambiguity: labels l and l ^ 2 share every fifth word; only the neighbours show which it is.
/// - Affixes: words of an open class end in one of its three suffixes, the third one shared with label l ^ 2.
/// - Sentences start with a capital letter.
///
/// Words are functions of (language, label, rank), so nothing is stored for the tail. A sentence is a function of
/// (language, labels, part, index) alone.
class GeneratedCorpus {
 public:
  struct Sentence {
    std::vector<std::string> words;
    std::vector<std::uint32_t> labels;
  };

  /// Draws only from children of `language`, whose seed names the language. Throws UsageError unless validate(options)
  /// holds.
  GeneratedCorpus(const CorpusOptions& options, const Random& language);

  std::size_t sentence_count() const { return static_cast<std::size_t>(options_.sentences); }
  std::uint32_t label_count() const { return static_cast<std::uint32_t>(options_.labels); }
  /// "L00", "L01", ...
  std::string label_name(std::uint32_t label) const;
  /// `index` may exceed sentence_count().
  Sentence sentence(std::uint64_t index) const;
  /// The word with this rank (from 1) in this label's vocabulary.
  std::string word(std::uint32_t label, std::uint64_t rank) const;

  /// Appends `word label` lines and the blank line that ends the sentence.
  void append_conll(std::uint64_t index, std::string& text) const;

 private:
  struct LabelTraits {
    std::uint64_t vocabulary = 1 << 30;           ///< largest rank
    double tail = 1;                              ///< a in P(rank >= r) = r^-a
    std::vector<std::string> suffixes;            ///< none in a closed class
    std::vector<std::vector<double>> successors;  ///< [context of the label before][next label] -> weight
  };

  LabelTraits draw_traits(std::uint32_t label) const;
  std::uint32_t draw_label(const std::vector<std::uint32_t>& so_far, Random& random) const;
  std::uint64_t draw_rank(std::uint32_t label, Random& random) const;
  std::uint32_t partner(std::uint32_t label) const { return (label ^ 2) < label_count() ? label ^ 2 : label; }

  CorpusOptions options_;
  Random language_;
  std::vector<LabelTraits> traits_;  // [label]
};

}  // namespace fovea::tagging
