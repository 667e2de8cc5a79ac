// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include "fovea/io/table/table_writer.h"

namespace fovea::io {

/// Writes a table of text columns within one transaction, which holds a lock from here to finish(); without finish()
/// the database is as it was, and a new one is gone. Missing cells are NULL. Throws InputError for a view of that name,
/// for a table unless `replace`, and for what SQLite refuses.
std::unique_ptr<TableWriter> make_sqlite_writer(const std::string& path, const std::string& name,
                                                std::span<const std::string> columns, bool replace);

}  // namespace fovea::io
