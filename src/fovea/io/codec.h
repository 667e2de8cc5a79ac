// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

namespace fovea::io {

enum class Compression { kNone, kGzip, kXz, kZstd };

/// The compression of data that begin with `first_bytes`, by magic number.
Compression compression_of_data(std::string_view first_bytes);

/// True if `first_bytes` are too few to decide: more bytes could complete a magic number.
bool compression_is_undecided(std::string_view first_bytes);

/// The compression for a file of this name, by its ending: .gz, .xz, .zst.
Compression compression_of_name(std::string_view path);

/// Corrupt compressed data; what() is the reason, to which the caller adds the file's name.
class CodecError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Packs or unpacks a stream piece by piece, in bounded memory.
class Codec {
 public:
  virtual ~Codec() = default;

  /// Processes bytes: takes them from the front of `input`, writes the result to the front of `output`, and shortens
  /// both to what is left. `finish`: nothing follows `input`. Throws CodecError on corrupt data.
  virtual void run(std::string_view& input, std::span<char>& output, bool finish) = 0;

  /// When unpacking: true if the input may end here, because all its streams are complete. When packing: true if
  /// finished.
  virtual bool is_complete() const = 0;
};

/// Concatenated streams unpack to the concatenation. `compression` is not kNone.
std::unique_ptr<Codec> make_decoder(Compression compression);
std::unique_ptr<Codec> make_encoder(Compression compression);

}  // namespace fovea::io
