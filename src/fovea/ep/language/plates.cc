// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/plates.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

constexpr double kMostMembers = 1e6;  // of a plate given by a number
constexpr const char* kTruthPlate = "0 or 1";

}  // namespace

std::vector<std::uint32_t> cycle(std::size_t size, std::size_t period) {
  Members numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = static_cast<std::uint32_t>(i % period);
  return numbers;
}

std::vector<std::uint32_t> repeat_each(const std::vector<std::uint32_t>& numbers, std::size_t count) {
  Members repeated;
  repeated.reserve(numbers.size() * count);
  for (const std::uint32_t number : numbers) repeated.insert(repeated.end(), count, number);
  return repeated;
}

const ContextCategory* Context::find_category(const Expression& name) const {
  if (name.kind != Kind::kName) return nullptr;
  const std::string text = text_of(name);
  for (const ContextCategory& category : categories)
    if (category.name == text || (name.indices.empty() && category.name == fmt::format("{}[{}]", text, kRows)))
      return &category;
  return nullptr;
}

Context Context::repeated(std::size_t count) const {
  Context wider = *this;
  wider.size = size * count;
  for (Members& of_plate : wider.members) of_plate = repeat_each(of_plate, count);
  for (ContextCategory& category : wider.categories) category.members = repeat_each(category.members, count);
  return wider;
}

Context Context::with(std::size_t plate, std::vector<std::uint32_t> members_of_plate) const {
  Context wider = *this;
  wider.plates.push_back(plate);
  wider.members.push_back(std::move(members_of_plate));
  return wider;
}

Context ModelPlates::over(const Context& context, std::size_t plate, SourcePlace place) const {
  const std::size_t members = plates_[plate].size();
  if (context.size > kMostElements / members)
    refuse(place, fmt::format("over '{}', this has more than {} numbers", plates_[plate].name, kMostElements),
           "Use smaller plates");
  return context.repeated(members).with(plate, cycle(context.size * members, members));
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
  return suggestion(word, std::vector<std::string>(names.begin(), names.end()));
}

ModelPlates::ModelPlates(const std::string& file, const ModelData& data, std::vector<Plate>& plates)
    : file_(file), data_(data), plates_(plates) {
  if (data.table == nullptr) return;
  Plate rows = {.name = kRows, .is_rows = true};
  for (std::size_t row = 1; row <= data.table->row_count(); ++row) rows.members.push_back(std::to_string(row));
  plates_.push_back(std::move(rows));
}

void ModelPlates::refuse(SourcePlace place, std::string_view problem, std::string_view remedy) const {
  throw InputError({.file = file_, .line = place.line, .column = place.column}, problem, remedy);
}

std::optional<std::size_t> ModelPlates::find(std::string_view name) const {
  for (std::size_t i = 0; i < plates_.size(); ++i)
    if (plates_[i].is_called(name)) return i;
  return std::nullopt;
}

std::size_t ModelPlates::called(const Expression& name) const {
  const auto plate = name.kind == Kind::kName && name.indices.empty() ? find(name.name) : std::nullopt;
  if (!plate)
    refuse(name.place, fmt::format("'{}' is not a plate", text_of(name)),
           "Declare it above: name ~ plate(column), or name ~ plate(10)");
  return *plate;
}

bool ModelPlates::is_column(std::string_view name) const {
  return data_.table != nullptr && data_.table->find_column(name).has_value();
}

void ModelPlates::add(const Statement& statement) {
  const Expression& subject = statement.subject;
  if (find(subject.name) || !subject.indices.empty())
    refuse(subject.place, fmt::format("'{}' cannot be a plate", text_of(subject)),
           "Give the plate a name of its own, without indices");
  Plate plate = {.name = subject.name};
  const std::vector<Expression>& arguments = statement.value.arguments;
  const bool is_name = arguments.size() == 1 && arguments[0].kind == Kind::kName && arguments[0].indices.empty();
  const auto copied = is_name && !is_column(arguments[0].name) ? find(arguments[0].name) : std::nullopt;
  if (arguments.size() == 1 && arguments[0].kind == Kind::kNumber) {
    const double count = arguments[0].number;
    if (!(count >= 1) || count != std::floor(count) || count > kMostMembers)
      refuse(arguments[0].place, fmt::format("a plate cannot have {} members", count),
             "Give a whole number from 1 to a million");
    for (std::size_t i = 1; i <= static_cast<std::size_t>(count); ++i) plate.members.push_back(std::to_string(i));
  } else if (copied) {
    plate = plates_[*copied];
    plate.name = subject.name;
    plate.index.clear();
  } else add_members(statement.value, plate);
  plates_.push_back(std::move(plate));
}

std::size_t ModelPlates::truths() {
  if (const auto known = find(kTruthPlate)) return *known;
  plates_.push_back({.name = kTruthPlate, .members = {"0", "1"}});
  return plates_.size() - 1;
}

