// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::sequence {
namespace {

RoundPolicy some_rounds(Random& random) {
  RoundPolicy rounds(2);
  for (float& x : rounds.doubt) x = static_cast<float>(random.normal());
  for (float& x : rounds.left) x = static_cast<float>(random.normal());
  for (float& x : rounds.right) x = static_cast<float>(random.normal());
  rounds.changed = static_cast<float>(random.normal());
  rounds.w = 1.5f;
  rounds.b = -0.1f;
  rounds.calibration = {.knots = {{-3, .001f}, {2, .001f}, {2.5f, 1}}, .jump = 1.25f};
  return rounds;
}

Policy some_policy() {
  Random random(1);
  Policy policy;
  policy.label_count = 2;
  policy.factor_size = 3;
  policy.label_names = {"O", "B-\xC3\x96RT"};
  policy.model_fingerprint = 0xFEDCBA9876543210u;
  policy.features = {.nb = false, .nb_ent = true};
  policy.value = ValueFunction(meta_feature_count(2));
  for (float& a : policy.value.alpha) a = static_cast<float>(random.normal());
  policy.value.w = -2;
  policy.value.b = 0.1f;
  policy.unary_law = {.scale = 1.5f, .bias = AlignedVector<float>(row_stride(2))};
  policy.unary_law.bias[1] = -0.7f;
  policy.quality_measure = "entity F1";
  policy.quality_units = 12345;
  policy.value_horizon = 2;
  policy.order_gain = -.125;
  policy.order_gain_error = .5;
  policy.pair_chain_start = {0.1f, -0.2f, 0.3f, -1e-30f};
  policy.sample_from_unigram = some_rounds(random);
  policy.sample_from_chain = some_rounds(random);
  policy.best_from_unigram = some_rounds(random);
  policy.best_from_chain = some_rounds(random);
  policy.profile = {{.method = DecodeMethod::kExact, .quality = 0.97, .seconds_per_token = 1.0 / 3},
                    {.method = DecodeMethod::kLearned,
                     .start = DecodeStart::kChain,
                     .visit = VisitKind::kSample,
                     .beam_width = 3,
                     .sweeps = 0.1,
                     .threshold = 1e-3,
                     .quality = 0.1 + 0.2,
                     .seconds_per_token = 1e-9,
                     .visits_per_token = 2.0 / 3}};
  return policy;
}

void expect_same(const RoundPolicy& a, const RoundPolicy& b) {
  EXPECT_EQ(a.label_count, b.label_count);
  EXPECT_EQ(a.doubt, b.doubt);
  EXPECT_EQ(a.left, b.left);
  EXPECT_EQ(a.right, b.right);
  EXPECT_EQ(std::tie(a.changed, a.w, a.b), std::tie(b.changed, b.w, b.b));
  EXPECT_EQ(a.calibration.jump, b.calibration.jump);
  ASSERT_EQ(a.calibration.knots.size(), b.calibration.knots.size());
  for (std::size_t i = 0; i < a.calibration.knots.size(); ++i) {
    EXPECT_EQ(a.calibration.knots[i].score, b.calibration.knots[i].score);
    EXPECT_EQ(a.calibration.knots[i].gain, b.calibration.knots[i].gain);
  }
}

void expect_same(const MethodProfile& a, const MethodProfile& b) {
  EXPECT_EQ(std::tie(a.method, a.start, a.visit, a.beam_width, a.sweeps),
            std::tie(b.method, b.start, b.visit, b.beam_width, b.sweeps));
  EXPECT_EQ(std::tie(a.threshold, a.quality, a.seconds_per_token, a.visits_per_token),
            std::tie(b.threshold, b.quality, b.seconds_per_token, b.visits_per_token));
}

void expect_same(const Policy& a, const Policy& b) {
  EXPECT_EQ(std::tie(a.label_count, a.factor_size, a.label_names, a.model_fingerprint),
            std::tie(b.label_count, b.factor_size, b.label_names, b.model_fingerprint));
  EXPECT_EQ(options_json(a.features), options_json(b.features));
  EXPECT_EQ(std::tie(a.value.alpha, a.value.w, a.value.b), std::tie(b.value.alpha, b.value.w, b.value.b));
  EXPECT_EQ(a.unary_law.scale, b.unary_law.scale);
  EXPECT_EQ(a.unary_law.bias, b.unary_law.bias);
  EXPECT_EQ(a.pair_chain_start, b.pair_chain_start);
  EXPECT_EQ(std::tie(a.value_horizon, a.order_gain, a.order_gain_error),
            std::tie(b.value_horizon, b.order_gain, b.order_gain_error));
  EXPECT_EQ(a.quality_measure, b.quality_measure);
  EXPECT_EQ(a.quality_units, b.quality_units);
  expect_same(a.sample_from_unigram, b.sample_from_unigram);
  expect_same(a.sample_from_chain, b.sample_from_chain);
  expect_same(a.best_from_unigram, b.best_from_unigram);
  expect_same(a.best_from_chain, b.best_from_chain);
  ASSERT_EQ(a.profile.size(), b.profile.size());
  for (std::size_t i = 0; i < a.profile.size(); ++i) expect_same(a.profile[i], b.profile[i]);
}

class PolicyFileTest : public ::testing::Test {
 protected:
  /// Saves some_policy() and rewrites it with one section replaced, or left out if there is no text.
  void replace_section(std::string_view name, std::optional<std::string> text) {
    some_policy().save(path_);
    const Container file = Container::open(path_, "policy", 1);
    ContainerWriter writer("policy", 1);
    for (const std::string_view section : file.section_names())
      if (section != name) writer.add(section, file.bytes(section));
      else if (text) writer.add(name, *text);
    writer.write(path_);
  }
  std::string section(std::string_view name) {
    some_policy().save(path_);
    return std::string(Container::open(path_, "policy", 1).bytes(name));
  }
  std::string refusal() {
    return testing::message_of<InputError>([&] { Policy::load(path_); });
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_ / "a.policy";
};

TEST_F(PolicyFileTest, RoundTripIsExact) {
  some_policy().save(path_);
  expect_same(Policy::load(path_), some_policy());
  std::string bytes;
  some_policy().save(ContainerTarget::memory(bytes));
  EXPECT_EQ(bytes, testing::read_file(path_));
  expect_same(Policy::load(ContainerSource::memory(bytes)), some_policy());
}

TEST_F(PolicyFileTest, RoundTripWithoutOptionalParts) {
  Policy policy = some_policy();
  policy.pair_chain_start.clear();
  policy.sample_from_chain = policy.best_from_unigram = RoundPolicy();
  policy.profile.clear();
  policy.save(path_);
  expect_same(Policy::load(path_), policy);
  EXPECT_THROW((void)policy.pair_chain_start_ngrams(), UsageError);
}

TEST_F(PolicyFileTest, LabelsMayBeAnyBytes) {
  Policy policy = some_policy();
  policy.label_names[1] = "Ort\xFF\xC3";
  policy.save(path_);
  EXPECT_EQ(Policy::load(path_).label_names, policy.label_names);
  EXPECT_THAT(policy.to_json(), HasSubstr("Ort"));
}

TEST_F(PolicyFileTest, EverySectionIsChecked) {
  some_policy().save(path_);
  const Container file = Container::open(path_, "policy", 1);
  EXPECT_EQ(file.section_names().size(), 14u);
  for (const std::string_view section_name : file.section_names()) {
    const std::string name(section_name);
    SCOPED_TRACE(name);
    const std::string good = section(name);
    replace_section(name, good.substr(0, good.size() - 4));
    EXPECT_THAT(refusal(), HasSubstr(name));
    replace_section(name, good + "four");
    EXPECT_THAT(refusal(), HasSubstr(name));
    replace_section(name, std::string());
    EXPECT_THAT(refusal(), HasSubstr(name));
  }
}

TEST_F(PolicyFileTest, SectionsThatMustBeThere) {
  for (const char* name : {"facts", "labels", "value.alpha", "value.outer", "unary_law"}) {
    replace_section(name, std::nullopt);
    EXPECT_THAT(refusal(), HasSubstr(name));
  }
}

TEST_F(PolicyFileTest, RefusesNumbersThatAreNotFinite) {
  for (const char* name : {"value.alpha", "value.outer", "unary_law", "chain_start", "rounds.sample.unigram",
                           "rounds.sample.chain", "rounds.best.unigram", "rounds.best.chain"})
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      std::string bytes = section(name);
      bytes.replace(bytes.size() - sizeof bad, sizeof bad, reinterpret_cast<const char*>(&bad), sizeof bad);
      replace_section(name, bytes);
      EXPECT_THAT(refusal(), HasSubstr("finite"));
    }
}

TEST_F(PolicyFileTest, RefusesAScaleThatIsNotPositive) {
  for (const float scale : {0.0f, -1.0f}) {
    replace_section("unary_law", std::string(reinterpret_cast<const char*>(&scale), sizeof scale));
    EXPECT_THAT(refusal(), HasSubstr("scale must be positive"));
  }
}

TEST_F(PolicyFileTest, RefusesFactsThatMakeNoSense) {
  const std::string facts = section("facts");
  const auto corrupted = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(facts);
    json[key] = value;
    replace_section("facts", json.dump());
    return refusal();
  };
  EXPECT_THAT(corrupted("label_count", 3), HasSubstr("label"));
  EXPECT_THAT(corrupted("label_count", -1), HasSubstr("label_count"));
  EXPECT_THAT(corrupted("label_count", "two"), HasSubstr("JSON"));
  EXPECT_THAT(corrupted("features", {{"vary", 1}}), HasSubstr("JSON"));
  EXPECT_THAT(corrupted("profile", {{{"method", "exact"}}}), HasSubstr("JSON"));
  EXPECT_THAT(corrupted("factor_size", nullptr), HasSubstr("JSON"));
}

