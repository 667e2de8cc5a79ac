// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/ep/language/syntax.h"
#include "fovea/io/table/table.h"

namespace fovea::ep {

/// Data that a model is fitted to: the columns of a table, and numbers by name.
struct ModelData {
  const io::Table* table = nullptr;  ///< may be missing
  std::map<std::string, double> numbers = {};
  /// Members that come before those of this table, by names of plates, and [member] numbers of columns for them: of a
  /// model that was fitted to another table.
  std::map<std::string, std::vector<std::string>> earlier_members = {};
  std::map<std::string, std::map<std::string, std::vector<double>>> earlier_numbers = {};  ///< [plate][column]
};

/// A set over which variables are repeated, such as schools. Its members are numbered from 0 on here, from 1 on in
/// models.
struct Plate {
  std::string name = "";                  ///< "schools"
  std::string index = "";                 ///< another name of it, that of the column: "school"
  std::string column = "";                ///< whose cells its members are
  bool is_rows = false;                   ///< its members are the rows of the table
  std::vector<std::string> members = {};  ///< [member] as the table writes it; numbers of a plate without a column
  std::size_t size() const { return members.size(); }
  bool is_called(std::string_view by) const { return name == by || (!index.empty() && index == by); }
};

inline constexpr const char* kRows = "row";  ///< the plate of the table's rows

/// The finite number in a cell; true and false are 1 and 0. Nothing for other texts.
std::optional<double> number_of(std::string_view cell);

/// The members of all plates that are made of columns, by their names.
std::map<std::string, std::vector<std::string>> members_of_columns(const std::vector<Plate>& plates);

/// Sorts members as numbers if all are, else as text.
void sort_members(std::vector<std::string>& members);

/// A column of numbers on some plate. Missing cells are NaN.
///
/// On a plate that was made from a column, each member has the number that its rows agree in; they may not differ.
/// Throws InputError (file:line and column) for cells that are not finite numbers; truth values are 1 and 0.
std::vector<double> numbers_of(const io::Table& table, const std::string& column, const Plate& plate);

/// [row] member of the plate that the column names. Throws InputError for a cell that names none.
std::vector<std::uint32_t> members_of(const io::Table& table, const std::string& column, const Plate& plate);
/// The same, where cells may be missing.
std::vector<std::optional<std::uint32_t>> known_members_of(const io::Table& table, const std::string& column,
                                                           const Plate& plate);

}  // namespace fovea::ep
