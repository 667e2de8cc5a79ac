// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/file_terms.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "fovea/base/text.h"
#include "fovea/io/token_reader.h"
#include "fovea/synthesis/input/s_expression.h"
#include "fovea/synthesis/input/words.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMaxNumber = 1'000'000'000'000'000;
/// Maximum number of nodes of the file visited, counting a function's body at each use.
constexpr std::uint64_t kMaxExpanded = 2'000'000;

constexpr std::array kLogical = {"and", "or", "not", "=>", "xor"};
constexpr std::array kComparisons = {"=", "distinct", "<", "<=", ">", ">="};
constexpr std::array kArithmetic = {"+", "-", "*", "div", "mod", "abs"};
constexpr std::array kKnownButRefused = {"/", "select", "store", "forall", "exists"};

bool looks_like_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word[0] >= '0' && word[0] <= '9';
}

}  // namespace

void FileTerms::refuse(std::uint32_t node, std::string_view problem, std::string_view remedy) const {
  throw InputError(file_.location(node), problem, remedy);
}

const std::string& FileTerms::word(std::uint32_t node, std::string_view what) const {
  if (file_[node].is_list) refuse(node, fmt::format("a list where {} should be", what));
  return file_[node].word;
}

Sort FileTerms::sort(std::uint32_t node) const {
  if (!file_[node].is_list && file_[node].word == "Int") return Sort::kInteger;
  if (!file_[node].is_list && file_[node].word == "Bool") return Sort::kBoolean;
  refuse(node,
         fmt::format("the sort {} is not supported",
                     file_[node].is_list ? "(...)" : io::quoted_for_message(file_[node].word)),
         "Use Int or Bool");
}

std::vector<FileTerms::Parameter> FileTerms::parameters(std::uint32_t node) const {
  if (!file_[node].is_list) refuse(node, "a word where a list of parameters should be", "Write ((x Int) (b Bool))");
  std::vector<Parameter> result;
  for (const std::uint32_t child : file_[node].children) {
    const std::vector<std::uint32_t>& parts = file_[child].children;
    if (!file_[child].is_list || parts.size() != 2)
      refuse(child, "this is not a parameter", "Write (name Int) or (name Bool)");
    const std::string& name = word(parts[0], "the name of a parameter");
    if (looks_like_number(name))
      refuse(parts[0], fmt::format("the number {} where a name should be", io::quoted_for_message(name)));
    for (const Parameter& other : result)
      if (other.name == name)
        refuse(parts[0], fmt::format("two parameters named {}", io::quoted_for_message(name)),
               "Give each its own name");
    result.push_back({name, sort(parts[1])});
  }
  return result;
}

void FileTerms::declare(std::uint32_t name, TermId meaning) {
  const std::string& text = word(name, "the name of a variable");
  if (looks_like_number(text))
    refuse(name, fmt::format("the number {} where a name should be", io::quoted_for_message(text)));
  if (const Function* function = find(text); function && function->parameters.empty()) refuse_second_meaning(name);
  if (!declared_.emplace(text, meaning).second)
    refuse(name, fmt::format("the variable {} is declared twice", io::quoted_for_message(text)), "Declare each once");
}

void FileTerms::refuse_second_meaning(std::uint32_t name) const {
  refuse(
      name,
      fmt::format("{} is both a variable and a function without parameters", io::quoted_for_message(file_[name].word)),
      "Give each its own name");
}

void FileTerms::define(std::uint32_t name, Function function) {
  const std::string& text = word(name, "the name of a function");
  if (functions_.contains(text))
    refuse(name, fmt::format("the function {} is defined twice", io::quoted_for_message(text)),
           "Give each its own name");
  if (function.parameters.empty() && declared_.contains(text)) refuse_second_meaning(name);
  std::vector<TermId> arguments;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    arguments.push_back(terms_.variable(i, function.parameters[i].sort));
  const Sort found = terms_.sort(apply(function, arguments, function.body));
  if (found != function.sort)
    refuse(function.body, fmt::format("the body of {} is {}, not {} as declared", io::quoted_for_message(text),
                                      sort_text(found), sort_text(function.sort)));
  functions_.emplace(text, std::move(function));
}

