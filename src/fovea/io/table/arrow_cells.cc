// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/arrow_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "fovea/io/table/json_lines_reader.h"

namespace fovea::io {
namespace {

class NullCells : public ArrowCells {
 public:
  explicit NullCells(const ArrowArray* array) : ArrowCells(array) {}

 private:
  std::string_view valid_text(std::int64_t) override { return {}; }
};

template <class Offset>
class TextCells : public ArrowCells {
 public:
  explicit TextCells(const ArrowArray* array) : ArrowCells(array) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    const Offset begin = buffer<Offset>(1)[at], end = buffer<Offset>(1)[at + 1];
    if (begin < 0 || end < begin || (end > begin && !buffer<char>(2)))
      throw std::out_of_range(fmt::format("a text from byte {} to {}", begin, end));
    return {buffer<char>(2) + begin, static_cast<std::size_t>(end - begin)};
  }
};

/// Texts of up to twelve bytes lie in their entry; others name a buffer and a place in it.
class TextViewCells : public ArrowCells {
 public:
  explicit TextViewCells(const ArrowArray* array) : ArrowCells(array) {}

 private:
  struct Entry {
    std::int32_t size;
    char prefix[4];
    std::int32_t buffer;
    std::int32_t offset;
  };
  std::string_view valid_text(std::int64_t at) override {
    constexpr std::int32_t kInline = 12;
    const Entry& entry = buffer<Entry>(1)[at];
    const auto size = static_cast<std::size_t>(entry.size);
    if (entry.size >= 0 && entry.size <= kInline)
      return {reinterpret_cast<const char*>(&entry) + sizeof entry.size, size};
    if (entry.size < 0 || entry.offset < 0 || std::int64_t{entry.offset} + entry.size > size_of_buffer(entry.buffer))
      throw std::out_of_range(
          fmt::format("a text of {} bytes from byte {} of buffer {}", entry.size, entry.offset, entry.buffer));
    return {buffer<char>(2 + entry.buffer) + entry.offset, size};
  }

  /// The sizes of the buffers of long texts are the last buffer.
  std::int64_t size_of_buffer(std::int32_t number) const {
    const std::int64_t count = array()->n_buffers - 3;
    const auto* sizes = buffer<std::int64_t>(2 + count);
    return number < 0 || number >= count || !sizes || !buffer<char>(2 + number) ? -1 : sizes[number];
  }
};

class TruthCells : public ArrowCells {
 public:
  explicit TruthCells(const ArrowArray* array) : ArrowCells(array) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    return (buffer<std::uint8_t>(1)[at / 8] >> (at % 8) & 1) != 0 ? "true" : "false";
  }
};

/// Numbers of type T, written by a function.
template <class T>
class NumberCells : public ArrowCells {
 public:
  using Write = std::function<void(T number, std::string& text)>;
  NumberCells(const ArrowArray* array, Write write) : ArrowCells(array), write_(std::move(write)) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    text_.clear();
    write_(buffer<T>(1)[at], text_);
    return text_;
  }
  Write write_;
};

/// Whole numbers and doubles, the most frequent kinds.
template <class T>
class PlainNumberCells : public ArrowCells {
 public:
  explicit PlainNumberCells(const ArrowArray* array) : ArrowCells(array) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    const T number = buffer<T>(1)[at];
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(number)) return {};
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return text_;
  }
};

float half_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float magnitude = exponent == 31  ? (fraction ? std::nanf("") : HUGE_VALF)
                          : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                          : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

class DecimalCells : public ArrowCells {
 public:
  DecimalCells(const ArrowArray* array, int scale) : ArrowCells(array), scale_(scale) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    __extension__ using Wide = unsigned __int128;
    Wide value = 0;
    std::memcpy(&value, buffer<char>(1) + at * 16, sizeof value);
    const bool negative = (value >> 127) != 0;
    if (negative) value = -value;
    text_.clear();
    for (int digit = 0; value != 0 || digit <= scale_; ++digit, value /= 10) {
      if (digit == scale_ && scale_ > 0) text_ += '.';
      text_ += static_cast<char>('0' + static_cast<int>(value % 10));
    }
    if (negative) text_ += '-';
    std::reverse(text_.begin(), text_.end());
    return text_;
  }
  int scale_;
};

