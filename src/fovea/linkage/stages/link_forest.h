// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/disjoint_sets.h"
#include "fovea/base/error.h"

namespace fovea::linkage {

/// The links that are needed to connect what all links of a part connect, at most one less than the part has records.
class LinkForest {
 public:
  /// True if the link connects two records that no link before it has connected.
  bool add(std::uint32_t first, std::uint32_t second);

 private:
  std::uint32_t find(std::uint32_t record);

  tsl::robin_map<std::uint32_t, std::uint32_t> parents_;
};

/// The components that the forests of all parts connect, at four bytes a record.
class RecordForest {
 public:
  explicit RecordForest(std::uint32_t records) : sets_(records), records_(records) {}

  /// Throws InputError for a record that there is not.
  void add(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second);
  /// [record] the first record of its component; kNoId for a record that is alone. Ends the object.
  std::vector<std::uint32_t> components();

 private:
  DisjointSets sets_;
  std::uint32_t records_;
};

}  // namespace fovea::linkage
