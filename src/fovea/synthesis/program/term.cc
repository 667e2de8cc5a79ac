// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term.h"

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

}  // namespace fovea::synthesis
