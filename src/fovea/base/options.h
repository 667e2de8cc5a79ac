// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fovea {

/// What a text that names a file, or is "-" for a standard stream, is for. An output must not replace what is read.
enum class FileRole {
  kNone,        ///< no file
  kInput,       ///< read
  kOutput,      ///< written
  kResume,      ///< read, a checkpoint
  kCheckpoint,  ///< written, may be the one that was resumed from
};

/// What is said once about one field of an options struct. The command line, validation, --help, the JSON echo, the
/// generated documentation and bindings all come from it.
struct OptionInfo {
  const char* name;         ///< lower-case-with-dashes: the flag `--name`; the JSON key is the same with underscores
  const char* description;  ///< one sentence: unit, and the inequality or rule in which the value appears
  double min = -std::numeric_limits<double>::infinity();  ///< inclusive; numbers only
  double max = std::numeric_limits<double>::infinity();   ///< inclusive; numbers only
  std::vector<const char*> choices = {};                  ///< strings only; empty means free text
  const char* value_name = nullptr;                       ///< metavariable in --help; defaults by type
  char letter = '\0';                                     ///< one-letter form of the flag (-o), if any
  FileRole file = FileRole::kNone;
  char separator = ',';  ///< lists only: between texts given at once; '\0' where texts may hold any character
};

/// A component's options are a plain struct with defaults in place and
///   template <class V> static void describe(V&& visit);
/// that calls visit(&Options::field, OptionInfo{...}) once for each field, in the order of --help. Field types: bool,
/// int, std::uint64_t, double, std::string, std::vector<std::string>.

/// Throws UsageError naming option, value and violated constraint unless every field of `options` is within its
/// description (finite, min <= value <= max, one of the choices).
template <class Options>
void validate(const Options& options);

/// The options as one JSON object (keys with underscores), for reports and model files.
template <class Options>
std::string options_json(const Options& options);

namespace internal {
void check_option(const OptionInfo& info, double value);
void check_option(const OptionInfo& info, const std::string& value);
void check_option(const OptionInfo& info, const std::vector<std::string>& value);
void append_option_json(std::string& json, const OptionInfo& info, bool value);
void append_option_json(std::string& json, const OptionInfo& info, std::int64_t value);
void append_option_json(std::string& json, const OptionInfo& info, std::uint64_t value);
void append_option_json(std::string& json, const OptionInfo& info, double value);
void append_option_json(std::string& json, const OptionInfo& info, const std::string& value);
void append_option_json(std::string& json, const OptionInfo& info, const std::vector<std::string>& value);
}  // namespace internal

template <class Options>
void validate(const Options& options) {
  Options::describe([&](auto field, const OptionInfo& info) {
    const auto& value = options.*field;
    if constexpr (requires { static_cast<double>(value); }) internal::check_option(info, static_cast<double>(value));
    else internal::check_option(info, value);
  });
}

template <class Options>
std::string options_json(const Options& options) {
  std::string json;
  Options::describe([&](auto field, const OptionInfo& info) {
    const auto& value = options.*field;
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int>)
      internal::append_option_json(json, info, static_cast<std::int64_t>(value));
    else internal::append_option_json(json, info, value);
  });
  return "{" + json + "}";
}

}  // namespace fovea
