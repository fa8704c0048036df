// What a worker runs, and goes on with (src/scheduler).
#pragma once

#include <takt/abi.hpp>

#include "fiber/fiber.hpp"
#include "worker/state/team.hpp"

#include <cstdint>

namespace takt::core {

class join_word;
struct root_call;

class worker_scheduler {
 public:
  /// The fiber that it runs, or null.
  fiber* current() const noexcept { return current_; }
  void begin(fiber* f) noexcept { current_ = f; }
  /// That of the outermost calls that this worker adopts; 0: none yet.
  std::uint32_t scope() const noexcept { return scope_; }
  void set_scope(std::uint32_t id) noexcept { scope_ = id; }

  /// Of the fiber that runs: it has left its stack to wait.
  void suspend_on(join_word& join) noexcept { suspended_on = &join; }
  /// It is done with its task.
  void finish() noexcept { finished = true; }
  bool is_finished() const noexcept { return finished; }
  bool is_leaving() const noexcept { return finished || suspended_on != nullptr; }
  void go_on_with(fiber* f) noexcept { resume_next = f; }
  /// The innermost fiber that waits for its join and can go on on this thread alone, or null.
  const fiber* held() const noexcept { return holds; }
  bool is_held() const noexcept { return holds != nullptr; }
  /// `f` is held from now on. @returns the one below.
  fiber* hold(fiber& f) noexcept { return std::exchange(holds, &f); }
  /// Its next task begins there; null: nowhere yet.
  fiber*& next_fiber() noexcept { return spare; }
  native_context& native_end() noexcept { return native; }
  worker_team& teams() noexcept { return team; }
  const worker_team& teams() const noexcept { return team; }

 private:
  fiber* current_ = nullptr;
  std::uint32_t scope_ = 0;

 public:
  fiber* spare = nullptr;
  fiber* resume_next = nullptr;
  fiber* holds = nullptr;  ///< waits for its join, and can go on on this thread alone; the innermost (src/join)
  abi::slot* task = nullptr;          ///< what the fiber about to start runs
  join_word* suspended_on = nullptr;  ///< set by a fiber that left its stack to wait
  root_call* root_done = nullptr;     ///< set by a fiber that finished the root call
  bool finished = false;              ///< set by a fiber that is done with its task
  std::uint64_t last_call = 0;        ///< when it last began an outermost call with a token
  worker_team team;
  native_context native;
};

}  // namespace takt::core
