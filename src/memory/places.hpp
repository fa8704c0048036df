// What each place of the program has reported, for statistics. See README.md, "By place".
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace takt::core {

/// One table for the process, as the ledger. Nothing is looked up unless somebody has asked for statistics. A signal
/// handler may call change() and give() at any point, also of these.
class memory_places {
 public:
  /// An entry, for who gives back: it outlives neither the table nor what it stands for. 0: none.
  using number = std::uint16_t;

  struct held {
    std::string place;
    std::int64_t now = 0;
    std::int64_t at_peak = 0;  ///< when all places together held most
    std::int64_t most = 0;     ///< that it held itself
  };

  static bool is_asked() noexcept { return asked_.load(sync::relaxed) != 0; }
  /// Peaks begin anew, and where nobody has asked until now, all. What has been taken while nobody asked, or before, is
  /// not known, and giving it back changes nothing.
  static void begin(bool asked) noexcept;
  /// `bytes` more; less, if negative. `place` and `line` as takt_memory_take has them.
  static void change(std::int64_t bytes, const char* place, std::uint32_t line) noexcept;
  /// `bytes` more, taken by the call that returns to `code`.
  static number take(std::int64_t bytes, const void* code) noexcept;
  /// `bytes` more, or less, at a place that take() has named.
  static void change(std::int64_t bytes, number place) noexcept;
  /// Those that have held anything since begin(), by what they held at the peak. @throws std::bad_alloc
  static std::vector<held> all();
  /// In a child of fork(2): who held the lock may be gone.
  static void go_on_alone() noexcept;

 private:
  static inline sync::atomic<std::uint32_t> asked_{0};
};

}  // namespace takt::core
