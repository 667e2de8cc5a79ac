// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::io {

/// Whether these are the first bytes of a database.
bool looks_like_sqlite(std::string_view first_bytes);

/// Reads a table or view of an SQLite 3 database, opened read-only. `name`: "" is the only one there is. NULL is
/// missing; numbers become text as SQLite spells them.
///
/// Throws InputError, naming rowids (of views, positions of rows), for a file that is no database, a lock that lasts, a
/// name that is not there, blobs, text that is not UTF-8 or holds NUL, and cells above LineReader::kMaxLineBytes.
Table read_sqlite(const std::string& path, const std::string& name = "", const std::vector<std::string>& missing = {});

}  // namespace fovea::io
