// Reads what --input names.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

#include "harness/problem.hpp"

namespace takt::bench::pbbs {

// The first `most` bytes of a file. Throws input_error.
inline std::string file_bytes(const std::string& path, std::size_t most) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(most, '\0');
  if (stream) {
    stream.read(bytes.data(), static_cast<std::streamsize>(most));
  }
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  if (bytes.empty()) {
    throw input_error(path + ": cannot be read, or is empty");
  }
  return bytes;
}

}  // namespace takt::bench::pbbs
