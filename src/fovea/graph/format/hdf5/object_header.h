// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/graph/format/hdf5/image.h"

namespace fovea::graph::hdf5 {

/// Kinds of messages (section IV.A.2 of the HDF5 File Format Specification) that are read.
enum class MessageType : std::uint16_t {
  kDataspace = 0x01,
  kLinkInfo = 0x02,
  kDatatype = 0x03,
  kLink = 0x06,
  kLayout = 0x08,
  kFilters = 0x0b,
  kContinuation = 0x10,
  kSymbolTable = 0x11,
};

/// One property of an object.
struct Message {
  MessageType type;  ///< may have a value without a name
  bool is_shared;    ///< the body only says where the message is stored
  Cursor body;
};

/// All messages of the object at `address`, those of continuation blocks included (object headers of version 1 and 2;
/// checksums are not compared). Throws InputError.
std::vector<Message> read_object_header(const Image& image, std::uint64_t address);

/// The first message of that type, or null.
const Message* find_message(const std::vector<Message>& messages, MessageType type);

}  // namespace fovea::graph::hdf5
