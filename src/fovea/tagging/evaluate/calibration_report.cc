// SPDX-License-Identifier: Apache-2.0
// The reports of Calibration and DomainComparison: text for people, JSON for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/tagging/metrics/calibration.h"

namespace fovea::tagging {
namespace {

using CalibrationJson = nlohmann::ordered_json;
using DomainSide = DomainComparison::Side;

CalibrationJson json_or_null(std::optional<double> value) {
  return value ? CalibrationJson(*value) : CalibrationJson(nullptr);
}

std::string known_or(std::optional<double> value, std::string_view otherwise) {
  return value ? fmt::format("{:.4f}", *value) : std::string(otherwise);
}

std::string fact_line(std::string_view name, std::string_view value) {
  return fmt::format("{:<36} {:>9}\n", name, value);
}

std::string in_points(double share) { return fmt::format("{:.2f}", 100 * share); }

std::string risk_table(const Calibration& calibration) {
  const RiskCurve curve = calibration.risk_curve();
  std::string text = fmt::format("\n{:<10} {:>9} {:>9}\n", "surest", "items", "error");
  for (const int percent : Calibration::kCoverages) {
    const std::size_t count = calibration.covered(percent);
    text += fmt::format("{:>4} %     {:>9} {:>9}\n", percent, count, in_points(curve.risk(count)));
  }
  return text;
}

/// Bins without items are left out.
std::string bin_table(const Calibration& calibration, int bins) {
  std::string text = fmt::format("\n{:<16} {:>9} {:>15} {:>9}\n", "confidence", "items", "mean confidence", "accuracy");
  double from = 0;
  int index = 0;
  for (const Calibration::Bin& bin : calibration.bins(bins)) {
    const double to = static_cast<double>(++index) / bins;
    if (bin.items > 0)
      text += fmt::format("{:>6} to {:<6} {:>9} {:>15} {:>9}\n", in_points(from), in_points(to), bin.items,
                          in_points(bin.mean_confidence), in_points(bin.accuracy));
    from = to;
  }
  return text;
}

CalibrationJson bins_json(const Calibration& calibration, int bins) {
  CalibrationJson json = CalibrationJson::array();
  double from = 0;
  for (const Calibration::Bin& bin : calibration.bins(bins)) {
    const double to = static_cast<double>(json.size() + 1) / bins;
    const auto average = [&](double value) {
      return json_or_null(bin.items > 0 ? std::optional(value) : std::nullopt);
    };
    json.push_back({{"from", from},
                    {"to", to},
                    {"items", bin.items},
                    {"mean_confidence", average(bin.mean_confidence)},
                    {"accuracy", average(bin.accuracy)}});
    from = to;
  }
  return json;
}

CalibrationJson risks_json(const Calibration& calibration, const RiskCurve& curve) {
  CalibrationJson json = CalibrationJson::array();
  for (const int percent : Calibration::kCoverages) {
    const std::size_t count = calibration.covered(percent);
    json.push_back({{"coverage", percent / 100.0}, {"items", count}, {"error", curve.risk(count)}});
  }
  return json;
}

CalibrationJson side_json(const DomainSide& side) {
  return {{"items", side.items},
          {"mean_confidence", side.mean_confidence},
          {"mean_entropy", json_or_null(side.mean_entropy)}};
}

}  // namespace

std::string Calibration::brief(int bins) const {
  const auto nll = negative_log_likelihood();
  return fmt::format("; calibration error {}{}, error {} of the surest 80 %",
                     in_points(expected_calibration_error(bins)),
                     nll ? fmt::format(", negative log likelihood {:.4f}", *nll) : std::string(),
                     in_points(risk_curve().risk(covered(80))));
}

std::string Calibration::full(int bins) const {
  constexpr const char* kNeedsAll = "not known: needs the marginals of all labels";
  std::string text = "\nprobabilities of each item's likeliest label\n";
  text += fact_line("mean confidence", in_points(mean_confidence()));
  text += fact_line("accuracy", in_points(accuracy()));
  text +=
      fact_line(fmt::format("expected calibration error, {} bins", bins), in_points(expected_calibration_error(bins)));
  text += fact_line("negative log likelihood, nats", known_or(negative_log_likelihood(), kNeedsAll));
  text += fact_line("Brier score", known_or(brier_score(), kNeedsAll));
  text += fact_line("mean entropy, nats", known_or(mean_entropy(), kNeedsAll));
  text += fact_line("area under the risk-coverage curve", in_points(risk_curve().area()));
  if (other_answers_ > 0)
    text +=
        fmt::format("{} of {} items are predicted a label that is not their likeliest one\n", other_answers_, items());
  if (negative_log_likelihood() && improbable_gold_ > 0)
    text += fmt::format("{} gold labels of probability 0 count as {:g}\n", improbable_gold_, kLeastProbability);
  return text + risk_table(*this) + bin_table(*this, bins);
}

std::string Calibration::json(int bins) const {
  const RiskCurve curve = risk_curve();
  const bool has_likelihood = negative_log_likelihood().has_value();
  const CalibrationJson json = {
      {"items", items()},
      {"accuracy", accuracy()},
      {"mean_confidence", mean_confidence()},
      {"other_answers", other_answers_},
      {"expected_calibration_error", expected_calibration_error(bins)},
      {"negative_log_likelihood", json_or_null(negative_log_likelihood())},
      {"improbable_gold", has_likelihood ? CalibrationJson(improbable_gold_) : CalibrationJson(nullptr)},
      {"brier_score", json_or_null(brier_score())},
      {"mean_entropy", json_or_null(mean_entropy())},
      {"area_under_risk_coverage", curve.area()},
      {"risk_at_coverage", risks_json(*this, curve)},
      {"bins", bins_json(*this, bins)}};
  return json.dump();
}

std::string DomainComparison::brief() const {
  return fmt::format("; area under the ROC curve {} by {}", in_points(area_under_roc),
                     by_entropy ? "entropy" : "1 - confidence");
}

std::string DomainComparison::full() const {
  const auto row = [](std::string_view name, std::string_view in, std::string_view out) {
    return fmt::format("{:<16} {:>13} {:>13}\n", name, in, out);
  };
  const auto entropy = [](const DomainSide& side) { return known_or(side.mean_entropy, "not known"); };
  std::string text = "\n";
  text += row("", "in domain", "out of domain");
  text += row("items", fmt::to_string(in_domain.items), fmt::to_string(out_of_domain.items));
  text += row("mean confidence", in_points(in_domain.mean_confidence), in_points(out_of_domain.mean_confidence));
  text += row("mean entropy", entropy(in_domain), entropy(out_of_domain));
  return text + fmt::format("{} tells them apart with an area under the ROC curve of {} (50 is chance)\n",
                            by_entropy ? "entropy" : "1 - confidence", in_points(area_under_roc));
}

std::string DomainComparison::json() const {
  const CalibrationJson json = {{"in_domain", side_json(in_domain)},
                                {"out_of_domain", side_json(out_of_domain)},
                                {"by", by_entropy ? "entropy" : "1 - confidence"},
                                {"area_under_roc", area_under_roc}};
  return json.dump();
}

}  // namespace fovea::tagging
