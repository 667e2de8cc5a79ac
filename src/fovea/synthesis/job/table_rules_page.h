// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/report/page.h"
#include "fovea/synthesis/job/table_rules.h"

namespace fovea::synthesis {

/// Makes a page for people: the rules in every language, their errors by size, and the rows of the table that they get
/// wrong. `table`: its name; `test_error`: of another table.
report::Page table_rules_page(const std::string& table, const RuleExamples& examples, const LearnedTableRules& learned,
                              std::optional<double> test_error = {});

}  // namespace fovea::synthesis
