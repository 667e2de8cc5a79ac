// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// The structures of the Arrow C data interface and of its stream interface, which are a published ABI: their layout and
// names are given by https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
extern "C" {
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
struct ArrowSchema {
  const char* format = nullptr;
  const char* name = nullptr;
  const char* metadata = nullptr;
  std::int64_t flags = 0;
  std::int64_t n_children = 0;
  ArrowSchema** children = nullptr;
  ArrowSchema* dictionary = nullptr;
  void (*release)(ArrowSchema*) = nullptr;
  void* private_data = nullptr;
};
struct ArrowArray {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::int64_t n_buffers = 0;
  std::int64_t n_children = 0;
  const void** buffers = nullptr;
  ArrowArray** children = nullptr;
  ArrowArray* dictionary = nullptr;
  void (*release)(ArrowArray*) = nullptr;
  void* private_data = nullptr;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out) = nullptr;
  int (*get_next)(ArrowArrayStream*, ArrowArray* out) = nullptr;
  const char* (*get_last_error)(ArrowArrayStream*) = nullptr;
  void (*release)(ArrowArrayStream*) = nullptr;
  void* private_data = nullptr;
};
#endif
}

namespace fovea::io {

/// The cells of one column of one batch as texts. The array must outlive it.
class ArrowCells {
 public:
  virtual ~ArrowCells() = default;

  /// The text of row i, "" for a missing one; valid until the next call, or as long as the array.
  std::string_view text(std::int64_t i) {
    const std::int64_t at = array_->offset + i;
    return is_valid(at) ? valid_text(at) : std::string_view();
  }

 protected:
  explicit ArrowCells(const ArrowArray* array) : array_(array) {}

  /// `at`: the place in the array's buffers.
  virtual std::string_view valid_text(std::int64_t at) = 0;

  template <class T>
  const T* buffer(std::int64_t number) const {
    return static_cast<const T*>(array_->buffers[number]);
  }
  const ArrowArray* array() const { return array_; }

  std::string text_;

 private:
  bool is_valid(std::int64_t at) const {
    if (array_->null_count == 0 || array_->n_buffers == 0) return true;
    const auto* bits = static_cast<const std::uint8_t*>(array_->buffers[0]);
    return !bits || (bits[at / 8] >> (at % 8) & 1) != 0;
  }

  const ArrowArray* array_;
};

/// The cells of a column, by its type; null if the type has no text (see read_arrow_stream). Both must outlive the
/// cells. `depth`: number of lists and dictionaries around the column. Throws std::logic_error for an array whose own
/// numbers contradict each other or its type, as do the cells for values without a text and for places outside their
/// buffers, as far as Arrow says how long these are.
std::unique_ptr<ArrowCells> arrow_cells(const ArrowSchema& schema, const ArrowArray* array, int depth = 0);

/// "Arrow's type 'z' has no text (bytes)", for the type inside lists and dictionaries for which that is so.
std::string describe_type(const ArrowSchema& schema);

}  // namespace fovea::io
