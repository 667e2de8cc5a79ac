// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/author_names.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/utf8.h"
#include "fovea/linkage/similarity/edit_distance.h"

namespace fovea::linkage {
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
