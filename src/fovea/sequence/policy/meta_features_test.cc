// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/meta_features.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/graph_of_sequence.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

constexpr MetaFeatureOptions kAll = {.nb_ent = true};

using Phi = std::map<std::uint32_t, float>;

Phi to_map(const MetaVector& phi) {
  Phi map;
  for (const MetaVector::Entry& entry : phi.entries) map[entry.index] += entry.value;
  return map;
}

void expect_equal(const Phi& actual, const Phi& expected) {
  const auto at = [](const Phi& phi, std::uint32_t i) { return phi.contains(i) ? phi.at(i) : 0.0f; };
  for (const auto& [i, value] : expected) EXPECT_NEAR(at(actual, i), value, 1e-5) << "feature " << i;
  for (const auto& [i, value] : actual) EXPECT_NEAR(value, at(expected, i), 1e-5) << "feature " << i;
}

/// Keeps every visit and labeling, and computes phi from section 4's definitions by looking back through all of them.
class FullHistory {
 public:
  FullHistory(const LabelSequences& sequences, const Assignment& start, bool as_printed = false)
      : sequences_(sequences), labelings_{start}, as_printed_(as_printed) {}

  void record(VariableId position, const mcmc::SiteInfo& info, const Assignment& labels) {
    visits_.push_back({position, info.entropy});
    labelings_.push_back(labels);
  }

  Phi features(VariableId p) const {
    const Assignment& now = labelings_.back();
    const Assignment& then = labelings_[last_visit(p)];
    Phi phi = {{kVary, 0.0f}, {kNbEnt, 0.0f}};
    for (const VariableId n : neighbours(p)) {
      phi[kVary] += as_printed_ ? changes(n, last_visit(p)) : static_cast<float>(now[n] != then[n]);
      phi[kNbEnt] += stale_entropy(n);
      if (as_printed_ || last_visit(n) > last_visit(p))
        ++phi[kScalarFeatures + std::uint32_t{now[p]} * sequences_.ngrams().pad() + now[n]];
    }
    phi[kCondEnt] = stale_entropy(p);
    phi[kUnigramEnt] = static_cast<float>(unigram_entropy(p) < 1e-4);
    for (const Visit& v : visits_) phi[kSp] += static_cast<float>(v.position == p);
    return phi;
  }

 private:
  struct Visit {
    VariableId position;
    float entropy;
  };

  /// 1 + the number of the last visit of p, 0 if there was none: labelings_[it] is what that visit left.
  std::size_t last_visit(VariableId p) const {
    for (std::size_t t = visits_.size(); t > 0; --t)
      if (visits_[t - 1].position == p) return t;
    return 0;
  }
  /// Number of times that p changed from labelings_[since] on.
  float changes(VariableId p, std::size_t since) const {
    float count = 0;
    for (std::size_t t = since + 1; t < labelings_.size(); ++t)
      count += static_cast<float>(labelings_[t][p] != labelings_[t - 1][p]);
    return count;
  }
  float stale_entropy(VariableId p) const {
    const std::size_t t = last_visit(p);
    return t == 0 ? 0 : visits_[t - 1].entropy;
  }
  std::vector<VariableId> neighbours(VariableId p) const {
    std::vector<VariableId> result;
    for (std::size_t s = 0; s < sequences_.sequence_count(); ++s) {
      if (p < sequences_.begin(s) || p >= sequences_.end(s)) continue;
      for (const VariableId v :
           SequenceView(sequences_, s).markov_blanket(p - static_cast<VariableId>(sequences_.begin(s))))
        result.push_back(v + static_cast<VariableId>(sequences_.begin(s)));
    }
    return result;
  }
  double unigram_entropy(VariableId p) const {
    double total = 0, entropy = 0;
    for (int k = 0; k < sequences_.ngrams().label_count(); ++k) total += std::exp(double{sequences_.unary(p)[k]});
    for (int k = 0; k < sequences_.ngrams().label_count(); ++k) {
      const double q = std::exp(double{sequences_.unary(p)[k]}) / total;
      if (q > 0) entropy -= q * std::log(q);
    }
    return entropy;
  }

