// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/file_roles.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/table/table.h"

namespace fovea::cli {
namespace {

bool is_written(FileRole role) { return role == FileRole::kOutput || role == FileRole::kCheckpoint; }

bool is_stream(const std::string& path) { return path.empty() || path == "-"; }

/// Identity of a file, equal for two paths to one file: the file itself if it exists, otherwise the place where it
/// would be.
struct Identity {
  dev_t device = 0;
  ino_t number = 0;
  std::string place = "";
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Returns nullopt for anything except a regular file: pipes and devices may be read and written at once.
std::optional<Identity> identity_of(const NamedFile& file) {
  struct stat status = {};
  const bool is_standard_input = is_stream(file.path) && !is_written(file.role);
  if (is_standard_input ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(file.path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{.device = status.st_dev, .number = status.st_ino};
  }
  if (is_stream(file.path) || !is_written(file.role)) return std::nullopt;
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(file.path), error);
  return Identity{.place = error ? file.path : place.string()};
}

/// True for a database, which takes one more table: what is read from it stays.
bool is_database(const std::string& path) { return io::table_format_of_name(path) == io::TableFormat::kSqlite; }

void check_pair(const NamedFile& output, const NamedFile& other) {
  if (is_written(other.role))
    throw UsageError(
        fmt::format("{} and {} are both {}: one would replace the other", output.option, other.option, output.path));
  if (output.role == FileRole::kCheckpoint && other.role == FileRole::kResume) return;
  if (is_database(output.path)) return;
  throw UsageError(fmt::format("{} {} would replace what is read as {}; write to another file", output.option,
                               output.path, other.option));
}

}  // namespace

void check_files(std::span<const NamedFile> files) {
  std::vector<std::pair<const NamedFile*, Identity>> known;
  for (const NamedFile& file : files)
    if (const std::optional<Identity> identity = identity_of(file)) known.emplace_back(&file, *identity);
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = 0; j < known.size(); ++j) {
      const auto& [file, identity] = known[i];
      if (i == j || !is_written(file->role) || !(identity == known[j].second)) continue;
      if (!is_written(known[j].first->role) || j > i) check_pair(*file, *known[j].first);
    }
  for (const auto& [file, identity] : known)
    if (is_written(file->role)) check_can_be_replaced(file->path);
}

}  // namespace fovea::cli
