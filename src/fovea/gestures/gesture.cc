// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/gesture.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "fovea/base/text.h"
#include "fovea/io/token_reader.h"

namespace fovea::gestures {
namespace {

constexpr float kUnitsPerKey = 100;      // a key is a tenth of the keyboard's width, and xy counts thousandths of it
constexpr float kLargestUnits = 100000;  // far outside any keyboard

std::string_view take_number(std::string_view text, float& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(std::abs(value) <= kLargestUnits)) return {};
  return text.substr(static_cast<std::size_t>(end - text.data()));
}

[[noreturn]] void refuse_points(std::string_view cell, const InputLocation& location) {
  throw InputError(location, fmt::format("{} is not a list of points", io::quoted_for_message(cell)),
                   "Give points 'x,y' with blanks between, in thousandths of the keyboard's width");
}

std::vector<KeyboardPoint> points_of(std::string_view cell, const InputLocation& location) {
  std::vector<KeyboardPoint> points;
  std::string_view rest = cell;
  while (!rest.empty()) {
    KeyboardPoint point;
    rest = take_number(rest, point.x);
    if (rest.empty() || rest[0] != ',') refuse_points(cell, location);
    const std::string_view ordinate = rest.substr(1);
    rest = take_number(ordinate, point.y);
    if (rest.data() == nullptr || (!rest.empty() && rest[0] != ' ')) refuse_points(cell, location);
    if (!rest.empty()) rest.remove_prefix(1);
    points.push_back({.x = point.x / kUnitsPerKey, .y = point.y / kUnitsPerKey});
  }
  return points;
}

constexpr std::size_t kMostKeys = 1000;  // one key per observation: a second on the fastest screens

void require_one_word(std::string_view keys, const InputLocation& location) {
  if (keys.size() > kMostKeys)
    throw InputError(location, fmt::format("a gesture over {} keys; at most {} are read", keys.size(), kMostKeys),
                     "Give one word a row");
}

}  // namespace

GestureReader::GestureReader(io::ByteSource source)
    : reader_(io::LineReader{std::move(source)}, {.delimiter = '\t'}),
      uid_(find({"uid"})),
      word_(find({"word"})),
      keys_(find({"keys", "keys_halfkey", "keys_events"})),
      points_(find({"xy", "xy32"})),
      events_(find({"keys_events", "keys"})),
      before_(find({"before"})),
      is_error_(find({"is_err"})) {
  const auto require = [this](std::size_t column, const char* name) {
    if (column == kAbsent)
      throw InputError(reader_.location(), fmt::format("the file has no column '{}'", name),
                       "Give a header with the columns uid and keys, and word to train");
  };
  require(uid_, "uid");
  require(keys_, "keys");
}

std::size_t GestureReader::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < reader_.columns().size(); ++i)
      if (reader_.columns()[i] == name) return i;
  return kAbsent;
}

bool GestureReader::next(Gesture& gesture) {
  if (!reader_.next()) return false;
  gesture.has_failed = is_error_ != kAbsent && cell(is_error_) != "0";
  gesture.before.clear();
  for (const std::string_view word : split_text(cell(before_), ' '))
    if (!word.empty()) gesture.before.emplace_back(word);
  gesture.id = cell(uid_);
  gesture.word = cell(word_);
  for (const std::size_t column : {keys_, events_}) require_one_word(cell(column), location());
  gesture.keys = keys_of(cell(keys_), location());
  gesture.events.clear();
  if (!cell(events_).empty()) gesture.events = events_ == keys_ ? gesture.keys : keys_of(cell(events_), location());
  gesture.points = points_of(cell(points_), location());
  return true;
}

Gesture make_gesture(std::string_view keys, std::span<const double> xy, std::string_view events,
                     const InputLocation& location) {
  Gesture gesture;
  for (std::size_t i = 0; i + 1 < xy.size(); i += 2) {
    if (!(std::abs(xy[i]) <= kLargestUnits && std::abs(xy[i + 1]) <= kLargestUnits))
      throw InputError(location, fmt::format("the point {} is ({}, {})", i / 2, xy[i], xy[i + 1]),
                       "Give points in thousandths of the keyboard's width");
    gesture.points.push_back(
        {.x = static_cast<float>(xy[i]) / kUnitsPerKey, .y = static_cast<float>(xy[i + 1]) / kUnitsPerKey});
  }
  for (const std::string_view letters : {keys, events}) require_one_word(letters, location);
  if (keys.empty() && !gesture.points.empty())
    for (const KeyboardPoint point : gesture.points) gesture.keys.push_back(key_at(point));
  else gesture.keys = keys_of(keys, location);
  if (!events.empty()) gesture.events = keys_of(events, location);
  return gesture;
}

LabelledGestures read_labelled_gestures(const std::string& path) {
  GestureReader reader{io::ByteSource(path)};
  if (!reader.has_words())
    throw InputError(reader.location(), "the file has no column 'word'",
                     "Gestures to learn from need the word that was meant");
  LabelledGestures read;
  for (Gesture gesture; reader.next(gesture);) {
    if (gesture.word.empty()) continue;
    if (gesture.has_failed) ++read.failed;
    else read.gestures.push_back(gesture);
  }
  if (read.gestures.empty()) throw InputError(reader.location(), "the file has no gestures with words");
  return read;
}

void append_gesture(const Gesture& gesture, std::string& text) {
  text += gesture.id + '\t' + gesture.word + '\t';
  text += letters_of(gesture.keys) + '\t';
  for (std::size_t i = 0; i < gesture.points.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{:.0f},{:.0f}", i == 0 ? "" : " ", gesture.points[i].x * kUnitsPerKey,
                   gesture.points[i].y * kUnitsPerKey);
  text += '\n';
}

}  // namespace fovea::gestures
