// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/table.h"

namespace fovea::io {
namespace {

/// Owner of an exported ArrowSchema or ArrowArray. Its children are objects of their own: a consumer may move one away
/// and release it later than its parent.
template <class T>
struct Exported {
  std::shared_ptr<const ArrowTable> table;
  std::vector<std::unique_ptr<T>> children = {};
  std::vector<T*> pointers = {};
  std::array<const void*, 3> buffers = {};

  T* add_child() {
    pointers.push_back(children.emplace_back(std::make_unique<T>()).get());
    return pointers.back();
  }
};

template <class T>
void release_exported(T* object) {
  const std::unique_ptr<Exported<T>> owned(static_cast<Exported<T>*>(object->private_data));
  for (T* child : owned->pointers)
    if (child->release) child->release(child);
  object->release = nullptr;
}

template <class T>
void hand_over(std::unique_ptr<Exported<T>> owned, T* object) {
  object->n_children = static_cast<std::int64_t>(owned->pointers.size());
  object->children = owned->pointers.data();
  object->private_data = owned.release();
  object->release = &release_exported<T>;
}

const char* format_of(const ArrowColumn& column) {
  static constexpr std::array<const char*, 4> kFormats = {"l", "g", "b", "U"};  // in the order of the variant
  return kFormats[column.cells.index()];
}

template <class T>
std::unique_ptr<Exported<T>> owner_of(const std::shared_ptr<const ArrowTable>& table) {
  return std::make_unique<Exported<T>>(Exported<T>{.table = table});
}

void export_schema(const std::shared_ptr<const ArrowTable>& table, ArrowSchema* out) {
  constexpr std::int64_t kNullable = 2;
  auto owned = owner_of<ArrowSchema>(table);
  for (const ArrowColumn& column : table->columns()) {
    auto child_owned = owner_of<ArrowSchema>(table);
    ArrowSchema* child = owned->add_child();
    *child = {.format = format_of(column), .name = column.name.c_str(), .flags = kNullable};
    hand_over(std::move(child_owned), child);
  }
  *out = {.format = "+s", .name = ""};
  hand_over(std::move(owned), out);
}

void export_column(const std::shared_ptr<const ArrowTable>& table, const ArrowColumn& column, ArrowArray* out) {
  auto owned = owner_of<ArrowArray>(table);
  owned->buffers[0] = column.valid.zeros() > 0 ? column.valid.data() : nullptr;
  const auto* texts = std::get_if<ArrowTexts>(&column.cells);
  if (texts) {
    owned->buffers[1] = texts->offsets();
    owned->buffers[2] = texts->data();
  } else {
    owned->buffers[1] = std::visit([](const auto& cells) -> const void* { return cells.data(); }, column.cells);
  }
  *out = {.length = static_cast<std::int64_t>(column.size()),
          .null_count = static_cast<std::int64_t>(column.valid.zeros()),
          .n_buffers = texts ? 3 : 2,
          .buffers = owned->buffers.data()};
  hand_over(std::move(owned), out);
}

void export_batch(const std::shared_ptr<const ArrowTable>& table, ArrowArray* out) {
  auto owned = owner_of<ArrowArray>(table);
  for (const ArrowColumn& column : table->columns()) export_column(table, column, owned->add_child());
  *out = {.length = static_cast<std::int64_t>(table->row_count()), .n_buffers = 1, .buffers = owned->buffers.data()};
  hand_over(std::move(owned), out);
}

/// The private data of an exported stream.
struct ExportedStream {
  std::shared_ptr<const ArrowTable> table;
  bool is_done = false;

  static ExportedStream& of(ArrowArrayStream* stream) { return *static_cast<ExportedStream*>(stream->private_data); }
};

int give_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  try {
    export_schema(ExportedStream::of(stream).table, out);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int give_batch(ArrowArrayStream* stream, ArrowArray* out) {
  ExportedStream& self = ExportedStream::of(stream);
  *out = {};
  if (self.is_done) return 0;
  try {
    export_batch(self.table, out);
    self.is_done = true;
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

const char* no_error_text(ArrowArrayStream*) { return nullptr; }

void release_exported_stream(ArrowArrayStream* stream) {
  delete static_cast<ExportedStream*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void ArrowBits::append(bool bit) {
  if (size_ % 8 == 0) bytes_.push_back(0);
  if (bit) bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | 1u << (size_ % 8));
  else ++zeros_;
  ++size_;
}

void ArrowTexts::append(std::string_view text) {
  bytes_ += text;
  ends_.push_back(static_cast<std::int64_t>(bytes_.size()));
}

std::string_view ArrowTexts::operator[](std::size_t i) const {
  return std::string_view(bytes_).substr(static_cast<std::size_t>(ends_[i]),
                                         static_cast<std::size_t>(ends_[i + 1] - ends_[i]));
}

std::size_t ArrowColumn::size() const {
  return std::visit([](const auto& column_cells) { return column_cells.size(); }, cells);
}

ArrowTable::ArrowTable(const std::string& name, std::vector<ArrowColumn> columns) : columns_(std::move(columns)) {
  std::vector<std::string> names;
  for (const ArrowColumn& column : columns_) {
    names.push_back(column.name);
    if (column.size() != columns_.front().size())
      throw InputError({.file = name},
                       fmt::format("column '{}' has {} cells, and '{}' has {}", column.name, column.size(),
                                   columns_.front().name, columns_.front().size()),
                       "Give every column a cell for each row");
    FOVEA_CHECK(column.valid.size() == 0 || column.valid.size() == column.size());
  }
  check_column_names({.file = name}, names);
}

const ArrowColumn* ArrowTable::find(std::string_view name) const {
  const auto at = std::ranges::find(columns_, name, &ArrowColumn::name);
  return at == columns_.end() ? nullptr : &*at;
}

void export_arrow_stream(std::shared_ptr<const ArrowTable> table, ArrowArrayStream* stream) {
  auto owned = std::make_unique<ExportedStream>(ExportedStream{std::move(table)});
  *stream = {.get_schema = &give_schema,
             .get_next = &give_batch,
             .get_last_error = &no_error_text,
             .release = &release_exported_stream,
             .private_data = owned.release()};
}

}  // namespace fovea::io
