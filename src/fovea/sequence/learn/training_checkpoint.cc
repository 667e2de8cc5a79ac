// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/training_checkpoint.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/container.h"
#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

constexpr std::uint32_t kVersion = 2;
constexpr std::string_view kKind = "crf-training";

std::vector<float> load_floats(const Container& container, const std::string& name, std::size_t size,
                               bool may_be_empty) {
  const std::span<const float> values = container.array<float>(name);
  if (values.size() != size && !(may_be_empty && values.empty()))
    container.refuse(name, "it must hold as many values as the training data gives parameters");
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
    container.refuse(name, "all values must be finite numbers");
  return {values.begin(), values.end()};
}

}  // namespace

void TrainingCheckpoint::save(const std::string& path) const {
  ContainerWriter writer(kKind, kVersion);
  const std::int32_t counts[] = {passes, static_cast<std::int32_t>(lbfgs.memory.size())};
  writer.add("options", options);
  writer.add("gradient", used_gradient);
  writer.add_array("counts", std::span<const std::int32_t>(counts));
  writer.add_array("restart rate", std::span<const double>(&restart_rate, 1));
  writer.add_array("x", std::span<const float>(x));
  writer.add_array("scale", std::span<const float>(scale));
  writer.add_array("squares", std::span<const float>(squares));
  writer.add_array("objectives", std::span<const double>(lbfgs.objectives));
  for (std::size_t i = 0; i < lbfgs.memory.size(); ++i) {
    writer.add_array("step" + std::to_string(i), lbfgs.memory.step(i));
    writer.add_array("change" + std::to_string(i), lbfgs.memory.change(i));
  }
  writer.write(path);
}

TrainingCheckpoint TrainingCheckpoint::load(const std::string& path, std::string_view options, std::size_t dimension) {
  const Container container = Container::open(path, kKind, kVersion);
  TrainingCheckpoint result;
  result.options = container.bytes("options");
  if (result.options != options)
    throw InputError({.file = path}, "the checkpoint was made with other options: " + result.options,
                     "Resume with the options that it was started with");
  result.used_gradient = container.bytes("gradient");
  const auto counts = container.array<std::int32_t>("counts");
  if (counts.size() != 2 || counts[0] < 0 || counts[1] < 0 || counts[1] > 1000)
    container.refuse("counts", "it must hold two counts, the second at most 1000");
  result.passes = counts[0];
  const auto rate = container.array<double>("restart rate");
  if (rate.size() != 1 || !(rate[0] >= 0 && rate[0] <= 1))
    container.refuse("restart rate", "it must hold one number in [0, 1]");
  result.restart_rate = rate[0];
  result.x = load_floats(container, "x", dimension, false);
  result.scale = load_floats(container, "scale", dimension, true);
  result.squares = load_floats(container, "squares", dimension, true);
  const auto objectives = container.array<double>("objectives");
  result.lbfgs.objectives.assign(objectives.begin(), objectives.end());
  const optimize::internal::VectorOps ops(1);
  for (int i = 0; i < counts[1]; ++i)
    result.lbfgs.memory.add(load_floats(container, "step" + std::to_string(i), dimension, false),
                            load_floats(container, "change" + std::to_string(i), dimension, false), ops);
  return result;
}

}  // namespace fovea::sequence