void ModelPlates::add_members(const Expression& plate_of, Plate& plate) const {
  if (plate_of.arguments.empty())
    refuse(plate_of.place, "a plate of nothing", "Name a column, such as plate(school), or a number of members");
  for (const Expression& column : plate_of.arguments) {
    if (column.kind != Kind::kName || !column.indices.empty() || !is_column(column.name))
      refuse(column.place, fmt::format("'{}' is not a column of the table", text_of(column)),
             "A plate is made of columns, or of one number." +
                 (data_.table == nullptr ? "" : suggestion(column.name, data_.table->columns())));
    const std::size_t place = *data_.table->find_column(column.name);
    for (std::size_t row = 0; row < data_.table->row_count(); ++row)
      if (!data_.table->is_missing(row, place)) plate.members.emplace_back(data_.table->cell(row, place));
  }
  sort_members(plate.members);
  if (const auto earlier = data_.earlier_members.find(plate.name); earlier != data_.earlier_members.end()) {
    const std::unordered_set<std::string_view> known(earlier->second.begin(), earlier->second.end());
    std::vector<std::string> members = earlier->second;
    for (std::string& member : plate.members)
      if (!known.contains(member)) members.push_back(std::move(member));
    plate.members = std::move(members);
  }
  plate.column = plate_of.arguments[0].name;
  if (plate.column != plate.name) plate.index = plate.column;
  if (plate.members.empty()) refuse(plate_of.place, "all cells are missing", "A plate has at least one member");
}

bool ModelPlates::is_same(std::size_t a, std::size_t b) const {
  const auto are_copies = [](const Plate& x, const Plate& y) {
    return (x.is_rows && y.is_rows) || (!x.column.empty() && x.column == y.column && x.size() == y.size());
  };
  return a == b || are_copies(plates_[a], plates_[b]);
}

std::uint32_t ModelPlates::member_of(const Expression& number, std::size_t plate) const {
  const double value = number.number;
  const Plate& of = plates_[plate];
  if (!(value >= 1) || value != std::floor(value) || value > static_cast<double>(of.size()))
    refuse(number.place, fmt::format("{} is out of range: '{}' has {} members", value, of.name, of.size()),
           "Members are numbered from 1 on");
  return static_cast<std::uint32_t>(value) - 1;
}

std::vector<std::uint32_t> ModelPlates::members_in(const Expression& index, std::size_t plate,
                                                   const Context& context) const {
  const Plate& of = plates_[plate];
  if (index.kind == Kind::kNumber) return Members(context.size, member_of(index, plate));
  if (const ContextCategory* category = context.find_category(index)) {
    if (plates_[category->plate].members != of.members)
      refuse(
          index.place,
          fmt::format("'{}' is a member of '{}', not of '{}'", text_of(index), plates_[category->plate].name, of.name),
          "Give both the same plate");
    return category->members;
  }
  if (index.kind == Kind::kName) {
    if (index.indices.empty())
      for (std::size_t i = context.plates.size(); i-- > 0;)
        if (is_same(context.plates[i], plate) && plates_[context.plates[i]].is_called(index.name))
          return context.members[i];
    if (is_column(index.name)) return members_by_column(index, of, context);
  }
  const bool is_shift = index.kind == Kind::kCall && (index.name == "+" || index.name == "-") &&
                        index.arguments.size() == 2 && index.arguments[1].kind == Kind::kNumber;
  if (!is_shift)
    refuse(index.place, fmt::format("'{}' names no member of the plate '{}' here", text_of(index), of.name),
           fmt::format("Write {}, a column that names its members, or a number", of.name));
  const double shift = index.arguments[1].number * (index.name == "-" ? -1 : 1);
  Members members = members_in(index.arguments[0], plate, context);
  for (std::uint32_t& member : members) {
    const double moved = member + shift;
    if (!(moved >= 0) || moved != std::floor(moved) || moved >= static_cast<double>(of.size()))
      refuse(index.place, fmt::format("{} is out of range at {} {}", text_of(index), of.name, of.members[member]),
             "Give the first elements statements of their own, above: x[1] ~ ..., then x[row] ~ ...");
    member = static_cast<std::uint32_t>(moved);
  }
  return members;
}

std::vector<std::uint32_t> ModelPlates::members_by_column(const Expression& column, const Plate& plate,
                                                          const Context& context) const {
  const Members by_row = members_of(*data_.table, column.name, plate);
  const Expression rows = {.kind = Kind::kName, .place = column.place, .name = kRows};
  Members members = members_in(column.indices.empty() ? rows : column.indices[0], 0, context);
  for (std::uint32_t& member : members) member = by_row[member];
  return members;
}

}  // namespace fovea::ep
