// SPDX-License-Identifier: Apache-2.0
// Tagging by Gaussian processes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/n_best.h"
#include "fovea/tagging/family/gp_tagger.h"
#include "fovea/tagging/feature/encoder.h"
#include "fovea/tagging/model/label_rules.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/stream/tagging_method.h"

namespace fovea::tagging {
namespace {

/// Number of sequences in a block: enough to keep all threads busy.
constexpr std::size_t kGpBlock = 256;
/// Limit of the attributes kept that training did not meet, so that memory does not grow with the text.
constexpr std::size_t kMostNewAttributes = 1'000'000;

/// Whole labelings by the marginals of their items, multiplied: among those that the rules allow, if there are any.
/// Belongs to one thread.
class LabelingsOfMarginals {
 public:
  /// `rules` must outlive this; null: all labelings are allowed.
  LabelingsOfMarginals(std::size_t label_count, const LabelRules* rules)
      : rules_(rules),
        ngrams_(static_cast<int>(label_count), rules ? 2 : 1,
                rules ? rules->forbidden_pairs() : std::vector<sequence::LabelNgram>()),
        items_(ngrams_),
        sums_(ngrams_) {}

  /// The `count` best for marginals [item][label] of one sequence, best first. Empty if none is allowed.
  std::vector<RankedTagging> best(std::span<const double> marginals, std::size_t count) {
    const auto labels = static_cast<std::size_t>(ngrams_.label_count());
    const auto length = static_cast<std::uint32_t>(marginals.size() / labels);
    items_.reset(std::span(&length, 1));
    for (std::size_t item = 0; item < length; ++item)
      for (std::size_t k = 0; k < labels; ++k)
        items_.unary(items_.begin(0) + item)[k] =
            static_cast<float>(std::log(std::max(marginals[item * labels + k], kLeastMarginal)));
    if (rules_) rules_->apply_to_ends(items_);
    const double log_z = sums_.run(items_, 0, nullptr, nullptr);
    std::vector<RankedTagging> ranked;
    for (mcmc::ScoredAssignment& found : sequence::n_best(sums_.states(), items_, 0, count))
      ranked.push_back({std::move(found.values), found.score, std::exp(found.score - log_z)});
    return ranked;
  }

 private:
  static constexpr double kLeastMarginal = 1e-30;

  const LabelRules* rules_;
  sequence::LabelNgrams ngrams_;
  sequence::LabelSequences items_;
  sequence::ForwardBackward sums_;
};

/// A predicted block. The label of an item is the likeliest by itself, unless whole labelings were asked for.
class GpTags final : public BlockTags {
 public:
  std::span<const Value> labels(std::size_t s) const override {
    return std::span(best_).subspan(begin_[s], begin_[s + 1] - begin_[s]);
  }
  void read_marginals(std::size_t s, std::size_t item, std::span<double> probabilities) const override {
    std::copy_n(row(begin_[s] + item), probabilities.size(), probabilities.begin());
  }
  std::optional<LatentValue> latent(std::size_t s, std::size_t item) const override {
    if (moments_.means.empty()) return std::nullopt;
    return LatentValue{.mean = moments_.means[begin_[s] + item], .variance = moments_.variances[begin_[s] + item]};
  }

  std::span<const RankedTagging> n_best(std::size_t s) const override {
    if (ranked_.empty()) return {};
    return ranked_[s];
  }

  /// Replaces the labels by those of the best labelings; keeps `count` of them for each sequence.
  void rank(LabelingsOfMarginals& labelings, std::size_t count) {
    ranked_.assign(begin_.size() - 1, {});
    for (std::size_t s = 0; s + 1 < begin_.size(); ++s) {
      const std::span<const double> marginals(row(begin_[s]), (begin_[s + 1] - begin_[s]) * prediction_.label_count);
      std::vector<RankedTagging> best = labelings.best(marginals, std::max<std::size_t>(1, count));
      if (best.empty()) continue;
      std::copy(best[0].labels.begin(), best[0].labels.end(), best_.begin() + static_cast<std::ptrdiff_t>(begin_[s]));
      if (count > 0) ranked_[s] = std::move(best);
    }
    if (count == 0) ranked_.clear();
  }

  /// The likeliest label of each item, until the labels are ranked.
  gp::Labels likeliest() const { return best_; }
  /// `moments`: of the likeliest label's function; empty without marginals.
  void set(gp::LatentMoments moments) { moments_ = std::move(moments); }

