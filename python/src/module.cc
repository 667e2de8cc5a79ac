// SPDX-License-Identifier: Apache-2.0
// The extension module fovea._core: errors, and what each module of the library binds.
#include <fovea/base.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace fovea::python {

namespace nb = nanobind;

void bind_graph(nb::module_& module);
void bind_linkage(nb::module_& module);
void bind_sequence(nb::module_& module);
void bind_table(nb::module_& module);
void bind_tagging(nb::module_& module);

namespace {

/// A message of the library in Python's spelling: option 'restart-rate .5' becomes argument restart_rate=.5.
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

/// Python's classes of the library's errors. fovea/_errors.py defines them, so that they have bases of Python.
void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    const auto raise = [](const char* name, const std::exception& error) {
      const nb::object type = nb::module_::import_("fovea._errors").attr(name);
      PyErr_SetString(type.ptr(), with_arguments(error.what()).c_str());
    };
    try {
      std::rethrow_exception(failure);
    } catch (const InputError& error) {
      raise("InputError", error);
    } catch (const UsageError& error) {
      raise("UsageError", error);
    } catch (const InfeasibleError& error) {
      raise("InfeasibleError", error);
    } catch (const LimitError& error) {
      raise("LimitError", error);
    } catch (const CancelledError& error) {
      PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    } catch (const InternalError& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
}

}  // namespace
}  // namespace fovea::python

NB_MODULE(_core, module) {
  fovea::python::translate_errors();
  fovea::python::bind_graph(module);
  fovea::python::bind_linkage(module);
  fovea::python::bind_sequence(module);
  fovea::python::bind_table(module);
  fovea::python::bind_tagging(module);
}
