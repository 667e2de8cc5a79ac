// SPDX-License-Identifier: Apache-2.0
#include "fovea/policy/round_learner.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/sample/orders.h"

namespace fovea {
namespace {

/// Where the parameters of a RoundPolicy sit while it is learned as a plain value function.
struct Layout {
  explicit Layout(std::size_t labels)
      : base(labels + 1), left(kDoubtBuckets), right(left + base * base), changed(right + base * base) {}

  std::size_t base, left, right, changed;
  std::size_t size() const { return changed + 1; }

  MetaVector features(const Assignment& y, float doubt, VariableId p, int changes) const {
    MetaVector phi;
    phi.add(static_cast<std::uint32_t>(doubt_bucket(doubt)), 1);
    phi.add(static_cast<std::uint32_t>(left + y[p - 1] * base + y[p]), 1);
    phi.add(static_cast<std::uint32_t>(right + y[p] * base + y[p + 1]), 1);
    if (changes > 0) phi.add(static_cast<std::uint32_t>(changed), static_cast<float>(changes));
    return phi;
  }

  RoundPolicy policy(const ValueFunction& value) const {
    RoundPolicy result(base - 1);
    // w sigma(s) + b = -w sigma(-s) + (w + b): learning may end at either, the schedule wants w > 0.
    const float sign = value.w < 0 ? -1.0f : 1.0f;
    const auto take = [&](std::size_t from, std::span<float> into) {
      for (std::size_t i = 0; i < into.size(); ++i) into[i] = sign * value.alpha[from + i];
    };
    take(0, result.doubt);
    take(left, result.left);
    take(right, result.right);
    take(changed, {&result.changed, 1});
    result.w = sign * value.w;
    result.b = value.w < 0 ? value.w + value.b : value.b;
    return result;
  }
};

struct Example {
  MetaVector phi;
  float gain;
};

class Collector {
 public:
  Collector(const Chains& chains, const Assignment& labels, std::span<const float> doubt, VisitReward reward)
      : chains_(chains),
        layout_(chains.ngrams().label_count()),
        y_(labels),
        doubt_(doubt.begin(), doubt.end()),
        reward_(reward),
        kernel_(chains) {}

  /// Looks at every site from the start; sites whose best label is another take it afterwards, colour by colour.
  void first_round() {
    const std::vector<VariableId> order = colour_order(chains_);
    for (const VariableId p : order) look(p, 0);
    for (const VariableId p : order) {
      const SiteInfo info = visit(p);
      if (info.changed()) changed_.push_back(p);
      doubt_[p] = info.changed() ? info.doubt : doubt_[p];
    }
  }

  /// Looks at the sites around the changes.
  void second_round() {
    std::vector<int> changes(y_.size());
    const int reach = chains_.ngrams().order();
    for (const VariableId p : changed_)
      for (int d = -reach; d <= reach; ++d)
        if (d != 0) ++changes[p + d];
    for (std::size_t p = 0; p < y_.size(); ++p)
      if (changes[p] > 0 && y_[p] != chains_.ngrams().pad()) look(static_cast<VariableId>(p), changes[p]);
  }

  std::vector<Example> examples;
  const Layout& layout() const { return layout_; }

 private:
  SiteInfo visit(VariableId p) {
    SiteInfo info;
    kernel_.step(y_, {&p, 1}, unused_, std::span<SiteInfo>(&info, 1));
    return info;
  }
  void look(VariableId p, int changes) {
    const MetaVector phi = layout_.features(y_, doubt_[p], p, changes);
    const SiteInfo info = visit(p);
    y_[p] = info.before;
    examples.push_back({phi, bounded_reward(reward_ == VisitReward::kBest ? info.best_gain : info.mean_gain)});
  }

  const Chains& chains_;
  Layout layout_;
  Assignment y_;
  std::vector<float> doubt_;
  VisitReward reward_;
  ChainIcm kernel_;
  Random unused_{0};
  std::vector<VariableId> changed_;
};

}  // namespace

RoundPolicy learn_round_policy(const Chains& chains, const Assignment& labels, std::span<const float> doubt,
                               VisitReward reward, const RoundLearnerOptions& options, Random& random) {
  validate(options);
  FOVEA_CHECK(chains.ngrams().factor_size() > 1);
  Collector collector(chains, labels, doubt, reward);
  collector.first_round();
  collector.second_round();
  ValueFunction value(collector.layout().size());
  ValueLearner learner(value, options.rate);
  std::vector<std::uint32_t> order(collector.examples.size());
  std::iota(order.begin(), order.end(), 0u);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.uniform_index(static_cast<std::uint32_t>(i))]);
    for (const std::uint32_t i : order) learner.update(collector.examples[i].phi, collector.examples[i].gain);
  }
  return collector.layout().policy(value);
}

}  // namespace fovea
