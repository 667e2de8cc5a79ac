// SPDX-License-Identifier: Apache-2.0
// Tagging by Gaussian processes.
#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/feature/encoder.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/stream/tagging_method.h"

namespace fovea::tagging {
namespace {

/// Number of sequences in a block: enough to keep all threads busy.
constexpr std::size_t kGpBlock = 256;
/// Draws from the posterior over which a prediction is averaged.
constexpr int kGpDraws = 64;

/// A predicted block. The label of an item is the likeliest by itself.
class GpTags final : public BlockTags {
 public:
  std::span<const Value> labels(std::size_t s) const override {
    return std::span(best_).subspan(begin_[s], begin_[s + 1] - begin_[s]);
  }
  void read_marginals(std::size_t s, std::size_t item, std::span<double> probabilities) const override {
    std::copy_n(row(begin_[s] + item), probabilities.size(), probabilities.begin());
  }
  std::optional<LatentValue> latent(std::size_t s, std::size_t item, std::size_t label) const override {
    const std::size_t at = (begin_[s] + item) * prediction_.label_count + label;
    return LatentValue{.mean = prediction_.latent_means[at], .variance = prediction_.latent_variances[at]};
  }

  /// `begin`: the first item of each sequence, then the number of items.
  void set(gp::Prediction prediction, std::span<const std::uint32_t> begin) {
    prediction_ = std::move(prediction);
    begin_.assign(begin.begin(), begin.end());
    best_.resize(begin_.back());
    for (std::size_t item = 0; item < best_.size(); ++item)
      best_[item] = static_cast<Value>(std::max_element(row(item), row(item) + prediction_.label_count) - row(item));
  }

 private:
  const double* row(std::size_t item) const { return prediction_.marginals.data() + item * prediction_.label_count; }

  gp::Prediction prediction_;
  std::vector<std::size_t> begin_;  // [sequence], and the end
  Assignment best_;                 // [item]
};

Encoder encoder_for(const GpTagger& tagger) {
  Dictionary attributes = copy_of(tagger.attributes);
  if (tagger.feature_template)
    return Encoder(*tagger.feature_template, std::move(attributes), UnknownAttributes::kDrop);
  return Encoder(std::move(attributes), UnknownAttributes::kDrop);
}

/// Encodes and predicts blocks.
class GpBlockTagger final : public BlockTagger {
 public:
  GpBlockTagger(const GpTagger& tagger, int threads)
      : tagger_(tagger), threads_(threads), encoder_(encoder_for(tagger)) {}

  void run(TagBlock<ItemSequence>& block) override { tag(block); }
  void run(TagBlock<AttributeSequence>& block) override { tag(block); }

 private:
  template <class Sequence>
  void tag(TagBlock<Sequence>& block) {
    encoder_.forget_items();
    for (const Sequence& sequence : block.used()) encoder_.append(sequence);
    const gp::Sequences sequences = gp_sequences(encoder_.items());
    static_cast<GpTags&>(*block.tags).set(tagger_.process.predict(sequences, kGpDraws, threads_), sequences.begin);
  }

  const GpTagger& tagger_;
  int threads_;
  Encoder encoder_;
};

/// Blocks of kGpBlock sequences, one after the other.
class GpTagging final : public TaggingMethod {
 public:
  GpTagging(const GpTagger& tagger, const Run& run) : tagger_(tagger), threads_(run.threads) {}

  std::size_t block_size() const override { return kGpBlock; }
  bool is_parallel_inside() const override { return true; }
  void start(std::size_t, double, TagReport&) override {}
  std::unique_ptr<BlockTags> make_tags() const override { return std::make_unique<GpTags>(); }
  std::unique_ptr<BlockTagger> make_tagger() const override {
    return std::make_unique<GpBlockTagger>(tagger_, threads_);
  }

 private:
  const GpTagger& tagger_;
  int threads_;
};

}  // namespace

void internal::check_gp_options(const TagJob& job, bool has_policy, bool visits) {
  if (has_policy || visits || job.decode.method != sequence::DecodeMethod::kAuto || job.options.n_best > 0 ||
      job.options.valid_bio || job.options.spans || !job.options.budget.empty() || !job.options.time_limit.empty())
    throw UsageError(
        "a Gaussian process tagger takes none of option 'policy', option 'show-sampling', option 'method', option "
        "'n-best', option 'valid-bio', option 'spans', option 'budget' and option 'time-limit': it averages over its "
        "posterior");
}

std::unique_ptr<TaggingMethod> internal::gp_tagging(const GpTagger& tagger, const TagJob& job, bool visits,
                                                    const Run& run) {
  check_gp_options(job, job.policy != nullptr, visits);
  return std::make_unique<GpTagging>(tagger, run);
}

}  // namespace fovea::tagging
