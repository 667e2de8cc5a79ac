// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/synthesis/input/s_expression.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// Builds terms from the expressions in a file; definitions are expanded where they are used. Throws the errors of
/// read_problem.
class FileTerms {
 public:
  struct Parameter {
    std::string name;
    Sort sort;
  };
  struct Function {
    std::vector<Parameter> parameters;
    Sort sort;
    std::uint32_t body;  ///< node of the file
  };

  /// A predicate that is to be found, of arguments. It stands as a Boolean variable of its own in terms.
  struct Application {
    std::size_t predicate;
    std::vector<TermId> arguments;
    TermId variable;
  };
  /// The variables of applications have this number or a larger one.
  static constexpr std::size_t kFirstApplication = std::size_t{1} << 40;
  using Scope = std::map<std::string, TermId, std::less<>>;

  FileTerms(const SExpressions& file, TermPool& terms) : file_(file), terms_(terms) {}

  /// The sort that a node names: Int or Bool.
  Sort sort(std::uint32_t node) const;
  /// A list of (name sort).
  std::vector<Parameter> parameters(std::uint32_t node) const;
  /// Gives a name that all terms know a meaning; parameters and let-bound names of the same name hide it.
  void declare(std::uint32_t name, TermId meaning);
  /// Defines a function, and checks its body at once.
  void define(std::uint32_t name, Function function);
  /// Names the next predicate that is to be found. Terms may apply it from then on.
  void declare_predicate(std::uint32_t name, std::vector<Sort> sorts);
  /// The term at a node, in which the names of the scope have these meanings.
  TermId term(std::uint32_t node, const Scope& scope);
  /// Those in the terms since the last call.
  std::vector<Application> take_applications() { return std::exchange(applications_, {}); }
  /// The function of this name, or null.
  const Function* find(const std::string& name) const;
  /// The function's body for these arguments; `use` is the node that uses it, for messages.
  TermId apply(const Function& function, std::span<const TermId> arguments, std::uint32_t use);

  [[noreturn]] void refuse(std::uint32_t node, std::string_view problem, std::string_view remedy = {}) const;
  /// The word at a node, which must not be a list; `what` names what it should be.
  const std::string& word(std::uint32_t node, std::string_view what) const;

 private:
  using Arguments = std::vector<TermId>;

  TermId word_term(std::uint32_t node, const Scope& scope);
  TermId list_term(std::uint32_t node, const Scope& scope);
  TermId let_term(std::uint32_t node, const Scope& scope);
  TermId operation(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId application(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId logical(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId comparison(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId arithmetic(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId product(std::uint32_t node, const Arguments& arguments);
  TermId division(std::uint32_t node, const std::string& name, const Arguments& arguments);
  TermId number(std::uint32_t node) const;
  [[noreturn]] void refuse_second_meaning(std::uint32_t name) const;
  TermId checked(std::uint32_t node, TermId term) const;
  void require_count(std::uint32_t node, const Arguments& arguments, std::size_t least, std::size_t most) const;
  void require_sort(std::uint32_t node, const Arguments& arguments, Sort sort) const;

  const SExpressions& file_;
  TermPool& terms_;
  std::map<std::string, TermId, std::less<>> declared_;
  std::map<std::string, Function> functions_;
  std::map<std::string, std::size_t, std::less<>> predicates_;
  std::vector<std::vector<Sort>> predicate_sorts_;
  std::vector<Application> applications_;
  std::size_t application_count_ = 0;
  std::uint64_t expanded_ = 0;  // nodes visited
  std::uint32_t depth_ = 0;     // of the node being visited
};

}  // namespace fovea::synthesis
