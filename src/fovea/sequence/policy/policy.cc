// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/base/container.h"
#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kPolicyVersion = 1;
constexpr const char* kPolicyKind = "policy";

Json to_json(const MethodProfile& p) {
  return {{"method", word_of(p.method)},
          {"start", word_of(p.start)},
          {"answer", word_of(p.answer)},
          {"visit", word_of(p.visit)},
          {"prune", p.prune},
          {"beam_width", p.beam_width},
          {"sweeps", p.sweeps},
          {"threshold", p.threshold},
          {"quality", p.quality},
          {"seconds_per_token", p.seconds_per_token},
          {"visits_per_token", p.visits_per_token}};
}

/// Throws Json::exception for a word that the table of E lacks, as it does for any other damage.
template <Worded E>
E value_from_json(const Json& word) {
  if (const std::optional<E> value = value_of<E>(word.get_ref<const std::string&>())) return *value;
  throw Json::other_error::create(501, "unknown word", &word);
}

MethodProfile profile_from_json(const Json& j) {
  return {.method = value_from_json<DecodeMethod>(j.at("method")),
          .start = value_from_json<DecodeStart>(j.at("start")),
          .answer = value_from_json<DecodeAnswer>(j.at("answer")),
          .visit = value_from_json<VisitKind>(j.at("visit")),
          .prune = j.at("prune"),
          .beam_width = j.at("beam_width"),
          .sweeps = j.at("sweeps"),
          .threshold = j.at("threshold"),
          .quality = j.at("quality"),
          .seconds_per_token = j.at("seconds_per_token"),
          .visits_per_token = j.at("visits_per_token")};
}

/// The switches of the meta-features, by their option names.
Json to_json(const MetaFeatureOptions& options) { return Json::parse(options_json(options)); }

MetaFeatureOptions features_from_json(const Json& j) {
  MetaFeatureOptions options;
  MetaFeatureOptions::describe([&](auto field, const OptionInfo& info) {
    std::string key = info.name;
    std::replace(key.begin(), key.end(), '-', '_');
    options.*field = j.value(key, options.*field);  // files of older versions lack some
  });
  return options;
}

/// A RoundPolicy as one array: doubt, left, right, changed, w, b.
std::vector<float> flatten(const RoundPolicy& rounds) {
  std::vector<float> flat(rounds.doubt.begin(), rounds.doubt.end());
  flat.insert(flat.end(), rounds.left.begin(), rounds.left.end());
  flat.insert(flat.end(), rounds.right.begin(), rounds.right.end());
  flat.insert(flat.end(), {rounds.changed, rounds.w, rounds.b});
  return flat;
}

/// The jump, then scores and gains in turn.
std::vector<float> flatten(const GainCalibration& calibration) {
  std::vector<float> flat = {calibration.jump};
  for (const GainCalibration::Knot& knot : calibration.knots) flat.insert(flat.end(), {knot.score, knot.gain});
  return flat;
}

/// Name of the section that holds the calibration of a RoundPolicy.
std::string gains_section(const std::string& rounds) { return "gains" + rounds.substr(std::string("rounds").size()); }

/// Reads the arrays of a policy file, whose sizes follow from the label count.
class ArrayReader {
 public:
  explicit ArrayReader(const Container& file) : file_(file) {}

  std::vector<float> read(const char* name, std::size_t size) const {
    const std::span<const float> values = file_.array<float>(name);
    if (values.size() != size) file_.refuse(name, fmt::format("it must hold {} numbers, not {}", size, values.size()));
    for (const float x : values)
      if (!std::isfinite(x)) file_.refuse(name, "all weights must be finite numbers");
    return {values.begin(), values.end()};
  }

  /// Reads the scale, followed by a bias for each label or by nothing.
  UnaryLaw read_unary_law(const char* name, std::size_t label_count) const {
    const bool has_bias = file_.array<float>(name).size() != 1;
    const std::vector<float> values = read(name, has_bias ? label_count + 1 : 1);
    if (!(values[0] > 0)) file_.refuse(name, fmt::format("the scale must be positive, not {}", values[0]));
    UnaryLaw law{.scale = values[0]};
    if (has_bias) {
      law.bias.resize(row_stride(label_count));
      std::copy(values.begin() + 1, values.end(), law.bias.begin());
    }
    return law;
  }

  RoundPolicy read_rounds(const char* name, std::size_t label_count) const {
    RoundPolicy rounds(label_count);
    const std::vector<float> flat = read(name, kDoubtBuckets + 2 * rounds.left.size() + 3);
    auto at = flat.begin();
    const auto take = [&](auto& into) {
      std::copy_n(at, into.size(), into.begin());
      at += static_cast<std::ptrdiff_t>(into.size());
    };
    take(rounds.doubt);
    take(rounds.left);
    take(rounds.right);
    rounds.changed = at[0];
    rounds.w = at[1];
    rounds.b = at[2];
    if (const std::string gains = gains_section(name); file_.has(gains)) rounds.calibration = read_calibration(gains);
    return rounds;
  }

