// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/horn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/io/token_reader.h"
#include "fovea/synthesis/input/file_terms.h"
#include "fovea/synthesis/input/horn_loop.h"
#include "fovea/synthesis/input/smt_text.h"
#include "fovea/synthesis/input/words.h"

namespace fovea::synthesis {
namespace {

using Children = std::vector<std::uint32_t>;

constexpr std::array kPassedOver = {"set-logic", "set-info",   "set-option",     "check-sat",
                                    "get-model", "get-answer", "get-unsat-core", "exit"};
constexpr std::array kDefinitions = {"define-fun",  "define-fun-rec",    "define-funs-rec", "define-const",
                                     "define-sort", "declare-datatypes", "declare-datatype"};
constexpr const char* kHornCommands =
    "Accepted are declare-fun of predicates, assert, define-fun and the other definitions of SMT-LIB, check-sat";

class HornReader {
 public:
  explicit HornReader(const SExpressions& file) : file_(file) {}

  InvariantProblem read() {
    for (const std::uint32_t node : file_.top()) read_command(node);
    if (problem_.clauses.predicates.empty())
      throw InputError({.file = file_.file()}, "the file declares no predicate that is to be found",
                       "Declare it: (declare-fun Inv (Int) Bool)");
    if (problem_.clauses.clauses.empty())
      throw InputError({.file = file_.file()}, "the file has no clauses", "Assert what the predicates must satisfy");
    try {
      encode_as_loop(file_, problem_);
    } catch (const InputError& error) {
      problem_.loop.reset();
      problem_.why_no_loop = error.what();
      name_parameters();
    }
    return std::move(problem_);
  }

 private:
  [[noreturn]] void refuse(std::uint32_t node, std::string_view problem, std::string_view remedy) const {
    throw InputError(file_.location(node), problem, remedy);
  }

  void read_command(std::uint32_t node) {
    const Children& parts = file_[node].children;
    if (!file_[node].is_list || parts.empty() || file_[parts[0]].is_list)
      refuse(node, "this is not a command", kHornCommands);
    const std::string& name = file_[parts[0]].word;
    if (is_one_of(kPassedOver, name)) return;
    if (name == "declare-fun") return read_predicate(node, parts);
    if (name == "assert") {
      if (parts.size() != 2) refuse(node, "a command of the wrong form", "Write (assert CLAUSE)");
      problem_.clauses.clauses.push_back({smt_text(file_, parts[1]), file_.location(node)});
    } else if (is_one_of(kDefinitions, name)) {
      problem_.clauses.definitions.push_back({smt_text(file_, node), file_.location(node)});
    } else if (name == "declare-var" || name == "declare-rel" || name == "rule" || name == "query") {
      refuse(node, fmt::format("{} is a command of Z3's rules, not of SMT-LIB", io::quoted_for_message(name)),
             "Write clauses: (assert (forall ((x Int)) (=> (P x) (Q x))))");
    } else {
      refuse(node, fmt::format("the command {} is not supported", io::quoted_for_message(name)), kHornCommands);
    }
  }

  void read_predicate(std::uint32_t node, const Children& parts) {
    if (parts.size() != 4 || file_[parts[1]].is_list || !file_[parts[2]].is_list)
      refuse(node, "a command of the wrong form", "Write (declare-fun P (Int Int) Bool)");
    if (file_[parts[3]].is_list || file_[parts[3]].word != "Bool")
      refuse(parts[3], "a function that is not a predicate", "Predicates, of sort Bool, are to be found");
    const std::string& name = file_[parts[1]].word;
    for (const HornClauses::Predicate& other : problem_.clauses.predicates)
      if (other.name == name)
        refuse(parts[1], fmt::format("{} is declared twice", io::quoted_for_message(name)), "Give each its own name");
    HornClauses::Predicate predicate = {.name = name, .symbol = name, .parameters = {}, .sorts = {}};
    for (const std::uint32_t sort : file_[parts[2]].children) predicate.sorts.push_back(smt_text(file_, sort));
    problem_.clauses.predicates.push_back(std::move(predicate));
  }

  /// Names the parameters where no loop does.
  void name_parameters() {
    for (HornClauses::Predicate& predicate : problem_.clauses.predicates) {
      predicate.parameters.clear();
      for (std::size_t i = 0; i < predicate.sorts.size(); ++i)
        predicate.parameters.push_back(fmt::format("x{}", i + 1));
    }
  }

  const SExpressions& file_;
  InvariantProblem problem_;
};

}  // namespace

InvariantProblem read_horn(const SExpressions& file) { return HornReader(file).read(); }

}  // namespace fovea::synthesis
