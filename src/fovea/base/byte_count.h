// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fovea {

/// Reads a number of bytes: number unit, unit: B, kB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024); "1.5
/// GB". At least one byte, at most 2^62. Throws UsageError naming `option`, text and what is allowed.
std::uint64_t parse_byte_count(std::string_view option, std::string_view text);

/// The number in the largest decimal unit that leaves at least one: "1.5 GB".
std::string byte_count_text(double bytes);

}  // namespace fovea
