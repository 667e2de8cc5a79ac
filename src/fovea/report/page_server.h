// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fovea/report/json.h"
#include "fovea/report/page.h"

namespace fovea::report {

/// Answer to what the script of a served page sends.
struct ServerReply {
  int status = 200;  ///< of HTTP
  Json body = Json::object();
};

/// Serves one page to a browser on this machine, and takes what its script sends.
///
/// It listens at the loopback address alone. Its address holds a token that opens the page once: the browser that comes
/// first gets a cookie, and nobody else the page. Requests that name another host (a name that was made to point here)
/// or another origin (another page of the browser), that lack the cookie or the secret that only the page knows, or
/// that are too large are refused.
class PageServer {
 public:
  /// `receive` gets the path and the JSON of each message of the page, one at a time, and must not throw.
  using Receive = std::function<ServerReply(const std::string& path, const Json& message)>;

  /// Listens at once; `port` 0: any that is free. Throws InputError if the port is taken.
  PageServer(Page page, int port, Receive receive);
  ~PageServer();

  /// The page's address with its token.
  std::string address() const;
  /// Serves until finish() is called, by `receive` or another thread, or `is_cancelled` returns true.
  void run(const std::function<bool()>& is_cancelled);
  /// Sends the reply that is under way, and ends run().
  void finish();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace fovea::report
