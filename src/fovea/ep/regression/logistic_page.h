// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/ep/recall/just_in_time.h"
#include "fovea/ep/regression/logistic_regression.h"
#include "fovea/ep/regression/logistic_table.h"
#include "fovea/report/page.h"

namespace fovea::ep {

/// Makes a page of a fit for people: the weights, how its probabilities compare with the rows that it was fitted to,
/// and, with `recall`, what was recalled and how far that can be trusted. `table`: its name.
report::Page logistic_page(const std::string& table, const LogisticColumns& columns, const LogisticData& data,
                           const LogisticRegressionFit& fit, const JustInTime* recall = nullptr);

}  // namespace fovea::ep
