// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::testing {

/// A table with these rows of cells, as if it were the file "people.csv".
inline io::Table table_of(std::vector<std::string> columns, const std::vector<std::vector<std::string>>& rows) {
  io::Table table("people.csv", std::move(columns));
  std::int64_t line = 1;
  for (const std::vector<std::string>& row : rows)
    table.add_row(std::vector<std::string_view>(row.begin(), row.end()), ++line);
  return table;
}

/// A table of made-up people, each listed once or twice: columns id, name, surname, born, city, person. Two records of
/// one person differ in each of the middle four with probability `error`, by a letter or, in born, a digit.
inline io::Table made_up_people(int people, double error, Random random) {
  const auto word = [&](int syllables) {
    static constexpr std::string_view kOnsets = "bdfgklmnprstvz", kVowels = "aeiou";
    std::string text;
    for (int s = 0; s < syllables; ++s) {
      text += kOnsets[random.uniform_index(kOnsets.size())];
      text += kVowels[random.uniform_index(kVowels.size())];
    }
    return text;
  };
  std::vector<std::string> surnames, cities;
  for (int i = 0; i < 200; ++i) surnames.push_back(word(4));
  for (int i = 0; i < 20; ++i) cities.push_back(word(3));
  const auto garbled = [&](std::string text) {
    if (!random.bernoulli(error)) return text;
    char& letter = text[random.uniform_index(static_cast<std::uint32_t>(text.size()))];
    letter = letter >= '0' && letter <= '9' ? static_cast<char>('0' + (letter - '0' + 1) % 10) : 'x';
    return text;
  };
  std::vector<std::vector<std::string>> rows;
  for (int person = 0; person < people; ++person) {
    const std::vector<std::string> facts = {word(3), surnames[random.uniform_index(200)],
                                            std::to_string(1930 + random.uniform_index(70)),
                                            cities[random.uniform_index(20)]};
    const int records = 1 + random.bernoulli(.5);
    for (int r = 0; r < records; ++r) {
      rows.push_back({std::to_string(rows.size() + 1)});
      for (const std::string& fact : facts) rows.back().push_back(garbled(fact));
      rows.back().push_back(std::to_string(person));
    }
  }
  return table_of({"id", "name", "surname", "born", "city", "person"}, rows);
}

/// Writes rows first, first + step, ... of a table to a file.
inline void write_rows(const std::string& path, const io::Table& table, std::size_t first = 0, std::size_t step = 1) {
  const auto writer = io::make_table_writer(path, table.columns());
  std::vector<std::string_view> cells(table.column_count());
  for (std::size_t row = first; row < table.row_count(); row += step) {
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table.cell(row, c);
    writer->add_row(cells);
  }
  writer->finish();
}

}  // namespace fovea::testing
