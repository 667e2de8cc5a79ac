// SPDX-License-Identifier: Apache-2.0
// Whom the server of a page answers. tests/browser opens it in a browser.
#include "fovea/report/page_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Sends bytes to a port of this machine; returns all that comes back.
std::string ask(int port, const std::string& bytes) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0) {
    ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    char part[4096];
    for (ssize_t n = 0; (n = ::recv(socket, part, sizeof part, 0)) > 0;)
      answer.append(part, static_cast<std::size_t>(n));
  }
  ::close(socket);
  return answer;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  return text.substr(begin + before.size(), text.find(after, begin + before.size()) - begin - before.size());
}

class PageServerTest : public ::testing::Test {
 protected:
  PageServerTest()
      : server_(Page("served", "here"), 0,
                [this](const std::string& path, const Json& message) {
                  received_.push_back(path + " " + message.dump());
                  return ServerReply{path == "/known" ? 200 : 404, {{"done", true}}};
                }),
        port_(std::stoi(between(server_.address(), "127.0.0.1:", "/"))),
        token_(server_.address().substr(server_.address().find("token=") + 6)),
        thread_([this] { server_.run([this] { return is_cancelled_.load(); }); }) {}

  ~PageServerTest() override {
    is_cancelled_ = true;
    thread_.join();
  }

  std::string get(const std::string& target, const std::string& headers = "") {
    return ask(port_, fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", target, port_, headers));
  }
  std::string post(const std::string& headers, const std::string& body, const std::string& path = "/known") {
    return ask(port_, fmt::format("POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n{}\r\n{}", path,
                                  port_, body.size(), headers, body));
  }
  /// Opens the page as a browser does; returns the headers of its messages.
  std::string open() {
    cookie_ = "Cookie: other=1; " + between(get("/?token=" + token_), "Set-Cookie: ", ";") + "\r\n";
    secret_ = between(get("/", cookie_), R"("secret":")", "\"");
    return own_origin() + cookie_ + "X-Fovea-Page: " + secret_ + "\r\n";
  }
  std::string own_origin() const { return fmt::format("Origin: http://127.0.0.1:{}\r\n", port_); }

  std::vector<std::string> received_;
  PageServer server_;
  int port_;
  std::string token_, cookie_, secret_;
  std::atomic<bool> is_cancelled_ = false;
  std::thread thread_;
};

TEST_F(PageServerTest, TheTokenOpensThePageOnce) {
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get("/?token=0123456789abcdef0123456789abcdef"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get("/?token=" + token_), StartsWith("HTTP/1.1 303"));
  EXPECT_THAT(get("/?token=" + token_), StartsWith("HTTP/1.1 403"));
}

TEST_F(PageServerTest, ACookieOpensThePageAgain) {
  open();
  const std::string page = get("/", cookie_);
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page, Not(HasSubstr(token_)));
  EXPECT_THAT(get("/", "Cookie: fovea_1=" + secret_ + "\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get("/../etc/passwd", cookie_), StartsWith("HTTP/1.1 404"));
}

TEST_F(PageServerTest, TakesMessagesOfItsPage) {
  const std::string headers = open();
  EXPECT_THAT(post(headers, R"({"a":1})"), HasSubstr(R"({"done":true})"));
  EXPECT_THAT(post(headers, "{}", "/unknown"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(post(headers, "{"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(received_, ::testing::ElementsAre(R"(/known {"a":1})", "/unknown {}"));
}

TEST_F(PageServerTest, RefusesOthers) {
  const std::string headers = open();
  const std::string secret = "X-Fovea-Page: " + secret_ + "\r\n";
  EXPECT_THAT(post(cookie_ + secret, "{}"), StartsWith("HTTP/1.1 403"));  // no origin
  EXPECT_THAT(post("Origin: http://evil.example\r\n" + cookie_ + secret, "{}"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(post("Origin: null\r\n" + cookie_ + secret, "{}"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(post(own_origin() + secret, "{}"), StartsWith("HTTP/1.1 403"));   // no cookie
  EXPECT_THAT(post(own_origin() + cookie_, "{}"), StartsWith("HTTP/1.1 403"));  // no secret
  EXPECT_THAT(ask(port_, "GET / HTTP/1.1\r\nHost: evil.example\r\n" + cookie_ + "\r\n"), StartsWith("HTTP/1.1 421"));
  EXPECT_THAT(ask(port_, "GET / HTTP/1.1\r\n" + cookie_ + "\r\n"), StartsWith("HTTP/1.1 421"));
  EXPECT_THAT(ask(port_, fmt::format("DELETE / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", port_)),
              StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(received_, ::testing::IsEmpty());
}

TEST_F(PageServerTest, RefusesWhatIsTooLarge) {
  const std::string headers = open();
  EXPECT_THAT(post(headers, "\"" + std::string(100'000, 'x') + "\""), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(get("/" + std::string(100'000, 'x')), Not(StartsWith("HTTP/1.1 200")));
  EXPECT_EQ(ask(port_, "no request of HTTP\r\n\r\n"), "");
  EXPECT_THAT(post(headers, "{}"), StartsWith("HTTP/1.1 200"));
}

TEST_F(PageServerTest, FinishEndsTheRun) {
  server_.finish();
  thread_.join();
  thread_ = std::thread([] {});
}

TEST_F(PageServerTest, ATakenPortIsAnError) { EXPECT_THROW(PageServer(Page("a", "b"), port_, {}), InputError); }

}  // namespace
}  // namespace fovea::report
