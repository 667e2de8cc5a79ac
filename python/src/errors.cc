// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <fovea/base.h>
#include <nanobind/nanobind.h>

#include <exception>

#include "options.h"

namespace fovea::python {

namespace nb = nanobind;

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

}  // namespace fovea::python
