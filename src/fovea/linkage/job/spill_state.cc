// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/spill_state.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fovea/base/container.h"

namespace fovea::linkage {
namespace {

constexpr const char* kSpillKind = "spilled job";
constexpr std::uint32_t kSpillVersion = 1;

template <class T>
std::vector<T> numbers_in(const Container& container, const char* section, std::uint32_t rows) {
  const std::span<const T> values = container.array<T>(section);
  if (!values.empty() && values.size() != rows) container.refuse(section, "a number for each record");
  return {values.begin(), values.end()};
}

std::vector<BlockSize> blocks_in(const Container& container) {
  const auto packed = container.array<std::uint8_t>("left_out");
  std::vector<BlockSize> blocks;
  try {
    for (const auto& block : nlohmann::json::from_cbor(packed.begin(), packed.end())) {
      const auto& key = block.at(1).get_binary();
      blocks.push_back({block.at(0), std::string(key.begin(), key.end()), block.at(2)});
    }
  } catch (const nlohmann::json::exception&) {
    container.refuse("left_out", "a list of blocks");
  }
  return blocks;
}

}  // namespace

void SpillState::save(const std::string& path, std::uint64_t fingerprint) const {
  ContainerWriter writer(kSpillKind, kSpillVersion);
  const std::array<std::uint64_t, 2> numbers = {fingerprint, rows};
  nlohmann::json blocks = nlohmann::json::array();
  for (const BlockSize& block : left_out)
    blocks.push_back({block.rule, nlohmann::json::binary({block.key.begin(), block.key.end()}), block.records});
  const std::vector<std::uint8_t> packed = nlohmann::json::to_cbor(blocks);
  writer.add_array<std::uint64_t>("numbers", numbers);
  writer.add("contexts", contexts);
  writer.add_array<std::uint32_t>("components", components);
  writer.add_array<std::uint8_t>("left_out", packed);
  writer.add_array<std::uint32_t>("clusters", clusters);
  writer.add_array<double>("confidence", confidence);
  writer.write(path);
}

std::optional<SpillState> SpillState::load(const std::string& path, std::uint64_t fingerprint) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Container container = Container::open(path, kSpillKind, kSpillVersion);
  const auto numbers = container.array<std::uint64_t>("numbers");
  if (numbers.size() != 2) container.refuse("numbers", "two numbers");
  if (numbers[0] != fingerprint) return std::nullopt;
  SpillState state{.rows = static_cast<std::uint32_t>(numbers[1])};
  const auto contexts = container.array<char>("contexts");
  state.contexts.assign(contexts.begin(), contexts.end());
  state.components = numbers_in<std::uint32_t>(container, "components", state.rows);
  state.clusters = numbers_in<std::uint32_t>(container, "clusters", state.rows);
  state.confidence = numbers_in<double>(container, "confidence", state.rows);
  if (std::ranges::any_of(state.clusters, [&](std::uint32_t first) { return first >= state.rows; }))
    container.refuse("clusters", "numbers of records");
  state.left_out = blocks_in(container);
  return state;
}

}  // namespace fovea::linkage
