// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/tagger_model.h"

#include <fmt/format.h>

#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "fovea/sequence/model/least_restart_rate.h"
#include "fovea/tagging/model/foreign_model.h"

namespace fovea::tagging {
namespace {

constexpr const char* kWeights = "weights.";
constexpr const char* kRestartRate = "restart rate";

void read_restart_rate(const Container& container, TaggerModel& model) {
  if (!container.has(kRestartRate)) return;
  const auto rate = container.array<double>(kRestartRate);
  if (rate.size() != 1 || !(rate[0] >= sequence::kLeastRestartRate && rate[0] <= 1))
    container.refuse(kRestartRate, fmt::format("one number in [{}, 1]", sequence::kLeastRestartRate));
  model.restart_rate = rate[0];
}

void check(const Container& container, const TaggerModel& model) {
  if (model.weights.label_count() != model.label_count())
    container.refuse("weights.shape", fmt::format("as many labels as are named, {}", model.label_count()));
  if (model.weights.attribute_count() != model.attributes.size())
    container.refuse("weights.offsets", fmt::format("as many attributes as are named, {}", model.attributes.size()));
}

template <class T>
std::uint64_t hash_array(std::span<const T> values, std::uint64_t seed) {
  return hash_text({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, seed);
}

}  // namespace

std::uint64_t tagger_fingerprint(const TaggerModel& model) {
  std::uint64_t hash = hash_text(join_labels(model.labels));
  if (model.feature_template) hash = hash_text(model.feature_template->text(), hash);
  hash = hash_array(model.weights.offsets(), hash);
  hash = hash_array(model.weights.labels(), hash);
  hash = hash_array(model.weights.weights(), hash);
  for (const sequence::LabelNgram& ngram : model.weights.ngrams()) {
    hash = hash_array(std::span<const Value>(ngram.labels), hash ^ ngram.size);
    hash = hash_array(std::span<const float>(&ngram.score, 1), hash);
  }
  return hash;
}

void TaggerModel::save(const ContainerTarget& target, const Dictionary& dictionary) const {
  ContainerWriter writer(kKind, kVersion);
  save_vocabulary(writer, dictionary);
  if (restart_rate > 0) writer.add_array(kRestartRate, std::span<const double>(&restart_rate, 1));
  writer.add_array("fingerprint", std::span<const std::uint64_t>(&fingerprint, 1));
  weights.save(writer, kWeights);
  writer.write(target);
}

TaggerModel TaggerModel::load(const ContainerSource& source) {
  if (is_foreign_model(source)) return load_foreign_model(source);
  const auto container = std::make_shared<const Container>(Container::open(source, kKind, kVersion));
  TaggerModel model;
  model.load_vocabulary(container);
  read_restart_rate(*container, model);
  const auto fingerprint = container->array<std::uint64_t>("fingerprint");
  if (fingerprint.size() != 1) container->refuse("fingerprint", "one number");
  model.fingerprint = fingerprint[0];
  model.weights = sequence::CrfWeights::load(*container, kWeights);
  check(*container, model);
  return model;
}

void bind_policy(const TaggerModel& model, sequence::Policy& policy) {
  policy.label_names = model.labels;
  policy.model_fingerprint = model.fingerprint;
}

sequence::Policy load_policy(const ContainerSource& source, const TaggerModel& model) {
  constexpr const char* kRemedy = "Run 'fovea tune' on this model";
  sequence::Policy policy = sequence::Policy::load(source);
  if (policy.label_names != model.labels)
    throw InputError({.file = source.name()}, "the policy is for other labels than the model's", kRemedy);
  if (policy.factor_size != model.weights.factor_size())
    throw InputError({.file = source.name()},
                     fmt::format("the policy is for factor size {}, the model has {}", policy.factor_size,
                                 model.weights.factor_size()),
                     kRemedy);
  if (policy.model_fingerprint != 0 && policy.model_fingerprint != model.fingerprint)
    throw InputError({.file = source.name()}, "the policy was tuned for another model", kRemedy);
  return policy;
}

}  // namespace fovea::tagging