  GainCalibration read_calibration(const std::string& name) const {
    const std::vector<float> flat = read(name.c_str(), file_.array<float>(name).size() | 1);
    GainCalibration calibration{.knots = {}, .jump = flat[0]};
    if (!(calibration.jump >= 0)) file_.refuse(name, "the jump must not be negative");
    for (std::size_t i = 1; i < flat.size(); i += 2) {
      const GainCalibration::Knot knot = {flat[i], flat[i + 1]};
      const bool is_first = calibration.knots.empty();
      if (!(knot.gain > 0) ||
          (!is_first && (knot.score < calibration.knots.back().score || knot.gain < calibration.knots.back().gain)))
        file_.refuse(name, "gains must be positive, and neither scores nor gains may fall");
      calibration.knots.push_back(knot);
    }
    return calibration;
  }

 private:
  const Container& file_;
};

/// Labels may hold any bytes except line feeds, so they are kept out of the JSON.
std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Visits the four round policies with the names of their sections. Works on const and mutable policies.
template <class AnyPolicy, class Body>
void for_each_rounds(AnyPolicy& policy, const Body& body) {
  body("rounds.sample.unigram", policy.sample_from_unigram);
  body("rounds.sample.chain", policy.sample_from_chain);
  body("rounds.best.unigram", policy.best_from_unigram);
  body("rounds.best.chain", policy.best_from_chain);
}

/// Feature indices in descending order of their pull for or against a visit.
std::vector<std::size_t> strongest(const ValueFunction& value) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < value.alpha.size(); ++i)
    if (value.alpha[i] != 0) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(value.alpha[a]) > std::abs(value.alpha[b]); });
  return order;
}

}  // namespace

LabelNgrams Policy::pair_chain_start_ngrams() const {
  if (pair_chain_start.empty())
    throw UsageError("the policy has no chain start; make it with `fovea tune` on a model of factor size 2 or more");
  std::vector<LabelNgram> pairs;
  for (int a = 0; a < label_count; ++a)
    for (int b = 0; b < label_count; ++b)
      pairs.push_back({.labels = {static_cast<Value>(a), static_cast<Value>(b)},
                       .size = 2,
                       .score = pair_chain_start[static_cast<std::size_t>(a * label_count + b)]});
  return LabelNgrams(label_count, 2, pairs);
}

void Policy::save(const ContainerTarget& target) const {
  Json facts = {{"label_count", label_count},
                {"factor_size", factor_size},
                {"model_fingerprint", model_fingerprint},
                {"features", sequence::to_json(features)},
                {"value_horizon", value_horizon},
                {"order_gain", order_gain},
                {"order_gain_error", order_gain_error},
                {"has_chain_start", !pair_chain_start.empty()},
                {"quality_measure", quality_measure},
                {"quality_units", quality_units},
                {"profile", Json::array()}};
  for (const MethodProfile& p : profile) facts["profile"].push_back(sequence::to_json(p));
  ContainerWriter writer(kPolicyKind, kPolicyVersion);
  writer.add("facts", facts.dump());
  writer.add("labels", join_lines(label_names));
  writer.add_array("value.alpha", std::span<const float>(value.alpha));
  const std::array<float, 2> outer = {value.w, value.b};
  writer.add_array("value.outer", std::span<const float>(outer));
  std::vector<float> law = {unary_law.scale};
  if (!unary_law.bias.empty()) law.insert(law.end(), unary_law.bias.begin(), unary_law.bias.begin() + label_count);
  writer.add_array("unary_law", std::span<const float>(law));
  if (!pair_chain_start.empty()) writer.add_array("chain_start", std::span<const float>(pair_chain_start));
  for_each_rounds(*this, [&](const char* name, const RoundPolicy& rounds) {
    if (rounds.label_count == 0) return;
    writer.add_array(name, std::span<const float>(flatten(rounds)));
    writer.add_array(gains_section(name), std::span<const float>(flatten(rounds.calibration)));
  });
  writer.write(target);
}

