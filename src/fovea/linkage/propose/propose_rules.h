// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "fovea/base/random.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/propose/column_profile.h"

namespace fovea::linkage {

/// Proposes blocking rules, as option 'block' takes them; "" if no rule brings together few enough pairs.
///
/// Keys are columns and parts of them (year, prefix, sound, initial); a rule has one or two. Pairs of records that
/// agree in most of what tells records apart, by values too rare to agree by chance, stand for matches. Rules are taken
/// one by one: the next is the one that reaches most of these pairs when one or two columns are wrong, and when a
/// person has moved and married, for the candidate pairs that it costs. `sample`: records of a table of `row_count`,
/// and their columns.
std::string propose_rules(const io::Table& sample, std::span<const ColumnProfile> columns, std::size_t row_count,
                          Random random);

/// The same to learn from where other pairs are compared, too: up to two more rules bring people of one household
/// together, so that their pairs are not taken for matches.
std::string propose_rules_to_learn_from(const io::Table& sample, std::span<const ColumnProfile> columns,
                                        std::size_t row_count, Random random);

}  // namespace fovea::linkage
