// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/codec.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::io {
namespace {

using namespace std::string_view_literals;

constexpr std::array kMagics = {std::pair(Compression::kGzip, "\x1f\x8b"sv),
                                std::pair(Compression::kXz,
                                          "\xfd"
                                          "7zXZ\0"sv),
                                std::pair(Compression::kZstd, "\x28\xb5\x2f\xfd"sv)};

/// More memory than any level of xz needs to unpack; a file that asks for more is refused, so that it cannot fill the
/// memory.
constexpr std::uint64_t kMaxXzMemory = std::uint64_t{256} << 20;
/// Levels that the tools use by default, except for xz, whose default needs 100 MB to pack.
constexpr int kZstdLevel = 3;
constexpr int kXzLevel = 3;
/// zlib: window of 2^15 bytes, plus 16 for the gzip header.
constexpr int kGzipWindow = 15 + 16;

/// Runs one step of zlib or liblzma, whose stream states have the same fields: next_in, avail_in, next_out, avail_out.
template <class Stream, class Step>
void run_stream(Stream& stream, std::string_view& input, std::span<char>& output, Step&& step) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
  using In = decltype(stream.next_in);
  using Out = decltype(stream.next_out);
  const std::size_t in = std::min(input.size(), kMost), out = std::min(output.size(), kMost);
  stream.next_in = reinterpret_cast<In>(const_cast<char*>(input.data()));
  stream.avail_in = static_cast<decltype(stream.avail_in)>(in);
  stream.next_out = reinterpret_cast<Out>(output.data());
  stream.avail_out = static_cast<decltype(stream.avail_out)>(out);
  step();
  input.remove_prefix(in - stream.avail_in);
  output = output.subspan(out - stream.avail_out);
}

/// Throws if a call with valid arguments has failed: in these libraries that means a lack of memory.
void check_memory(bool has_worked) {
  if (!has_worked) throw std::bad_alloc();
}

class GzipCodec : public Codec {
 public:
  bool is_complete() const override { return complete_; }

 protected:
  z_stream stream_ = {};
  bool complete_ = false;
};

class GzipDecoder : public GzipCodec {
 public:
  GzipDecoder() { check_memory(inflateInit2(&stream_, kGzipWindow) == Z_OK); }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  void run(std::string_view& input, std::span<char>& output, bool) override {
    if (input.empty() && complete_) return;
    if (std::exchange(complete_, false)) inflateReset(&stream_);
    run_stream(stream_, input, output, [&] {
      const int status = inflate(&stream_, Z_NO_FLUSH);
      complete_ = status == Z_STREAM_END;
      check_memory(status != Z_MEM_ERROR);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw CodecError(stream_.msg != nullptr ? stream_.msg : "bad gzip data");
    });
  }
};

class GzipEncoder : public GzipCodec {
 public:
  GzipEncoder() {
    check_memory(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }

  void run(std::string_view& input, std::span<char>& output, bool finish) override {
    run_stream(stream_, input, output,
               [&] { complete_ = deflate(&stream_, finish ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END; });
  }
};

class XzCodec : public Codec {
 public:
  explicit XzCodec(bool encode) {
    const lzma_ret status = encode ? lzma_easy_encoder(&stream_, kXzLevel, LZMA_CHECK_CRC64)
                                   : lzma_stream_decoder(&stream_, kMaxXzMemory, LZMA_CONCATENATED);
    check_memory(status == LZMA_OK);
  }
  ~XzCodec() override { lzma_end(&stream_); }

  void run(std::string_view& input, std::span<char>& output, bool finish) override {
    run_stream(stream_, input, output, [&] {
      const lzma_ret status = lzma_code(&stream_, finish ? LZMA_FINISH : LZMA_RUN);
      complete_ = status == LZMA_STREAM_END;
      check_memory(status != LZMA_MEM_ERROR);
      if (status == LZMA_MEMLIMIT_ERROR) throw CodecError("unpacking needs more than 256 MiB of memory");
      // LZMA_BUF_ERROR: no progress, for lack of input or room, which the caller sees from is_complete().
      if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
        throw CodecError(status == LZMA_FORMAT_ERROR ? "not xz data" : "bad xz data");
    });
  }
  bool is_complete() const override { return complete_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class ZstdDecoder : public Codec {
 public:
  ZstdDecoder() { check_memory(context_ != nullptr); }

  void run(std::string_view& input, std::span<char>& output, bool) override {
    if (input.empty() && complete_) return;
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {output.data(), output.size(), 0};
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    check_memory(ZSTD_getErrorCode(status) != ZSTD_error_memory_allocation);
    if (ZSTD_isError(status)) throw CodecError(ZSTD_getErrorName(status));
    complete_ = status == 0;
    input.remove_prefix(in.pos);
    output = output.subspan(out.pos);
  }
  bool is_complete() const override { return complete_; }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeZstd> context_{ZSTD_createDCtx()};
  bool complete_ = false;
};

class ZstdEncoder : public Codec {
 public:
  ZstdEncoder() {
    check_memory(context_ != nullptr);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void run(std::string_view& input, std::span<char>& output, bool finish) override {
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {output.data(), output.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, finish ? ZSTD_e_end : ZSTD_e_continue);
    check_memory(!ZSTD_isError(left));
    complete_ = finish && left == 0;
    input.remove_prefix(in.pos);
    output = output.subspan(out.pos);
  }
  bool is_complete() const override { return complete_; }

 private:
  std::unique_ptr<ZSTD_CCtx, FreeZstd> context_{ZSTD_createCCtx()};
  bool complete_ = false;
};

}  // namespace

Compression compression_of_data(std::string_view first_bytes) {
  for (const auto& [compression, magic] : kMagics)
    if (first_bytes.starts_with(magic)) return compression;
  return Compression::kNone;
}

bool compression_is_undecided(std::string_view first_bytes) {
  return std::ranges::any_of(kMagics, [&](const auto& candidate) {
    return first_bytes.size() < candidate.second.size() && candidate.second.starts_with(first_bytes);
  });
}

Compression compression_of_name(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::kGzip;
  if (path.ends_with(".xz")) return Compression::kXz;
  return path.ends_with(".zst") ? Compression::kZstd : Compression::kNone;
}

std::unique_ptr<Codec> make_decoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipDecoder>();
  if (compression == Compression::kXz) return std::make_unique<XzCodec>(false);
  FOVEA_CHECK(compression == Compression::kZstd);
  return std::make_unique<ZstdDecoder>();
}

std::unique_ptr<Codec> make_encoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipEncoder>();
  if (compression == Compression::kXz) return std::make_unique<XzCodec>(true);
  FOVEA_CHECK(compression == Compression::kZstd);
  return std::make_unique<ZstdEncoder>();
}

}  // namespace fovea::io
