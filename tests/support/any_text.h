// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

#include "fovea/base/utf8.h"

namespace fovea::testing {

inline std::string to_utf8(std::u32string_view characters) {
  std::string text;
  for (char32_t c : characters) append_utf8(c, text);
  return text;
}

/// A number in 0 .. end - 1, as likely to be large in a property's first cases as in its last.
inline std::size_t any_below(std::size_t end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, end));
}

/// 0 to 140 characters for tests of similarities, from few letters so that many agree, ASCII or not.
inline std::u32string any_text() {
  const char32_t first = *rc::gen::element(U'a', U'a', U'é', U'ш', U'漢');
  const std::size_t letters = *rc::gen::element(2, 3, 26), longest = *rc::gen::element(3, 10, 64, 70, 140);
  const auto letter = rc::gen::map(rc::gen::inRange<char32_t>(0, letters), [=](char32_t i) { return first + i; });
  return *rc::gen::resize(rc::kNominalSize, rc::gen::container<std::u32string>(any_below(longest + 1), letter));
}

/// Two such texts; half the time the second is the first with a few characters added, dropped, changed or exchanged.
inline std::pair<std::u32string, std::u32string> any_texts() {
  const std::u32string a = any_text();
  if (any_below(2) == 0) return {a, any_text()};
  std::u32string b = a;
  for (std::size_t edits = any_below(6); edits > 0; --edits) {
    const std::size_t at = any_below(b.size() + 1), edit = any_below(4);
    if (edit == 0) b.insert(at, 1, U'a');
    if (edit == 1 && at < b.size()) b.erase(at, 1);
    if (edit == 2 && at < b.size()) b[at] = U'b';
    if (edit == 3 && at + 1 < b.size()) std::swap(b[at], b[at + 1]);
  }
  return {a, b};
}

}  // namespace fovea::testing
