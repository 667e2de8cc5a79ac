// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/sygus.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fovea/io/token_reader.h"
#include "fovea/synthesis/input/file_terms.h"
#include "fovea/synthesis/input/horn.h"
#include "fovea/synthesis/input/own_words.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {
namespace {

constexpr const char* kCommands =
    "Accepted are set-logic, set-option, set-info, synth-inv, declare-primed-var, declare-var, define-fun, "
    "inv-constraint, check-synth";

class SygusReader {
 public:
  explicit SygusReader(const SExpressions& file) : file_(file), terms_(file, system_.terms) {}

  TransitionSystem read() {
    for (const std::uint32_t node : file_.top())  // first: inputs are numbered after its variables
      if (is_command(node, "synth-inv")) read_invariant(node, file_[node].children);
    for (const std::uint32_t node : file_.top()) read_command(node);
    if (system_.name.empty()) refuse_end("no synth-inv", "Name the invariant: (synth-inv Inv ((x Int)))");
    if (!constraint_) refuse_end("no inv-constraint", "Say what is wanted: (inv-constraint Inv Pre Trans Post)");
    read_constraint(*constraint_);
    return std::move(system_);
  }

 private:
  using Children = std::vector<std::uint32_t>;

  [[noreturn]] void refuse_end(std::string_view problem, std::string_view remedy) const {
    throw InputError({.file = file_.file()}, fmt::format("the file has {}", problem), remedy);
  }

  void require(std::uint32_t node, bool has_shape, std::string_view shape) const {
    if (!has_shape) terms_.refuse(node, "a command of the wrong form", fmt::format("Write {}", shape));
  }

  bool is_command(std::uint32_t node, std::string_view name) const {
    const Children& parts = file_[node].children;
    return file_[node].is_list && !parts.empty() && !file_[parts[0]].is_list && file_[parts[0]].word == name;
  }

  void read_command(std::uint32_t node) {
    const Children& parts = file_[node].children;
    if (!file_[node].is_list || parts.empty()) terms_.refuse(node, "this is not a command", kCommands);
    const std::string& name = terms_.word(parts[0], "the name of a command");
    if (name == "set-option" || name == "set-info" || name == "check-synth" || name == "synth-inv") return;
    if (name == "set-logic") read_logic(node, parts);
    else if (name == "define-fun") read_definition(node, parts);
    else if (name == "declare-primed-var" || name == "declare-var") {
      require(node, parts.size() == 3, fmt::format("({} x Int)", name));
      read_variable(name, parts[1], terms_.sort(parts[2]));
    } else if (name == "inv-constraint") {
      require(node, parts.size() == 5, "(inv-constraint Inv Pre Trans Post)");
      if (constraint_) terms_.refuse(node, "a second inv-constraint", "Give each problem its own file");
      constraint_ = node;
    } else {
      terms_.refuse(node, fmt::format("the command {} is not supported", io::quoted_for_message(name)), kCommands);
    }
  }

  void read_logic(std::uint32_t node, const Children& parts) {
    require(node, parts.size() == 2, "(set-logic LIA)");
    const std::string& logic = terms_.word(parts[1], "the name of a logic");
    // SAT is what the competition's files over Booleans alone say.
    if (logic != "LIA" && logic != "QF_LIA" && logic != "SAT" && logic != "ALL")
      terms_.refuse(parts[1], fmt::format("the logic {} is not supported", io::quoted_for_message(logic)),
                    "Use LIA, linear integer arithmetic with Booleans");
  }

  /// A variable of the state, which the invariant has named already, or else an input.
  void read_variable(const std::string& command, std::uint32_t name, Sort sort) {
    const std::string& text = terms_.word(name, "the name of a variable");
    const std::vector<std::string> names = variable_names(system_);
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(2 * system_.size());
    if (command == "declare-primed-var" || std::find(names.begin(), end, text) != end) return;
    terms_.declare(name, system_.terms.variable(system_.variable_count(), sort));
    system_.inputs.push_back({text, sort});
  }

