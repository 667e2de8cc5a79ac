// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fovea/base/words.h"

namespace fovea {

/// Purpose of an option that names a file, or is "-" for a standard stream. An output must not replace an input.
enum class FileRole {
  kNone,        ///< no file
  kInput,       ///< read
  kOutput,      ///< written
  kResume,      ///< read, a checkpoint
  kCheckpoint,  ///< written; may be the checkpoint that the job resumed from
};
constexpr auto words_of(FileRole) {
  using enum FileRole;
  return std::array{Word{kInput, "input"}, Word{kOutput, "output"}, Word{kResume, "resume"},
                    Word{kCheckpoint, "checkpoint"}};
}

/// Description of one field of an options struct. The command line, validation, --help, the JSON echo, the generated
/// documentation and the bindings all come from it.
struct OptionInfo {
  const char* name;         ///< lower-case-with-dashes: the flag `--name`; the JSON key is the same with underscores
  const char* description;  ///< one sentence: unit, and the inequality or rule in which the value appears
  double min = -std::numeric_limits<double>::infinity();  ///< inclusive; numbers only
  double max = std::numeric_limits<double>::infinity();   ///< inclusive; numbers only
  const char* value_name = nullptr;                       ///< metavariable in --help; defaults by type
  char letter = '\0';                                     ///< one-letter form of the flag (-o), if any
  FileRole file = FileRole::kNone;
  char separator = ',';  ///< lists only: between texts given together; '\0' if texts may hold any character
};

/// Name of the first option, other than `names`, whose value is not its default. Null if all others have theirs.
template <class Options>
const char* changed_option(const Options& options, std::initializer_list<std::string_view> names = {}) {
  const Options defaults;
  const char* changed = nullptr;
  Options::describe([&](auto field, const OptionInfo& info) {
    if (!changed && options.*field != defaults.*field &&
        std::find(names.begin(), names.end(), info.name) == names.end())
      changed = info.name;
  });
  return changed;
}

/// The usual kinds of options; what is rarer spells out its OptionInfo.
constexpr OptionInfo option(const char* name, const char* description, const char* value_name = nullptr) {
  return {.name = name, .description = description, .value_name = value_name};
}
constexpr OptionInfo number_in(double min, double max, const char* name, const char* description) {
  return {.name = name, .description = description, .min = min, .max = max};
}
constexpr OptionInfo number_from(double min, const char* name, const char* description) {
  return {.name = name, .description = description, .min = min};
}
constexpr OptionInfo input_file(const char* name, const char* description) {
  return {.name = name, .description = description, .value_name = "FILE", .file = FileRole::kInput};
}
constexpr OptionInfo output_file(const char* name, const char* description, char letter = '\0') {
  return {.name = name, .description = description, .value_name = "FILE", .letter = letter, .file = FileRole::kOutput};
}

/// A component's options are a plain struct with defaults in place and
///   static void describe(auto&& visit);
/// that calls visit(&Options::field, option(...)) once for each field, in the order of --help. Field types: bool, int,
/// std::uint64_t, double, std::string, an enumeration with words (base/words.h), vectors of the last two, and
/// std::optional of numbers and words, which is empty until it is given.

/// Throws UsageError naming the option, the value and the violated constraint unless every field of `options` meets its
/// description (finite, min <= value <= max).
template <class Options>
void validate(const Options& options);

/// The options as one JSON object (keys with underscores), for reports and model files.
template <class Options>
std::string options_json(const Options& options);

namespace internal {
void check_option(const OptionInfo& info, double value);
void append_option_json(std::string& json, const OptionInfo& info, bool value);
void append_option_json(std::string& json, const OptionInfo& info, std::int64_t value);
void append_option_json(std::string& json, const OptionInfo& info, std::uint64_t value);
void append_option_json(std::string& json, const OptionInfo& info, double value);
void append_option_json(std::string& json, const OptionInfo& info, const std::string& value);
void append_option_json(std::string& json, const OptionInfo& info, const std::vector<std::string>& value);
template <Worded E>
void append_option_json(std::string& json, const OptionInfo& info, E value) {
  append_option_json(json, info, std::string(word_of(value)));
}
template <Worded E>
void append_option_json(std::string& json, const OptionInfo& info, const std::vector<E>& values) {
  std::vector<std::string> words;
  for (const E value : values) words.emplace_back(word_of(value));
  append_option_json(json, info, words);
}
void append_option_null(std::string& json, const OptionInfo& info);

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
void check_field(const OptionInfo& info, const T& value) {
  if constexpr (IsOptional<T>::value) {
    if (value) check_field(info, *value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    check_option(info, static_cast<double>(value));
  }
}

template <class T>
void append_field(std::string& json, const OptionInfo& info, const T& value) {
  if constexpr (IsOptional<T>::value) {
    if (value) append_field(json, info, *value);
    else append_option_null(json, info);
  } else if constexpr (std::is_same_v<T, int>) {
    append_option_json(json, info, static_cast<std::int64_t>(value));
  } else {
    append_option_json(json, info, value);
  }
}
}  // namespace internal

template <class Options>
void validate(const Options& options) {
  Options::describe([&](auto field, const OptionInfo& info) { internal::check_field(info, options.*field); });
}

template <class Options>
std::string options_json(const Options& options) {
  std::string json;
  Options::describe([&](auto field, const OptionInfo& info) { internal::append_field(json, info, options.*field); });
  return "{" + json + "}";
}

}  // namespace fovea
