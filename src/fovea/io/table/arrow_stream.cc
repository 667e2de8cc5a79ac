// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/arrow_stream.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/utf8.h"

namespace fovea::io {
namespace {

/// An ArrowSchema, ArrowArray or ArrowArrayStream, released at the end of its life.
template <class T>
struct ReleaseArrow {
  void operator()(T* object) const {
    if (object->release) object->release(object);
  }
};
template <class T>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;
  ~ArrowOwner() { ReleaseArrow<T>()(&object_); }
  T* operator->() { return &object_; }
  T* get() { return &object_; }

 private:
  T object_ = {};
};

/// Why a text cannot be a cell, or null.
const char* fault_of(std::string_view text) {
  if (text.size() > TextColumn::kMaxCellBytes) return "longer than 4 MiB";
  bool is_ascii = true;
  for (const char c : text) {
    if (c == '\0') return "holds a NUL character";
    is_ascii = is_ascii && static_cast<unsigned char>(c) < 0x80;
  }
  if (is_ascii) return nullptr;
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = first_character(rest);
    if (character.code_point == kRawByte) return "not UTF-8";
    rest.remove_prefix(character.size);
  }
  return nullptr;
}

/// Reads batches of one schema into a table.
class ArrowTableReader {
 public:
  ArrowTableReader(const ArrowSchema& schema, const std::string& name, const std::vector<std::string>& missing)
      : schema_(schema), name_(name), table_(name, column_names(), RowNumbers::kRows, missing) {}

  void add(const ArrowArray& batch) {
    if (batch.n_children != schema_.n_children) fail(0, "a batch whose columns are not those of the schema");
    std::vector<std::unique_ptr<ArrowCells>> columns;
    for (std::int64_t c = 0; c < batch.n_children; ++c) {
      columns.push_back(arrow_cells(*schema_.children[c], batch.children[c]));
      if (!columns.back())
        throw InputError({.file = fmt::format("{}, column '{}'", name_, table_.columns()[static_cast<std::size_t>(c)])},
                         fmt::format("Arrow's type '{}' has no text", schema_.children[c]->format),
                         "Give text, numbers, dates or lists of these, or leave the column out");
    }
    std::vector<std::string_view> cells(columns.size());
    for (std::int64_t row = 0; row < batch.length; ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) cells[c] = text(*columns[c], batch.offset + row, c);
      table_.add_row(cells, static_cast<std::int64_t>(table_.row_count()) + 1);
    }
  }

  Table take() { return std::move(table_); }

 private:
  std::vector<std::string> column_names() const {
    if (std::string_view(schema_.format) != "+s")
      throw InputError({.file = name_}, "not a stream of records", "Give a data frame or a table");
    std::vector<std::string> names;
    for (std::int64_t c = 0; c < schema_.n_children; ++c) {
      const char* name = schema_.children[c]->name;
      names.emplace_back(name ? name : "");
    }
    return names;
  }

  std::string_view text(ArrowCells& cells, std::int64_t row, std::size_t column) {
    try {
      const std::string_view text = cells.text(row);
      if (const char* fault = fault_of(text)) fail(column, fault);
      return text;
    } catch (const std::logic_error& error) {
      fail(column, error.what());
    }
  }

  [[noreturn]] void fail(std::size_t column, std::string_view problem) const {
    throw InputError({.file = fmt::format("{}, row {}", name_, table_.row_count() + 1), .column = column + 1}, problem);
  }

  const ArrowSchema& schema_;
  std::string name_;
  Table table_;
};

/// Throws an InputError with the stream's own words if a call has failed.
void check_stream(int error, ArrowArrayStream& stream, const std::string& name) {
  if (error == 0) return;
  const char* text = stream.get_last_error ? stream.get_last_error(&stream) : nullptr;
  throw InputError({.file = name}, fmt::format("the stream of records failed: {}", text ? text : std::strerror(error)));
}

}  // namespace

Table read_arrow_stream(ArrowArrayStream* stream, const std::string& name, const std::vector<std::string>& missing) {
  const std::unique_ptr<ArrowArrayStream, ReleaseArrow<ArrowArrayStream>> owner(stream);
  ArrowOwner<ArrowSchema> schema;
  check_stream(stream->get_schema(stream, schema.get()), *stream, name);
  ArrowTableReader reader(*schema.get(), name, missing);
  while (true) {
    ArrowOwner<ArrowArray> batch;
    check_stream(stream->get_next(stream, batch.get()), *stream, name);
    if (!batch->release) return reader.take();
    reader.add(*batch.get());
  }
}

}  // namespace fovea::io
