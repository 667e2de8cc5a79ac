// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/review/review.h"
#include "fovea/linkage/review/review_session.h"
#include "fovea/report/page_server.h"

namespace fovea::linkage {
namespace {

using report::Json;
using report::ServerReply;

constexpr int kBadRequest = 400, kNotFound = 404, kNotSaved = 507;

/// Takes the answers that a page sends.
class BrowserReview {
 public:
  explicit BrowserReview(ReviewSession& session) : session_(session) {}

  ServerReply receive(const std::string& path, const Json& message) {
    if (path == "/answers") return {.body = {{"answers", known_answers()}}};
    if (path == "/answer") return take(message);
    if (path == "/finish") return finish();
    return {kNotFound, {{"error", "this page sends no such message"}}};
  }

  bool is_finished() const { return is_finished_; }

  /// Writes answers that could not be written when they came.
  void save() {
    if (is_saved_) return;
    session_.answers().write();
    is_saved_ = true;
  }

  void count(ReviewResult& result) const {
    for (const auto& [rows, is_match] : given_) {
      if (!is_match) ++result.skipped;
      else ++(*is_match ? result.matches : result.others);
    }
  }

 private:
  Json known_answers() const {
    Json answers = Json::array();
    for (const LabelledRowPair& pair : session_.answers().pairs())
      answers.push_back({session_.id(pair.rows.first), session_.id(pair.rows.second), pair.is_match});
    return answers;
  }

  ServerReply take(const Json& message) {
    const std::optional<std::uint32_t> first = row_of(message, "first"), second = row_of(message, "second");
    if (!first || !second || *first == *second)
      return {kBadRequest, {{"error", "an answer names two records of the table, by their ids"}}};
    if (!message.contains("match") || !(message["match"].is_boolean() || message["match"].is_null()))
      return {kBadRequest, {{"error", "an answer says true, false or null"}}};
    const std::optional<bool> is_match =
        message["match"].is_boolean() ? std::optional(message["match"].get<bool>()) : std::nullopt;
    given_[std::minmax(*first, *second)] = is_match;
    is_saved_ = false;
    return saved([&] { session_.answers().set({*first, *second}, is_match); });
  }

  ServerReply finish() {
    ServerReply reply = saved([&] { save(); });
    is_finished_ = is_saved_;
    return reply;
  }

  /// The reply to what `write` does.
  template <class Write>
  ServerReply saved(const Write& write) {
    try {
      write();
      is_saved_ = true;
    } catch (const InputError& error) {
      return {kNotSaved, {{"error", error.what()}}};
    }
    return {.body = {{"answers", session_.answers().size()}}};
  }

  std::optional<std::uint32_t> row_of(const Json& message, const char* which) const {
    if (!message.is_object() || !message.contains(which) || !message[which].is_string()) return std::nullopt;
    const std::optional<std::size_t> row = session_.ids().find(message[which].get<std::string>());
    return row ? std::optional(static_cast<std::uint32_t>(*row)) : std::nullopt;
  }

  ReviewSession& session_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<bool>> given_;
  bool is_saved_ = true, is_finished_ = false;
};

}  // namespace

ReviewResult review_in_browser(const ReviewJob& job, const std::function<void(const std::string&)>& announce,
                               const Run& run) {
  check(job);
  if (!job.options.questions.empty())
    throw UsageError("option 'questions' writes a table instead of asking: it needs no browser");
  ReviewSession session(job, run);
  BrowserReview answers(session);
  std::optional<report::PageServer> server;
  const auto serve = [&](const report::Page& page) {
    server.emplace(page, job.options.port, [&](const std::string& path, const Json& message) {
      ServerReply reply = answers.receive(path, message);
      if (answers.is_finished()) server->finish();
      return reply;
    });
  };
  if (session.find_questions(serve).empty())
    throw InputError({.file = job.file}, "no pair of records may match: there is nothing to ask",
                     "Block by other columns, or answers are complete already");
  announce(server->address());
  run.begin_phase("asking");
  server->run([&] { return run.is_cancelled(); });
  answers.save();
  ReviewResult result;
  answers.count(result);
  result.answers = session.answers().size();
  session.learn_from_answers();
  return result;
}

}  // namespace fovea::linkage
