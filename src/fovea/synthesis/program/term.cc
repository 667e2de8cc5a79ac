// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr std::uint64_t kMaxWrittenSize = std::uint64_t{1} << 62;

std::uint64_t mixed_hash(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

}  // namespace

bool TermPool::is_same(const Node& node, const Head& head, std::span<const TermId> operands) const {
  return node.kind == head.kind && node.sort == head.sort && node.number == head.number &&
         std::equal(operands.begin(), operands.end(), operands_.begin() + node.first_operand,
                    operands_.begin() + node.first_operand + node.operand_count);
}

TermId TermPool::add(const Head& head, std::span<const TermId> operands) {
  std::uint64_t hash = mixed_hash(static_cast<std::uint64_t>(head.kind) * 2 + static_cast<std::uint64_t>(head.sort),
                                  static_cast<std::uint64_t>(head.number));
  for (const TermId operand : operands) hash = mixed_hash(hash, operand);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry)
    if (is_same(nodes_[entry->second], head, operands)) return entry->second;
  Node node = {.kind = head.kind,
               .sort = head.sort,
               .depth = 1,
               .number = head.number,
               .first_operand = static_cast<std::uint32_t>(operands_.size()),
               .operand_count = static_cast<std::uint32_t>(operands.size()),
               .written_size = 1};
  for (const TermId operand : operands) {
    node.depth = std::max(node.depth, nodes_[operand].depth + 1);
    node.written_size = std::min(kMaxWrittenSize, node.written_size + nodes_[operand].written_size);
  }
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  const auto id = static_cast<TermId>(nodes_.size());
  nodes_.push_back(node);
  by_hash_.emplace(hash, id);
  return id;
}

void TermPool::require(Sort sort, std::span<const TermId> operands) const {
  for (const TermId operand : operands) FOVEA_CHECK(nodes_[operand].sort == sort);
}

TermId TermPool::negation(TermId operand) {
  const std::array operands = {operand};
  require(Sort::kBoolean, operands);
  return add({TermKind::kNot, Sort::kBoolean, 0}, operands);
}

TermId TermPool::conjunction(std::span<const TermId> operands) {
  require(Sort::kBoolean, operands);
  return operands.size() == 1 ? operands[0] : add({TermKind::kAnd, Sort::kBoolean, 0}, operands);
}

TermId TermPool::disjunction(std::span<const TermId> operands) {
  require(Sort::kBoolean, operands);
  return operands.size() == 1 ? operands[0] : add({TermKind::kOr, Sort::kBoolean, 0}, operands);
}

TermId TermPool::if_then_else(TermId condition, TermId then, TermId otherwise) {
  const std::array operands = {condition, then, otherwise};
  FOVEA_CHECK(sort(condition) == Sort::kBoolean && sort(then) == sort(otherwise));
  return add({TermKind::kIfThenElse, sort(then), 0}, operands);
}

TermId TermPool::equal(TermId left, TermId right) {
  const std::array operands = {left, right};
  FOVEA_CHECK(sort(left) == sort(right));
  return add({TermKind::kEqual, Sort::kBoolean, 0}, operands);
}

TermId TermPool::at_most(TermId left, TermId right) {
  const std::array operands = {left, right};
  require(Sort::kInteger, operands);
  return add({TermKind::kAtMost, Sort::kBoolean, 0}, operands);
}

TermId TermPool::less(TermId left, TermId right) {
  const std::array operands = {left, right};
  require(Sort::kInteger, operands);
  return add({TermKind::kLess, Sort::kBoolean, 0}, operands);
}

TermId TermPool::sum(std::span<const TermId> operands) {
  require(Sort::kInteger, operands);
  std::int64_t total = 0;
  const bool is_constant = std::all_of(operands.begin(), operands.end(), [&](TermId operand) {
    return is_number(operand) && !__builtin_add_overflow(total, nodes_[operand].number, &total);
  });
  if (is_constant) return number(total);
  return operands.size() == 1 ? operands[0] : add({TermKind::kSum, Sort::kInteger, 0}, operands);
}

TermId TermPool::scaled(std::int64_t factor, TermId operand) {
  const std::array operands = {operand};
  require(Sort::kInteger, operands);
  std::int64_t product = 0;
  if (is_number(operand) && !__builtin_mul_overflow(factor, nodes_[operand].number, &product)) return number(product);
  return add({TermKind::kScaled, Sort::kInteger, factor}, operands);
}

TermId TermPool::quotient(TermId operand, std::int64_t divisor) {
  const std::array operands = {operand};
  require(Sort::kInteger, operands);
  FOVEA_CHECK(divisor > 0);
  return add({TermKind::kQuotient, Sort::kInteger, divisor}, operands);
}

