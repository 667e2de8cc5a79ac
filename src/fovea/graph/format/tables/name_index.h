// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fovea::graph {

/// Distinct names, numbered 0, 1, ... in the order in which they were added.
class NameIndex {
 public:
  NameIndex() = default;
  /// Numbers names by their position in the list; the first of equal names counts.
  explicit NameIndex(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) numbers_.emplace(names[i], static_cast<std::uint32_t>(i));
  }

  /// False if the name was there before.
  bool add(std::string_view name) {
    return numbers_.emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size())).second;
  }
  std::optional<std::uint32_t> find(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

}  // namespace fovea::graph
