// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/authors_preset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// Expressions for the parts of a name.
struct NameParts {
  std::string given, surname;
};

NameParts name_parts(const io::Table& table) {
  if (table.find_column("first") && table.find_column("last")) return {"first", "last"};
  if (table.find_column("name")) return {"given(name)", "surname(name)"};
  throw InputError({.file = table.name()}, "no column of names: name, or first and last",
                   "Rename the columns, or say what to compare: option 'compare', option 'block'");
}

}  // namespace

MatchingPreset authors_preset(const io::Table& table) {
  const NameParts parts = name_parts(table);
  const std::string &given = parts.given, &surname = parts.surname;
  const std::string family = fmt::format("transliterated(family({}))", surname);
  const std::string key = fmt::format("initial({})+{}", given, family);
  const std::string first = fmt::format("full(first({}))", given);
  std::vector<std::string> comparisons;
  comparisons.push_back(fmt::format("{}:author_name", given));
  const auto compare_names = [&](const std::string& context) {
    comparisons.push_back(fmt::format("{}:given_name@{}", given, context));
  };
  if (table.find_column("title") || table.find_column("coauthors")) {
    compare_names(fmt::format("variety({}, {})", first, key));
    compare_names(fmt::format("size({})", key));
    compare_names(fmt::format("distinct(initial({}), {})", given, family));
  } else {  // without papers, the number of records says no more about the number of authors
    compare_names(fmt::format("distinct({}, {})", first, key));
  }
  const auto compare_if_present = [&](const char* column, const char* kind) {
    if (table.find_column(column)) comparisons.push_back(fmt::format("{}:{}", column, kind));
  };
  compare_if_present("affiliation", "words");
  compare_if_present("coauthors", "elements");
  compare_if_present("title", "topic");
  compare_if_present("venue", "exact");
  compare_if_present("paper", "exact");
  return {fmt::format("{}", fmt::join(comparisons, ", ")), key};
}

}  // namespace fovea::linkage
