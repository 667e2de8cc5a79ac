// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/format/sequence_parts.h"
#include "fovea/tagging/model/entity_spans.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_report.h"

namespace fovea::tagging {

/// A tagging of one sequence and how likely it is.
struct RankedTagging {
  Assignment labels;  ///< one per item
  double log_score = 0;
  double probability = 0;
};

/// The latent function of the likeliest label at one item.
struct LatentValue {
  double mean = 0;
  double variance = 0;
};

/// Tags of a block of sequences, as a family of taggers stores them.
class BlockTags {
 public:
  virtual ~BlockTags() = default;

  /// The labels of a sequence, one per item.
  virtual std::span<const Value> labels(std::size_t sequence) const = 0;
  /// The probability of each label at an item. Only if the method was asked for marginals.
  virtual void read_marginals(std::size_t sequence, std::size_t item, std::span<double> probabilities) const = 0;
  /// Only of Gaussian processes that were asked for marginals.
  virtual std::optional<LatentValue> latent(std::size_t sequence, std::size_t item) const;
  /// The best taggings of a sequence, best first, if the method was asked for them.
  virtual std::span<const RankedTagging> n_best(std::size_t sequence) const;
  /// The entities of a sequence's labels, if the method was asked for them.
  virtual std::span<const EntitySpan> spans(std::size_t sequence) const;
  /// Numbers of visits to each item, if the method was asked for them.
  virtual std::span<const std::uint32_t> visits(std::size_t sequence) const;
  /// Adds the work that these tags took.
  virtual void add_to(TagReport& report) const;
};

/// Some consecutive sequences on their way through a tagger.
template <class Sequence>
struct TagBlock : SequencePart<Sequence> {
  std::uint64_t number = 0;
  double seconds_left = std::numeric_limits<double>::infinity();  ///< for tagging
  std::unique_ptr<BlockTags> tags;                                ///< made by the method that tags them
  std::string output;                                             ///< of the sink
  double write_seconds = 0;

  std::span<const Sequence> used() const { return {this->sequences.data(), this->count}; }
};

/// Tags blocks, one after the other: use one per thread.
class BlockTagger {
 public:
  virtual ~BlockTagger() = default;

  /// Replaces block.tags' content.
  virtual void run(TagBlock<ItemSequence>& block) = 0;
  virtual void run(TagBlock<AttributeSequence>& block) = 0;
};

/// The way in which a family of taggers tags one input, under the options of one run.
class TaggingMethod {
 public:
  static constexpr std::size_t kWholeInput = std::numeric_limits<std::size_t>::max();

  virtual ~TaggingMethod() = default;

  /// Number of sequences that are tagged together, whatever the number of threads. start() may change it.
  virtual std::size_t block_size() const = 0;
  /// True if a block is itself tagged on all threads, so that blocks follow each other.
  virtual bool is_parallel_inside() const = 0;
  /// Seconds left for that many sequences, after reading for `read_seconds` in all.
  virtual double seconds_for(std::size_t sequences, double read_seconds) const;
  /// Decides what was left open, once the first block is known: its items, and the seconds for it. Writes the request
  /// and the decision to the report.
  virtual void start(std::size_t items, double seconds, TagReport& report) = 0;
  virtual std::unique_ptr<BlockTags> make_tags() const = 0;
  virtual std::unique_ptr<BlockTagger> make_tagger() const = 0;
  /// Warnings about how the tagger and the options go together.
  virtual std::vector<std::string> warnings() const;
};

/// The method of the tagger's family; all arguments must outlive it. Throws UsageError for options that do not go
/// together or that the family does not have. `visits`: whether BlockTags::visits is wanted.
std::unique_ptr<TaggingMethod> make_tagging_method(const Tagger& tagger, const TagJob& job, bool visits,
                                                   const Run& run);

namespace internal {

std::unique_ptr<TaggingMethod> ngram_tagging(const TaggerModel& model, const TagJob& job, bool visits, const Run& run);
std::unique_ptr<TaggingMethod> gp_tagging(const GpTagger& tagger, const TagJob& job, bool visits, const Run& run);

/// Throws UsageError for an option that Gaussian processes do not have.
void check_gp_options(const TagJob& job, bool has_policy, bool visits);

}  // namespace internal
}  // namespace fovea::tagging
