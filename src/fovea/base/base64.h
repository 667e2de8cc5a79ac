// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fovea {

/// Bytes as text, four characters for three bytes (RFC 4648, with padding).
std::string base64(std::string_view bytes);

/// The bytes; nullopt if `text` is not what base64() makes.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace fovea
