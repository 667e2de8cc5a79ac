// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/gestures/keyboard.h"
#include "fovea/io/table/delimited_reader.h"

namespace fovea::gestures {

/// One swipe over the keyboard, as it was observed.
struct Gesture {
  std::string id;
  std::string word;                      ///< the word that was meant; "" if it is not known
  std::vector<Key> keys;                 ///< x of the alignment model: the key under the finger at each observation
  std::vector<KeyboardPoint> points;     ///< where the finger was, in order; none if the file holds no coordinates
  std::vector<Key> events;               ///< the key under the finger at equal steps of time; none if it is not known
  std::vector<std::string> before = {};  ///< words that were typed before, the nearest last; none if they are not known
  bool has_failed = false;               ///< the file says that the swipe did not give its word when it was made
};

/// Reads gestures, one a line, from a tab-separated table with a header. It may have these columns, in any order and
/// among others:
///
///   uid         names the gesture or its user; repeated in answers
///   word        the word that was meant; optional
///   keys        letters, one per observation; if absent, keys_halfkey or else keys_events
///   xy          points "x,y" in thousandths of the keyboard's width, with blanks between; if absent, xy32; optional
///   keys_events letters at equal steps of time; if absent, keys; optional
///   before      words that were typed before, with blanks between; optional
///   is_err      a value other than 0: the swipe has failed; optional
///
/// Words may hold any characters (though no dictionary has such words), keys only letters. Every failure is an
/// InputError (file:line) that quotes the cell.
class GestureReader {
 public:
  explicit GestureReader(io::ByteSource source);

  /// Moves to the next gesture; false at the end.
  bool next(Gesture& gesture);
  /// Location of the current gesture.
  InputLocation location() const { return reader_.location(); }
  bool has_words() const { return word_ != kAbsent; }

 private:
  static constexpr std::size_t kAbsent = -1;
  std::size_t find(std::initializer_list<std::string_view> names) const;
  std::string_view cell(std::size_t column) const { return column == kAbsent ? "" : reader_.cells()[column]; }

  io::DelimitedReader reader_;
  std::size_t uid_, word_, keys_, points_, events_, before_, is_error_;
};

/// A gesture from parts in memory, as the columns of a file hold them. keys and events: letters. xy: x, y, x, y, ... in
/// thousandths of the keyboard's width. Without keys, those nearest to the points are taken. Throws InputError at
/// `location` for parts that no file may hold.
Gesture make_gesture(std::string_view keys, std::span<const double> xy, std::string_view events,
                     const InputLocation& location);

/// Gestures to learn from: all of a file whose word is known, but those that have failed.
struct LabelledGestures {
  std::vector<Gesture> gestures;
  std::size_t failed = 0;  ///< left out
};
/// Throws InputError if the file has no column `word`, or no such gesture.
LabelledGestures read_labelled_gestures(const std::string& path);

/// Appends the line that GestureReader reads back, with columns uid, word, keys, xy.
void append_gesture(const Gesture& gesture, std::string& text);
inline constexpr std::string_view kGestureHeader = "uid\tword\tkeys\txy\n";

/// `Size` points at equal steps along the path through `points` (at least one).
template <std::size_t Size>
std::array<KeyboardPoint, Size> resample(const std::vector<KeyboardPoint>& points) {
  std::array<KeyboardPoint, Size> result;
  float length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += distance(points[i - 1], points[i]);
  std::size_t behind = 0;  // the last point that was passed,
  float passed = 0;        // and its place along the path
  for (std::size_t k = 0; k < Size; ++k) {
    const float place = length * static_cast<float>(k) / static_cast<float>(Size - 1);
    while (behind + 2 < points.size() && passed + distance(points[behind], points[behind + 1]) < place) {
      passed += distance(points[behind], points[behind + 1]);
      ++behind;
    }
    const KeyboardPoint from = points[behind], to = points[std::min(behind + 1, points.size() - 1)];
    const float step = distance(from, to), share = step > 0 ? std::min(1.F, (place - passed) / step) : 0;
    result[k] = {.x = from.x + share * (to.x - from.x), .y = from.y + share * (to.y - from.y)};
  }
  return result;
}

}  // namespace fovea::gestures
