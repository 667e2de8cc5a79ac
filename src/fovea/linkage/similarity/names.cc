// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/names.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/string_distance.h"
#include "fovea/base/text.h"
#include "fovea/base/utf8.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

NameAgreement compare_words(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a == b) return NameAgreement::kEqual;
  const std::size_t initial = first_character(a).size;
  if (b.starts_with(a)) return a.size() == initial ? NameAgreement::kInitial : NameAgreement::kPrefix;
  constexpr std::size_t kMinEditable = 3;
  if (count_characters(a) >= kMinEditable && count_characters(b) >= kMinEditable && damerau(a, b, 1) == 1)
    return NameAgreement::kOneEdit;
  return b.starts_with(a.substr(0, initial)) ? NameAgreement::kSameInitial : NameAgreement::kConflict;
}

}  // namespace

NameAgreement compare_given_names(std::string_view a, std::string_view b) {
  return compare_given_names(tokens(a), tokens(b));
}

NameAgreement compare_given_names(const std::vector<std::string>& words_a, const std::vector<std::string>& words_b) {
  const std::size_t shared = std::min(words_a.size(), words_b.size());
  if (shared == 0) return NameAgreement::kMissing;
  NameAgreement weakest = words_a.size() == words_b.size() ? NameAgreement::kEqual : NameAgreement::kPrefix;
  for (std::size_t i = 0; i < shared; ++i) weakest = std::max(weakest, compare_words(words_a[i], words_b[i]));
  return weakest;
}

PersonName split_name(std::string_view name) {
  name = trimmed(name);
  const std::size_t comma = name.find(',');
  if (comma != name.npos) return {trimmed(name.substr(0, comma)), trimmed(name.substr(comma + 1))};
  const std::size_t blank = name.rfind(' ');
  if (blank == name.npos) return {name, {}};
  return {name.substr(blank + 1), trimmed(name.substr(0, blank))};
}

std::string family_name(std::string_view surname) {
  static constexpr std::array<std::string_view, 5> kSuffixes = {"jr", "sr", "ii", "iii", "iv"};
  std::vector<std::string> words = tokens(surname);
  while (words.size() > 1 && std::ranges::find(kSuffixes, words.back()) != kSuffixes.end()) words.pop_back();
  return words.empty() ? "" : words.back();
}

std::string transliterated(std::string_view name) {
  std::string letters;
  for (const char letter : normalised(name)) {
    if (letter == ' ') continue;
    const char previous = !letters.empty() ? letters.back() : ' ';
    if (letter == 'e' && (previous == 'a' || previous == 'o' || previous == 'u')) continue;
    letters += letter == 'y' ? 'i' : letter;
  }
  return letters;
}

namespace {

using enum AuthorNameAgreement;

bool is_initial(std::string_view name) { return first_character(name).size == name.size(); }

bool one_begins_other(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

std::string joined(const GivenNames& names) { return std::accumulate(names.begin(), names.end(), std::string()); }

enum class Middle { kNone, kOpen, kAgree, kConflict };

Middle compare_middle_names(const GivenNames& a, const GivenNames& b) {
  const std::size_t shared = std::min(a.size(), b.size());
  if (shared == 1) return a.size() == b.size() ? Middle::kNone : Middle::kOpen;
  for (std::size_t i = 1; i < shared; ++i)
    if (!one_begins_other(a[i], b[i])) return Middle::kConflict;
  return Middle::kAgree;
}

AuthorNameAgreement with_middle(AuthorNameAgreement open, Middle middle) {
  static_assert(static_cast<int>(kInitial) == static_cast<int>(kInitialOpen) + 1);
  static_assert(static_cast<int>(kFirstMiddle) == static_cast<int>(kFirstOpen) + 2);
  const int step = middle == Middle::kOpen ? 0 : middle == Middle::kNone ? 1 : 2;
  return static_cast<AuthorNameAgreement>(static_cast<int>(open) + step);
}

}  // namespace

AuthorNameAgreement compare_author_names(const GivenNames& a, const GivenNames& b) {
  if (a.empty() || b.empty()) return kMissing;
  if (a.size() != b.size() && joined(a) == joined(b)) return kFirst;
  const Middle middle = compare_middle_names(a, b);
  if (middle == Middle::kConflict) return kConflict;
  if (is_initial(a[0]) || is_initial(b[0]))
    return one_begins_other(a[0], b[0]) ? with_middle(kInitialOpen, middle) : kConflict;
  if (a[0] == b[0]) return with_middle(kFirstOpen, middle);
  return one_begins_other(a[0], b[0]) || damerau(a[0], b[0], 1) == 1 ? kSimilar : kConflict;
}

}  // namespace fovea::linkage