/// The whole number at a place of a buffer, whose type a letter names; nullopt for other types.
std::optional<std::int64_t> index_at(char format, const void* buffer, std::int64_t at) {
  switch (format) {
    case 'c':
      return static_cast<const std::int8_t*>(buffer)[at];
    case 'C':
      return static_cast<const std::uint8_t*>(buffer)[at];
    case 's':
      return static_cast<const std::int16_t*>(buffer)[at];
    case 'S':
      return static_cast<const std::uint16_t*>(buffer)[at];
    case 'i':
      return static_cast<const std::int32_t*>(buffer)[at];
    case 'I':
      return static_cast<const std::uint32_t*>(buffer)[at];
    case 'l':
    case 'L':
      return static_cast<const std::int64_t*>(buffer)[at];
    default:
      return std::nullopt;
  }
}

class DictionaryCells : public ArrowCells {
 public:
  DictionaryCells(const ArrowArray* array, char format, std::unique_ptr<ArrowCells> values)
      : ArrowCells(array), format_(format), values_(std::move(values)) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    const std::int64_t index = index_at(format_, array()->buffers[1], at).value_or(-1);
    if (index < 0 || index >= array()->dictionary->length)
      throw std::out_of_range(fmt::format("index {} in a dictionary of {}", index, array()->dictionary->length));
    return values_->text(index);
  }
  char format_;
  std::unique_ptr<ArrowCells> values_;
};

/// Lists: the elements that are not missing, joined.
class ListCells : public ArrowCells {
 public:
  /// The first element of the list at a place, and one past its last.
  using Range = std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t at)>;
  ListCells(const ArrowArray* array, std::unique_ptr<ArrowCells> elements, Range range)
      : ArrowCells(array),
        elements_(std::move(elements)),
        range_(std::move(range)),
        count_(array->children[0]->length) {}

 private:
  std::string_view valid_text(std::int64_t at) override {
    text_.clear();
    const auto [begin, end] = range_(at);
    if (begin < 0 || end < begin || end > count_)
      throw std::out_of_range(fmt::format("a list from element {} to {} of {}", begin, end, count_));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::string_view element = elements_->text(i);
      if (element.find(kElementSeparator) != std::string_view::npos)
        throw std::invalid_argument(fmt::format("an element of a list holds the separator '{}'", kElementSeparator));
      if (element.empty()) continue;
      if (!text_.empty()) text_ += kElementSeparator;
      text_ += element;
    }
    return text_;
  }
  std::unique_ptr<ArrowCells> elements_;
  Range range_;
  std::int64_t count_;
};

