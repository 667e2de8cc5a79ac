// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/bind_options.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/cli/run/option_facts.h"
#include "fovea/io/table/table.h"

namespace fovea::cli {
namespace {

std::string flag_of(const OptionInfo& info) {
  return info.letter ? fmt::format("-{},--{}", info.letter, info.name) : fmt::format("--{}", info.name);
}

const char* value_name(const OptionInfo& info, const char* by_type) {
  return info.value_name ? info.value_name : by_type;
}

/// "2 to 6", "at least 2", "at most 6", "one of a, b" or "".
std::string rule_of(const OptionInfo& info, std::span<const std::string_view> words) {
  if (!words.empty()) return fmt::format("one of {}", fmt::join(words, ", "));
  const bool bounded_below = std::isfinite(info.min), bounded_above = std::isfinite(info.max);
  if (bounded_below && bounded_above) return fmt::format("{} to {}", info.min, info.max);
  if (bounded_below) return fmt::format("at least {}", info.min);
  if (bounded_above) return fmt::format("at most {}", info.max);
  return "";
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string lines, word;
  for (std::size_t column = 0; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += '\n';
      column = 0;
    } else if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines;
}

template <class Number>
struct NumberIn {
  using type = Number;
};
template <class Number>
struct NumberIn<std::optional<Number>> {
  using type = Number;
};

template <class Number>
Number parse_number(const OptionInfo& info, const std::string& text) {
  Number value = {};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    throw UsageError(fmt::format("--{} {}: the number is too large", info.name, text));
  if (error == std::errc() && stop == end) return value;
  const char* kind = std::is_floating_point_v<Number> ? "a number" : "a whole number";
  throw UsageError(fmt::format("--{} {}: must be {}", info.name, text, kind));
}

bool is_written(FileRole role) { return role == FileRole::kOutput || role == FileRole::kCheckpoint; }

bool is_stream(const std::string& path) { return path.empty() || path == "-"; }

/// Identity of a file, equal for two paths to one file: the file itself if it exists, otherwise the place where it
/// would be.
struct Identity {
  dev_t device = 0;
  ino_t number = 0;
  std::string place = "";
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Returns nullopt for anything except a regular file: pipes and devices may be read and written at once.
std::optional<Identity> identity_of(const NamedFile& file) {
  struct stat status = {};
  const bool is_standard_input = is_stream(file.path) && !is_written(file.role);
  if (is_standard_input ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(file.path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity{.device = status.st_dev, .number = status.st_ino};
  }
  if (is_stream(file.path) || !is_written(file.role)) return std::nullopt;
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(file.path), error);
  return Identity{.place = error ? file.path : place.string()};
}

/// True for a database, which takes one more table: what is read from it stays.
bool is_database(const std::string& path) { return io::table_format_of_name(path) == io::TableFormat::kSqlite; }

void check_pair(const NamedFile& output, const NamedFile& other) {
  if (is_written(other.role))
    throw UsageError(
        fmt::format("{} and {} are both {}: one would replace the other", output.option, other.option, output.path));
  if (output.role == FileRole::kCheckpoint && other.role == FileRole::kResume) return;
  if (is_database(output.path)) return;
  throw UsageError(fmt::format("{} {} would replace what is read as {}; write to another file", output.option,
                               output.path, other.option));
}

}  // namespace

std::string help_text(const OptionInfo& info, const std::string& default_text, std::span<const std::string_view> words,
                      std::size_t width) {
  std::string facts = rule_of(info, words);
  if (!default_text.empty()) facts += fmt::format("{}default {}", facts.empty() ? "" : "; ", default_text);
  const std::string description = with_flags(info.description);
  return wrapped(facts.empty() ? description : fmt::format("{} [{}]", description, facts), width);
}

std::string help_text(const OptionInfo& info, const std::string& default_text, std::size_t width) {
  return help_text(info, default_text, {}, width);
}

void Binder::bind_option(bool& value, const OptionInfo& info, const char* heading) {
  facts_.push_back({.info = info, .group = heading, .kind = OptionKind::kFlag, .is_negated = value});
  CLI::Option* const option = value ? app_.add_flag_callback(
                                          fmt::format("--no-{}", info.name), [&value] { value = false; },
                                          help_text(info, "on; this flag turns it off"))
                                    : app_.add_flag(flag_of(info), value, help_text(info, ""));
  option->group(heading);
}

template <class Number>
void Binder::bind_number(Number& value, const OptionInfo& info, const char* heading, const std::string& default_text) {
  using Read = typename NumberIn<Number>::type;
  constexpr bool kIsReal = std::is_floating_point_v<Read>;
  facts_.push_back({.info = info,
                    .group = heading,
                    .kind = kIsReal ? OptionKind::kNumber : OptionKind::kInteger,
                    .default_text = default_text});
  const auto read = [&value, info](const CLI::results_t& given) {
    value = parse_number<Read>(info, given.back());
    return true;
  };
  app_.add_option(flag_of(info), read, help_text(info, default_text))
      ->type_name(value_name(info, kIsReal ? "X" : "N"))
      ->take_last()
      ->group(heading);
}

void Binder::bind_option(int& value, const OptionInfo& info, const char* heading) {
  bind_number(value, info, heading, fmt::to_string(value));
}
void Binder::bind_option(std::uint64_t& value, const OptionInfo& info, const char* heading) {
  bind_number(value, info, heading, fmt::to_string(value));
}
void Binder::bind_option(double& value, const OptionInfo& info, const char* heading) {
  bind_number(value, info, heading, fmt::format("{}", value));
}

template <class Number>
requires std::is_arithmetic_v<Number>
void Binder::bind_option(std::optional<Number>& value, const OptionInfo& info, const char* heading) {
  bind_number(value, info, heading, "");
}
template void Binder::bind_option(std::optional<int>&, const OptionInfo&, const char*);
template void Binder::bind_option(std::optional<std::uint64_t>&, const OptionInfo&, const char*);
template void Binder::bind_option(std::optional<double>&, const OptionInfo&, const char*);

void Binder::bind_words(const WordChoice& choice, const OptionInfo& info, const char* heading,
                        const std::function<void(const Words&)>& take) {
  const auto read = [all = choice.all, info, take](const CLI::results_t& given) {
    for (const std::string& word : given)
      if (std::ranges::find(all, word) == all.end())
        throw UsageError(fmt::format("--{} {}: must be one of {}", info.name, word, fmt::join(all, ", ")));
    take({given.begin(), given.end()});
    return true;
  };
  const std::string name = value_name(info, "NAME"), given = fmt::format("{}", fmt::join(choice.given, ","));
  facts_.push_back({.info = info,
                    .group = heading,
                    .kind = OptionKind::kWord,
                    .is_list = choice.is_list,
                    .default_text = given,
                    .words = choice.all});
  CLI::Option* const option = app_.add_option(flag_of(info), read, help_text(info, given, choice.all));
  option->type_name(choice.is_list ? fmt::format("{},...", name) : name)->group(heading);
  if (choice.is_list) option->delimiter(info.separator)->allow_extra_args(false)->take_all();
  else option->take_last();
}

std::vector<NamedFile> Binder::files() const {
  std::vector<NamedFile> files;
  for (const auto& add : files_) add(files);
  return files;
}

template <class Text>
void Binder::note_file(const Text& value, const std::string& option, FileRole role) {
  if (role == FileRole::kNone) return;
  files_.push_back([&value, option, role](std::vector<NamedFile>& files) {
    if constexpr (std::is_same_v<Text, std::string>) {
      const bool is_given = !value.empty() || !option.starts_with("--");  // an omitted argument is a standard stream
      if (is_given) files.push_back({.option = option, .role = role, .path = value});
    } else {
      for (const std::string& path : value) files.push_back({.option = option, .role = role, .path = path});
    }
  });
}

void Binder::bind_option(std::string& value, const OptionInfo& info, const char* heading) {
  note_file(value, fmt::format("--{}", info.name), info.file);
  facts_.push_back({.info = info, .group = heading, .default_text = value});
  app_.add_option(flag_of(info), value, help_text(info, value))
      ->type_name(value_name(info, "TEXT"))
      ->take_last()
      ->group(heading);
}

void Binder::bind_option(std::vector<std::string>& value, const OptionInfo& info, const char* heading) {
  note_file(value, fmt::format("--{}", info.name), info.file);
  const std::string name = value_name(info, "NAME"), given = fmt::format("{}", fmt::join(value, ","));
  facts_.push_back({.info = info, .group = heading, .is_list = true, .default_text = given});
  app_.add_option(flag_of(info), value, help_text(info, given))
      ->type_name(info.separator ? fmt::format("{}{}...", name, info.separator) : name)
      ->delimiter(info.separator)
      ->allow_extra_args(false)
      ->group(heading);
}

void Binder::argument(std::string& value, const OptionInfo& info, Presence presence) {
  note_file(value, info.name, info.file);
  facts_.push_back({.info = info, .is_required = presence == Presence::kRequired});
  app_.add_option(info.name, value, help_text(info, value))->type_name("")->required(presence == Presence::kRequired);
}

void Binder::argument(std::vector<std::string>& values, const OptionInfo& info, Presence presence) {
  note_file(values, info.name, info.file);
  facts_.push_back({.info = info, .is_list = true, .is_required = presence == Presence::kRequired});
  app_.add_option(info.name, values, help_text(info, ""))->type_name("")->required(presence == Presence::kRequired);
}

void check_files(std::span<const NamedFile> files) {
  std::vector<std::pair<const NamedFile*, Identity>> known;
  for (const NamedFile& file : files)
    if (const std::optional<Identity> identity = identity_of(file)) known.emplace_back(&file, *identity);
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = 0; j < known.size(); ++j) {
      const auto& [file, identity] = known[i];
      if (i == j || !is_written(file->role) || !(identity == known[j].second)) continue;
      if (!is_written(known[j].first->role) || j > i) check_pair(*file, *known[j].first);
    }
  for (const auto& [file, identity] : known)
    if (is_written(file->role)) check_can_be_replaced(file->path);
}

}  // namespace fovea::cli
