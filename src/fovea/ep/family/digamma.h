// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace fovea::ep {

/// In double precision throughout: by default Boost computes in long double.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

inline double digamma(double x) { return boost::math::digamma(x, InDouble()); }
inline double trigamma(double x) { return boost::math::trigamma(x, InDouble()); }

}  // namespace fovea::ep
