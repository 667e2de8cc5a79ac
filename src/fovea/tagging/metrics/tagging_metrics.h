// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fovea/base/match_counts.h"
#include "fovea/tagging/metrics/entities.h"

namespace fovea::tagging {

/// One sentence's share of the counts, for resampling sentences (paired_bootstrap.h).
struct SentenceCounts {
  std::uint32_t tokens = 0, correct_tokens = 0;
  std::uint32_t gold = 0, predicted = 0, correct = 0;  ///< entities
};

/// Compares predicted labels with gold ones, sentence by sentence; all counts are exact.
///
/// Entities are conlleval's (entities.h); a predicted one is correct if its tokens and its type are those of a gold
/// one. Among labels that mark entities of a type, others count as outside; see has_entities().
class TaggingMetrics {
 public:
  using CountsByName = std::map<std::string, MatchCounts, std::less<>>;

  TaggingMetrics() = default;
  TaggingMetrics(TaggingMetrics&&) = default;
  TaggingMetrics& operator=(TaggingMetrics&&) = default;

  /// Adds one sentence; both spans have its length.
  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  /// Adds the items with known gold labels of a sentence that has others too: scored as tokens, not as entities.
  void add_partial(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t correct_tokens() const { return correct_tokens_; }
  double accuracy() const { return MatchCounts::ratio(correct_tokens_, tokens_); }
  std::uint64_t correct_sentences() const { return correct_sentences_; }
  /// In the order of add().
  const std::vector<SentenceCounts>& sentences() const { return sentences_; }

  /// False if labels are of another kind, such as parts of speech: some mark no entity and none has the form B-X. Also
  /// false if every sentence lacks a gold label.
  bool has_entities() const {
    return (other_labels_.empty() || has_typed_entities_) &&
           (partial_sentences_ == 0 || partial_sentences_ < sentences_.size());
  }
  const MatchCounts& entities() const { return entities_; }
  const CountsByName& entity_types() const { return entity_types_; }

  /// Tokens by label.
  CountsByName labels() const;
  /// Number of tokens with this gold label that got this prediction.
  std::uint64_t confusion(std::string_view gold, std::string_view predicted) const;
  struct Confusion {
    std::string_view gold, predicted;
    std::uint64_t tokens;
  };
  /// Every pair of labels that occurred, most frequent first, then by gold and predicted label.
  std::vector<Confusion> confusions() const;

  /// Remarks for a reader of the figures, one sentence each: on labels that mark no entity among those that do,
  /// sentences left out of entity scores, and gold labels that look like something else.
  std::vector<std::string> remarks() const;

  /// One line: F1 if there are entities, and accuracy.
  std::string brief() const;
  /// brief(), then tables by entity type and by label, and the confusion matrix (or the most frequent confusions if
  /// there are more than kMaxMatrixLabels labels).
  std::string full() const;
  /// Everything as one JSON object; entities are null without has_entities().
  std::string json() const;
  static constexpr std::size_t kMaxMatrixLabels = 12;

 private:
  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::uint32_t label_id(std::string_view label);
  void count_tokens(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);
  void find(std::span<const std::string_view> labels, std::vector<Entity>& entities);
  void count_entities();
  std::uint64_t predictable_tokens() const;

  std::uint64_t tokens_ = 0, correct_tokens_ = 0, correct_sentences_ = 0;
  std::vector<SentenceCounts> sentences_;
  std::uint64_t partial_sentences_ = 0;
  std::set<std::string, std::less<>> other_labels_;  // that mark no entity
  std::uint64_t other_tokens_ = 0;                   // gold or predicted
  bool has_typed_entities_ = false;
  MatchCounts entities_;
  CountsByName entity_types_;
  std::unordered_map<std::string, std::uint32_t, StringHash, std::equal_to<>> label_ids_;
  std::vector<std::string_view> label_names_;                   // [id]; refers to the keys of label_ids_
  std::unordered_map<std::uint64_t, std::uint64_t> confusion_;  // gold id << 32 | predicted id -> tokens
  // Workspaces of add().
  std::vector<EntityLabel> parsed_;
  std::vector<Entity> gold_entities_, predicted_entities_;
};

}  // namespace fovea::tagging
