// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/ep/recall/just_in_time.h"

namespace fovea::ep {

/// Version of the files that are written, and the newest that is read.
constexpr std::uint32_t kOperatorVersion = 2;

/// Knowledge of a just-in-time source, as kept in files: the oracle's answers, from which a regressor of any kind can
/// learn again, and how well they were predicted.
struct LearnedOperator {
  struct Part {
    MessageKind kind = {};
    std::vector<regress::RegressionExample> examples = {};
    std::vector<UncertaintyLimit::HeldOutMessage> cases = {};  ///< the last ones, each predicted before it was learned
    std::uint64_t seen = 0;                                    ///< total number of examples, kept or not
  };
  std::string factor = "";
  std::size_t slot_count = 0;
  JustInTimeOptions options = {};
  std::vector<Part> parts = {};
};

LearnedOperator learned_operator(const JustInTime& source);

/// Teaches `source` all of it, as if its own oracle had answered. Throws InputError (naming `path`) if it is about
/// another factor, by name or number of variables, or about messages while `source` learns marginals.
void teach(JustInTime& source, const LearnedOperator& learned, const std::string& path);

/// One operator with the knowledge of all, examples taken in turns. Throws InputError (naming the path) if one is about
/// another factor than the first, or learned messages while the first learned marginals. `operators` must not be empty.
LearnedOperator merged(std::span<const LearnedOperator> operators, std::span<const std::string> paths);

/// Atomic. Throws InputError if it cannot be written.
void write_operator(const LearnedOperator& learned, const ContainerTarget& target);

/// Throws InputError if the file is not an operator of this version or is inconsistent.
LearnedOperator read_operator(const ContainerSource& source);

}  // namespace fovea::ep
