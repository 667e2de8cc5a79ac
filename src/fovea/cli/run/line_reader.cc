// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace fovea::cli {

std::optional<std::string> LineReader::next(const CancelToken& cancel) {
  constexpr int kMilliseconds = 50;
  while (!cancel.cancelled()) {
    const std::size_t end = rest_.find('\n');
    if (end != rest_.npos || (is_at_end_ && !rest_.empty())) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end == rest_.npos ? end : end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (is_at_end_) return std::nullopt;
    pollfd wanted{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kMilliseconds) <= 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
    if (count > 0) rest_.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR) is_at_end_ = true;
  }
  return std::nullopt;
}

}  // namespace fovea::cli
