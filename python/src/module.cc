// SPDX-License-Identifier: Apache-2.0
// The extension module fovea._core: what each module of the library binds.
#include <nanobind/nanobind.h>

#include "errors.h"

namespace fovea::python {

namespace nb = nanobind;

void bind_ep(nb::module_& module);
void bind_gestures(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_linkage(nb::module_& module);
void bind_linkage_stages(nb::module_& module);
void bind_mcmc(nb::module_& module);
void bind_phases(nb::module_& module);
void bind_sequence(nb::module_& module);
void bind_table(nb::module_& module);
void bind_tagging(nb::module_& module);

}  // namespace fovea::python

NB_MODULE(_core, module) {
  fovea::python::translate_errors();
  fovea::python::bind_ep(module);
  fovea::python::bind_gestures(module);
  fovea::python::bind_graph(module);
  fovea::python::bind_linkage(module);
  fovea::python::bind_mcmc(module);
  fovea::python::bind_phases(module);
  fovea::python::bind_sequence(module);
  fovea::python::bind_table(module);
  fovea::python::bind_linkage_stages(module);
  fovea::python::bind_tagging(module);
}
