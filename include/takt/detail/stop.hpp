// What constructs do where they may be stopped: on slow paths alone, after a poll. src/stop/README.md has the protocol.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/stopping.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace takt {

/// What forks, loops, groups and algorithms throw whose work is not complete because they were stopped. It arrives at
/// the with_stop, search or group that was stopped, which ends it. Not a std::exception, so that a handler for errors
/// lets it pass.
struct TAKT_EXPORT stopped {};

/// What happens to the rest once something has thrown.
enum class on_exception : std::uint32_t {
  go_on,  ///< all of it runs; the exception that is the first in serial order is thrown
  stop    ///< it is asked to stop; one of the exceptions is thrown
};

}  // namespace takt

namespace TAKT_NAMESPACE::detail {

/// The exception being handled, for the library to carry: it is caught and thrown by code of this file alone. An
/// exception_ptr is one pointer in every C++ runtime there is, and may be moved as its bytes.
inline abi::group_error carried_exception() noexcept {
  static_assert(sizeof(std::exception_ptr) == sizeof(void*));
  abi::group_error carried{};
  alignas(std::exception_ptr) std::byte bytes[sizeof(std::exception_ptr)];
  ::new (static_cast<void*>(bytes)) std::exception_ptr(std::current_exception());
  __builtin_memcpy(&carried.object, bytes, sizeof bytes);
  carried.end = [](void* object, bool rethrow) {
    alignas(std::exception_ptr) std::byte kept[sizeof(std::exception_ptr)];
    __builtin_memcpy(kept, &object, sizeof kept);
    auto& there = *std::launder(reinterpret_cast<std::exception_ptr*>(kept));
    const std::exception_ptr mine = std::move(there);
    there.~exception_ptr();
    if (rethrow) std::rethrow_exception(mine);
  };
  return carried;
}

/// Around code that is stopped with it. Nothing outside of parallel calls.
class scope_here {
 public:
#ifdef TAKT_ELISION
  explicit scope_here(const abi::stop_scope&) {}
  ~scope_here() {}
#else
  explicit scope_here(const abi::stop_scope& what) : scope_(what), begun_(takt_stop_begin(&scope_)) {}
  ~scope_here() {
    if (begun_) takt_stop_end(&scope_);
  }
#endif
  scope_here(const scope_here&) = delete;
  scope_here& operator=(const scope_here&) = delete;

#ifndef TAKT_ELISION
 private:
  abi::stop_scope scope_;
  const bool begun_;
#endif
};
/// Nothing around it stops the code inside.
inline scope_here shield() {
  abi::stop_scope what;
  what.is_shield = true;
  return scope_here(what);
}

#if defined(TAKT_ELISION) || TAKT_NO_EXCEPTIONS

// Nothing could say that its work is not complete, so all of it is done.
inline constexpr bool k_stops = false;
inline bool is_stopped() noexcept { return false; }
inline bool is_search_stopped() noexcept { return false; }
inline bool was_stopped() noexcept { return false; }
inline void met_exception() noexcept {}
[[noreturn]] inline void throw_stopped() { std::abort(); }
inline std::exception_ptr stopped_error() noexcept { return {}; }

#else

inline constexpr bool k_stops = true;
/// Whether the construct that asks is to stop.
inline bool is_stopped() noexcept { return takt_stop_asked(false) == abi::stop_reach::all; }
/// The same for a search, and for what is left to do once an exception is on its way.
inline bool is_search_stopped() noexcept { return takt_stop_asked(false) != abi::stop_reach::nothing; }
/// For who has caught an exception: whether it may say that, as others may have seen a stop that is not told yet.
inline bool was_stopped() noexcept { return takt_stop_asked(true) != abi::stop_reach::nothing; }

[[noreturn, gnu::noinline, gnu::cold]] inline void throw_stopped() { throw stopped{}; }
/// Not by std::make_exception_ptr, whose code would be shared by files that are compiled with different flags.
[[gnu::noinline, gnu::cold]] inline std::exception_ptr stopped_error() noexcept {
  try {
    detail::throw_stopped();
  } catch (...) {
    return std::current_exception();
  }
}

/// A construct has caught one, which goes on from there.
[[gnu::noinline, gnu::cold]] inline void met_exception() noexcept { takt_stop_failed(detail::carried_exception()); }

#endif

}  // namespace TAKT_NAMESPACE::detail
