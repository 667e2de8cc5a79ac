// SPDX-License-Identifier: Apache-2.0
#include "fovea/feature/similarity/names.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fovea/feature/similarity/edit_distance.h"
#include "fovea/feature/similarity/normalise.h"
#include "fovea/feature/utf8.h"

namespace fovea {
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
  const std::vector<std::string> words_a = tokens(a), words_b = tokens(b);
  const std::size_t shared = std::min(words_a.size(), words_b.size());
  if (shared == 0) return NameAgreement::kMissing;
  NameAgreement weakest = words_a.size() == words_b.size() ? NameAgreement::kEqual : NameAgreement::kPrefix;
  for (std::size_t i = 0; i < shared; ++i) weakest = std::max(weakest, compare_words(words_a[i], words_b[i]));
  return weakest;
}

}  // namespace fovea
