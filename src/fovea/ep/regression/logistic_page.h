// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/ep/recall/just_in_time.h"
#include "fovea/ep/regression/logistic_regression.h"
#include "fovea/ep/regression/logistic_table.h"

namespace fovea::ep {

/// Writes a page of a fit for people: the weights, how its probabilities compare with the rows that it was fitted to,
/// and, with `recall`, what was recalled and how far that can be trusted. Throws InputError if it cannot be written.
void write_logistic_page(const std::string& path, const std::string& table, const LogisticColumns& columns,
                         const LogisticData& data, const LogisticRegressionFit& fit, const JustInTime* recall);

}  // namespace fovea::ep