void FileTerms::declare_predicate(std::uint32_t name, std::vector<Sort> sorts) {
  const std::string& text = word(name, "the name of a predicate");
  if (functions_.contains(text) || !predicates_.emplace(text, predicates_.size()).second)
    refuse(name, fmt::format("{} is declared twice", io::quoted_for_message(text)), "Give each its own name");
  predicate_sorts_.push_back(std::move(sorts));
}

TermId FileTerms::application(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  const std::size_t predicate = predicates_.at(name);
  const std::vector<Sort>& sorts = predicate_sorts_[predicate];
  if (arguments.size() != sorts.size())
    refuse(node, fmt::format("{} arguments where {} are needed", arguments.size(), sorts.size()),
           "Give one for each argument of the declaration");
  for (std::size_t i = 0; i < sorts.size(); ++i)
    if (terms_.sort(arguments[i]) != sorts[i])
      refuse(node, fmt::format("argument {} is {}, but {} takes {} there", i + 1, sort_text(terms_.sort(arguments[i])),
                               io::quoted_for_message(name), sort_text(sorts[i])));
  const TermId variable = terms_.variable(kFirstApplication + application_count_++, Sort::kBoolean);
  applications_.push_back({predicate, arguments, variable});
  return variable;
}

const FileTerms::Function* FileTerms::find(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

TermId FileTerms::apply(const Function& function, std::span<const TermId> arguments, std::uint32_t use) {
  if (arguments.size() != function.parameters.size())
    refuse(use, fmt::format("{} arguments where {} are needed", arguments.size(), function.parameters.size()),
           "Give one for each parameter of the definition");
  Scope scope;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (terms_.sort(arguments[i]) != parameter.sort)
      refuse(use, fmt::format("argument {} is {}, but {} is {}", i + 1, sort_text(terms_.sort(arguments[i])),
                              io::quoted_for_message(parameter.name), sort_text(parameter.sort)));
    scope[parameter.name] = arguments[i];
  }
  return term(function.body, scope);
}

TermId FileTerms::term(std::uint32_t node, const Scope& scope) {
  if (++expanded_ > kMaxExpanded)
    refuse(node, fmt::format("definitions that expand to more than {} terms", kMaxExpanded), "Give a smaller program");
  if (++depth_ > SExpressions::kMaxDepth)
    refuse(node, fmt::format("terms nested deeper than {} when definitions are expanded", SExpressions::kMaxDepth),
           "Give a smaller program");
  const TermId result = file_[node].is_list ? list_term(node, scope) : word_term(node, scope);
  --depth_;
  return checked(node, result);
}

TermId FileTerms::checked(std::uint32_t node, TermId term) const {
  if (terms_.depth(term) > SExpressions::kMaxDepth)
    refuse(node,
           fmt::format("a formula nested deeper than {} when definitions are written out", SExpressions::kMaxDepth),
           "Give a smaller program");
  return term;
}

TermId FileTerms::word_term(std::uint32_t node, const Scope& scope) {
  const std::string& name = file_[node].word;
  if (const auto found = scope.find(name); found != scope.end()) return found->second;
  if (name == "true" || name == "false") return terms_.truth(name == "true");
  if (looks_like_number(name)) return number(node);
  if (const auto found = declared_.find(name); found != declared_.end()) return found->second;
  if (const Function* function = find(name)) return apply(*function, {}, node);
  if (predicates_.contains(name)) return application(node, name, {});
  std::vector<std::string> known;
  for (const auto& entry : scope) known.push_back(entry.first);
  for (const auto& entry : declared_) known.push_back(entry.first);
  refuse(node, fmt::format("the name {} is unknown here.{}", io::quoted_for_message(name), suggestion(name, known)),
         "A term may use its function's parameters, let-bound names, declared variables and functions defined before");
}

