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

/// Members of a plate that are not known, such as z[row] in mu[z[row]]. A statement that mentions them has an element
/// for each of their states.
struct ContextCategory {
  std::string name = "";  ///< as the model writes it: "z[row]"
  std::size_t plate = 0;
  double first_number = 1;                  ///< of the first member, in formulas
  std::vector<std::uint32_t> members = {};  ///< [element]
};

inline constexpr std::size_t kMostElements = 5'000'000;  ///< of a variable, and of a statement

/// Elements that a statement is about.
struct Context {
  std::vector<std::size_t> plates = {};                  ///< of one that stands twice, the last is meant
  std::vector<std::vector<std::uint32_t>> members = {};  ///< [plate of the context][element]
  std::vector<ContextCategory> categories = {};
  std::size_t size = 1;  ///< number of elements

  /// Null if no unknown category has this name.
  const ContextCategory* find_category(const Expression& name) const;
  /// With `count` elements for each.
  Context repeated(std::size_t count) const;
  /// With a member of one more plate for each element.
  Context with(std::size_t plate, std::vector<std::uint32_t> members_of_plate) const;
};

/// 0, 1, ..., period - 1, again and again.
std::vector<std::uint32_t> cycle(std::size_t size, std::size_t period);
/// Each number `count` times.
std::vector<std::uint32_t> repeat_each(const std::vector<std::uint32_t>& numbers, std::size_t count);

/// The plates of a model, and what indices name in them.
class ModelPlates {
 public:
  /// Begins with the rows of the table, if there is one. `plates` gets all plates. The other arguments must outlive the
  /// object, too.
  ModelPlates(const std::string& file, const ModelData& data, std::vector<Plate>& plates);

  std::optional<std::size_t> find(std::string_view name) const;
  /// The plate that an expression names; refuses others.
  std::size_t called(const Expression& name) const;
  bool is_column(std::string_view name) const;
  const Plate& operator[](std::size_t plate) const { return plates_[plate]; }
  std::size_t size() const { return plates_.size(); }
  const std::vector<Plate>& all() const { return plates_; }

  /// Adds the plate of a statement `name ~ plate(...)`, whose name is not known yet.
  void add(const Statement& statement);
  /// The plate of the numbers 0 and 1, which no model can name.
  std::size_t truths();

  /// The member of this number, which counts from 1 on.
  std::uint32_t member_of(const Expression& number, std::size_t plate) const;
  /// [element of the context] the member that an index names: the plate, a column, a number, or one of these with a
  /// number added or subtracted.
  std::vector<std::uint32_t> members_in(const Expression& index, std::size_t plate, const Context& context) const;

  /// The context with an element for each member of one more plate, which changes fastest. Refuses too many elements.
  Context over(const Context& context, std::size_t plate, SourcePlace place) const;

  [[noreturn]] void refuse(SourcePlace place, std::string_view problem, std::string_view remedy) const;

 private:
  void add_members(const Expression& plate_of, Plate& plate) const;
  /// True for a plate and its copy, too.
  bool is_same(std::size_t a, std::size_t b) const;
  std::vector<std::uint32_t> members_by_column(const Expression& column, const Plate& plate,
                                               const Context& context) const;

  const std::string& file_;
  const ModelData& data_;
  std::vector<Plate>& plates_;
};

/// " Did you mean 'x'?" for the nearest of these names, if one is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace fovea::ep
