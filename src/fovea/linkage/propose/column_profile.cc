// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/propose/column_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "fovea/base/dictionary.h"
#include "fovea/linkage/columns/bare_names.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kLookedAt = 5000;     // distinct values that show what a column holds
constexpr std::size_t kMostGivenNames = 3;  // of a person

/// Means over the values of a column, as often as records have them.
struct Appearance {
  double dates = 0, emails = 0, lists = 0, initials = 0;  // shares of the values
  double words = 0;                                       // of a value
  double digits = 0;                                      // share of its letters and digits
};

bool looks_like_date(std::string_view text) {
  constexpr std::ptrdiff_t kFewestDigits = 6, kFewestNextToLetters = 3;  // a year is not enough
  const auto digits = std::ranges::count_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  const bool has_letters = std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
  return digits >= (has_letters ? kFewestNextToLetters : kFewestDigits) && parse_date(text).has_value();
}

Appearance appearance_of(const NumberedValues& numbered) {
  Appearance mean;
  const Dictionary& values = numbered.values;
  const std::size_t count = std::min(values.size(), kLookedAt);
  std::vector<double> records(count);
  for (const std::uint32_t value : numbered.of_row)
    if (value < count) ++records[value];
  double all = 1e-9;
  for (std::uint32_t value = 0; value < count; ++value) {
    const double weight = records[value];
    all += weight;
    const std::string_view text = values.text(value);
    const std::vector<std::string> words = tokens(text);
    const auto is_initial = [](const std::string& word) {
      return word.size() == 1 && std::isalpha(static_cast<unsigned char>(word[0]));
    };
    double digits = 0, signs = 1e-9;
    for (const std::string& word : words) {
      signs += static_cast<double>(word.size());
      digits += static_cast<double>(std::ranges::count_if(word, [](unsigned char c) { return std::isdigit(c) != 0; }));
    }
    mean.dates += weight * looks_like_date(text);
    mean.emails += weight * (text.find('@') != text.npos);
    mean.lists += weight * (text.find('|') != text.npos);
    mean.initials += weight * (!words.empty() && words.size() <= kMostGivenNames && is_initial(words.front()));
    mean.words += weight * static_cast<double>(words.size());
    mean.digits += weight * digits / signs;
  }
  for (double* sum : {&mean.dates, &mean.emails, &mean.lists, &mean.initials, &mean.words, &mean.digits}) *sum /= all;
  return mean;
}

/// The form of a column that has something to say.
ColumnForm form_of(const Appearance& values, std::size_t distinct) {
  constexpr std::size_t kFewValues = 60;
  if (values.dates > .8) return ColumnForm::kDate;
  if (values.emails > .5) return ColumnForm::kEmail;
  if (values.lists > .2) return ColumnForm::kElements;
  if (values.digits > .6) return ColumnForm::kDigits;
  if (values.words >= 2.6) return ColumnForm::kText;
  if (distinct <= kFewValues) return ColumnForm::kCategory;
  return values.initials > .05 ? ColumnForm::kInitials : ColumnForm::kName;
}

/// True if the name of a column says that people who live together share it.
bool names_household(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kShared = {
      "surname", "last",     "lastname", "family",    "address", "addr",     "street", "road",
      "house",   "postcode", "postal",   "zip",       "city",    "suburb",   "town",   "county",
      "state",   "country",  "phone",    "telephone", "tel",     "household"};
  std::string letters;
  for (const char letter : normalised(name))
    letters += std::isalpha(static_cast<unsigned char>(letter)) != 0 ? letter : ' ';
  const std::vector<std::string> words = tokens(letters);
  return std::ranges::any_of(kShared, [&](std::string_view place) {
    return std::ranges::any_of(words, [&](const std::string& word) { return word == place; });
  });
}

/// The name of a column, in double quotes unless it is read as a name without.
std::string listed_name(const std::string& name) {
  const bool is_plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c >= 0x80;
  });
  return is_plain ? name : fmt::format("\"{}\"", name);
}

}  // namespace

ColumnProfile profile_column(const io::Table& table, std::size_t column) {
  constexpr double kHardlyFilled = .02;
  ColumnProfile profile{
      .name = listed_name(table.columns()[column]), .form = ColumnForm::kUseless, .values = {}, .counts = {}};
  if (table.columns()[column].find('"') != std::string::npos) return profile;
  profile.is_of_household = names_household(table.columns()[column]);
  const NumberedValues numbered = number_values(ColumnExpression(profile.name, table), table);
  Dictionary normal;
  std::vector<std::uint32_t> number_of;  // [value of the table]
  for (std::uint32_t value = 0; value < numbered.values.size(); ++value) {
    const std::string text = normalised(numbered.values.text(value));
    number_of.push_back(text.empty() ? kNoId : normal.add(text));
  }
  profile.counts.resize(normal.size());
  std::size_t filled = 0;
  for (const std::uint32_t value : numbered.of_row) {
    profile.values.push_back(value == kNoId ? kNoId : number_of[value]);
    if (profile.values.back() == kNoId) continue;
    ++filled;
    ++profile.counts[profile.values.back()];
  }
  profile.filled_share = static_cast<double>(filled) / static_cast<double>(std::max<std::size_t>(table.row_count(), 1));
  const Appearance values = appearance_of(numbered);
  const bool is_id = normal.size() == filled && values.words < 1.5;
  if (normal.size() > 1 && profile.filled_share >= kHardlyFilled && !is_id)
    profile.form = form_of(values, normal.size());
  return profile;
}

bool are_copies(const ColumnProfile& a, const ColumnProfile& b) {
  if (a.counts.size() != b.counts.size()) return false;
  std::vector<std::uint32_t> partner(a.counts.size(), kNoId), partner_of_b(b.counts.size(), kNoId);
  const auto goes_with = [](std::uint32_t& known, std::uint32_t value) {
    if (known == kNoId) known = value;
    return known == value;
  };
  for (std::size_t row = 0; row < a.values.size(); ++row) {
    const std::uint32_t x = a.values[row], y = b.values[row];
    if ((x == kNoId) != (y == kNoId)) return false;
    if (x != kNoId && (!goes_with(partner[x], y) || !goes_with(partner_of_b[y], x))) return false;
  }
  return true;
}

}  // namespace fovea::linkage
