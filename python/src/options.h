// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fovea/base.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::python {

/// The name of an option in Python: underscores for dashes.
inline std::string python_name(const OptionInfo& info) {
  std::string name = info.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// A text of the library in Python's spelling: option 'restart-rate .5' becomes argument restart_rate=.5.
std::string with_arguments(std::string_view text);

/// Sets a field of an options struct from a Python object. Throws UsageError, in Python's spelling of names.
void read_value(const OptionInfo& info, nanobind::handle object, bool& value);
void read_value(const OptionInfo& info, nanobind::handle object, int& value);
void read_value(const OptionInfo& info, nanobind::handle object, std::uint64_t& value);
void read_value(const OptionInfo& info, nanobind::handle object, double& value);
void read_value(const OptionInfo& info, nanobind::handle object, std::string& value);
void read_value(const OptionInfo& info, nanobind::handle object, std::vector<std::string>& value);
[[noreturn]] void refuse_word(const OptionInfo& info, std::string_view word,
                              const std::vector<std::string_view>& words);

template <Worded E>
void read_value(const OptionInfo& info, nanobind::handle object, E& value) {
  std::string word;
  read_value(info, object, word);
  const std::optional<E> found = value_of<E>(word);
  if (!found) refuse_word(info, word, all_words<E>());
  value = *found;
}
template <Worded E>
void read_value(const OptionInfo& info, nanobind::handle object, std::vector<E>& values) {
  std::vector<std::string> words;
  read_value(info, object, words);
  values.clear();
  for (const std::string& word : words) {
    const std::optional<E> found = value_of<E>(word);
    if (!found) refuse_word(info, word, all_words<E>());
    values.push_back(*found);
  }
}
template <class T>
void read_value(const OptionInfo& info, nanobind::handle object, std::optional<T>& value) {
  if (object.is_none()) value.reset();
  else read_value(info, object, value.emplace());
}

/// Takes the fields of `options` from the keyword arguments that name them, removes these, and checks the ranges.
template <class Options>
void take_options(nanobind::dict& arguments, Options& options) {
  Options::describe([&](auto field, const OptionInfo& info) {
    const std::string name = python_name(info);
    if (!arguments.contains(name.c_str())) return;
    read_value(info, arguments[name.c_str()], options.*field);
    PyDict_DelItemString(arguments.ptr(), name.c_str());
  });
  validate(options);
}

/// Throws UsageError if a keyword argument is left, which nothing has taken.
void refuse_rest(const nanobind::dict& arguments, const char* function);

/// Python's name of the type of a field.
template <class T>
struct FieldKind {
  static constexpr const char* kName = "str";
};
template <>
struct FieldKind<bool> {
  static constexpr const char* kName = "bool";
};
template <>
struct FieldKind<int> {
  static constexpr const char* kName = "int";
};
template <>
struct FieldKind<std::uint64_t> {
  static constexpr const char* kName = "int";
};
template <>
struct FieldKind<double> {
  static constexpr const char* kName = "float";
};
template <class T>
struct FieldKind<std::vector<T>> {
  static constexpr const char* kName = "list[str]";
};

template <class T>
nanobind::object python_value(const T& value) {
  return nanobind::cast(value);
}
/// A tuple, so that a default cannot change.
template <class T>
nanobind::object python_value(const std::vector<T>& values) {
  nanobind::list list;
  for (const T& value : values) {
    if constexpr (Worded<T>) list.append(std::string(word_of(value)));
    else list.append(python_value(value));
  }
  return nanobind::tuple(list);
}

/// The name, type, default, words and range of a field, for signatures and documentation.
template <class T>
nanobind::dict describe_field(const OptionInfo& info, const T& value) {
  nanobind::dict field;
  field["name"] = python_name(info);
  field["description"] = with_arguments(info.description);
  if constexpr (internal::IsOptional<T>::value) {
    field["kind"] = FieldKind<typename T::value_type>::kName;
    field["default"] = nanobind::none();
  } else if constexpr (Worded<T>) {
    field["kind"] = "str";
    field["default"] = std::string(word_of(value));
    nanobind::list words;
    for (const std::string_view word : all_words<T>()) words.append(std::string(word));
    field["words"] = words;
  } else {
    field["kind"] = FieldKind<T>::kName;
    field["default"] = python_value(value);
  }
  if (info.min > -std::numeric_limits<double>::infinity()) field["min"] = info.min;
  if (info.max < std::numeric_limits<double>::infinity()) field["max"] = info.max;
  return field;
}

template <class Options>
void append_fields(nanobind::list& fields) {
  const Options defaults;
  Options::describe([&](auto field, const OptionInfo& info) { fields.append(describe_field(info, defaults.*field)); });
}

/// The fields of some options structs, in order.
template <class... Options>
nanobind::list describe_options() {
  nanobind::list fields;
  (append_fields<Options>(fields), ...);
  return fields;
}

}  // namespace fovea::python
