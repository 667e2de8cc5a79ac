// SPDX-License-Identifier: Apache-2.0
// The extension module fovea._core: errors, and what each module of the library binds.
#include <fovea/base.h>
#include <nanobind/nanobind.h>

#include <exception>

#include "options.h"

namespace fovea::python {

namespace nb = nanobind;

void bind_ep(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_linkage(nb::module_& module);
void bind_sequence(nb::module_& module);
void bind_table(nb::module_& module);
void bind_tagging(nb::module_& module);

namespace {

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
  fovea::python::bind_ep(module);
  fovea::python::bind_graph(module);
  fovea::python::bind_linkage(module);
  fovea::python::bind_sequence(module);
  fovea::python::bind_table(module);
  fovea::python::bind_tagging(module);
}