  /// `begin`: the first item of each sequence, then the number of items.
  void set(gp::Prediction prediction, std::span<const std::uint32_t> begin) {
    prediction_ = std::move(prediction);
    moments_ = {};
    begin_.assign(begin.begin(), begin.end());
    best_.resize(begin_.back());
    for (std::size_t item = 0; item < best_.size(); ++item)
      best_[item] = static_cast<Value>(std::max_element(row(item), row(item) + prediction_.label_count) - row(item));
  }

 private:
  const double* row(std::size_t item) const { return prediction_.marginals.data() + item * prediction_.label_count; }

  gp::Prediction prediction_;
  gp::LatentMoments moments_;
  std::vector<std::size_t> begin_;                  // [sequence], and the end
  Assignment best_;                                 // [item]
  std::vector<std::vector<RankedTagging>> ranked_;  // [sequence], best first; empty unless asked for
};

/// Attributes that training did not meet are columns of their own: no inducing point has them, so they add to the
/// variance, and to the doubt.
Encoder encoder_for(const GpTagger& tagger) {
  Dictionary attributes = copy_of(tagger.attributes);
  if (tagger.feature_template) return Encoder(*tagger.feature_template, std::move(attributes), UnknownAttributes::kAdd);
  return Encoder(std::move(attributes), UnknownAttributes::kAdd);
}

/// Encodes and predicts blocks.
class GpBlockTagger final : public BlockTagger {
 public:
  GpBlockTagger(const GpTagger& tagger, int threads, const LabelRules* rules, const TagOptions& options)
      : tagger_(tagger),
        threads_(threads),
        n_best_(static_cast<std::size_t>(options.n_best)),
        wants_moments_(options.marginals || options.all_marginals),
        encoder_(encoder_for(tagger)) {
    if (rules || options.n_best > 0) labelings_.emplace(tagger.labels.size(), rules);
  }

  void run(TagBlock<ItemSequence>& block) override { tag(block); }
  void run(TagBlock<AttributeSequence>& block) override { tag(block); }

 private:
  template <class Sequence>
  void tag(TagBlock<Sequence>& block) {
    encoder_.forget_items();
    if (encoder_.attributes().size() > tagger_.attributes.size() + kMostNewAttributes) encoder_ = encoder_for(tagger_);
    for (const Sequence& sequence : block.used()) encoder_.append(sequence);
    const gp::Sequences sequences = gp_sequences(encoder_.items());
    auto& tags = static_cast<GpTags&>(*block.tags);
    tags.set(tagger_.processes.predict(sequences, gp::StructuredGp::kPredictionDraws, threads_), sequences.begin);
    if (wants_moments_) tags.set(tagger_.processes.latent_moments(sequences, tags.likeliest(), threads_));
    if (labelings_) tags.rank(*labelings_, n_best_);
  }

  const GpTagger& tagger_;
  int threads_;
  std::size_t n_best_;
  bool wants_moments_;
  Encoder encoder_;
  std::optional<LabelingsOfMarginals> labelings_;  // with option 'valid-bio' or option 'n-best'
};

/// Blocks of kGpBlock sequences, one after the other.
class GpTagging final : public TaggingMethod {
 public:
  GpTagging(const GpTagger& tagger, const TagJob& job, const Run& run)
      : tagger_(tagger), threads_(run.threads), options_(job.options) {
    if (job.options.valid_bio) rules_.emplace(tagger.labels);
  }

  std::size_t block_size() const override { return kGpBlock; }
  bool is_parallel_inside() const override { return true; }
  void start(std::size_t, double, TagReport&) override {}
  std::unique_ptr<BlockTags> make_tags() const override { return std::make_unique<GpTags>(); }
  std::unique_ptr<BlockTagger> make_tagger() const override {
    return std::make_unique<GpBlockTagger>(tagger_, threads_, rules_ ? &*rules_ : nullptr, options_);
  }

 private:
  const GpTagger& tagger_;
  int threads_;
  TagOptions options_;
  std::optional<LabelRules> rules_;
};

}  // namespace

void internal::check_gp_options(const TagJob& job, bool has_policy, bool visits) {
  if (has_policy || visits || job.decode.method != sequence::DecodeMethod::kAuto || job.options.spans ||
      !job.options.budget.empty() || !job.options.time_limit.empty())
    throw UsageError(
        "a Gaussian process tagger takes none of option 'policy', option 'show-sampling', option 'method', option "
        "'spans', option 'budget' and option 'time-limit': it averages over its posterior");
}

std::unique_ptr<TaggingMethod> internal::gp_tagging(const GpTagger& tagger, const TagJob& job, bool visits,
                                                    const Run& run) {
  validate(job.options);
  check_gp_options(job, job.policy != nullptr, visits);
  return std::make_unique<GpTagging>(tagger, job, run);
}

}  // namespace fovea::tagging
