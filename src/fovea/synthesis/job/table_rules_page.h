// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/io/table/table.h"
#include "fovea/synthesis/job/table_rules_file.h"

namespace fovea::synthesis {

/// Writes a page for people: the rules in every language, their errors by size, and the rows of the table that they get
/// wrong. `examples` were read from `table`, row by row. Throws InputError if the file cannot be written.
void write_table_rules_page(const std::string& path, const io::Table& table, const RuleExamples& examples,
                            const TableRulesFileResult& result);

}  // namespace fovea::synthesis