/// Units of times in a format, a letter: seconds, and thousandths, millionths, billionths of them.
std::optional<std::int64_t> units_per_second(char letter) {
  switch (letter) {
    case 's':
      return 1;
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    case 'n':
      return 1'000'000'000;
    default:
      return std::nullopt;
  }
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

void append_date(std::int64_t days, std::string& text) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  fmt::format_to(std::back_inserter(text), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

/// `units` since midnight; a fraction of a second only if there is one, without zeros at its end.
void append_time(std::int64_t units, std::int64_t per_second, std::string& text) {
  if (units < 0 || units / per_second >= 86'400) throw std::out_of_range("a time outside the day");
  const std::int64_t seconds = units / per_second, fraction = units % per_second;
  fmt::format_to(std::back_inserter(text), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction == 0) return;
  std::string digits = std::to_string(per_second + fraction).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  text += "." + digits;
}

/// Days since 1970 fit in the calendar that std::chrono has for years up to 32767.
constexpr std::int64_t kMostDays = 11'000'000;

std::int64_t checked_days(std::int64_t days) {
  if (days < -kMostDays || days > kMostDays) throw std::out_of_range("a date further than 30,000 years from 1970");
  return days;
}

template <class T>
std::unique_ptr<ArrowCells> numbers(const ArrowArray* array, typename NumberCells<T>::Write write) {
  return std::make_unique<NumberCells<T>>(array, std::move(write));
}

/// The cells of dates, times of day and points in time, whose formats begin with t; null for durations, which have no
/// text.
std::unique_ptr<ArrowCells> time_cells(std::string_view format, const ArrowArray* array) {
  if (format == "tdD")
    return numbers<std::int32_t>(array,
                                 [](std::int32_t days, std::string& text) { append_date(checked_days(days), text); });
  if (format == "tdm")
    return numbers<std::int64_t>(array, [](std::int64_t thousandths, std::string& text) {
      append_date(checked_days(floor_div(thousandths, 86'400'000)), text);
    });
  const std::optional<std::int64_t> per_second = format.size() > 2 ? units_per_second(format[2]) : std::nullopt;
  if (!per_second) return nullptr;
  if (format == "tts" || format == "ttm")
    return numbers<std::int32_t>(
        array, [p = *per_second](std::int32_t units, std::string& text) { append_time(units, p, text); });
  if (format == "ttu" || format == "ttn")
    return numbers<std::int64_t>(
        array, [p = *per_second](std::int64_t units, std::string& text) { append_time(units, p, text); });
  if (!format.starts_with("ts") || format.size() < 4 || format[3] != ':') return nullptr;
  return numbers<std::int64_t>(array,
                               [p = *per_second, has_zone = format.size() > 4](std::int64_t units, std::string& text) {
                                 const std::int64_t day = 86'400 * p, rest = units % day;
                                 append_date(checked_days(floor_div(units, day)), text);
                                 text += 'T';
                                 append_time(rest < 0 ? rest + day : rest, p, text);
                                 if (has_zone) text += 'Z';
                               });
}

/// Formats that begin with +: lists; null for records and other nested types.
std::unique_ptr<ArrowCells> list_cells(std::string_view format, const ArrowSchema& schema, const ArrowArray* array,
                                       int depth) {
  using Range = std::pair<std::int64_t, std::int64_t>;
  ListCells::Range range;
  if (format == "+l") {
    range = [offsets = static_cast<const std::int32_t*>(array->buffers[1])](std::int64_t at) {
      return Range(offsets[at], offsets[at + 1]);
    };
  } else if (format == "+L") {
    range = [offsets = static_cast<const std::int64_t*>(array->buffers[1])](std::int64_t at) {
      return Range(offsets[at], offsets[at + 1]);
    };
  } else if (format.starts_with("+w:")) {
    std::int64_t size = -1;
    std::from_chars(format.data() + 3, format.data() + format.size(), size);
    if (size < 0 || size > INT32_MAX || array->length + array->offset > INT32_MAX) return nullptr;
    range = [size](std::int64_t at) { return Range(at * size, (at + 1) * size); };
  } else {
    return nullptr;
  }
  if (schema.n_children != 1 || !schema.children || !schema.children[0] || array->n_children != 1 || !array->children)
    throw std::invalid_argument("a list without elements of a type");
  std::unique_ptr<ArrowCells> elements = arrow_cells(*schema.children[0], array->children[0], depth + 1);
  if (!elements) return nullptr;
  return std::make_unique<ListCells>(array, std::move(elements), std::move(range));
}

std::unique_ptr<ArrowCells> decimal_cells(std::string_view format, const ArrowArray* array) {
  int precision = 0, scale = 0, bits = 128;
  const int fields = std::sscanf(std::string(format).c_str(), "d:%d,%d,%d", &precision, &scale, &bits);
  if (fields < 2 || bits != 128 || scale < 0 || scale > 38) return nullptr;
  return std::make_unique<DecimalCells>(array, scale);
}

std::unique_ptr<ArrowCells> plain_number_cells(char format, const ArrowArray* array) {
  switch (format) {
    case 'c':
      return numbers<std::int8_t>(array, [](std::int8_t x, std::string& text) { text = std::to_string(x); });
    case 'C':
      return numbers<std::uint8_t>(array, [](std::uint8_t x, std::string& text) { text = std::to_string(x); });
    case 's':
      return std::make_unique<PlainNumberCells<std::int16_t>>(array);
    case 'S':
      return std::make_unique<PlainNumberCells<std::uint16_t>>(array);
    case 'i':
      return std::make_unique<PlainNumberCells<std::int32_t>>(array);
    case 'I':
      return std::make_unique<PlainNumberCells<std::uint32_t>>(array);
    case 'l':
      return std::make_unique<PlainNumberCells<std::int64_t>>(array);
    case 'L':
      return std::make_unique<PlainNumberCells<std::uint64_t>>(array);
    case 'e':
      return numbers<std::uint16_t>(array, [](std::uint16_t bits, std::string& text) {
        const float x = half_of(bits);
        if (!std::isnan(x)) fmt::format_to(std::back_inserter(text), "{}", x);
      });
    case 'f':
      return std::make_unique<PlainNumberCells<float>>(array);
    case 'g':
      return std::make_unique<PlainNumberCells<double>>(array);
    default:
      return nullptr;
  }
}

/// The least number of buffers of an array of a type.
int buffer_count(std::string_view format) {
  if (format == "+l" || format == "+L") return 2;
  if (format == "n" || format.starts_with("+")) return 0;
  if (format == "u" || format == "U" || format == "vu") return 3;
  return 2;
}

/// Checks all that the array says about itself; how long its buffers are is not known. Throws std::invalid_argument.
void check_array(std::string_view format, const ArrowArray* array) {
  constexpr std::int64_t kMost = std::int64_t{1} << 48;  // so that sums of two such numbers fit
  const int buffers = buffer_count(format);
  if (!array || array->length < 0 || array->length > kMost || array->offset < 0 || array->offset > kMost ||
      array->null_count < -1 || array->null_count > array->length || array->n_buffers < buffers ||
      (array->n_buffers > 0 && !array->buffers))
    throw std::invalid_argument(fmt::format("a malformed array of Arrow's type '{}'", format));
  if (array->length > 0 && buffers > 1 && !array->buffers[1])
    throw std::invalid_argument(fmt::format("an array of Arrow's type '{}' without its buffer", format));
}

/// Null if the type has no text.
std::unique_ptr<ArrowCells> plain_cells(std::string_view format, const ArrowSchema& schema, const ArrowArray* array,
                                        int depth) {
  if (format == "n") return std::make_unique<NullCells>(array);
  if (format == "b") return std::make_unique<TruthCells>(array);
  if (format == "u") return std::make_unique<TextCells<std::int32_t>>(array);
  if (format == "U") return std::make_unique<TextCells<std::int64_t>>(array);
  if (format == "vu") return std::make_unique<TextViewCells>(array);
  if (format.starts_with("t")) return time_cells(format, array);
  if (format.starts_with("+")) return list_cells(format, schema, array, depth);
  if (format.starts_with("d:")) return decimal_cells(format, array);
  return format.size() == 1 ? plain_number_cells(format[0], array) : nullptr;
}

/// A word for a type that has no text.
std::string_view name_of_type(std::string_view format) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"+s", "records"}, {"+m", "maps"},      {"+u", "unions"},    {"+r", "runs"}, {"+v", "list views"},
      {"+", "lists"},    {"tD", "durations"}, {"ti", "intervals"}, {"z", "bytes"}, {"Z", "bytes"},
      {"vz", "bytes"},   {"w:", "bytes"},     {"d:", "decimals"}};
  for (const auto& [start, name] : kNames)
    if (format.starts_with(start)) return name;
  return "unknown";
}

}  // namespace

