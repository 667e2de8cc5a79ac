// SPDX-License-Identifier: Apache-2.0
// Models written down, and bound to a small table: an error with a place, or a program that can be evaluated, and
// numbers that are drawn from it.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/language/compile.h"
#include "fovea/ep/language/formula.h"
#include "fovea/ep/language/simulate.h"
#include "fuzz/require.h"

namespace {

const fovea::io::Table& table() {
  static const fovea::io::Table made = [] {
    fovea::io::Table t("t.csv", {"y", "x", "g"});
    const std::vector<std::vector<std::string_view>> rows = {{"1", "2", "a"}, {"0", "", "b"}, {"1", "4", "a"}};
    for (std::size_t i = 0; i < rows.size(); ++i) t.add_row(rows[i], static_cast<std::int64_t>(i) + 2);
    return t;
  }();
  return made;
}

void compile(std::string_view text) {
  constexpr double kLargestPlate = 30;  // larger ones only take time and memory, by their square
  const fovea::ep::ModelSyntax syntax = fovea::ep::parse_model(text, "m");
  for (const fovea::ep::Statement& statement : syntax.statements)
    for (const fovea::ep::Expression& argument : statement.value.arguments)
      if (statement.value.name == "plate" && argument.number > kLargestPlate) return;
  const fovea::ep::CompiledModel model = fovea::ep::compile_model(syntax, {.table = &table(), .numbers = {{"s", 2}}});
  fovea::ep::Program::Workspace workspace(model.program);
  std::vector<double> gradient(model.program.parameter_count());
  const double density = workspace.evaluate(std::vector<double>(gradient.size()), gradient);
  fovea::fuzz::require(!std::isnan(density));
  const fovea::ep::ModelData data = {.table = &table(), .numbers = {{"s", 2}}};
  for (const fovea::ep::SimulatedVariable& variable : fovea::ep::simulate(syntax, data, {}, {"y"}, fovea::Random(1)))
    for (const double number : variable.numbers) fovea::fuzz::require(!std::isnan(number));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 4096;  // a plate of many members takes time for each character of a statement
  if (size > kMost) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    if (fovea::ep::is_formula(text) && !text.empty() && text.front() == 'y')
      compile(fovea::ep::model_of_formula(text, fovea::ep::ResponseFamily::kNormal, table()));
    compile(text);
  } catch (const fovea::InputError&) {
  } catch (const fovea::UsageError&) {
  }
  return 0;
}