  const LabelSequences& sequences_;
  std::vector<Assignment> labelings_;
  std::vector<Visit> visits_;
  bool as_printed_;
};

/// Random visits by Gibbs sampling, in an order that repeats and skips variables.
struct Walk {
  Walk(int factor_size, std::uint32_t seed)
      : made(testing::random_sequences({.factor_size = factor_size, .lengths = {6, 0, 1, 4}, .forbidden = .05}, seed)),
        order(left_to_right_order(*made.sequences)),
        random(seed),
        y(made.sequences->make_labeling()) {
    const std::size_t sure = made.sequences->begin(0) + 2;
    made.sequences->unary(sure)[1] = 30;  // a token whose unary scores leave no doubt
  }

  VariableId pick() { return order[random.uniform_index(static_cast<std::uint32_t>(order.size()))]; }
  mcmc::SiteInfo visit(VariableId p) {
    mcmc::SiteInfo info;
    SequenceGibbs(*made.sequences).step(y, {&p, 1}, random, std::span<mcmc::SiteInfo>(&info, 1));
    return info;
  }

  testing::RandomSequences made;
  std::vector<VariableId> order;
  Random random;
  Assignment y;
};

void expect_full_history(int factor_size, bool as_printed) {
  Walk walk(factor_size, 3);
  const SiteNetwork network(*walk.made.sequences);
  MetaFeatureOptions options = kAll;
  options.as_printed = as_printed;
  MetaState state(network, walk.y, options);
  FullHistory history(*walk.made.sequences, walk.y, as_printed);
  std::vector<float> alpha(meta_feature_count(3));
  for (float& a : alpha) a = static_cast<float>(walk.random.normal());
  for (int step = 0; step < 150; ++step) {
    const VariableId p = walk.pick();
    const mcmc::SiteInfo info = walk.visit(p);
    state.record(p, info, walk.y);
    history.record(p, info, walk.y);
    for (const VariableId v : walk.order) {
      MetaVector phi;
      state.features(v, walk.y, phi);
      expect_equal(to_map(phi), history.features(v));
      float dot = 0;
      for (const auto& [i, value] : to_map(phi)) dot += alpha[i] * value;
      EXPECT_NEAR(state.dot(v, walk.y, alpha), dot, 1e-4);
    }
  }
}

TEST(MetaStateTest, MatchesRecomputationFromTheFullHistory) {
  for (int q = 1; q <= 5; ++q)
    for (const bool as_printed : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", q, as_printed));
      expect_full_history(q, as_printed);
    }
}

TEST(MetaStateTest, VaryIsNetOfFlipsBack) {
  const auto made = testing::random_sequences({.lengths = {2}}, 1);
  Assignment y = made.sequences->make_labeling();
  const SiteNetwork network(*made.sequences);
  MetaState state(network, y, {});
  const auto set = [&](VariableId p, Value to) {
    const mcmc::SiteInfo info{.before = y[p], .after = to};
    y[p] = to;
    state.record(p, info, y);
  };
  const auto vary = [&](VariableId p) {
    MetaVector phi;
    state.features(p, y, phi);
    return to_map(phi)[kVary];
  };
  set(1, 1);
  set(2, 2);
  EXPECT_EQ(vary(1), 1);
  set(2, 1);  // still not what 1 saw
  EXPECT_EQ(vary(1), 1);
  set(2, 0);  // what 1 saw when it was sampled
  EXPECT_EQ(vary(1), 0);
  EXPECT_EQ(vary(2), 0);
}

