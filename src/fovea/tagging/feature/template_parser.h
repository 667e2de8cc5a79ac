// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "fovea/base/error.h"
#include "fovea/tagging/feature/template.h"

namespace fovea::tagging::internal {

/// Parses one line that is neither blank nor a comment. Throws InputError at `where`.
TemplateLine parse_template_line(std::string_view line, const InputLocation& where);

}  // namespace fovea::tagging::internal
