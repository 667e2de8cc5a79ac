// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fovea/base/error.h"

namespace fovea {

CsvReader::CsvReader(ByteSource source) : lines_(std::move(source)) {
  if (!lines_.next()) throw InputError({.file = lines_.name()}, "an empty file", "The first line names the columns");
  split(lines_.line(), columns_);
  std::set<std::string> seen;
  for (const std::string& name : columns_)
    if (!seen.insert(name).second)
      throw InputError(location(), fmt::format("two columns are called '{}'", name), "Give every column its own name");
}

bool CsvReader::next() {
  do {
    if (!lines_.next()) return false;
  } while (lines_.line().empty());
  split(lines_.line(), cells_);
  if (cells_.size() != columns_.size())
    throw InputError(location(), fmt::format("{} cells, but the header has {}", cells_.size(), columns_.size()),
                     "Quote cells that hold commas");
  return true;
}

void CsvReader::split(std::string_view line, std::vector<std::string>& cells) const {
  cells.clear();
  for (std::size_t at = 0;; ++at) {  // at: where a cell begins
    std::string cell;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size())
          throw InputError(location(), fmt::format("cell {} has no closing quote", cells.size() + 1),
                           "A cell in quotes ends on its line; write a quote inside as two");
        if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
        at += line[at] == '"';
        cell += line[at];
      }
      ++at;
      if (at < line.size() && line[at] != ',')
        throw InputError(location(), fmt::format("cell {} goes on behind its closing quote", cells.size() + 1),
                         "Put the whole cell in quotes; write a quote inside as two");
    } else {
      const std::size_t end = std::min(line.find(',', at), line.size());
      cell = line.substr(at, end - at);
      at = end;
    }
    cells.push_back(std::move(cell));
    if (at >= line.size()) return;
  }
}

void write_csv_row(const std::vector<std::string>& cells, OutputFile& output) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) output.write(",");
    if (cells[i].find_first_of(",\"\r") == std::string::npos) {
      output.write(cells[i]);
      continue;
    }
    output.write("\"");
    for (const char c : cells[i]) output.write(c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1));
    output.write("\"");
  }
  output.write("\n");
}

}  // namespace fovea
