// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/cli/run/option_facts.h"

namespace CLI {  // CLI11 takes seconds to compile, so only the files that call it include it
class App;
}

namespace fovea::cli {

/// A file that a command was given: by which option or argument, and what for.
struct NamedFile {
  std::string option = "";  ///< "--output", "FILE"
  FileRole role = FileRole::kNone;
  std::string path = "";
};

/// Throws UsageError where an output would replace a file that is read (also through links, and standard input), or
/// two outputs would be one file; InputError where an output cannot be written. So a command that runs for hours knows
/// before it begins. Outputs that are pipes or devices are not looked at, nor is "-".
void check_files(std::span<const NamedFile> files);

/// Binds described options (base/options.h) to a CLI11 parser: flags, ranges, choices, defaults and help all come from
/// the description.
///
/// A bool is a flag: `--name`, or `--no-name` where the default is true. A list takes values separated by commas, or
/// the option several times. Of other options that are repeated, the last one counts. A std::optional stays empty
/// unless it is given.
class Binder {
 public:
  enum class Presence { kRequired, kOptional };

  explicit Binder(CLI::App& app) : app_(app) {}

  /// `options` must outlive the parsing. `heading` is the title of the group in --help.
  template <class Options>
  void options(Options& options, const char* heading = "Options") {
    Options::describe([&](auto field, const OptionInfo& info) { bind_option(options.*field, info, heading); });
    checks_.push_back([&options] { validate(options); });
  }

  /// Binds an option of the command alone, one that belongs to no options struct. `value` must outlive the parsing.
  template <class T>
  void option(T& value, const OptionInfo& info, const char* heading = "Options") {
    bind_option(value, info, heading);
    checks_.push_back([&value, info] { internal::check_field(info, value); });
  }

  /// Binds an argument by position; info.name is what --help and errors call it. Only the last may be a list.
  void argument(std::string& value, const OptionInfo& info, Presence presence);
  void argument(std::vector<std::string>& values, const OptionInfo& info, Presence presence);

  /// Binds an argument that names a file to read, or a list of such files.
  template <class Text>
  void input(Text& value, const char* name, const char* description) {
    argument(value, {.name = name, .description = description, .file = FileRole::kInput}, Presence::kRequired);
  }
  template <class Text>
  void optional_input(Text& value, const char* name, const char* description) {
    argument(value, {.name = name, .description = description, .file = FileRole::kInput}, Presence::kOptional);
  }

  /// Throws UsageError unless all that was bound is valid. To be called after parsing.
  void validate_all() const {
    for (const auto& check : checks_) check();
  }

  /// Facts about everything that was bound, in order; arguments by position have no group.
  const std::vector<OptionFacts>& facts() const { return facts_; }

  /// The files that were given for options and arguments with a FileRole. To be called after parsing.
  std::vector<NamedFile> files() const;

 private:
  void bind_option(bool& value, const OptionInfo& info, const char* heading);
  void bind_option(int& value, const OptionInfo& info, const char* heading);
  void bind_option(std::uint64_t& value, const OptionInfo& info, const char* heading);
  void bind_option(double& value, const OptionInfo& info, const char* heading);
  void bind_option(std::string& value, const OptionInfo& info, const char* heading);
  void bind_option(std::vector<std::string>& value, const OptionInfo& info, const char* heading);
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void bind_option(std::optional<Number>& value, const OptionInfo& info, const char* heading);
  template <Worded E>
  void bind_option(E& value, const OptionInfo& info, const char* heading) {
    bind_words({.all = all_words<E>(), .given = {word_of(value)}}, info, heading,
               [&value](const Words& given) { value = *value_of<E>(given.back()); });
  }
  template <Worded E>
  void bind_option(std::optional<E>& value, const OptionInfo& info, const char* heading) {
    bind_words({.all = all_words<E>()}, info, heading,
               [&value](const Words& given) { value = value_of<E>(given.back()); });
  }
  template <Worded E>
  void bind_option(std::vector<E>& values, const OptionInfo& info, const char* heading) {
    WordChoice choice = {.all = all_words<E>(), .is_list = true};
    for (const E value : values) choice.given.push_back(word_of(value));
    bind_words(choice, info, heading, [&values](const Words& given) {
      values.clear();
      for (const std::string_view word : given) values.push_back(*value_of<E>(word));
    });
  }

  using Words = std::vector<std::string_view>;
  struct WordChoice {
    Words all, given = {};  ///< what may be given, and the default
    bool is_list = false;
  };
  /// `take` gets at least one word, each of them one of choice.all.
  void bind_words(const WordChoice& choice, const OptionInfo& info, const char* heading,
                  const std::function<void(const Words&)>& take);

  template <class Number>
  void bind_number(Number& value, const OptionInfo& info, const char* heading, const std::string& default_text);

  template <class Text>
  void note_file(const Text& value, const std::string& option, FileRole role);

  CLI::App& app_;
  std::vector<std::function<void()>> checks_;
  std::vector<std::function<void(std::vector<NamedFile>&)>> files_;
  std::vector<OptionFacts> facts_;
};

/// The description, with the rule that the value must meet and the default, in lines of at most `width` columns:
/// "Labels in one factor. [2 to 6; default 2]". `words`: all that may be given; empty: any text.
std::string help_text(const OptionInfo& info, const std::string& default_text, std::span<const std::string_view> words,
                      std::size_t width = 78);
std::string help_text(const OptionInfo& info, const std::string& default_text, std::size_t width = 78);

}  // namespace fovea::cli
