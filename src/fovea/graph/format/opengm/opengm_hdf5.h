// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Reads a model that OpenGM (version 2.0 of its format) wrote to an HDF5 file: a group with
///
///   header            2, 0, variables, factors, types of functions t, then for each of these its number and how many
///                     functions have it, then (not in the oldest files) the type in which values are stored
///   numbers-of-states one number for each variable
///   factors           for each factor: function, place of its type in the header, number of variables, variables
///   function-id-N     a group for each type N that occurs, with `indices` and `values` (OpengmFunctionType)
///
/// OpenGM minimises an energy: a log score is minus the energy, in natural units. Functions that several factors use
/// stay shared. Types that are not supported are refused by name.
///
/// `group` is the path of the model's group; "" means the only group that holds a header. Throws InputError.
FactorGraph read_opengm_hdf5(io::ByteSource source, const std::string& group = "");

}  // namespace fovea::graph
