// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/file_lock.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::linkage {

/// The table of answers of a review, in memory and in its file, which nobody else can write meanwhile.
class ReviewAnswers {
 public:
  /// Reads the file, if it is there. Throws InputError if it is not a table of answers, cannot be written, or is being
  /// written by another review. The table must outlive the answers.
  ReviewAnswers(std::string path, const io::Table& records, std::size_t id_column, const io::IdIndex& ids);

  std::size_t size() const { return pairs_.size(); }
  const std::vector<LabelledRowPair>& pairs() const { return pairs_; }

  /// Each of these writes the file. If that fails it throws InputError; the answer stays, and is written with the next
  /// one or by write().
  void add(const LabelledRowPair& pair);
  void remove_last();
  /// The answer about a pair, whatever was said of it before; nothing: it is not known.
  void set(RowPair rows, std::optional<bool> is_match);
  void write() const;

  /// As read_labelled_pairs() takes them.
  io::Table table() const;
  /// The ids of both records and the answer, "1" or "0".
  std::array<std::string_view, 3> cells(const LabelledRowPair& pair) const;

 private:
  std::string path_;
  FileLock lock_;
  const io::Table& records_;
  std::size_t id_column_;
  std::vector<LabelledRowPair> pairs_;
};

}  // namespace fovea::linkage