TermId TermPool::remainder(TermId operand, std::int64_t divisor) {
  const std::array operands = {operand};
  require(Sort::kInteger, operands);
  FOVEA_CHECK(divisor > 0);
  return add({TermKind::kRemainder, Sort::kInteger, divisor}, operands);
}

std::vector<TermId> TermPool::sub_terms(std::span<const TermId> roots) const {
  std::vector<bool> is_needed(nodes_.size());
  for (const TermId root : roots) is_needed[root] = true;
  std::vector<TermId> order;
  for (auto id = static_cast<TermId>(nodes_.size()); id-- > 0;) {
    if (!is_needed[id]) continue;
    order.push_back(id);
    for (const TermId operand : (*this)[id].operands) is_needed[operand] = true;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Term TermPool::operator[](TermId term) const {
  const Node& node = nodes_[term];
  return {.kind = node.kind,
          .sort = node.sort,
          .number = node.number,
          .operands = {operands_.data() + node.first_operand, node.operand_count}};
}

namespace {

const char* operator_text(TermKind kind) {
  switch (kind) {
    case TermKind::kNot:
      return "not";
    case TermKind::kAnd:
      return "and";
    case TermKind::kOr:
      return "or";
    case TermKind::kIfThenElse:
      return "ite";
    case TermKind::kEqual:
      return "=";
    case TermKind::kAtMost:
      return "<=";
    case TermKind::kLess:
      return "<";
    case TermKind::kSum:
      return "+";
    case TermKind::kQuotient:
      return "div";
    case TermKind::kRemainder:
      return "mod";
    default:
      return "*";
  }
}

/// append_operand(id) appends an operand's text.
template <class AppendOperand>
void append_term(std::string& text, const Term& term, std::span<const std::string> names,
                 const AppendOperand& append_operand) {
  if (term.kind == TermKind::kNumber) text += number_text(term.number);
  else if (term.kind == TermKind::kVariable) text += names[static_cast<std::size_t>(term.number)];
  else if (term.kind == TermKind::kTruth) text += term.number ? "true" : "false";
  else if (term.operands.empty()) text += term.kind == TermKind::kAnd ? "true" : "false";
  else {
    text += '(';
    text += operator_text(term.kind);
    if (term.kind == TermKind::kScaled) text += ' ' + number_text(term.number);
    for (const TermId operand : term.operands) {
      text += ' ';
      append_operand(operand);
    }
    if (term.kind == TermKind::kQuotient || term.kind == TermKind::kRemainder) text += ' ' + number_text(term.number);
    text += ')';
  }
}

void append_written_out(std::string& text, const TermPool& terms, TermId id, std::span<const std::string> names) {
  append_term(text, terms[id], names, [&](TermId operand) { append_written_out(text, terms, operand, names); });
}

/// Returns "x!" for "x", and "|a b!|" for "|a b|".
std::string next_name(const std::string& name) {
  return name.ends_with('|') ? name.substr(0, name.size() - 1) + "!|" : name + "!";
}

}  // namespace

std::string number_text(std::int64_t number) {
  return number < 0 ? fmt::format("(- {})", 0 - static_cast<std::uint64_t>(number)) : fmt::format("{}", number);
}

std::string term_text(const TermPool& terms, TermId term, std::span<const std::string> names) {
  std::string text;
  append_written_out(text, terms, term, names);
  return text;
}

std::string shared_term_text(const TermPool& terms, TermId term, std::span<const std::string> names,
                             std::string_view prefix) {
  const std::vector<TermId> order = terms.sub_terms({&term, 1});
  std::vector<std::uint32_t> uses(term + 1);
  for (const TermId id : order)
    for (const TermId operand : terms[id].operands) ++uses[operand];
  std::string lets, ends;
  std::vector<std::string> texts(term + 1);  // of terms that are used once, until they are; names of the others
  for (const TermId id : order) {
    std::string text;
    append_term(text, terms[id], names, [&](TermId operand) {
      text += texts[operand];
      if (uses[operand] == 1) texts[operand] = std::string();
    });
    if (uses[id] > 1 && !terms[id].operands.empty()) {
      std::string name = fmt::format("{}{}", prefix, id);
      lets += fmt::format("(let (({} {})) ", name, text);
      ends += ')';
      text = std::move(name);
    }
    texts[id] = std::move(text);
  }
  return lets + texts[term] + ends;
}

TermId substituted(TermPool& terms, TermId term, const std::unordered_map<TermId, TermId>& replacements) {
  std::unordered_map<TermId, TermId> done = replacements;
  for (const TermId id : terms.sub_terms({&term, 1})) {
    if (done.contains(id)) continue;
    std::vector<TermId> operands;
    for (const TermId operand : terms[id].operands) operands.push_back(done.at(operand));
    done[id] = operands.empty() ? id : terms.with_operands(id, operands);
  }
  return done.at(term);
}

std::string_view sort_text(Sort sort) { return sort == Sort::kBoolean ? "Bool" : "Int"; }

std::vector<std::string> variable_names(const TransitionSystem& system) {
  std::vector<std::string> names;
  for (const ProgramVariable& variable : system.variables) names.push_back(variable.name);
  for (const ProgramVariable& variable : system.variables) names.push_back(next_name(variable.name));
  for (const ProgramVariable& input : system.inputs) names.push_back(input.name);
  return names;
}

std::string parameter_text(const TransitionSystem& system, bool with_next) {
  const std::vector<std::string> names = variable_names(system);
  std::string text;
  for (std::size_t i = 0; i < (with_next ? 2 : 1) * system.size(); ++i)
    text += fmt::format("{}({} {})", i ? " " : "", names[i], sort_text(system.variables[i % system.size()].sort));
  return text;
}

TermEvaluator::TermEvaluator(const TermPool& terms, TermId root)
    : terms_(terms), order_(terms.sub_terms({&root, 1})), computed_(root + 1) {}

std::optional<std::int64_t> TermEvaluator::value(std::span<const std::int64_t> values) {
  for (const TermId term : order_)
    if (!compute(term, values)) return std::nullopt;
  return computed_[order_.back()];
}

/// Returns false if a number does not fit into 64 bits.
bool TermEvaluator::compute(TermId id, std::span<const std::int64_t> values) {
  const Term term = terms_[id];
  std::int64_t& result = computed_[id];
  const auto operand = [&](std::size_t i) { return computed_[term.operands[i]]; };
  switch (term.kind) {
    case TermKind::kNumber:
    case TermKind::kTruth:
      result = term.number;
      return true;
    case TermKind::kVariable:
      result = values[static_cast<std::size_t>(term.number)];
      return true;
    case TermKind::kNot:
      result = 1 - operand(0);
      return true;
    case TermKind::kAnd:
      result = std::all_of(term.operands.begin(), term.operands.end(), [&](TermId t) { return computed_[t] != 0; });
      return true;
    case TermKind::kOr:
      result = std::any_of(term.operands.begin(), term.operands.end(), [&](TermId t) { return computed_[t] != 0; });
      return true;
    case TermKind::kIfThenElse:
      result = operand(0) ? operand(1) : operand(2);
      return true;
    case TermKind::kEqual:
      result = operand(0) == operand(1);
      return true;
    case TermKind::kAtMost:
      result = operand(0) <= operand(1);
      return true;
    case TermKind::kLess:
      result = operand(0) < operand(1);
      return true;
    case TermKind::kSum:
      result = 0;
      return std::none_of(term.operands.begin(), term.operands.end(),
                          [&](TermId t) { return __builtin_add_overflow(result, computed_[t], &result); });
    case TermKind::kScaled:
      return !__builtin_mul_overflow(term.number, operand(0), &result);
    case TermKind::kQuotient:
      result = operand(0) / term.number - (operand(0) % term.number < 0);
      return true;
    case TermKind::kRemainder:
      result = operand(0) % term.number;
      if (result < 0) result += term.number;
      return true;
  }
  return false;
}

namespace {

/// Adds `factor` times the term; returns false if that is not possible.
bool add_scaled(LinearForm& form, const TermPool& terms, TermId id, std::int64_t factor) {
  const Term term = terms[id];
  std::int64_t product = 0;
  switch (term.kind) {
    case TermKind::kNumber:
      return !__builtin_mul_overflow(factor, term.number, &product) &&
             !__builtin_add_overflow(form.constant, product, &form.constant);
    case TermKind::kVariable: {
      if (static_cast<std::size_t>(term.number) >= form.coefficients.size()) return false;
      std::int64_t& coefficient = form.coefficients[static_cast<std::size_t>(term.number)];
      return !__builtin_add_overflow(coefficient, factor, &coefficient);
    }
    case TermKind::kScaled:
      return !__builtin_mul_overflow(factor, term.number, &product) &&
             add_scaled(form, terms, term.operands[0], product);
    case TermKind::kSum:
      for (const TermId operand : term.operands)
        if (!add_scaled(form, terms, operand, factor)) return false;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<LinearForm> linear_form(const TermPool& terms, TermId term, std::size_t variables) {
  LinearForm form = {.coefficients = std::vector<std::int64_t>(variables)};
  if (terms.written_size(term) > TermPool::kMostWritten || !add_scaled(form, terms, term, 1)) return std::nullopt;
  return form;
}

}  // namespace fovea::synthesis