TEST_F(PolicyFileTest, RefusesOtherKindsAndDamagedFiles) {
  some_policy().save(path_);
  const std::string good = testing::read_file(path_);
  testing::write_file(path_, good.substr(0, good.size() / 2));
  EXPECT_NE(refusal(), "");
  std::string flipped = good;
  char& middle = flipped[flipped.find("label_count") + 3];
  middle = static_cast<char>(middle ^ 1);
  testing::write_file(path_, flipped);
  EXPECT_NE(refusal(), "");
  ContainerWriter("tagger", 1).write(path_);
  EXPECT_THAT(refusal(), HasSubstr("policy"));
}

TEST(PolicyTest, ChainStartScoresLabelPairs) {
  const LabelNgrams ngrams = some_policy().pair_chain_start_ngrams();
  EXPECT_EQ(ngrams.factor_size(), 2);
  const Assignment window = {1, 0};
  EXPECT_EQ(ngrams.window_score(window.data()), 0.3f);
}

TEST(PolicyTest, DescribesWhatSpeaksForAVisit) {
  Policy policy = some_policy();
  std::fill(policy.value.alpha.begin(), policy.value.alpha.end(), 0.0f);
  policy.value.alpha[kSp] = 2;        // w < 0: speaks against
  policy.value.alpha[kCondEnt] = -1;  // and this for a visit
  const std::string text = policy.describe();
  EXPECT_THAT(text, HasSubstr("2 labels, factor size 3"));
  const std::size_t sp = text.find("  sp "), cond_ent = text.find("  cond-ent ");
  ASSERT_NE(sp, std::string::npos);
  ASSERT_NE(cond_ent, std::string::npos);
  EXPECT_LT(sp, cond_ent);  // the strongest first
  EXPECT_THAT(text.substr(sp, cond_ent - sp), HasSubstr("speaks against a visit"));
  EXPECT_THAT(text.substr(cond_ent, 60), HasSubstr("speaks for a visit"));
  EXPECT_EQ(text.find("  vary "), std::string::npos);  // weight 0
  EXPECT_THAT(text, HasSubstr("doubt 0.5"));
  EXPECT_THAT(text, HasSubstr("exp(1.5 * score"));
  EXPECT_THAT(text, HasSubstr("-0.700"));
}

TEST(PolicyTest, JsonHoldsWeightsByNameAndTheProfile) {
  const Policy policy = some_policy();
  const nlohmann::json json = nlohmann::json::parse(policy.to_json());
  EXPECT_EQ(json["kind"], "policy");
  EXPECT_EQ(json["value"]["w"], -2);
  EXPECT_EQ(json["value"]["alpha"]["vary"].get<float>(), policy.value.alpha[kVary]);
  EXPECT_EQ(json["value"]["alpha"]["nb-B-\xC3\x96RT-O"].get<float>(), policy.value.alpha[kScalarFeatures + 2]);
  EXPECT_EQ(json["unary_law"]["scale"], 1.5);
  EXPECT_EQ(json["unary_law"]["bias"]["B-\xC3\x96RT"].get<float>(), -0.7f);
  EXPECT_EQ(json["profile"][1]["threshold"], 1e-3);
}

}  // namespace
}  // namespace fovea::sequence