std::unique_ptr<ArrowCells> arrow_cells(const ArrowSchema& schema, const ArrowArray* array, int depth) {
  constexpr int kMostDepth = 8;
  if (!schema.format) throw std::invalid_argument("a column without a type");
  if (depth > kMostDepth) throw std::invalid_argument(fmt::format("lists nested in more than {} others", kMostDepth));
  check_array(schema.format, array);
  if (!schema.dictionary) return plain_cells(schema.format, schema, array, depth);
  if (!array->dictionary || std::string_view(schema.format).size() != 1 ||
      std::string_view("cCsSiIlL").find(schema.format) == std::string_view::npos)
    return nullptr;
  std::unique_ptr<ArrowCells> values = arrow_cells(*schema.dictionary, array->dictionary, depth + 1);
  if (!values) return nullptr;
  return std::make_unique<DictionaryCells>(array, schema.format[0], std::move(values));
}

std::string describe_type(const ArrowSchema& schema) {
  const ArrowSchema* inner = &schema;
  const auto next = [](const ArrowSchema& outer) -> const ArrowSchema* {
    if (outer.dictionary) return outer.dictionary;
    const std::string_view format = outer.format;
    const bool is_list = format == "+l" || format == "+L" || format.starts_with("+w:");
    return is_list && outer.n_children == 1 && outer.children ? outer.children[0] : nullptr;
  };
  while (const ArrowSchema* deeper = next(*inner)) {
    if (!deeper->format) break;
    inner = deeper;
  }
  return fmt::format("Arrow's type '{}' has no text ({})", inner->format, name_of_type(inner->format));
}

}  // namespace fovea::io
