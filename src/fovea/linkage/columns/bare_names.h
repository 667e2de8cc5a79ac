// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// Returns a list of comparisons or of blocking rules with double quotes around names of columns that need them, where
/// the user left them out:
///
///   name:edits, City, State, f(x)+born  ->  name:edits, "City, State", "f(x)"+born
///
/// Where the text can be read otherwise, as two columns called City and State, it stays as it is. So does a whole
/// comparison or rule that is the name of a column, and a name that holds a double quote.
std::string with_quoted_names(std::string_view list, const io::Table& table);

}  // namespace fovea::linkage
