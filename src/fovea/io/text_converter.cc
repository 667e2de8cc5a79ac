// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/text_converter.h"

#include <fmt/format.h>
#include <iconv.h>

#include <cerrno>

#include "fovea/base/error.h"

namespace fovea::io {

TextConverter::TextConverter(const std::string& encoding)
    : encoding_(encoding), handle_(::iconv_open("UTF-8", encoding.c_str())) {
  if (handle_ == reinterpret_cast<::iconv_t>(-1))
    throw UsageError(fmt::format("unknown encoding '{}'. Run 'iconv --list' to see the known ones", encoding));
}

TextConverter::~TextConverter() { ::iconv_close(handle_); }

void TextConverter::restart() { ::iconv(handle_, nullptr, nullptr, nullptr, nullptr); }

int TextConverter::convert(std::string_view& in, std::span<char>& out) {
  char* from = const_cast<char*>(in.data());  // iconv's type; it only reads
  char* to = out.data();
  std::size_t in_left = in.size(), out_left = out.size();
  const bool failed = ::iconv(handle_, &from, &in_left, &to, &out_left) == static_cast<std::size_t>(-1);
  const int error = failed ? errno : 0;
  in.remove_prefix(in.size() - in_left);
  out = out.subspan(out.size() - out_left);
  return error;
}

}  // namespace fovea::io
