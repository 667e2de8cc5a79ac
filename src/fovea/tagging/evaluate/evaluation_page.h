// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fovea/report/page.h"
#include "fovea/tagging/metrics/paired_bootstrap.h"
#include "fovea/tagging/stream/tagged_file.h"

namespace fovea::tagging {

/// The sentences of a text with a wrong label, as a page shows them: at most kMostMistakenSentences of one tagging, or
/// of two of the same text.
class MistakenSentences {
 public:
  static constexpr std::size_t kMostMistakenSentences = 20'000;

  /// `other`: the same sentence in the other tagging, if there is one.
  void add(const TaggedSentence& sentence, const TaggedSentence* other = nullptr);
  /// Taggings are called by these names.
  report::TaggedText text(const std::string& name, const std::string& other_name) &&;

 private:
  report::TaggedText text_;
  std::set<std::string, std::less<>> labels_;
  std::size_t count_ = 0;
};

/// A tagging that a page shows.
struct ShownTagging {
  std::string name = "";
  const ScoredTagging& scored;
};

/// Content of a page about one tagging, or of two of the same text.
struct ShownEvaluation {
  std::vector<ShownTagging> taggings;
  std::optional<PairedDifference> difference = {};  ///< the first one's score minus the second one's
  std::string score = "";                           ///< its name
  report::TaggedText mistakes = {};
};

/// Makes a page for people: scores, labels, confusions, sentences with mistakes and, with probabilities, how far they
/// can be trusted (`bins` of confidence) and how many mistakes are left among the surest items.
report::Page evaluation_page(const ShownEvaluation& shown, int bins);

}  // namespace fovea::tagging
