// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "fovea/base/random.h"
#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// Lists as options 'compare' and 'block' take them.
struct MatchingProposal {
  std::string compare = "", block = "";

  /// "option 'compare' '...' option 'block' '...'", quoted for a shell.
  std::string text() const;
};

/// Proposes comparisons and blocking rules for a table: a comparison for each column, of the kind that its values call
/// for, and rules that bring together likely matches (propose_rules). Names of columns play no part. A list of `given`
/// that is not empty stays as it is. Looks at up to 100,000 records, drawn if there are more. Columns that are left out
/// by name take no part. Throws InputError if fewer than two columns tell records apart, or no
/// rule does.
MatchingProposal propose_matching(const io::Table& table, const std::set<std::string>& left_out,
                                  const MatchingProposal& given, Random random);

/// Proposes rules whose pairs are learned from, where those of blocking rules are too many
/// (propose_rules_to_learn_from), on columns that are not left out. Returns "" where no rule will do.
std::string propose_train_rules(const io::Table& table, const std::set<std::string>& left_out, Random random);

}  // namespace fovea::linkage