TermId FileTerms::number(std::uint32_t node) const {
  const std::string& word = file_[node].word;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size() && value >= -kMaxNumber && value <= kMaxNumber)
    return terms_.number(value);
  refuse(node, fmt::format("{} is not a whole number of at most {}", io::quoted_for_message(word), kMaxNumber),
         "Int has no decimals, hexadecimals or larger numbers here");
}

TermId FileTerms::list_term(std::uint32_t node, const Scope& scope) {
  const std::vector<std::uint32_t>& parts = file_[node].children;
  if (parts.empty()) refuse(node, "() is not a term");
  const std::string& name = word(parts[0], "an operator or the name of a function");
  if (name == "let") return let_term(node, scope);
  if (is_one_of(kKnownButRefused, name))
    refuse(node, fmt::format("{} is not supported", io::quoted_for_message(name)),
           "Linear integer arithmetic is: and or not => xor = distinct < <= > >= + - abs ite let, and * div mod with a "
           "number");
  Arguments arguments;
  for (std::size_t i = 1; i < parts.size(); ++i) arguments.push_back(term(parts[i], scope));
  return operation(node, name, arguments);
}

TermId FileTerms::let_term(std::uint32_t node, const Scope& scope) {
  const std::vector<std::uint32_t>& parts = file_[node].children;
  if (parts.size() != 3 || !file_[parts[1]].is_list)
    refuse(node, "a let of the wrong form", "Write (let ((name term) ...) term)");
  Scope inner = scope;
  for (const std::uint32_t binding : file_[parts[1]].children) {
    const std::vector<std::uint32_t>& words = file_[binding].children;
    if (!file_[binding].is_list || words.size() < 2 || words.size() > 3)
      refuse(binding, "a binding of the wrong form", "Write (name term), or (name sort term) as version 1 has it");
    const TermId value = term(words.back(), scope);
    if (words.size() == 3 && sort(words[1]) != terms_.sort(value))
      refuse(words.back(), fmt::format("the term is {}, not as declared", sort_text(terms_.sort(value))));
    inner[word(words[0], "the name of a binding")] = value;
  }
  return term(parts[2], inner);
}

TermId FileTerms::operation(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  if (is_one_of(kLogical, name)) return logical(node, name, arguments);
  if (is_one_of(kComparisons, name)) return comparison(node, name, arguments);
  if (is_one_of(kArithmetic, name)) return arithmetic(node, name, arguments);
  if (name == "ite") {
    require_count(node, arguments, 3, 3);
    require_sort(node, {arguments[0]}, Sort::kBoolean);
    require_sort(node, {arguments[2]}, terms_.sort(arguments[1]));
    return terms_.if_then_else(arguments[0], arguments[1], arguments[2]);
  }
  if (const Function* function = find(name)) return apply(*function, arguments, node);
  if (predicates_.contains(name)) return application(node, name, arguments);
  std::vector<std::string> known;
  for (const auto& entry : functions_) known.push_back(entry.first);
  refuse(node, fmt::format("the function {} is unknown.{}", io::quoted_for_message(name), suggestion(name, known)),
         "Define functions before their use");
}

TermId FileTerms::logical(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  require_sort(node, arguments, Sort::kBoolean);
  if (name == "not") {
    require_count(node, arguments, 1, 1);
    return terms_.negation(arguments[0]);
  }
  require_count(node, arguments, name == "and" || name == "or" ? 1 : 2, arguments.size() + 2);
  if (name == "and") return terms_.conjunction(arguments);
  if (name == "or") return terms_.disjunction(arguments);
  if (name == "xor") {
    TermId result = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) result = terms_.negation(terms_.equal(result, arguments[i]));
    return result;
  }
  Arguments parts = arguments;  // a => b => c is not a, or not b, or c
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parts[i] = terms_.negation(parts[i]);
  return terms_.disjunction(parts);
}

