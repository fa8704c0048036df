// What runs on a fiber (src/scheduler).
#pragma once

#include <takt/abi.hpp>

#include <cstdint>
#include <utility>

namespace takt::core {

struct fiber;
struct root_call;
class worker;

class fiber_run {
 public:
  /// The id of its call, which travels with it.
  std::uint32_t scope() const noexcept { return scope_; }
  /// That of the part of it (takt::with_workers) in which its code is, and what it pushes: what becomes a task names
  /// that one. Outside of all parts the call's.
  std::uint32_t part() const noexcept { return part_; }
  void begin_in(std::uint32_t call, std::uint32_t part) noexcept {
    scope_ = call;
    part_ = part;
  }
  /// Its code, or who promotes what it has pushed, goes into a part or comes out of it.
  void change_part(std::uint32_t& other) noexcept { std::swap(part_, other); }

  void begin_call(void (*begins)(fiber*), root_call& call, std::uint32_t id, bool others_had_part) noexcept {
    begin(begins, nullptr, 0, others_had_part, nullptr);
    begin_in(id, id);
    argument = &call;
  }
  /// `by`: who is told when it is done, or null.
  void begin_task(void (*begins)(fiber*), abi::run_function runs, std::uint32_t at_depth, worker* by) noexcept {
    begin(begins, runs, at_depth, false, by);
  }
  /// A member of a team.
  void begin_member(void (*begins)(fiber*)) noexcept {
    begin(begins, nullptr, 0, false, nullptr);
    argument = nullptr;
  }
  /// Null: a task, or a member of a team.
  root_call* call() const noexcept { return task == nullptr ? static_cast<root_call*>(argument) : nullptr; }
  abi::run_function code() const noexcept { return task; }
  /// How deep the tasks are nested here.
  std::uint32_t nesting() const noexcept { return depth; }
  void nest_at(std::uint32_t at_depth) noexcept { depth = at_depth; }
  std::uint32_t started_in() const noexcept { return environment; }
  void start_in(std::uint32_t floating_point) noexcept { environment = floating_point; }

  void resume(std::uint64_t now) noexcept { resumed_at = now; }
  /// @returns for how many ticks it has run since then.
  std::uint64_t leave(std::uint64_t now) noexcept {
    const std::uint64_t worked = now - resumed_at;
    ran += worked;
    return worked;
  }
  /// On its stack, for so many ticks.
  void has_waited(std::uint64_t ticks) noexcept { resumed_at += ticks; }
  std::uint64_t ticks_until(std::uint64_t now) const noexcept { return ran + (now - resumed_at); }

  bool is_parted() const noexcept { return parted; }
  void set_parted(bool others_had_part) noexcept { parted = others_had_part; }
  /// -1: on any seat.
  void go_on_at(int seat) noexcept { goes_on_at = seat; }
  int goes_on() const noexcept { return goes_on_at; }

  void (*main)(fiber*) = nullptr;
  void* argument = nullptr;
  abi::run_function task = nullptr;  ///< of a task that began here; null: a root call
  std::uint32_t environment = 0;     ///< the floating-point environment that the task started with
  std::uint32_t depth = 0;           ///< nesting depth of the task it runs, for the statistics
  std::uint64_t ran = 0;             ///< ticks for which its task ran before it was last resumed
  std::uint64_t resumed_at = 0;      ///< the clock then
  worker* promoted_by = nullptr;     ///< who is told when its task is done; or null
  int goes_on_at = -1;  ///< while it is ready and waits to be resumed: on that seat; -1: on any
  /// Others have had a part of a loop here, and since then somebody has looked for each leaf loop and pool that began
  /// with a frame.
  bool parted = false;

 private:
  void begin(void (*begins)(fiber*), abi::run_function runs, std::uint32_t at_depth, bool others_had_part,
             worker* by) noexcept {
    main = begins;
    task = runs;
    depth = at_depth;
    parted = others_had_part;
    ran = 0;
    promoted_by = by;
  }

  std::uint32_t scope_ = 0;
  std::uint32_t part_ = 0;
};

}  // namespace takt::core
