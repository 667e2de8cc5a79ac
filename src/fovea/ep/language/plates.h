// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

/// Elements that a statement is about.
struct Context {
  std::vector<std::size_t> plates = {};
  std::vector<std::vector<std::uint32_t>> members = {};  ///< [plate of the context][element]
  std::size_t size = 1;                                  ///< number of elements
};

/// The plates of a model, and what indices name in them.
class ModelPlates {
 public:
  /// Begins with the rows of the table, if there is one. `plates` gets all plates. The other arguments must outlive the
  /// object, too.
  ModelPlates(const std::string& file, const ModelData& data, std::vector<Plate>& plates);

  std::optional<std::size_t> find(std::string_view name) const;
  bool is_column(std::string_view name) const;
  const Plate& operator[](std::size_t plate) const { return plates_[plate]; }

  /// Adds the plate of a statement `name ~ plate(...)`, whose name is not known yet.
  void add(const Statement& statement);

  /// The member of this number, which counts from 1 on.
  std::uint32_t member_of(const Expression& number, std::size_t plate) const;
  /// [element of the context] the member that an index names: the plate, a column, a number, or one of these with a
  /// number added or subtracted.
  std::vector<std::uint32_t> members_in(const Expression& index, std::size_t plate, const Context& context) const;

  [[noreturn]] void refuse(SourcePlace place, std::string_view problem, std::string_view remedy) const;

 private:
  void add_members(const Expression& plate_of, Plate& plate) const;
  std::vector<std::uint32_t> members_by_column(const Expression& column, const Plate& plate,
                                               const Context& context) const;

  const std::string& file_;
  const ModelData& data_;
  std::vector<Plate>& plates_;
};

/// " Did you mean 'x'?" for the nearest of these names, if one is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace fovea::ep
