// What the scheduler says of itself, for platforms on which time is made up: nobody listens by default.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::platform {

/// Those of credit and iterations come with how much or how many, that of memory with the bytes that are reported now.
enum class action { promotion, steal, call_begins, call_ends, credit, iterations, memory };

class observer {
 public:
  /// What the scheduler has just done, and what it knows of the program: credit that was used up (units), and the
  /// iterations of a leaf loop that it has run without credit.
  virtual void note(action, std::uint64_t) noexcept {}
  void note(action what) noexcept { note(what, 1); }
  /// The program says that it uses the memory [first, first + bytes), for platforms with made-up caches.
  virtual void touched(const void* first, std::size_t bytes) noexcept { (void)first, (void)bytes; }
  /// What `iterations` of a plain loop took; `ticks` by the clock.
  virtual std::uint64_t took(std::uint64_t iterations, std::uint64_t ticks) noexcept {
    (void)iterations;
    return ticks;
  }

 protected:
  ~observer() = default;
};

}  // namespace takt::platform
