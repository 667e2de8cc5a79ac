// SPDX-License-Identifier: Apache-2.0
// Streams of Arrow with valid buffers, and with formats, lengths, offsets, null counts, numbers of buffers and children
// and nested dictionaries from the input's bytes: whatever they say, either the table is read, and then comes back the
// same through our own writer, or it is refused with an InputError. The interface does not say how long buffers are, so
// every array gets buffers for all its cells, and offsets of texts stay within the texts.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/arrow_stream.h"
#include "fovea/io/table/arrow_table.h"
#include "fuzz/require.h"

namespace {

using fovea::fuzz::require;

/// Numbers from the input, 0 after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  bool is_rare() { return byte() > 240; }
  /// Mostly `usual`, sometimes any number.
  std::int64_t number(std::int64_t usual) {
    if (!is_rare()) return usual;
    std::int64_t value = 0;
    for (int i = 0; i < 8; ++i) value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << 8 | byte());
    return value >> (byte() % 64);
  }
  std::string text(std::size_t size) {
    std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(taken.size());
    taken.resize(size, 'x');
    return taken;
  }

 private:
  std::string_view rest_;
};

/// Arrays, schemas and buffers, all of which live as long as this.
class Made {
 public:
  explicit Made(Bytes& bytes) : bytes_(bytes) {}

  /// Cells from 0 to `cells` are in the buffers.
  void column(ArrowSchema& schema, ArrowArray& array, std::int64_t cells, int depth) {
    const std::uint8_t kind = bytes_.byte();
    const std::string_view format = kFormats[kind % std::size(kFormats)];
    const std::int64_t offset = bytes_.byte() % 3;
    schema.format = bytes_.is_rare() ? nullptr : keep(std::string(format)).c_str();
    schema.name = bytes_.is_rare() ? nullptr : keep(bytes_.text(bytes_.byte() % 4)).c_str();
    array.offset = bytes_.is_rare() ? -offset : offset;
    // A column may be too short for its parent, but never longer than its buffers.
    array.length = bytes_.is_rare() ? cells - bytes_.byte() : cells;
    array.null_count = bytes_.number(-1);
    buffers(format, array, cells + offset);
    if (depth < 12 && (format.starts_with("+") || bytes_.is_rare())) children(schema, array, cells + offset, depth);
    if (depth < 12 && kind >= 0xC0) dictionary(schema, array, depth);
  }

 private:
  static constexpr std::string_view kFormats[] = {"u",    "U",      "vu",     "c",   "C",    "s",     "S",
                                                  "i",    "I",      "l",      "L",   "e",    "f",     "g",
                                                  "b",    "n",      "+l",     "+L",  "+w:2", "tdD",   "tdm",
                                                  "tts",  "ttm",    "ttu",    "ttn", "tss:", "tsm:",  "tsu:UTC",
                                                  "tsn:", "d:10,3", "d:38,0", "z",   "+s",   "+w:-1", "+w:99999999999",
                                                  "tDs",  "",       "q",      "d:,", "+vl"};
  static constexpr std::size_t kTextBytes = 64;

  std::string& keep(std::string text) { return *texts_.emplace_back(std::make_unique<std::string>(std::move(text))); }

  /// 16-byte aligned bytes from the input.
  void* memory(std::size_t size) {
    auto& words = memory_.emplace_back(size / sizeof(Word) + 1);
    const std::string from = bytes_.text(size);
    std::memcpy(words.data(), from.data(), from.size());
    return words.data();
  }

  template <class Offset>
  void limit(void* offsets, std::int64_t cells, Offset end) {
    auto* numbers = static_cast<Offset*>(offsets);
    for (std::int64_t i = 0; i <= cells; ++i) numbers[i] = static_cast<Offset>(numbers[i] % (end + 1));
  }

  void buffers(std::string_view format, ArrowArray& array, std::int64_t cells) {
    auto& list = buffer_lists_.emplace_back(std::make_unique<std::vector<const void*>>(5));
    const auto count = static_cast<std::size_t>(cells);
    (*list)[0] = bytes_.byte() % 2 ? memory(count / 8 + 1) : nullptr;
    void* cells_buffer = memory((count + 1) * 16);
    (*list)[1] = bytes_.is_rare() ? nullptr : cells_buffer;
    (*list)[2] = bytes_.is_rare() ? nullptr : keep(bytes_.text(kTextBytes)).data();
    if (format == "u") limit<std::int32_t>(cells_buffer, cells, kTextBytes);
    if (format == "U") limit<std::int64_t>(cells_buffer, cells, kTextBytes);
    auto* sizes = static_cast<std::int64_t*>(memory(8));
    *sizes = static_cast<std::int64_t>(kTextBytes);
    (*list)[3] = sizes;  // of the one buffer of long texts
    const std::int64_t usual = format == "vu" ? 4 : format == "u" || format == "U" ? 3 : 2;
    array.n_buffers = std::min<std::int64_t>(bytes_.number(usual), usual);
    if (format == "vu" && array.n_buffers == 3) (*list)[2] = sizes;  // the last buffer holds sizes
    array.buffers = bytes_.is_rare() ? nullptr : list->data();
  }

