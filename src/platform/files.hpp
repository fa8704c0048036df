// Files that the user of a program names. What lies there may be anything: to open it waits for nobody.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace takt::platform {

/// A file to read or write, which the caller closes; or null, and why not.
struct opened {
  std::FILE* file;
  const char* why;
};

/// What there is in a device is read as long as it does not let the reader wait.
inline opened open_to_read(const char* path) noexcept {
  const int number = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat found {};
  // Whose other end writes when it likes.
  const bool is_fifo = number >= 0 && ::fstat(number, &found) == 0 && S_ISFIFO(found.st_mode);
  std::FILE* const file = number >= 0 && !is_fifo ? ::fdopen(number, "r") : nullptr;
  if (file != nullptr) return {file, nullptr};
  const char* const why = is_fifo ? "is a FIFO" : std::strerror(errno);
  if (number >= 0) ::close(number);
  return {nullptr, why};
}

/// From its beginning, or behind what is there if it `goes_on`.
inline opened open_to_write(const char* path, bool goes_on = false) noexcept {
  const int number = ::open(
      path, O_WRONLY | O_CREAT | (goes_on ? O_APPEND : O_TRUNC) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  // A FIFO has a reader now, and gets all of it.
  if (number >= 0) ::fcntl(number, F_SETFL, ::fcntl(number, F_GETFL) & ~O_NONBLOCK);
  std::FILE* const file = number >= 0 ? ::fdopen(number, goes_on ? "a" : "w") : nullptr;
  if (file != nullptr) return {file, nullptr};
  const char* const why = errno == ENXIO ? "nobody reads from it" : std::strerror(errno);
  if (number >= 0) ::close(number);
  return {nullptr, why};
}

}  // namespace takt::platform
