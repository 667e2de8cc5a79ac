// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/foreign_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fovea/io/stream.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {
namespace {

constexpr std::string_view kCrfsuiteMagic = "lCRF";
constexpr std::string_view kCrfppMagic = "version: ";
/// CRFsuite's offsets have 32 bits.
constexpr std::size_t kMaxForeignBytes = std::size_t{1} << 32;

std::string first_bytes_of(const ContainerSource& source) {
  if (source.is_memory()) return std::string(source.bytes().substr(0, kCrfppMagic.size()));
  std::ifstream file(source.name(), std::ios::binary);
  std::array<char, kCrfppMagic.size()> first = {};
  file.read(first.data(), first.size());
  return {first.data(), static_cast<std::size_t>(file.gcount())};
}

}  // namespace

bool is_foreign_model(const ContainerSource& source) {
  const std::string first = first_bytes_of(source);
  return first.starts_with(kCrfsuiteMagic) || first == kCrfppMagic;
}

TaggerModel load_foreign_model(const ContainerSource& source) {
  std::string content;
  std::string_view bytes = source.bytes();
  if (!source.is_memory())
    bytes = content = io::read_text(io::ByteSource(source.name()), kMaxForeignBytes, "a model of another program");
  return bytes.starts_with(kCrfsuiteMagic) ? read_crfsuite_model(bytes, source.name())
                                           : read_crfpp_model(bytes, source.name());
}

namespace internal {

ForeignModelBuilder::ForeignModelBuilder(std::string_view program) : attributes_(std::make_shared<Dictionary>()) {
  model_.training = nlohmann::json{{"program", program}}.dump();
}

std::string ForeignModelBuilder::add_label(std::string_view label) {
  if (label.empty()) return "an empty label";
  if (label.find('\n') != label.npos) return "a label that holds a line feed";
  if (std::find(model_.labels.begin(), model_.labels.end(), label) != model_.labels.end())
    return fmt::format("the label '{}' twice", label);
  if (model_.labels.size() == TaggingDataReader::kMaxLabels)
    return fmt::format("more than {} labels", TaggingDataReader::kMaxLabels);
  model_.labels.emplace_back(label);
  return "";
}

std::string ForeignModelBuilder::add_attribute(std::string_view attribute) {
  const std::size_t before = attributes_->size();
  attributes_->add(attribute);
  return attributes_->size() == before ? fmt::format("the attribute '{}' twice", attribute) : "";
}

void ForeignModelBuilder::add_attribute_weight(std::uint32_t attribute, Value label, double weight) {
  if (weight != 0) weights_.push_back({attribute, label, weight});
}

void ForeignModelBuilder::add_pair_weight(Value label, Value next, double weight) {
  if (weight != 0) pairs_[{label, next}] += weight;
}

TaggerModel ForeignModelBuilder::finish() {
  sequence::CrfFeatures features;
  features.label_count = model_.label_count();
  features.factor_size = pairs_.empty() ? 1 : 2;
  std::vector<float> x;
  std::stable_sort(weights_.begin(), weights_.end(), [](const Weight& a, const Weight& b) {
    return std::pair(a.attribute, a.label) < std::pair(b.attribute, b.label);
  });
  features.offsets.clear();
  std::size_t next = 0;
  for (std::uint32_t a = 0; a < attributes_->size(); ++a) {
    features.offsets.push_back(static_cast<std::uint32_t>(x.size()));
    while (next < weights_.size() && weights_[next].attribute == a) {
      const Value label = weights_[next].label;
      double sum = 0;
      for (; next < weights_.size() && weights_[next].attribute == a && weights_[next].label == label; ++next)
        sum += weights_[next].weight;
      features.labels.push_back(label);
      x.push_back(static_cast<float>(sum));
    }
  }
  features.offsets.push_back(static_cast<std::uint32_t>(x.size()));
  for (const auto& [labels, weight] : pairs_) {
    features.ngrams.push_back({.labels = {labels.first, labels.second}, .size = 2});
    x.push_back(static_cast<float>(weight));
  }
  model_.weights = sequence::CrfWeights(features, x);
  model_.attributes = attributes_->freeze();
  model_.storage = attributes_;
  model_.fingerprint = tagger_fingerprint(model_);
  return std::move(model_);
}

}  // namespace internal
}  // namespace fovea::tagging
