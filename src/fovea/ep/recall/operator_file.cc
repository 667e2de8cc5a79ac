// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/operator_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "fovea/base/container.h"
#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

constexpr const char* kKind = "operator";
constexpr std::size_t kMostParts = 4096, kMostSlots = 255;

/// Visits all options as numbers, in the order of the file.
template <class Visit>
void visit_options(JustInTimeOptions& options, Visit&& visit) {
  const auto each = [&](auto& part) {
    using Part = std::decay_t<decltype(part)>;
    Part::describe([&](auto member, const OptionInfo& info) { visit(part.*member, info); });
  };
  each(options);
  each(options.forest);
}

std::string part_name(std::size_t part, const char* what) { return fmt::format("{}.{}", part, what); }

void require_same_factor(const LearnedOperator& expected, const LearnedOperator& learned, const std::string& path) {
  if (learned.factor != expected.factor || learned.slot_count != expected.slot_count)
    throw InputError({.file = path},
                     fmt::format("was learned of factor '{}' with {} variables, not of '{}' with {}", learned.factor,
                                 learned.slot_count, expected.factor, expected.slot_count),
                     "Give the file of this factor, or none to learn it anew");
  if (learned.options.by_message != expected.options.by_message)
    throw InputError({.file = path},
                     learned.options.by_message ? "learned messages, not marginals" : "learned marginals, not messages",
                     "Make option 'jit-by-message' the same, or learn it anew");
}

/// Merges a member of all parts in turns: the first element of each, then the second, and so on.
template <class Member>
auto in_turns(std::span<const LearnedOperator::Part* const> parts, Member member) {
  std::decay_t<decltype(parts[0]->*member)> result;
  for (std::size_t i = 0, before = 1; result.size() != before; ++i) {
    before = result.size();
    for (const LearnedOperator::Part* part : parts)
      if (i < (part->*member).size()) result.push_back((part->*member)[i]);
  }
  return result;
}

}  // namespace

LearnedOperator learned_operator(const JustInTime& source) {
  LearnedOperator result = {.factor = std::string(source.factor().name()),
                            .slot_count = source.factor().slot_count(),
                            .options = source.options()};
  for (const LearnedMessage* learned : source.learned())
    if (learned->examples() > 0)
      result.parts.push_back({.kind = learned->kind(),
                              .examples = learned->kept(),
                              .cases = learned->limit().cases(),
                              .seen = learned->examples()});
  return result;
}

void teach(JustInTime& source, const LearnedOperator& learned, const std::string& path) {
  require_same_factor(learned_operator(source), learned, path);
  for (const LearnedOperator::Part& part : learned.parts) {
    LearnedMessage& learner = source.learned(part.kind);
    for (const regress::RegressionExample& example : part.examples) learner.learn(example);
    for (const UncertaintyLimit::HeldOutMessage& held_out : part.cases) learner.add_case(held_out);
  }
}

LearnedOperator merged(std::span<const LearnedOperator> operators, std::span<const std::string> paths) {
  FOVEA_CHECK(!operators.empty() && operators.size() == paths.size());
  LearnedOperator result = operators[0];
  result.parts.clear();
  std::map<MessageKind, std::vector<const LearnedOperator::Part*>> parts;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    require_same_factor(operators[0], operators[i], paths[i]);
    for (const LearnedOperator::Part& part : operators[i].parts) parts[part.kind].push_back(&part);
  }
  for (const auto& [kind, same] : parts) {
    LearnedOperator::Part part = {.kind = kind,
                                  .examples = in_turns(same, &LearnedOperator::Part::examples),
                                  .cases = in_turns(same, &LearnedOperator::Part::cases)};
    for (const LearnedOperator::Part* one : same) part.seen += one->seen;
    result.parts.push_back(std::move(part));
  }
  return result;
}

void write_operator(const LearnedOperator& learned, const ContainerTarget& target) {
  ContainerWriter writer(kKind, kOperatorVersion);
  writer.add("factor", learned.factor);
  const std::array<std::uint64_t, 2> counts = {learned.slot_count, learned.parts.size()};
  writer.add_array<std::uint64_t>("counts", counts);
  std::vector<double> options;
  JustInTimeOptions copy = learned.options;
  visit_options(copy, [&](auto& value, const OptionInfo&) { options.push_back(static_cast<double>(value)); });
  writer.add_array<double>("options", options);
  for (std::size_t p = 0; p < learned.parts.size(); ++p) {
    const LearnedOperator::Part& part = learned.parts[p];
    std::vector<double> values;
    for (const regress::RegressionExample& example : part.examples) {
      values.insert(values.end(), example.inputs.begin(), example.inputs.end());
      values.push_back(example.tree.back());
      values.insert(values.end(), example.target.begin(), example.target.end());
      values.push_back(example.chance);
    }
    std::vector<std::uint8_t> kind = part.kind.families;
    kind.push_back(static_cast<std::uint8_t>(part.kind.slot));
    writer.add_array<std::uint8_t>(part_name(p, "kind"), kind);
    writer.add_array<std::uint64_t>(part_name(p, "seen"), {&part.seen, 1});
    writer.add_array<double>(part_name(p, "examples"), values);
    writer.add_array<UncertaintyLimit::HeldOutMessage>(part_name(p, "cases"), part.cases);
  }
  writer.write(target);
}

