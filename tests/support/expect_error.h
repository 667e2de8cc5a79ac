// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fovea::testing {

/// Runs `statement`, expects it to throw exactly `Error` (no base, no derived class) and returns the message, or "" if
/// it did not throw. Example: EXPECT_THAT(message_of<InputError>([&] { read(path); }), HasSubstr("line 3"));
template <class Error, class Statement>
std::string message_of(Statement&& statement) {
  try {
    statement();
  } catch (const Error& error) {
    EXPECT_EQ(typeid(error), typeid(Error));
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// Expects for each pair of texts that the message refusal(first) holds the second.
template <class Refusal>
void expect_messages(const Refusal& refusal, const std::vector<std::pair<const char*, const char*>>& cases) {
  for (const auto& [text, part] : cases) EXPECT_THAT(refusal(text), ::testing::HasSubstr(part)) << text;
}

}  // namespace fovea::testing

/// What most tests of messages and lists say, under its bare name in every module.
namespace fovea {
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
}  // namespace fovea
