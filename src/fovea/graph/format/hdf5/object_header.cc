// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/hdf5/object_header.h"

#include <fmt/format.h>

namespace fovea::graph::hdf5 {
namespace {

constexpr const char* kHeaderPart = "object header";
constexpr std::uint64_t kChecksumBytes = 4;

/// Collects the messages of one object, block by block. Together the blocks must not be longer than the file: blocks
/// that overlap or form a cycle end there.
class HeaderReader {
 public:
  HeaderReader(const Image& image, std::uint64_t address) : image_(image), bytes_left_(image.bytes.size()) {
    const std::uint64_t room = image.bytes.size() - image.base;
    Cursor start(image, address, address < room ? room - address : 0, kHeaderPart);
    if (start.left() > 0 && image.bytes[start.position()] == 'O') read_version_2(start);
    else read_version_1(start);
    for (std::size_t next = 0; next < continuations_.size(); ++next) read_continuation(continuations_[next]);
  }

  std::vector<Message> messages() && { return std::move(messages_); }

 private:
  struct Block {
    std::uint64_t address, size;
  };

  void read_version_1(Cursor start) {
    if (const unsigned version = start.u8(); version != 1)
      start.refuse_damage(fmt::format("version {} is unknown", version));
    start.skip(7);  // reserved, number of messages, reference count
    const std::uint64_t size = start.u32();
    start.skip(4);  // alignment
    read_messages(block(start.here(), size));
  }

  void read_version_2(Cursor start) {
    start.expect("OHDR");
    is_version_2_ = true;
    if (const unsigned version = start.u8(); version != 2)
      start.refuse_damage(fmt::format("version {} is unknown", version));
    const unsigned flags = start.u8();
    has_creation_order_ = (flags & 0x04) != 0;
    if (flags & 0x20) start.skip(16);  // times
    if (flags & 0x10) start.skip(4);   // thresholds for the storage of attributes
    const std::uint64_t size = start.number(1u << (flags & 3));
    read_messages(block(start.here(), size));
  }

  void read_continuation(Block continuation) {
    Cursor part = block(continuation.address, continuation.size);
    if (is_version_2_) {
      part.expect("OCHK");
      if (part.left() < kChecksumBytes) part.refuse_damage("ends before its checksum");
      part = Cursor(image_, part.here(), part.left() - kChecksumBytes, kHeaderPart);
    }
    read_messages(part);
  }

  Cursor block(std::uint64_t address, std::uint64_t size) {
    const Cursor part(image_, address, size, kHeaderPart);
    if (size > bytes_left_) part.refuse_damage("its continuation blocks overlap");
    bytes_left_ -= size;
    return part;
  }

  void read_messages(Cursor part) {
    const std::uint64_t head = is_version_2_ ? (has_creation_order_ ? 6 : 4) : 8;
    while (part.left() >= head) {  // anything shorter is a gap
      const auto type = static_cast<MessageType>(is_version_2_ ? part.u8() : part.u16());
      const std::uint64_t size = part.u16();
      const unsigned flags = part.u8();
      part.skip(is_version_2_ ? head - 4 : 3);
      const std::uint64_t begin = part.here();
      part.skip(size);
      const Cursor body(image_, begin, size, kHeaderPart);
      if (type == MessageType::kContinuation) add_continuation(body);
      else messages_.push_back(Message{type, (flags & 0x02) != 0, body});
    }
  }

  void add_continuation(Cursor body) {
    const std::uint64_t address = body.address();
    const std::uint64_t size = body.length();
    if (size == 0) body.refuse_damage("an empty continuation block");
    continuations_.push_back(Block{address, size});
  }

  const Image& image_;
  std::uint64_t bytes_left_;
  bool is_version_2_ = false, has_creation_order_ = false;
  std::vector<Message> messages_;
  std::vector<Block> continuations_;
};

}  // namespace

std::vector<Message> read_object_header(const Image& image, std::uint64_t address) {
  return HeaderReader(image, address).messages();
}

const Message* find_message(const std::vector<Message>& messages, MessageType type) {
  for (const Message& message : messages)
    if (message.type == type) return &message;
  return nullptr;
}

}  // namespace fovea::graph::hdf5
