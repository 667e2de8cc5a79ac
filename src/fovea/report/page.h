// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/report/cell.h"

namespace fovea::report {

/// Curves, dots or bars over one axis.
struct Chart {
  struct Series {
    std::string name;
    std::vector<std::array<double, 2>> points;  ///< x, y; what is not finite is left out
    bool is_line = false;                       ///< also among dots
  };
  std::string title = "", about = "", x = "", y = "";
  std::vector<Series> series = {};
  bool bars = false, dots = false, log_x = false, log_y = false;
  bool steps = false;                    ///< each value holds until the next point
  bool diagonal = false;                 ///< a line where x and y are equal
  std::optional<double> threshold = {};  ///< on x, to drag; says how much of the first series is at or above it
};

/// Numbers of shares, from 0 to 1, that lie in each of equal bins: points for bars. What is not finite is left out.
std::vector<std::array<double, 2>> counts_of_shares(std::span<const double> shares, std::size_t bins);

/// Rows to sort and filter.
struct TableOfCells {
  std::string title = "", about = "";
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

/// Quantities that chains have drawn: a row of figures for each, and charts of its draws.
struct ChainDraws {
  struct Quantity {
    std::string name;
    std::vector<Cell> figures;                    ///< parallel to `columns`
    std::vector<std::span<const double>> chains;  ///< draws of each chain; may be empty
  };
  std::string title = "", about = "";
  std::vector<std::string> columns = {};
  std::vector<Quantity> quantities = {};  ///< the worst first: of many, the page has only the first ones' draws
};

/// Sentences with a label for each word. With `gold`, the page marks mistakes and shows them one by one.
struct TaggedText {
  struct Sentence {
    std::vector<std::string> words, labels;
    std::vector<double> probabilities = {};                              ///< of the labels; or empty
    std::vector<std::uint32_t> visits = {};                              ///< or empty
    std::vector<std::pair<double, std::vector<std::string>>> best = {};  ///< probability and labels; or empty
    std::vector<std::string> gold = {};                                  ///< "" if unknown; or empty
    std::vector<std::string> others = {};                                ///< labels of another tagging; or empty
  };
  std::string title = "", about = "";
  std::vector<std::string> kinds = {};  ///< of labels, without B- or I-: one colour each
  std::vector<Sentence> sentences = {};
  std::string name = "predicted", other_name = "other";  ///< of the taggings
};

/// Pairs of records, to compare and to label.
struct RecordPairs {
  struct Pair {
    std::size_t first, second;  ///< indices into records
    double probability;
    std::vector<double> weights;  ///< of the comparisons, nats
  };
  std::string title = "", about = "";
  std::vector<std::string> columns = {}, comparisons = {};
  std::vector<std::string> ids = {};                   ///< [record]
  std::vector<std::vector<std::string>> records = {};  ///< [record][column]
  std::vector<Pair> pairs = {};
};

/// One page that shows a job to people: a file that needs nothing else, neither a server nor a network, and that runs
/// no script but its own. Data are JSON in the page, which the script turns into text, never into markup.
class Page {
 public:
  /// `subtitle`: what was done, such as the command line.
  Page(std::string title, std::string subtitle);
  Page(const Page&);
  Page(Page&&) noexcept;
  ~Page();

  /// Parts of the page, in the order in which they are added.
  void add_note(const std::string& text, bool is_warning = false);
  /// Lines of text as they are, such as a program.
  void add_text(const std::string& title, const std::string& text);
  void add_facts(const std::string& title, const std::vector<std::pair<std::string, Cell>>& rows);
  void add(const Chart& chart);
  void add(const TableOfCells& table);
  void add(const TaggedText& text);
  void add(const RecordPairs& pairs);
  void add(const ChainDraws& draws);
  /// `png`: bytes of the file.
  void add_picture(const std::string& title, const std::string& about, std::string_view png);

  std::string html() const;
  /// The same for a PageServer, which takes what the page sends with `secret`.
  std::string served_html(const std::string& secret) const;
  /// Writes the file at once, whole or not at all. Throws InputError if it cannot be written.
  void write(const std::string& path) const;

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace fovea::report
