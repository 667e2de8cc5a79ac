// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/tagging/model/tagger_vocabulary.h"
#include "fovea/tagging/stream/tag_run.h"

namespace fovea::tagging {

void to_sequence(const TagItems& items, ItemSequence& sequence) {
  std::vector<std::string_view> cells;
  sequence.clear(1);
  for (const TagItem& item : items) {
    cells.assign(item.begin(), item.end());
    sequence.add_cells(cells);
  }
}

void to_sequence(const TagItems& items, AttributeSequence& sequence) {
  sequence.clear(1);
  for (const TagItem& item : items) {
    sequence.add_item({});
    for (const std::string& name : item) sequence.add_attribute(name, 1);
  }
}

namespace {

void to_sequence(const AttributeSequence& from, AttributeSequence& to) { to = from; }

/// Sequences given in memory, without those that have no items.
template <class Given, class Sequence>
class GivenSequences final : public SequenceSource<Sequence> {
 public:
  explicit GivenSequences(std::span<const Given> given) : given_(given) {}

  bool read(SequencePart<Sequence>& part, std::size_t count) override {
    part.clear();
    while (part.count < count && part.add([&](Sequence& sequence) { return next(sequence); })) continue;
    return part.count > 0;
  }

 private:
  bool next(Sequence& sequence) {
    while (next_ < given_.size() && given_[next_].empty()) ++next_;
    if (next_ == given_.size()) return false;
    to_sequence(given_[next_++], sequence);
    return true;
  }

  std::span<const Given> given_;
  std::size_t next_ = 0;
};

/// Collects the tags of all sequences that have items.
template <class Given, class Sequence>
class TagCollector final : public TagSink<Sequence> {
 public:
  TagCollector(std::span<const Given> given, const Tagger& tagger, const TagOptions& options,
               std::vector<SequenceTags>& collected)
      : given_(given), labels_(tagger.labels()), options_(options), collected_(collected) {}

  void write(const TaggedSequences<Sequence>& tagged, std::string&) override {
    for (std::size_t s = 0; s < tagged.sequences.size(); ++s) {
      while (given_[next_].empty()) ++next_;
      collect(tagged.tags, s, collected_[next_++]);
    }
  }

 private:
  void collect(const BlockTags& tags, std::size_t s, SequenceTags& result) const {
    result.labels = names(tags.labels(s));
    if (options_.marginals || options_.all_marginals)
      for (std::size_t item = 0; item < result.labels.size(); ++item) add_marginals(tags, s, item, result);
    for (const RankedTagging& ranked : tags.n_best(s))
      result.n_best.push_back({names(ranked.labels), ranked.log_score, ranked.probability});
    const std::span<const EntitySpan> spans = tags.spans(s);
    result.spans.assign(spans.begin(), spans.end());
  }

  void add_marginals(const BlockTags& tags, std::size_t s, std::size_t item, SequenceTags& result) const {
    std::vector<double>& row = result.marginals.emplace_back(labels_.size());
    tags.read_marginals(s, item, row);
    const std::optional<LatentValue> latent = tags.latent(s, item);
    if (!latent) return;
    result.latent_means.push_back(latent->mean);
    result.latent_variances.push_back(latent->variance);
  }

  std::vector<std::string> names(std::span<const Value> labels) const {
    std::vector<std::string> names;
    names.reserve(labels.size());
    for (const Value label : labels) names.push_back(labels_[label]);
    return names;
  }

  std::span<const Given> given_;
  const std::vector<std::string>& labels_;
  const TagOptions& options_;
  std::vector<SequenceTags>& collected_;
  std::size_t next_ = 0;
};

template <class Sequence, class Given>
TaggedInMemory tag_given(const Tagger& tagger, std::span<const Given> given, const TagJob& job, const Run& run) {
  const std::unique_ptr<TaggingMethod> method = make_tagging_method(tagger, job, false, run);
  TaggedInMemory tagged = {.sequences = std::vector<SequenceTags>(given.size()), .report = {}};
  GivenSequences<Given, Sequence> source(given);
  tagged.report = run_tagging<Sequence>(*method, run, source, [&] {
    return std::make_unique<TagCollector<Given, Sequence>>(given, tagger, job.options, tagged.sequences);
  });
  tagged.report.family = tagger.family();
  tagged.report.warnings = method->warnings();
  tagged.report.seconds = seconds_since(run.started);
  return tagged;
}

/// Refuses a sequence without the columns that the template reads.
void check_columns(const FeatureTemplate& feature_template, std::span<const TagItems> sequences) {
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    const std::string name = fmt::format("sequence {}", s + 1);
    for (const TagItem& item : sequences[s])
      if (item.size() != sequences[s][0].size())
        throw InputError({.file = name},
                         fmt::format("an item of {} cells after one of {}", item.size(), sequences[s][0].size()),
                         "Give every item of a sequence the same number of cells");
    if (!sequences[s].empty()) feature_template.require_columns(sequences[s][0].size(), name);
  }
}

}  // namespace

TaggedInMemory tag(const Tagger& tagger, std::span<const TagItems> sequences, const TagJob& job, const Run& run) {
  if (!tagger.reads_columns()) return tag_given<AttributeSequence>(tagger, sequences, job, run);
  check_columns(*tagger.vocabulary().feature_template, sequences);
  return tag_given<ItemSequence>(tagger, sequences, job, run);
}

TaggedInMemory tag(const Tagger& tagger, std::span<const AttributeSequence> sequences, const TagJob& job,
                   const Run& run) {
  if (tagger.reads_columns())
    throw UsageError("attributes were given, but the tagger makes them of columns: give it the cells of each item");
  return tag_given<AttributeSequence>(tagger, sequences, job, run);
}

}  // namespace fovea::tagging
