// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/ep/recall/just_in_time.h"

namespace fovea::ep {

/// Of the files that are written, and the newest that are read.
constexpr std::uint32_t kOperatorVersion = 2;

/// What a just-in-time source learned, as it is kept in files: what the oracle said, from which a regressor of any kind
/// learns again, and how well that was predicted.
struct LearnedOperator {
  struct Part {
    MessageKind kind = {};
    std::vector<regress::RegressionExample> examples = {};
    std::vector<UncertaintyLimit::HeldOutMessage> cases = {};  ///< the last ones, each predicted before it was learned
    std::uint64_t seen = 0;                                    ///< examples in all; at least those that are kept
  };
  std::string factor = "";
  std::size_t slot_count = 0;
  JustInTimeOptions options = {};
  std::vector<Part> parts = {};
};

LearnedOperator learned_operator(const JustInTime& source);

/// Teaches `source` all of it, as if its oracle had said so. Throws InputError (naming `path`) if it is of another
/// factor, by name or number of variables, or of messages where `source` learns marginals.
void teach(JustInTime& source, const LearnedOperator& learned, const std::string& path);

/// One operator that knows what all of them know, examples taken in turns. Throws InputError (naming the path) if one
/// is of another factor than the first, or learned messages where the first learned marginals. Not empty.
LearnedOperator merged(std::span<const LearnedOperator> operators, std::span<const std::string> paths);

/// Atomic. Throws InputError if it cannot be written.
void write_operator(const LearnedOperator& learned, const std::string& path);

/// Throws InputError if it is no operator of this version, or does not hold together.
LearnedOperator read_operator(const std::string& path);

}  // namespace fovea::ep