  void read_invariant(std::uint32_t node, const Children& parts) {
    require(node, parts.size() == 3, "(synth-inv Inv ((x Int) (b Bool))): a grammar is not supported");
    if (!system_.name.empty()) terms_.refuse(node, "a second synth-inv", "Give each problem its own file");
    system_.name = terms_.word(parts[1], "the name of the invariant");
    for (const FileTerms::Parameter& parameter : terms_.parameters(parts[2]))
      system_.variables.push_back({parameter.name, parameter.sort});
    if (system_.variables.empty()) terms_.refuse(parts[2], "an invariant without variables", "Give it at least one");
    std::vector<std::string> names = variable_names(system_);
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
      terms_.refuse(parts[2],
                    fmt::format("{} names a variable, and another one after a step", io::quoted_for_message(*twice)),
                    "Choose names that do not differ only by a '!' at the end");
  }

  void read_definition(std::uint32_t node, const Children& parts) {
    require(node, parts.size() == 5, "(define-fun Name ((x Int)) Bool TERM)");
    terms_.define(parts[1],
                  {.parameters = terms_.parameters(parts[2]), .sort = terms_.sort(parts[3]), .body = parts[4]});
  }

  void read_constraint(std::uint32_t node) {
    const Children& parts = file_[node].children;
    if (terms_.word(parts[1], "the name of the invariant") != system_.name)
      terms_.refuse(parts[1],
                    fmt::format("this is not the invariant of synth-inv, {}", io::quoted_for_message(system_.name)));
    system_.pre = condition(parts[2], 1);
    system_.trans = condition(parts[3], 2);
    system_.post = condition(parts[4], 1);
  }

  /// A defined function as a condition on the state, or on the states before and after a step.
  TermId condition(std::uint32_t node, std::size_t states) {
    const std::string& name = terms_.word(node, "the name of a function");
    const FileTerms::Function* const function = terms_.find(name);
    if (!function)
      terms_.refuse(node, fmt::format("the function {} is not defined", io::quoted_for_message(name)),
                    "Add its define-fun");
    if (function->sort != Sort::kBoolean)
      terms_.refuse(node, fmt::format("{} is not Bool", io::quoted_for_message(name)));
    std::vector<TermId> arguments;
    for (std::size_t i = 0; i < states * system_.size(); ++i)
      arguments.push_back(system_.terms.variable(i, system_.variables[i % system_.size()].sort));
    return terms_.apply(*function, arguments, node);
  }

  const SExpressions& file_;
  TransitionSystem system_;
  FileTerms terms_;
  std::optional<std::uint32_t> constraint_;
};

}  // namespace

TransitionSystem read_sygus(io::ByteSource source) {
  const SExpressions file = SExpressions::read(std::move(source));
  return SygusReader(file).read();
}

InvariantProblem read_problem(io::ByteSource source) {
  const SExpressions file = SExpressions::read(std::move(source));
  const auto is_horn = [&](std::uint32_t node) {
    const std::vector<std::uint32_t>& parts = file[node].children;
    return parts.size() > 1 && (file[parts[0]].word == "assert" || file[parts[0]].word == "declare-fun" ||
                                (file[parts[0]].word == "set-logic" && file[parts[1]].word == "HORN"));
  };
  if (std::any_of(file.top().begin(), file.top().end(), is_horn)) return read_horn(file);
  InvariantProblem problem(SygusReader(file).read());
  problem.own_words = own_words(file, problem);
  return problem;
}

std::string sygus_text(const TransitionSystem& system) {
  const std::vector<std::string> names = variable_names(system);
  std::string text = fmt::format("(set-logic LIA)\n(synth-inv {} ({}))\n", system.name, parameter_text(system));
  for (const ProgramVariable& input : system.inputs)
    text += fmt::format("(declare-var {} {})\n", input.name, sort_text(input.sort));
  const auto define = [&](const char* name, bool with_next, TermId term) {
    text += fmt::format("(define-fun {} ({}) Bool\n  {})\n", name, parameter_text(system, with_next),
                        term_text(system.terms, term, names));
  };
  define("pre-condition", false, system.pre);
  define("transition", true, system.trans);
  define("post-condition", false, system.post);
  return text +
         fmt::format("(inv-constraint {} pre-condition transition post-condition)\n(check-synth)\n", system.name);
}

}  // namespace fovea::synthesis