TermId FileTerms::comparison(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  require_count(node, arguments, 2, arguments.size() + 2);
  const bool is_equality = name == "=" || name == "distinct";
  require_sort(node, arguments, is_equality ? terms_.sort(arguments[0]) : Sort::kInteger);
  Arguments parts;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < (name == "distinct" ? arguments.size() : std::min(i + 2, arguments.size())); ++j) {
      const TermId left = arguments[i], right = arguments[j];
      if (name == "=") parts.push_back(terms_.equal(left, right));
      else if (name == "distinct") parts.push_back(terms_.negation(terms_.equal(left, right)));
      else if (name == "<") parts.push_back(terms_.less(left, right));
      else if (name == "<=") parts.push_back(terms_.at_most(left, right));
      else if (name == ">") parts.push_back(terms_.less(right, left));
      else parts.push_back(terms_.at_most(right, left));
    }
  return terms_.conjunction(parts);
}

TermId FileTerms::arithmetic(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  require_count(node, arguments, 1, arguments.size() + 1);
  require_sort(node, arguments, Sort::kInteger);
  if (name == "*") return product(node, arguments);
  if (name == "div" || name == "mod") return division(node, name, arguments);
  if (name == "abs") {
    require_count(node, arguments, 1, 1);
    return terms_.if_then_else(terms_.less(arguments[0], terms_.number(0)), terms_.scaled(-1, arguments[0]),
                               arguments[0]);
  }
  Arguments parts = arguments;
  if (name == "-")
    for (std::size_t i = arguments.size() == 1 ? 0 : 1; i < parts.size(); ++i) parts[i] = terms_.scaled(-1, parts[i]);
  return terms_.sum(parts);
}

/// m = n (div m n) + (mod m n) with 0 <= (mod m n) < |n|, as SMT-LIB has it.
TermId FileTerms::division(std::uint32_t node, const std::string& name, const Arguments& arguments) {
  require_count(node, arguments, 2, 2);
  const std::int64_t divisor = terms_.is_number(arguments[1]) ? terms_[arguments[1]].number : 0;
  if (divisor == 0)
    refuse(node, fmt::format("{} by what is not a number other than 0", io::quoted_for_message(name)),
           "Linear integer arithmetic divides by numbers alone");
  if (name == "mod") return terms_.remainder(arguments[0], std::abs(divisor));
  const TermId quotient = terms_.quotient(arguments[0], std::abs(divisor));
  return divisor > 0 ? quotient : terms_.scaled(-1, quotient);
}

TermId FileTerms::product(std::uint32_t node, const Arguments& arguments) {
  TermId result = terms_.number(1);
  for (const TermId argument : arguments) {
    const TermId factor = terms_.is_number(result) ? result : argument;
    if (!terms_.is_number(factor))
      refuse(node, "a product of two terms that are not numbers is not linear",
             "Linear integer arithmetic is supported");
    const std::int64_t number = terms_[factor].number;
    const TermId other = factor == result ? argument : result;
    result = number == 1 ? other : terms_.scaled(number, other);
  }
  return result;
}

void FileTerms::require_count(std::uint32_t node, const Arguments& arguments, std::size_t least,
                              std::size_t most) const {
  if (arguments.size() >= least && arguments.size() <= most) return;
  refuse(node,
         fmt::format("{} with {} arguments", io::quoted_for_message(file_[file_[node].children[0]].word),
                     arguments.size()),
         least == most ? fmt::format("It takes {}", least) : fmt::format("It takes {} or more", least));
}

void FileTerms::require_sort(std::uint32_t node, const Arguments& arguments, Sort sort) const {
  for (const TermId argument : arguments)
    if (terms_.sort(argument) != sort)
      refuse(node, fmt::format("an argument of {} is {}; it must be {}",
                               io::quoted_for_message(file_[file_[node].children[0]].word),
                               sort_text(terms_.sort(argument)), sort_text(sort)));
}

}  // namespace fovea::synthesis
