// Which seat a worker holds (src/worker/seats.cpp).
#pragma once

#include "platform/threading.hpp"
#include "sync/atomic.hpp"

#include <cstdint>
#include <utility>

namespace takt::core {

class worker;

/// Of code that waits for a seat where it is (src/scheduler/README.md, "Seats that change hands").
struct seat_wish {
  struct {
    sync::plain<seat_wish*> next{};
    sync::plain<bool> asleep{};
    bool eligible(std::uint32_t) const noexcept { return true; }
  } sleep;
  platform::parker parker;
  worker* of = nullptr;
  int given = -1;  ///< the seat that somebody has left to it; -1: it is to look again
};

class worker_seat {
 public:
  /// Without one thieves do not see the worker, and it must not promote.
  bool is_held() const noexcept { return number_ >= 0; }
  bool is(unsigned seat) const noexcept { return static_cast<int>(seat) == number_; }
  /// While it is held.
  unsigned index() const noexcept { return static_cast<unsigned>(number_); }
  /// -1: none.
  int number() const noexcept { return number_; }
  /// The one it held last; wakers look at it while the worker is listed as a sleeper.
  unsigned last() const noexcept { return last_; }
  bool is_waited_for() const noexcept { return is_waited_for_; }
  /// Whether it runs a fiber without a seat: counted in runtime::unseated.
  bool runs_unseated() const noexcept { return runs_unseated_; }

  void take(unsigned seat) noexcept {
    number_ = static_cast<int>(seat);
    last_ = seat;
  }
  void leave() noexcept { number_ = -1; }
  void wait() noexcept { is_waited_for_ = true; }
  /// @returns whether it waited.
  bool end_wait() noexcept { return std::exchange(is_waited_for_, false); }
  /// It begins to run a fiber. @returns whether it has no seat.
  bool begin_run() noexcept { return runs_unseated_ = !is_held(); }
  /// @returns whether it had none.
  bool end_run() noexcept { return std::exchange(runs_unseated_, false); }

  /// Its thread is there for one that has given its seat away.
  bool is_stand_in() const noexcept { return is_stand_in_; }
  void stand_in(bool does) noexcept { is_stand_in_ = does; }

  worker* next_unused = nullptr;  ///< the room's own: workers that nobody is
  std::uint32_t place = 0;        ///< the part of a call in which it has one, for what it runs; 0: none
  seat_wish wish;

 private:
  int number_ = -1;
  unsigned last_ = 0;
  bool is_waited_for_ = false;
  bool runs_unseated_ = false;
  bool is_stand_in_ = false;
};

}  // namespace takt::core