namespace {

JustInTimeOptions read_options(const Container& file) {
  JustInTimeOptions options;
  const auto numbers = file.array<double>("options");
  std::size_t used = 0;
  visit_options(options, [&]<class T>(T& value, const OptionInfo& info) {
    const double least = std::is_same_v<T, bool> ? 0 : info.min, most = std::is_same_v<T, bool> ? 1 : info.max;
    if (used == numbers.size() || !(numbers[used] >= least && numbers[used] <= most))
      file.refuse("options", fmt::format("must have {} within {} .. {}", info.name, least, most));
    value = static_cast<T>(numbers[used++]);
  });
  return options;
}

MessageKind read_kind(const Container& file, const std::string& name, std::size_t slot_count) {
  const auto bytes = file.array<std::uint8_t>(name);
  if (bytes.size() != slot_count + 1) file.refuse(name, "must name a family for each variable");
  MessageKind kind = {.slot = bytes.back(), .families = {bytes.begin(), bytes.end() - 1}};
  const auto is_unknown = [](std::uint8_t family) { return family >= std::variant_size_v<Message>; };
  if (kind.slot >= slot_count || std::ranges::any_of(kind.families, is_unknown) || !kind.is_learnable())
    file.refuse(name, "must name families of known numbers, and one of the variables");
  return kind;
}

std::vector<regress::RegressionExample> read_examples(const Container& file, const std::string& name,
                                                      const MessageKind& kind) {
  const LearnedMessage::VectorSizes sizes = LearnedMessage::sizes_of(kind);
  const auto values = file.array<double>(name);
  const std::size_t width = sizes.inputs + 1 + sizes.target + 1;  // 1 each for the log value and the noise
  if (values.size() % width != 0) file.refuse(name, fmt::format("must be rows of {} numbers", width));
  std::vector<regress::RegressionExample> examples;
  for (std::size_t row = 0; row < values.size(); row += width) {
    const auto inputs = values.subspan(row, sizes.inputs),
               target = values.subspan(row + sizes.inputs + 1, sizes.target);
    const double log_value = values[row + sizes.inputs], chance = values[row + width - 1];
    const auto is_finite = [](double number) { return std::isfinite(number); };
    if (!std::ranges::all_of(inputs, is_finite) || !std::ranges::all_of(target, is_finite) || std::isnan(log_value) ||
        !(chance >= 0 && is_finite(chance)))
      file.refuse(name, "must be finite numbers, noise of 0 or more");
    regress::RegressionExample example = {.tree = {inputs.begin(), inputs.end()},
                                          .inputs = {inputs.begin(), inputs.end()},
                                          .target = {target.begin(), target.end()},
                                          .chance = chance};
    example.tree.push_back(log_value);
    examples.push_back(std::move(example));
  }
  return examples;
}

std::vector<UncertaintyLimit::HeldOutMessage> read_cases(const Container& file, const std::string& name) {
  const auto cases = file.array<UncertaintyLimit::HeldOutMessage>(name);
  for (const UncertaintyLimit::HeldOutMessage& held_out : cases)  // an error may be NaN: it counts as wrong
    if (!(held_out.doubt >= 0)) file.refuse(name, "must have doubts of 0 or more");
  return {cases.begin(), cases.end()};
}

}  // namespace

LearnedOperator read_operator(const ContainerSource& source) {
  const Container file = Container::open(source, kKind, kOperatorVersion);
  LearnedOperator learned = {.factor = std::string(file.bytes("factor")), .options = read_options(file)};
  const auto counts = file.array<std::uint64_t>("counts");
  if (counts.size() != 2 || counts[0] == 0 || counts[0] > kMostSlots || counts[1] > kMostParts)
    file.refuse("counts", "must be the number of variables and of parts");
  learned.slot_count = counts[0];
  for (std::size_t p = 0; p < counts[1]; ++p) {
    LearnedOperator::Part part = {.kind = read_kind(file, part_name(p, "kind"), learned.slot_count)};
    part.examples = read_examples(file, part_name(p, "examples"), part.kind);
    part.cases = read_cases(file, part_name(p, "cases"));
    const auto seen = file.array<std::uint64_t>(part_name(p, "seen"));
    if (seen.size() != 1 || seen[0] < part.examples.size())
      file.refuse(part_name(p, "seen"), "must be the total number of examples");
    part.seen = seen[0];
    learned.parts.push_back(std::move(part));
  }
  return learned;
}

}  // namespace fovea::ep