Policy Policy::load(const ContainerSource& source) {
  const Container file = Container::open(source, kPolicyKind, kPolicyVersion);
  Policy policy;
  try {
    const Json facts = Json::parse(file.bytes("facts"));
    policy.label_count = facts.at("label_count");
    policy.factor_size = facts.at("factor_size");
    policy.model_fingerprint = facts.at("model_fingerprint");
    policy.features = features_from_json(facts.at("features"));
    policy.value_horizon = facts.value("value_horizon", 1);
    policy.order_gain = facts.value("order_gain", 0.0);
    policy.order_gain_error = facts.value("order_gain_error", 0.0);
    policy.quality_measure = facts.value("quality_measure", policy.quality_measure);
    policy.quality_units = facts.contains("quality_units") ? facts.at("quality_units") : facts.at("profiled_tokens");
    for (const Json& p : facts.at("profile")) policy.profile.push_back(profile_from_json(p));
  } catch (const Json::exception& e) {
    file.refuse("facts", fmt::format("it must be the JSON object that `fovea tune` writes ({})", e.what()));
  }
  if (policy.label_count < 1) file.refuse("facts", "label_count must be positive");
  const auto labels = static_cast<std::size_t>(policy.label_count);
  const std::string_view names = file.bytes("labels");
  policy.label_names = split_lines(names);
  if (policy.label_names.size() != labels || !names.ends_with('\n'))
    file.refuse("labels", fmt::format("it must hold {} lines, a label each", labels));
  const ArrayReader arrays(file);
  policy.value.alpha = arrays.read("value.alpha", meta_feature_count(labels));
  const std::vector<float> outer = arrays.read("value.outer", 2);
  policy.value.w = outer[0];
  policy.value.b = outer[1];
  policy.unary_law = arrays.read_unary_law("unary_law", labels);
  if (file.has("chain_start")) policy.pair_chain_start = arrays.read("chain_start", labels * labels);
  for_each_rounds(policy, [&](const char* name, RoundPolicy& rounds) {
    if (file.has(name)) rounds = arrays.read_rounds(name, labels);
  });
  return policy;
}

std::string Policy::describe() const {
  std::string text = fmt::format("policy for {} labels, factor size {}\n", label_count, factor_size);
  text += fmt::format("value of sampling a variable: Q = {:.4g} * sigma(alpha . phi) {:+.4g}\n", value.w, value.b);
  if (order_gain_error > 0)  // files of older versions hold no measurement
    text += fmt::format("learned with horizon {}; its order gains {:+.4f} +- {:.4f} nats a token over cyclic order{}\n",
                        value_horizon, order_gain, order_gain_error,
                        order_gain > 0 ? "" : ": no better, so use gibbs or icm");
  const float direction = value.w < 0 ? -1.0f : 1.0f;
  constexpr std::size_t kShown = 20;
  const std::vector<std::size_t> order = strongest(value);
  for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    const float pull = direction * value.alpha[order[i]];
    text += fmt::format("  {:<24} {:+8.3f}  {} a visit\n", meta_feature_name(order[i], label_names), pull,
                        pull > 0 ? "speaks for" : "speaks against");
  }
  if (order.size() > kShown) text += fmt::format("  ... and {} weaker ones\n", order.size() - kShown);
  text +=
      fmt::format("a token by its own scores: p(label) ~ exp({:.3g} * score + bias of the label)\n", unary_law.scale);
  for (std::size_t k = 0; k < std::min(label_names.size(), kShown) && !unary_law.bias.empty(); ++k)
    text += fmt::format("  {:<24} {:+8.3f}\n", label_names[k], unary_law.bias[k]);
  if (best_from_unigram.label_count > 0) {
    text += "expected gain (nats) of setting a site to its best label, by the start's doubt 1 - p_max:\n";
    for (const float doubt : {0.001f, 0.01f, 0.1f, 0.3f, 0.5f})
      text += fmt::format("  doubt {:<6} {:.3f}\n", doubt,
                          best_from_unigram.gain(best_from_unigram.doubt[doubt_bucket(doubt)]));
  }
  return text;
}

std::string Policy::to_json() const {
  Json json = {{"kind", kPolicyKind},
               {"label_count", label_count},
               {"factor_size", factor_size},
               {"value", {{"w", value.w}, {"b", value.b}, {"alpha", Json::object()}}},
               {"value_horizon", value_horizon},
               {"order_gain", {{"nats_per_token", order_gain}, {"error", order_gain_error}}},
               {"unary_law", {{"scale", unary_law.scale}, {"bias", Json::object()}}},
               {"quality_measure", quality_measure},
               {"profile", Json::array()}};
  for (const std::size_t i : strongest(value))
    json["value"]["alpha"][meta_feature_name(i, label_names)] = value.alpha[i];
  for (std::size_t k = 0; k < label_names.size() && !unary_law.bias.empty(); ++k)
    json["unary_law"]["bias"][label_names[k]] = unary_law.bias[k];
  for (const MethodProfile& p : profile) json["profile"].push_back(sequence::to_json(p));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fovea::sequence
