// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fovea/graph/format/hdf5/object_header.h"

namespace fovea::graph::hdf5 {

/// The members of a group: name -> address of the object header.
using Links = std::map<std::string, std::uint64_t, std::less<>>;

/// Whether the messages are those of a group.
bool is_group(const std::vector<Message>& messages);

/// The hard links of a group, kept in a symbol table (B-tree of version 1, local heap) or in link messages; soft and
/// external links are left out. Groups that keep their links in a fractal heap are refused: only those with more than
/// eight members, written by request in the latest format, do. Throws InputError.
Links read_links(const Image& image, const std::vector<Message>& messages);

}  // namespace fovea::graph::hdf5
