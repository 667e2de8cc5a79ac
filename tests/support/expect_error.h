// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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

}  // namespace fovea::testing
