// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/density/sum_out.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/model_symbol.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

/// A variable of unknown members of a plate, which are summed out.
struct ModelCategory {
  ModelVariable variable;
  std::size_t plate = 0;  ///< whose members it can be
  std::size_t first = 0;  ///< place of its first probability among SumOut::marginals
};

/// A variable x ~ normal(mean, sd) whose mean or sd is unknown, too.
struct HierarchicalVariable {
  std::string name;
  std::vector<std::size_t> parameters = {};  ///< [element] of the program
};

/// Variables of this kind, by name, and [element] whether its parameter is z of x = mean + sd z. Those that are not
/// named are their own parameters. The model is the same, but its geometry is not (Papaspiliopoulos et al. 2007): with
/// little data for each x, z hangs on sd less than x does; with much data, x does.
using ApartElements = std::map<std::string, std::vector<bool>>;

/// Part of the log density that a statement adds.
struct DensityTerm {
  SourcePlace place;
  std::string subject;
  Node density;
};

/// A model with its data: the log density of its unknown numbers given all observations.
struct CompiledModel {
  std::string file = "";  ///< for messages
  Program program = {};
  std::vector<Plate> plates = {};
  std::vector<ModelVariable> variables = {};  ///< in the order of the model, without data
  std::vector<HierarchicalVariable> hierarchical = {};
  std::vector<ModelCategory> categories = {};
  std::shared_ptr<const SumOut> sum_out = {};  ///< null without categories
  Node summed = {};                            ///< its results
  std::vector<DensityTerm> terms = {};         ///< for messages
  /// False if the density lacks a constant, or a prior has no integral. Then there is no evidence.
  bool has_evidence = true;

  std::string element_name(const ModelVariable& variable, std::size_t element) const {
    return ep::element_name(variable, element, plates);
  }
};

/// Binds a model to its data. Statements are read from the top, and a name means
///
///   a plate       name ~ plate(column, ...)     the different cells of columns; also called by the first column's name
///                 name ~ plate(number)          that many members
///                 row                           the rows of the table
///   a variable    name[plate, ...] ~ distribution(...), or name[...] = formula; "name[1] ~ ..." is an element's own
///   a number      given with the data
///   a column      of the table, one number for each row; column[plate] has one for each member
///
/// A column with a distribution is observed; its missing cells are unknown. An index is a plate's name, a column that
/// names its members, a number from 1 on, or such with a number added or subtracted.
///
/// Unknown members of plates, x ~ categorical(plate, weight[plate]), and unknown truths, x ~ bernoulli(p), are summed
/// out. They can be indices, mean[x], and numbers: that of a member, from 1 on, or 0 and 1.
///
/// Throws InputError with file, line and column: names that are not known, with the nearest one; indices that are out
/// of range; values that a distribution cannot have.
CompiledModel compile_model(const ModelSyntax& syntax, const ModelData& data, const ApartElements& apart = {});

}  // namespace fovea::ep