  void children(ArrowSchema& schema, ArrowArray& array, std::int64_t cells, int depth) {
    auto [child_schema, child_array] = pair();
    const std::int64_t elements = std::min<std::int64_t>(2 * cells, 16);
    column(*child_schema, *child_array, elements, depth + 1);
    schema.n_children = bytes_.is_rare() ? 0 : 1;
    array.n_children = bytes_.is_rare() ? 0 : 1;
    schema.children =
        bytes_.is_rare() ? nullptr : &*schema_lists_.emplace_back(std::make_unique<ArrowSchema*>(child_schema));
    array.children =
        bytes_.is_rare() ? nullptr : &*array_lists_.emplace_back(std::make_unique<ArrowArray*>(child_array));
  }

  void dictionary(ArrowSchema& schema, ArrowArray& array, int depth) {
    auto [value_schema, value_array] = pair();
    column(*value_schema, *value_array, bytes_.byte() % 4, depth + 1);
    schema.dictionary = value_schema;
    array.dictionary = bytes_.is_rare() ? nullptr : value_array;
  }

  std::pair<ArrowSchema*, ArrowArray*> pair() {
    return {schemas_.emplace_back(std::make_unique<ArrowSchema>()).get(),
            arrays_.emplace_back(std::make_unique<ArrowArray>()).get()};
  }

  struct alignas(16) Word {
    std::uint64_t half[2];
  };
  Bytes& bytes_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::vector<Word>> memory_;
  std::vector<std::unique_ptr<std::vector<const void*>>> buffer_lists_;
  std::vector<std::unique_ptr<ArrowSchema>> schemas_;
  std::vector<std::unique_ptr<ArrowArray>> arrays_;
  std::vector<std::unique_ptr<ArrowSchema*>> schema_lists_;
  std::vector<std::unique_ptr<ArrowArray*>> array_lists_;
};

/// A stream of one batch, which counts what is released.
struct Source {
  explicit Source(Bytes& bytes) : made(bytes) {
    const std::int64_t rows = bytes.byte() % 8, offset = bytes.byte() % 3;
    const std::size_t columns = bytes.byte() % 4;
    schemas.resize(columns);
    arrays.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) {
      made.column(schemas[c], arrays[c], rows + offset, 0);
      schema_pointers.push_back(bytes.is_rare() ? nullptr : &schemas[c]);
      array_pointers.push_back(bytes.is_rare() ? nullptr : &arrays[c]);
    }
    schema = {.format = bytes.is_rare() ? nullptr : "+s",
              .n_children = bytes.is_rare() ? -1 : static_cast<std::int64_t>(columns),
              .children = schema_pointers.data(),
              .release = [](ArrowSchema* s) { released(s); },
              .private_data = this};
    batch = {.length = columns > 0 ? bytes.number(rows) : bytes.byte(),
             .offset = bytes.number(offset),
             .n_children = bytes.is_rare() ? -1 : static_cast<std::int64_t>(columns),
             .children = array_pointers.data(),
             .release = [](ArrowArray* a) { released(a); },
             .private_data = this};
    stream = {.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) { return self(s).give(self(s).schema, out); },
              .get_next =
                  [](ArrowArrayStream* s, ArrowArray* out) {
                    if (self(s).is_done) return *out = {}, 0;
                    self(s).is_done = true;
                    return self(s).give(self(s).batch, out);
                  },
              .release = [](ArrowArrayStream* s) { released(s); },
              .private_data = this};
  }

  static Source& self(ArrowArrayStream* s) { return *static_cast<Source*>(s->private_data); }
  template <class T>
  static void released(T* object) {
    --static_cast<Source*>(object->private_data)->open;
    object->release = nullptr;
  }
  template <class T>
  int give(const T& from, T* out) {
    *out = from;
    ++open;
    return 0;
  }

  Made made;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowSchema*> schema_pointers;
  std::vector<ArrowArray*> array_pointers;
  ArrowSchema schema;
  ArrowArray batch;
  ArrowArrayStream stream;
  int open = 1;  // the stream itself
  bool is_done = false;
};

/// Writes the table's columns and reads them again.
void check_round_trip(const fovea::io::Table& table) {
  std::vector<fovea::io::ArrowColumn> columns;
  for (std::size_t c = 0; c < table.column_count(); ++c) {
    fovea::io::ArrowTexts texts;
    for (std::size_t row = 0; row < table.row_count(); ++row) texts.append(table.cell(row, c));
    columns.push_back({table.columns()[c], std::move(texts), {}});
  }
  ArrowArrayStream stream;
  fovea::io::export_arrow_stream(std::make_shared<fovea::io::ArrowTable>("again", std::move(columns)), &stream);
  const fovea::io::Table again = fovea::io::read_arrow_stream(&stream, "again");
  require(again.columns() == table.columns() && (table.column_count() == 0 || again.row_count() == table.row_count()));
  for (std::size_t c = 0; c < table.column_count(); ++c)
    for (std::size_t row = 0; row < table.row_count(); ++row) require(again.cell(row, c) == table.cell(row, c));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  Source source(bytes);
  try {
    check_round_trip(fovea::io::read_arrow_stream(&source.stream, "fuzz"));
  } catch (const fovea::InputError&) {
  }
  require(source.open == 0);
  return 0;
}
