// What compiled code calls where work may be stopped. See src/stop/README.md.
#pragma once

#include <takt/group.hpp>

namespace takt::abi {

/// What a stop of a scope ends.
enum class stop_reach : std::uint8_t {
  nothing,   ///< there is none
  searches,  ///< searches alone, as the code between does not know that anything may end early
  all        ///< forks, loops, groups and algorithms
};

/// Code that can be stopped, with all that is nested in it. It stands on the stack of that code, or in a group.
struct stop_scope {
  stop_scope* before = nullptr;  ///< what was the innermost one of the fiber
  stop_scope* outer = nullptr;   ///< what stops that stops this one, too
  const slot* first = nullptr;   ///< what its fiber pushes inside comes here or later
  const std::uint64_t* limit = nullptr;  ///< null: 0
  std::uint64_t position = 0;            ///< stopped while *limit is less
  stop_reach reach = stop_reach::all;
  bool is_shield = false;     ///< what is around it does not stop it
  bool of_group = false;      ///< a group's, or around code that a group's stops
  bool on_exception = false;  ///< a failing_scope
  bool of_tasks = false;      ///< a taskgroup's of OpenMP, which stops nothing but its tasks: reach is nothing
};

/// One that is stopped by the first exception that a construct inside meets.
struct failing_scope : stop_scope {
  bool has_failed = false;
  group_error error{};  ///< the exception
};

}  // namespace takt::abi

extern "C" {

/// From here on, on this fiber. @returns false, and nothing has happened, outside of parallel calls.
TAKT_EXPORT bool takt_stop_begin(takt::abi::stop_scope* scope) noexcept;
/// The innermost one is over.
TAKT_EXPORT void takt_stop_end(takt::abi::stop_scope* scope) noexcept;
/// Whether the code here is to stop. `anew`: also if that is not told yet, as who has caught takt::stopped has to know.
TAKT_EXPORT takt::abi::stop_reach takt_stop_asked(bool anew) noexcept;
/// After the limit or position of a scope was changed so that it is stopped: from here on code sees it.
TAKT_EXPORT void takt_stop_told() noexcept;
/// A construct has met an exception. Takes over `error`, for the innermost scope if that stops then.
TAKT_EXPORT void takt_stop_failed(takt::abi::group_error error) noexcept;

/// Children that have not begun are dropped, and those that run are asked to stop.
TAKT_EXPORT void takt_group_cancel(void* group) noexcept;
/// The same once a child has thrown.
TAKT_EXPORT void takt_group_stop_on_exception(void* group) noexcept;
/// Whether it has been cancelled since it was last waited for.
TAKT_EXPORT bool takt_group_is_cancelled(const void* group) noexcept;
}
