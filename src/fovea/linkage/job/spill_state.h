// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/linkage/stages/bucket_links.h"

namespace fovea::linkage {

/// Findings of the whole stages of dedupe_by_parts(), kept in a file so that a job that was cut off goes on from there.
struct SpillState {
  std::uint32_t rows = 0;
  std::string contexts = "";                   ///< counted, as bytes of MatchStatistics; empty if the model has none
  std::vector<std::uint32_t> components = {};  ///< [record] as RecordForest has them; empty before they are found
  std::vector<BlockSize> left_out = {};        ///< blocks with too many records to be compared
  std::vector<std::uint32_t> clusters = {};    ///< [record] the first record of its cluster; empty before that
  std::vector<double> confidence = {};         ///< [record]; empty without samples

  /// Throws InputError if the file cannot be written.
  void save(const std::string& path, std::uint64_t fingerprint) const;
  /// The state in a file, if it is there, and was saved with this fingerprint. Throws InputError if it is damaged.
  static std::optional<SpillState> load(const std::string& path, std::uint64_t fingerprint);
};

}  // namespace fovea::linkage