TEST(MetaStateTest, OptionsSwitchFeaturesOffOneByOne) {
  Walk walk(3, 5);
  std::vector<VariableId> visits;
  MetaFeatureOptions none;
  MetaFeatureOptions::describe([&](auto field, const OptionInfo&) { none.*field = false; });
  const SiteNetwork network(*walk.made.sequences);
  MetaState full(network, walk.y, kAll), empty(network, walk.y, none);
  std::vector<std::pair<MetaFeatureOptions, MetaState>> singles;
  MetaFeatureOptions::describe([&](auto field, const OptionInfo&) {
    MetaFeatureOptions one = none;
    one.*field = true;
    singles.emplace_back(one, MetaState(network, walk.y, one));
  });
  for (int step = 0; step < 40; ++step) {
    const VariableId p = walk.pick();
    const mcmc::SiteInfo info = walk.visit(p);
    full.record(p, info, walk.y);
    empty.record(p, info, walk.y);
    for (auto& [options, state] : singles) state.record(p, info, walk.y);
  }
  for (const VariableId v : walk.order) {
    MetaVector phi;
    full.features(v, walk.y, phi, 0.5f);
    Phi joined;
    for (auto& [options, state] : singles) {
      MetaVector part;
      state.features(v, walk.y, part, 0.5f);
      for (const auto& [i, value] : to_map(part))
        if (i != kOracle) joined[i] += value;
        else EXPECT_EQ(value, 0.5f);
    }
    expect_equal(to_map(phi), joined);
    empty.features(v, walk.y, phi);
    EXPECT_TRUE(phi.entries.empty());
  }
}

TEST(MetaStateTest, RestoreUndoesVisitsInReverse) {
  Walk walk(3, 7);
  const SiteNetwork network(*walk.made.sequences);
  MetaState state(network, walk.y, kAll);
  const auto all_features = [&] {
    std::vector<Phi> all;
    MetaVector phi;
    for (const VariableId v : walk.order) {
      state.features(v, walk.y, phi);
      all.push_back(to_map(phi));
    }
    return all;
  };
  for (int round = 0; round < 20; ++round) {
    for (int step = 0; step < 10; ++step) {
      const VariableId p = walk.pick();
      state.record(p, walk.visit(p), walk.y);
    }
    const Assignment labels = walk.y;
    const std::vector<Phi> before = all_features();
    std::vector<MetaState::Snapshot> snapshots;
    for (int step = 0; step < 6; ++step) {
      const VariableId p = walk.pick();
      snapshots.push_back(state.save(p));
      state.record(p, walk.visit(p), walk.y);
    }
    walk.y = labels;
    for (; !snapshots.empty(); snapshots.pop_back()) state.restore(snapshots.back());
    EXPECT_EQ(all_features(), before);
  }
}

// A pair chain is the same model as a factor graph, so both have the same meta-features after the same visits.
TEST(MetaStateTest, AGraphIsSeenAsTheChainThatItIs) {
  Walk walk(2, 9);
  const LabelSequences& sequences = *walk.made.sequences;
  const std::size_t begin = sequences.begin(0), length = sequences.end(0) - begin;
  const graph::FactorGraph factors = testing::graph_of_first_sequence(sequences);
  const SiteNetwork chain_network(sequences), graph_network(factors);
  Assignment y(length, 0);
  MetaState of_chain(chain_network, walk.y, kAll), of_graph(graph_network, y, kAll);
  for (int step = 0; step < 60; ++step) {
    const auto i = walk.random.uniform_index(static_cast<std::uint32_t>(length));
    const auto p = static_cast<VariableId>(begin + i);
    const mcmc::SiteInfo info = walk.visit(p);
    y[i] = info.after;
    of_chain.record(p, info, walk.y);
    of_graph.record(i, info, y);
    for (std::size_t j = 0; j < length; ++j) {
      MetaVector expected, actual;
      of_chain.features(static_cast<VariableId>(begin + j), walk.y, expected);
      of_graph.features(static_cast<VariableId>(j), y, actual);
      EXPECT_EQ(to_map(actual), to_map(expected));
    }
  }
}

TEST(MetaFeatureNameTest, NamesScalarsAndLabelPairs) {
  const std::vector<std::string> labels = {"O", "LOC"};
  EXPECT_EQ(meta_feature_name(kVary, labels), "vary");
  EXPECT_EQ(meta_feature_name(kOracle, labels), "oracle");
  EXPECT_EQ(meta_feature_name(kScalarFeatures + 1, labels), "nb-O-LOC");
  EXPECT_EQ(meta_feature_name(kScalarFeatures + 2, labels), "nb-LOC-O");
  EXPECT_EQ(meta_feature_count(2), kScalarFeatures + 4u);
}

}  // namespace
}  // namespace fovea::sequence
