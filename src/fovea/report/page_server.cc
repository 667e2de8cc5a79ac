// SPDX-License-Identifier: Apache-2.0
#include "fovea/report/page_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::report {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t kMostHeader = 16 * 1024, kMostBody = 64 * 1024;
constexpr std::chrono::seconds kLongestRequest(30);
constexpr std::chrono::milliseconds kPause(100);
constexpr const char* kSecretHeader = "X-Fovea-Page";

/// 128 random bits, hexadecimal.
std::string random_token() {
  std::array<std::uint8_t, 16> bytes = {};
  if (::getentropy(bytes.data(), bytes.size()) != 0) throw InternalError("the system gives no random numbers");
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

/// Compares in a time that does not tell how far two texts agree.
bool are_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differences |= static_cast<unsigned>(a[i] ^ b[i]);
  return differences == 0;
}

}  // namespace

class PageServer::Server {
 public:
  Server(Page page, int port, Receive receive)
      : page_(std::move(page)), receive_(std::move(receive)), acceptor_(io_), timer_(io_) {
    boost::system::error_code error;
    const tcp::endpoint place(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
    acceptor_.open(place.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(place, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw InputError({}, fmt::format("port {} of this machine cannot be listened at: {}", port, error.message()),
                       "Name another port, or 0 for any that is free");
    port_ = acceptor_.local_endpoint().port();
  }

  std::string address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

  void run(const std::function<bool()>& is_cancelled) {
    accept();
    wait(is_cancelled);
    io_.run();
  }

  void finish() { is_finished_ = true; }

 private:
  /// One request, its answer and the end of the connection.
  class Session : public std::enable_shared_from_this<Session> {
   public:
    Session(tcp::socket socket, Server& server) : stream_(std::move(socket)), server_(server) {
      parser_.header_limit(kMostHeader);
      parser_.body_limit(kMostBody);
    }

    void read() {
      stream_.expires_after(kLongestRequest);
      http::async_read(stream_, buffer_, parser_,
                       [self = shared_from_this()](beast::error_code error, std::size_t) { self->answer(error); });
    }

   private:
    void answer(beast::error_code error) {
      if (error == http::error::body_limit || error == http::error::header_limit)
        return write(refusal(http::status::payload_too_large, "This is more than a page of Fovea sends."));
      if (!error) write(server_.answer(parser_.get()));
    }

    void write(Response response) {
      response_ = std::move(response);
      ++server_.unsent_;
      stream_.expires_after(kLongestRequest);
      http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code, std::size_t) {
        --self->server_.unsent_;
        beast::error_code ignored;
        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      });
    }

    beast::tcp_stream stream_;
    Server& server_;
    beast::flat_buffer buffer_{kMostHeader + kMostBody};
    http::request_parser<http::string_body> parser_;
    Response response_;
  };

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (!error) std::make_shared<Session>(std::move(socket), *this)->read();
      if (acceptor_.is_open()) accept();
    });
  }

  /// Looks from time to time whether to end: once nothing is left to send.
  void wait(const std::function<bool()>& is_cancelled) {
    timer_.expires_after(kPause);
    timer_.async_wait([this, &is_cancelled](beast::error_code) {
      if (is_cancelled() || (is_finished_ && unsent_ == 0)) return io_.stop();
      wait(is_cancelled);
    });
  }

  static Response reply(http::status status, const char* type, std::string body) {
    Response response(status, 11);
    response.set(http::field::content_type, type);
    response.set(http::field::cache_control, "no-store");
    response.set("Referrer-Policy", "no-referrer");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Content-Security-Policy", "frame-ancestors 'none'");
    response.keep_alive(false);
    response.body() = std::move(body);
    response.prepare_payload();
    return response;
  }

  static Response refusal(http::status status, const char* why) {
    return reply(status, "text/plain; charset=utf-8", std::string(why) + "\n");
  }

  Response answer(const Request& request) {
    const std::string here = fmt::format("127.0.0.1:{}", port_), local = fmt::format("localhost:{}", port_);
    const std::string_view host = view_of(request[http::field::host]), origin = view_of(request[http::field::origin]);
    if (host != here && host != local)
      return refusal(http::status::misdirected_request, "This server answers to its own address alone.");
    const bool is_own = origin.starts_with("http://") && origin.substr(7) == host;
    if (!origin.empty() && !is_own) return refusal(http::status::forbidden, "Another page may not ask this server.");
    if (request.method() == http::verb::get) return answer_get(request);
    if (request.method() == http::verb::post) return is_own ? answer_post(request) : unknown_asker();
    return refusal(http::status::method_not_allowed, "Only GET and POST are answered.");
  }

  static Response unknown_asker() {
    return refusal(http::status::forbidden,
                   "The address of this page works once, in one browser. Run the command again for another.");
  }

  bool has_cookie(const Request& request) const {
    const std::string name = fmt::format("fovea_{}=", port_);
    const std::string_view cookies = view_of(request[http::field::cookie]);
    for (std::size_t begin = 0; begin < cookies.size();) {
      const std::size_t end = std::min(cookies.find(';', begin), cookies.size());
      std::string_view cookie = cookies.substr(begin, end - begin);
      while (cookie.starts_with(' ')) cookie.remove_prefix(1);
      if (cookie.starts_with(name) && are_same(cookie.substr(name.size()), session_)) return true;
      begin = end + 1;
    }
    return false;
  }

  Response answer_get(const Request& request) {
    const std::string_view target = view_of(request.target());
    constexpr std::string_view kWithToken = "/?token=";
    if (target.starts_with(kWithToken)) {
      if (is_token_used_ || !are_same(target.substr(kWithToken.size()), token_)) return unknown_asker();
      is_token_used_ = true;
      Response response = refusal(http::status::see_other, "The page is at /.");
      response.set(http::field::location, "/");
      response.set(http::field::set_cookie,
                   fmt::format("fovea_{}={}; HttpOnly; SameSite=Strict; Path=/", port_, session_));
      return response;
    }
    if (target != "/") return refusal(http::status::not_found, "There is one page, at /.");
    if (!has_cookie(request)) return unknown_asker();
    return reply(http::status::ok, "text/html; charset=utf-8", page_.served_html(secret_));
  }

  Response answer_post(const Request& request) {
    if (!has_cookie(request) || !are_same(view_of(request[kSecretHeader]), secret_)) return unknown_asker();
    const Json message = Json::parse(request.body(), nullptr, false);
    if (message.is_discarded()) return refusal(http::status::bad_request, "This is not JSON.");
    const ServerReply made = receive_(std::string(view_of(request.target())), message);
    return reply(static_cast<http::status>(made.status), "application/json",
                 made.body.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  Page page_;
  Receive receive_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  int port_ = 0, unsent_ = 0;
  const std::string token_ = random_token(), session_ = random_token(), secret_ = random_token();
  bool is_token_used_ = false;
  std::atomic<bool> is_finished_ = false;
};

PageServer::PageServer(Page page, int port, Receive receive)
    : server_(std::make_unique<Server>(std::move(page), port, std::move(receive))) {}
PageServer::~PageServer() = default;

std::string PageServer::address() const { return server_->address(); }
void PageServer::run(const std::function<bool()>& is_cancelled) { server_->run(is_cancelled); }
void PageServer::finish() { server_->finish(); }

}  // namespace fovea::report
