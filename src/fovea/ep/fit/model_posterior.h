// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/ep/fit/model_draws.h"
#include "fovea/ep/language/compile.h"

namespace fovea::ep {

/// Parts of a fit that predictions need: the model's text, what it took from the table, and draws of the variables that
/// are not of rows.
struct ModelPosterior {
  /// Draws are evenly taken from all chains: at most 1,000, and fewer where they would be more than a million
  /// numbers.
  static constexpr std::size_t kMostDraws = 1000, kFewestDraws = 100, kMostNumbers = 1'000'000;

  std::string model = "";                      ///< its text, also of a formula
  std::map<std::string, double> numbers = {};  ///< that were given
  std::vector<std::string> observed = {};      ///< columns with a distribution
  std::vector<std::string> summed_out = {};    ///< whole numbers that are not of rows: they have no draws
  /// By names of plates: members, and [member] numbers of columns.
  std::map<std::string, std::vector<std::string>> members = {};
  std::map<std::string, std::map<std::string, std::vector<double>>> member_numbers = {};
  bool has_mixed = true;  ///< false if the draws cannot be trusted
  std::size_t draws = 0;
  /// [draw] by the names of variables and elements.
  std::map<std::string, std::map<std::string, std::vector<double>>> values = {};
};

ModelPosterior posterior_of(const ModelSyntax& syntax, std::string text, const ModelData& data,
                            const CompiledModel& model, const ModelDraws& draws);

/// As JSON, one object.
std::string text_of(const ModelPosterior& posterior);
/// Reads such a text, or a larger object that has it as "posterior". Throws InputError that names the file.
ModelPosterior parse_posterior(std::string_view text, const std::string& file);

}  // namespace fovea::ep
