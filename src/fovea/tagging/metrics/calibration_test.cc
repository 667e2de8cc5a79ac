// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::tagging {
namespace {

Calibration calibration_of(const std::vector<std::pair<double, bool>>& items) {
  Calibration calibration;
  for (const auto& [confidence, right] : items) calibration.add({.confidence = confidence, .right = right});
  return calibration;
}

/// `per_level` items of each confidence, of which the share `accuracy(confidence)` is right.
template <class Accuracy>
Calibration levels(int per_level, const Accuracy& accuracy) {
  Calibration calibration;
  for (const double confidence : {0.25, 0.5, 0.75, 1.0})
    for (int i = 0; i < per_level; ++i)
      calibration.add({.confidence = confidence, .right = i < std::lround(per_level * accuracy(confidence))});
  return calibration;
}

TEST(CalibrationTest, ErrorAndRisksOfFourItems) {
  const Calibration calibration = calibration_of({{.6, true}, {.9, true}, {.3, false}, {.9, false}});
  EXPECT_DOUBLE_EQ(calibration.accuracy(), 0.5);
  EXPECT_DOUBLE_EQ(calibration.mean_confidence(), 2.7 / 4);
  EXPECT_NEAR(calibration.expected_calibration_error(5), (2 * .4 + .4 + .3) / 4, 1e-7);
  EXPECT_NEAR(calibration.expected_calibration_error(1), 2.7 / 4 - .5, 1e-7) << "one bin sees the averages only";
  const RiskCurve curve = calibration.risk_curve();
  EXPECT_DOUBLE_EQ(curve.risk(1), 1. / 2) << "either of the two surest";
  EXPECT_DOUBLE_EQ(curve.risk(2), 1. / 2);
  EXPECT_DOUBLE_EQ(curve.risk(3), 1. / 3);
  EXPECT_DOUBLE_EQ(curve.risk(4), 2. / 4);
  EXPECT_DOUBLE_EQ(curve.area(), (1. / 2 + 1. / 2 + 1. / 3 + 2. / 4) / 4);
}

TEST(CalibrationTest, BinsAreRightClosedWhateverTheRoundingOfFloats) {
  for (int bins = 1; bins <= 100; ++bins)
    for (int b = 1; b <= bins; ++b) {
      if (1000000 * b % bins != 0) continue;
      const auto found = calibration_of({{static_cast<double>(b) / bins, true}}).bins(bins);
      EXPECT_EQ(found[b - 1].items, 1u) << b << " of " << bins;
    }
  EXPECT_EQ(calibration_of({{0, false}}).bins(15)[0].items, 1u);
  EXPECT_EQ(calibration_of({{0.200001, false}}).bins(15)[3].items, 1u);
  EXPECT_EQ(calibration_of({{0.2, false}}).bins(15)[2].items, 1u);
}

TEST(CalibrationTest, TellsCalibratedFromOverconfident) {
  EXPECT_NEAR(levels(1000, [](double p) { return p; }).expected_calibration_error(15), 0, 1e-12);
  EXPECT_NEAR(levels(1000, [](double p) { return p - .2; }).expected_calibration_error(15), .2, 1e-12);
  EXPECT_NEAR(levels(1000, [](double p) { return 1 - p; }).expected_calibration_error(15), .5, 1e-12)
      << "averages agree: bins are needed to see it";
}

TEST(CalibrationTest, RisksDoNotDependOnTheOrderOfItems) {
  std::vector<std::pair<double, bool>> items;
  Random random(7);
  for (int i = 0; i < 200; ++i) items.emplace_back(random.uniform_index(5) / 4., random.bernoulli(.5));
  const RiskCurve first = calibration_of(items).risk_curve();
  std::reverse(items.begin(), items.end());
  const RiskCurve second = calibration_of(items).risk_curve();
  for (std::size_t count = 1; count <= items.size(); ++count) EXPECT_EQ(first.risk(count), second.risk(count));
  EXPECT_THROW(first.risk(0), InternalError);
  EXPECT_THROW(first.risk(201), InternalError);
}

TEST(CalibrationTest, SureMistakesAreWorseThanUnsureOnes) {
  std::vector<std::pair<double, bool>> items;
  for (int i = 0; i < 10; ++i) items.emplace_back(.5 + .05 * i, i > 1);
  EXPECT_DOUBLE_EQ(calibration_of(items).risk_curve().risk(8), 0);
  EXPECT_DOUBLE_EQ(calibration_of(items).risk_curve().area(), (1. / 9 + 2. / 10) / 10);
  for (auto& [confidence, right] : items) confidence = 1.5 - confidence;
  EXPECT_DOUBLE_EQ(calibration_of(items).risk_curve().risk(2), 1);
}

TEST(CalibrationTest, CoverageIsRoundedUpToItems) {
  std::vector<std::pair<double, bool>> items(20, {.5, true});
  EXPECT_EQ(calibration_of(items).covered(95), 19u);
  items.emplace_back(.5, true);
  EXPECT_EQ(calibration_of(items).covered(95), 20u);
  EXPECT_EQ(calibration_of(items).covered(100), 21u);
}

TEST(CalibrationTest, ScoresOfAllProbabilities) {
  Calibration calibration;
  calibration.add({.confidence = .5, .entropy = .5, .gold_probability = .5, .squared_error = .5});
  calibration.add({.confidence = .75, .entropy = .25, .gold_probability = .25, .squared_error = 1.125});
  EXPECT_DOUBLE_EQ(*calibration.negative_log_likelihood(), (std::log(2) + std::log(4)) / 2);
  EXPECT_DOUBLE_EQ(*calibration.brier_score(), 1.625 / 2);
  EXPECT_DOUBLE_EQ(*calibration.mean_entropy(), .375);
  EXPECT_EQ(calibration.improbable_gold(), 0u);
  calibration.add({.confidence = 1, .entropy = 0, .gold_probability = 0, .squared_error = 2});
  EXPECT_DOUBLE_EQ(*calibration.negative_log_likelihood(), (std::log(2) + std::log(4) + std::log(2e6)) / 3);
  EXPECT_EQ(calibration.improbable_gold(), 1u);
}

TEST(CalibrationTest, WhatOneItemLeavesOutIsNotKnown) {
  Calibration calibration;
  calibration.add({.confidence = .5, .entropy = .5, .gold_probability = .5, .squared_error = .5});
  calibration.add({.confidence = .5});
  calibration.add({.confidence = .5, .entropy = .5, .gold_probability = .5, .squared_error = .5});
  EXPECT_FALSE(calibration.negative_log_likelihood());
  EXPECT_FALSE(calibration.brier_score());
  EXPECT_FALSE(calibration.mean_entropy());
  EXPECT_TRUE(calibration.entropies().empty());
  EXPECT_FALSE(Calibration().mean_entropy());
  const auto json = nlohmann::json::parse(calibration.json());
  for (const char* name : {"negative_log_likelihood", "brier_score", "mean_entropy", "improbable_gold"})
    EXPECT_TRUE(json[name].is_null()) << name;
  EXPECT_NE(calibration.full().find("not known"), std::string::npos);
}

TEST(CalibrationTest, Reports) {
  Calibration calibration = calibration_of({{.6, true}, {.9, true}, {.3, false}, {.9, false}});
  calibration.add({.confidence = 1, .right = true, .is_answer = false});
  EXPECT_EQ(calibration.brief(5), "; calibration error 30.00, error 25.00 of the surest 80 %");
  const std::string full = calibration.full(5);
  EXPECT_NE(full.find("1 of 5 items are predicted a label that is not their likeliest one"), std::string::npos);
  EXPECT_NE(full.find("\n  80 %             4     25.00\n"), std::string::npos) << full;
  EXPECT_NE(full.find("\n 80.00 to 100.00         3           93.33     66.67\n"), std::string::npos) << full;
  const auto json = nlohmann::json::parse(calibration.json(5));
  EXPECT_EQ(json["bins"].size(), 5u);
  EXPECT_EQ(json["bins"][1]["items"], 1);
  EXPECT_TRUE(json["bins"][0]["accuracy"].is_null());
  EXPECT_EQ(json["risk_at_coverage"][1]["coverage"], 0.8);
  EXPECT_DOUBLE_EQ(json["risk_at_coverage"][1]["error"], 0.25);
  EXPECT_EQ(json["other_answers"], 1);
}

TEST(CalibrationTest, AreaUnderRocIsTheShareOfPairsInOrder) {
  EXPECT_DOUBLE_EQ(area_under_roc({.1f, .2f, .2f}, {.2f, .3f}), 5. / 6);
  EXPECT_DOUBLE_EQ(area_under_roc({1, 2}, {3, 4}), 1);
  EXPECT_DOUBLE_EQ(area_under_roc({3, 4}, {1, 2}), 0);
  EXPECT_DOUBLE_EQ(area_under_roc({1, 1}, {1}), .5);
  EXPECT_DOUBLE_EQ(area_under_roc({}, {1}), .5);
}

TEST(CalibrationTest, DomainsAreToldApartByEntropyWhereItIsKnown) {
  Calibration in, out;
  in.add({.confidence = .9, .entropy = .1});
  in.add({.confidence = .7, .entropy = .2});
  out.add({.confidence = .8, .entropy = .3});
  EXPECT_DOUBLE_EQ(compare_domains(in, out).area_under_roc, 1);
  EXPECT_TRUE(compare_domains(in, out).by_entropy);
  out.add({.confidence = .6});
  const DomainComparison by_doubt = compare_domains(in, out);
  EXPECT_FALSE(by_doubt.by_entropy);
  EXPECT_DOUBLE_EQ(by_doubt.area_under_roc, 3. / 4);
  EXPECT_DOUBLE_EQ(by_doubt.out_of_domain.mean_confidence, .7);
  const auto json = nlohmann::json::parse(by_doubt.json());
  EXPECT_EQ(json["by"], "1 - confidence");
  EXPECT_DOUBLE_EQ(json["in_domain"]["mean_entropy"], 0.15);
  EXPECT_TRUE(json["out_of_domain"]["mean_entropy"].is_null());
  EXPECT_NE(by_doubt.full().find("area under the ROC curve of 75.00"), std::string::npos) << by_doubt.full();
}

}  // namespace
}  // namespace fovea::tagging
