// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/task/search_policy.h"

namespace fovea::graph {

/// Learned divisions of the time that a search for the best assignment takes.
struct MapPolicies {
  StripRule strips = universal_strip_rule();  ///< which strips of a grid are visited
  SearchPolicy search = {};                   ///< which searchers have how much time
};

/// The policies that a user names: "universal", the default, which has a learned rule for strips and gives all
/// searchers the same share; "hot-bits", in which nothing is learned; or else the file of one that was learned, which
/// takes the place of its kind. Throws InputError for any other file.
MapPolicies map_policies_of(const std::string& name);

/// True if the name is that of policies that come with the program.
bool are_shipped_policies(const std::string& name);

/// Texts of both, or of the one that a file holds, for people or as JSON.
std::string describe_map_policies(const std::string& name);
std::string map_policies_json(const std::string& name);

}  // namespace fovea::graph
