// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/arrow_stream.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/cell_text.h"

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

/// Reads batches of one schema into a table.
class ArrowTableReader {
 public:
  ArrowTableReader(const ArrowSchema& schema, const std::string& name, const std::vector<std::string>& missing)
      : schema_(schema), name_(name), table_(name, column_names(), RowNumbers::kRows, missing) {}

  void add(const ArrowArray& batch) {
    check(batch);
    std::vector<std::unique_ptr<ArrowCells>> columns;
    for (std::int64_t c = 0; c < batch.n_children; ++c) columns.push_back(column_of(batch, c));
    std::vector<std::string_view> cells(columns.size());
    for (std::int64_t row = 0; row < batch.length; ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) cells[c] = text(*columns[c], batch.offset + row, c);
      table_.add_row(cells, static_cast<std::int64_t>(table_.row_count()) + 1);
    }
  }

  Table take() { return std::move(table_); }

 private:
  std::vector<std::string> column_names() const {
    if (!schema_.format || std::string_view(schema_.format) != "+s")
      throw InputError({.file = name_}, "not a stream of records", "Give a data frame or a table, not a single column");
    if (schema_.n_children < 0 || (schema_.n_children > 0 && !schema_.children))
      throw InputError({.file = name_}, "a malformed schema");
    std::vector<std::string> names;
    for (std::int64_t c = 0; c < schema_.n_children; ++c) {
      const ArrowSchema* child = schema_.children[c];
      if (!child || !child->format) throw InputError({.file = name_}, fmt::format("column {} has no type", c + 1));
      names.emplace_back(child->name ? child->name : "");
      if (const char* fault = fault_of_cell(names.back()))
        throw InputError({.file = name_}, fmt::format("the name of column {} is {}", c + 1, fault));
    }
    return names;
  }

  /// Rows are numbered with 32 bits.
  void check(const ArrowArray& batch) const {
    constexpr std::int64_t kMostRows = std::numeric_limits<std::uint32_t>::max() - 1;
    if (batch.n_children != schema_.n_children || (batch.n_children > 0 && !batch.children))
      throw InputError({.file = name_}, "a batch whose columns are not those of the schema");
    const auto rows = static_cast<std::int64_t>(table_.row_count());
    if (batch.length < 0 || batch.offset < 0 || batch.offset > std::numeric_limits<std::int64_t>::max() / 2)
      throw InputError({.file = name_},
                       fmt::format("a malformed batch of {} rows from row {} on", batch.length, batch.offset));
    if (batch.length > kMostRows - rows)
      throw InputError({.file = name_}, fmt::format("more than {} rows", kMostRows), "Give the rows in parts");
  }

  std::unique_ptr<ArrowCells> column_of(const ArrowArray& batch, std::int64_t c) const {
    const ArrowSchema& schema = *schema_.children[c];
    const InputLocation location = {
        .file = fmt::format("{}, column '{}'", name_, table_.columns()[static_cast<std::size_t>(c)])};
    std::unique_ptr<ArrowCells> cells;
    try {
      cells = arrow_cells(schema, batch.children[c]);
    } catch (const std::logic_error& error) {
      throw InputError(location, error.what());
    }
    if (!cells)
      throw InputError(location, describe_type(schema),
                       "Give text, numbers, dates or lists of these, or leave the column out");
    if (batch.children[c]->length - batch.offset < batch.length)
      throw InputError(location,
                       fmt::format("{} cells for {} rows", batch.children[c]->length - batch.offset, batch.length));
    return cells;
  }

  std::string_view text(ArrowCells& cells, std::int64_t row, std::size_t column) {
    try {
      const std::string_view text = cells.text(row);
      if (const char* fault = fault_of_cell(text)) fail(column, fault);
      return text;
    } catch (const std::logic_error& error) {
      fail(column, error.what());
    }
  }

  [[noreturn]] void fail(std::size_t column, std::string_view problem) const {
    throw InputError(
        {.file = fmt::format("{}, row {}, column '{}'", name_, table_.row_count() + 1, table_.columns()[column])},
        problem);
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
