// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/language/drawn_from.h"
#include "fovea/ep/language/expression_values.h"
#include "fovea/ep/language/model_symbol.h"
#include "fovea/ep/language/plates.h"
#include "fovea/ep/language/symbol_table.h"
#include "fovea/ep/language/unknown_categories.h"

namespace fovea::ep {

/// Reads the statements of a model from the top: plates and formulas. What a distribution does, those who derive from
/// it say. All members throw InputError for faulty models.
class ModelReader {
 protected:
  /// Both arguments must outlive the object.
  ModelReader(const ModelSyntax& syntax, const ModelData& data)
      : syntax_(syntax),
        plates_(syntax.file, data, all_plates_),
        symbols_(syntax, data, plates_),
        values_(syntax, data, plates_, symbols_.all(), program_),
        unknown_(plates_, values_, symbols_.all()) {}
  virtual ~ModelReader() = default;
  ModelReader(const ModelReader&) = delete;
  ModelReader& operator=(const ModelReader&) = delete;

  /// Reads all statements; refuses variables of which an element is not defined.
  void read_all();

  /// Reads `subject ~ distribution`; `context`: the elements that it defines.
  virtual void read_distribution(const Statement& statement, ModelSymbol& symbol, const Context& context) = 0;

  Program& program() { return program_; }
  std::string name_of(const ModelSymbol& symbol, std::size_t element) const {
    return element_name(symbol.variable, element, all_plates_);
  }
  /// Refuses known numbers that the distribution cannot have; `places`: of elements.
  void check_values(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol,
                    const std::vector<std::uint32_t>& places) const;
  /// Refuses statements for some members of a plate, of what is of all of them together.
  void check_whole_groups(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol,
                          const Context& context) const;
  /// The context of one of its elements.
  static Context element(const Context& context, std::size_t i);

 private:
  void read(const Statement& statement);
  void read_formula(const Statement& statement, ModelSymbol& symbol, const Context& context);
  void keep_formula(const Statement& statement, ModelSymbol& symbol, const Context& context) const;
  void give(const Statement& statement, ModelSymbol& symbol, const Context& context);

 protected:
  const ModelSyntax& syntax_;
  std::vector<Plate> all_plates_ = {};

 private:
  Program program_ = {};

 protected:
  ModelPlates plates_;
  SymbolTable symbols_;
  ExpressionValues values_;
  UnknownCategories unknown_;
};

}  // namespace fovea::ep
