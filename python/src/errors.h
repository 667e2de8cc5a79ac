// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::python {

/// Lets an extension module raise Python's classes of the library's errors. fovea/_errors.py defines them, so that they
/// have bases of Python.
void translate_errors();

}  // namespace fovea::python
