// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cmath>

namespace fovea::python {
namespace nb = nanobind;
namespace {

[[noreturn]] void refuse(const OptionInfo& info, nb::handle object, const char* wanted) {
  throw UsageError(fmt::format("argument {}={}: needs {}", python_name(info), nb::repr(object).c_str(), wanted));
}

/// An exact integer: ints, NumPy's integers and all else with __index__, but no bool.
long long integer_of(const OptionInfo& info, nb::handle object) {
  if (nb::isinstance<nb::bool_>(object) || !PyIndex_Check(object.ptr())) refuse(info, object, "a whole number");
  const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number.is_valid()) nb::raise_python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) refuse(info, object, "a smaller number");
  return value;
}

}  // namespace

std::string with_arguments(std::string_view text) {
  constexpr std::string_view kBefore = "option '";
  std::string result;
  while (true) {
    const std::size_t at = text.find(kBefore);
    const std::size_t begin = at + kBefore.size(), end = at == text.npos ? at : text.find('\'', begin);
    if (end == text.npos) return result.append(text);
    std::string option(text.substr(begin, end - begin));
    const std::size_t space = std::min(option.find(' '), option.size());
    std::replace(option.begin(), option.begin() + static_cast<std::ptrdiff_t>(space), '-', '_');
    if (space < option.size()) option[space] = '=';
    result.append(text.substr(0, at)).append("argument ").append(option);
    text.remove_prefix(end + 1);
  }
}

void read_value(const OptionInfo& info, nb::handle object, bool& value) {
  const int truth = nb::isinstance<nb::bool_>(object) || PyIndex_Check(object.ptr()) || nb::hasattr(object, "__bool__")
                        ? PyObject_IsTrue(object.ptr())
                        : -1;
  if (truth < 0) refuse(info, object, "True or False");
  value = truth != 0;
}

void read_value(const OptionInfo& info, nb::handle object, int& value) {
  const long long number = integer_of(info, object);
  if (number != static_cast<int>(number)) refuse(info, object, "a smaller number");
  value = static_cast<int>(number);
}

void read_value(const OptionInfo& info, nb::handle object, std::uint64_t& value) {
  const long long number = integer_of(info, object);
  if (number < 0) refuse(info, object, "0 or more");
  value = static_cast<std::uint64_t>(number);
}

void read_value(const OptionInfo& info, nb::handle object, double& value) {
  const nb::object number = nb::isinstance<nb::bool_>(object) || nb::isinstance<nb::str>(object)
                                ? nb::object()
                                : nb::steal(PyNumber_Float(object.ptr()));
  if (!number.is_valid()) {
    PyErr_Clear();
    refuse(info, object, "a number");
  }
  value = nb::cast<double>(number);
}

void read_value(const OptionInfo& info, nb::handle object, std::string& value) {
  if (!nb::try_cast(object, value)) refuse(info, object, "a str");
}

void read_value(const OptionInfo& info, nb::handle object, std::vector<std::string>& value) {
  if (nb::isinstance<nb::str>(object)) value = {nb::cast<std::string>(object)};
  else if (!nb::try_cast(object, value)) refuse(info, object, "a list of str");
}

void refuse_word(const OptionInfo& info, std::string_view word, const std::vector<std::string_view>& words) {
  throw UsageError(fmt::format("argument {}='{}': needs one of {}", python_name(info), word, fmt::join(words, ", ")));
}

void refuse_rest(const nb::dict& arguments, const char* function) {
  for (const auto& [name, value] : arguments)
    throw UsageError(fmt::format("{}() has no argument '{}'", function, nb::str(name).c_str()));
}

}  // namespace fovea::python
