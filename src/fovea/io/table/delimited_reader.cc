// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/delimited_reader.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/pipeline.h"

namespace fovea::io {
namespace {

constexpr std::string_view kCellBlanks = " \t";

std::string_view without_blanks(std::string_view cell) {
  cell.remove_prefix(std::min(cell.find_first_not_of(kCellBlanks), cell.size()));
  return cell.substr(0, cell.find_last_not_of(kCellBlanks) + 1);
}

char delimiter_of(std::string_view header) {
  std::string outside;
  bool is_quoted = false;
  for (const char c : header) {
    if (c == '"') is_quoted = !is_quoted;
    else if (!is_quoted) outside += c;
  }
  for (const char delimiter : {'\t', ',', ';', '|'})
    if (outside.find(delimiter) != outside.npos) return delimiter;
  return ',';
}

}  // namespace

std::optional<char> separator_named_by(std::string_view line) {
  constexpr std::string_view kBegin = "sep=";
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  const bool is_one = line.size() == kBegin.size() + 1 && ::strncasecmp(line.data(), kBegin.data(), kBegin.size()) == 0;
  return is_one ? std::optional(line.back()) : std::nullopt;
}

DelimitedReader::DelimitedReader(LineReader lines, const DelimitedFormat& format)
    : lines_(std::move(lines)),
      encoding_(format.encoding),
      decoder_(format.encoding),
      delimiter_(format.delimiter),
      comment_(format.comment),
      has_header_(format.has_header) {
  if (!next_line())
    throw InputError({.file = lines_.name()}, "an empty file, but a table has at least the names of its columns",
                     "The first line names the columns");
  take_separator();
  if (delimiter_ == DelimitedFormat::kFromHeader) delimiter_ = delimiter_of(line_);
  split(line_);
  has_first_row_ = !has_header_;
  if (has_first_row_)
    for (std::size_t i = 0; i < cells_.size(); ++i) columns_.push_back(fmt::format("x{}", i + 1));
  else columns_.assign(cells_.begin(), cells_.end());
  check_column_names(location(), columns_);
}

DelimitedReader::DelimitedReader(LineBlock rows, const DelimitedReader& file, bool is_last)
    : lines_(std::move(rows)),
      decoder_(file.encoding_),
      delimiter_(file.delimiter_),
      comment_(file.comment_),
      has_header_(file.has_header_),
      columns_(file.columns_),
      is_last_(is_last) {}

/// Obeys a line such as sep=; before the header (separator_named_by).
void DelimitedReader::take_separator() {
  const std::optional<char> separator = separator_named_by(line_);
  if (!separator) return;
  if (std::string_view("\t,;|").find(*separator) == std::string_view::npos)
    throw InputError(location(), fmt::format("the separator '{}' is not known", *separator),
                     "Separate cells by tabs, commas, semicolons or bars, and leave this line out");
  delimiter_ = *separator;
  if (!next_line())
    throw InputError(location(), "no header follows this line", "Name the columns in the first line after it");
}

bool DelimitedReader::next() {
  if (std::exchange(has_first_row_, false)) return true;
  if (!next_line()) return false;
  split(line_);
  if (is_unfinished_) return false;
  if (cells_.size() != columns_.size())
    throw InputError(location(),
                     fmt::format("{} cells, but the {} has {}", cells_.size(), has_header_ ? "header" : "first row",
                                 columns_.size()),
                     delimiter_ == '\t' ? "One tab stands between two cells, and none within a cell"
                                        : fmt::format("Quote cells that hold '{}'", delimiter_));
  return true;
}

/// Moves to the next line that is neither empty nor a comment.
bool DelimitedReader::next_line() {
  do {
    if (!lines_.next()) return false;
    line_ = decoder_.decode(lines_);
  } while (line_.empty() || (comment_ != '\0' && line_[0] == comment_));
  line_number_ = lines_.line_number();
  return true;
}

void DelimitedReader::split(std::string_view line) {
  cells_.clear();
  if (delimiter_ != '\t' && line.find('"') != line.npos) return split_quoted(line);
  for (;;) {
    const std::size_t end = line.find(delimiter_);
    cells_.push_back(without_blanks(line.substr(0, end)));
    if (end == line.npos) return;
    line.remove_prefix(end + 1);
  }
}

void DelimitedReader::split_quoted(std::string_view line) {
  text_.clear();
  ends_.clear();
  for (std::size_t at = 0;; ++at) {  // at: beginning of a cell, then its end
    const std::size_t first = std::min(line.find_first_not_of(kCellBlanks, at), line.size());
    if (first < line.size() && line[first] == '"') {
      at = take_quoted(line, first + 1);
      if (is_unfinished_) return;
    } else {
      const std::size_t end = std::min(line.find(delimiter_, at), line.size());
      text_ += without_blanks(line.substr(at, end - at));
      at = end;
    }
    ends_.push_back(text_.size());
    if (at >= line.size()) break;
  }
  for (std::size_t begin = 0; const std::size_t end : ends_) {
    cells_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
}

/// Appends the quoted text from `at` on to text_, reading further lines into `line` if necessary, and returns the
/// position in `line` at which the cell ends, unless the row is unfinished.
std::size_t DelimitedReader::take_quoted(std::string_view& line, std::size_t at) {
  for (;;) {
    const std::size_t quote = line.find('"', at);
    text_ += line.substr(at, quote - at);
    at = quote + 1;
    if (quote == line.npos) {
      const bool has_next = text_.size() < LineReader::kMaxLineBytes && lines_.next();
      is_unfinished_ = !has_next && is_cut();
      if (is_unfinished_) return at;
      if (!has_next)
        throw InputError(
            location(), fmt::format("cell {} has no closing quote", ends_.size() + 1),
            fmt::format("Write a quote inside as two; a row has at most {} bytes", LineReader::kMaxLineBytes));
      text_ += '\n';
      for (std::size_t mark = 0; mark < lines_.mark_count(); ++mark) text_ += kByteOrderMark;  // in quotes it is text
      line = decoder_.decode(lines_);
      at = 0;
    } else if (at < line.size() && line[at] == '"') {
      text_ += line[at++];
    } else {
      break;
    }
  }
  at = std::min(line.find_first_not_of(kCellBlanks, at), line.size());
  if (at < line.size() && line[at] != delimiter_)
    throw InputError(lines_.location(), fmt::format("cell {} goes on after its closing quote", ends_.size() + 1),
                     "Put the whole cell in quotes; write a quote inside as two");
  return at;
}

namespace {

/// Reads a table in blocks of rows on several threads. A block is taken to begin with a row. Where the one before it
/// was cut within a quoted cell, it does not: then it is read once more, after the cut row.
class BlockReading {
 public:
  BlockReading(DelimitedReader& file, Table& table, const std::vector<std::string>& missing)
      : file_(file), table_(table), missing_(missing) {}

  void run(int threads) {
    run_pipeline(
        threads, [] { return std::make_unique<Part>(); }, [&](Part& part) { return file_.next_block(part.block); },
        [&](Part& part) { read(part, false); }, [&](Part& part) { add(part); });
    if (cut_.bytes.empty()) return;
    Part last = {.block = std::move(cut_)};
    read(last, true);
    add_rows(last);
  }

 private:
  struct Part {
    LineBlock block = {};
    std::optional<Table> rows = {};
    std::optional<std::uint64_t> cut = {};  // line at which an unfinished row begins
    std::exception_ptr error = {};
  };

  void read(Part& part, bool is_last) const {
    part.cut.reset();
    part.error = nullptr;
    part.rows.emplace(table_.name(), table_.columns(), RowNumbers::kLines, missing_);
    try {
      DelimitedReader reader(part.block, file_, is_last);
      while (reader.next()) part.rows->add_row(reader.cells(), static_cast<std::int64_t>(reader.line_number()));
      if (reader.is_unfinished()) part.cut = reader.line_number();
    } catch (...) {
      part.error = std::current_exception();
    }
  }

  void add(Part& part) {
    if (!cut_.bytes.empty()) {
      cut_.bytes.insert(cut_.bytes.end(), part.block.bytes.begin(), part.block.bytes.end());
      part.block = std::exchange(cut_, {});
      read(part, false);
    }
    add_rows(part);
    if (!part.cut) return;
    cut_ = part.block;
    cut_.drop_before(*part.cut);
  }

  void add_rows(const Part& part) {
    table_.append(*part.rows);
    if (part.error) std::rethrow_exception(part.error);
  }

  DelimitedReader& file_;
  Table& table_;
  const std::vector<std::string>& missing_;
  LineBlock cut_;  // an unfinished row, to be read with the rows that follow
};

}  // namespace

Table read_delimited(LineReader lines, const DelimitedFormat& format, const std::vector<std::string>& missing,
                     int threads) {
  const std::string name = lines.name();
  DelimitedReader reader(std::move(lines), format);
  Table table(name, reader.columns(), RowNumbers::kLines, missing);
  if (reader.has_first_row() && reader.next())
    table.add_row(reader.cells(), static_cast<std::int64_t>(reader.line_number()));
  if (is_shared(threads)) BlockReading(reader, table, missing).run(threads);
  else
    while (reader.next()) table.add_row(reader.cells(), static_cast<std::int64_t>(reader.line_number()));
  return table;
}

}  // namespace fovea::io
