#include "fiber/fiber.hpp"

#include "fiber/sanitizers.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <new>

namespace takt::core {

namespace {

// The layout that the Itanium C++ ABI prescribes for __cxa_eh_globals; the library declares it opaque.
struct eh_globals {
  void* caught;
  unsigned in_flight;
};

// __cxa_get_globals is declared const, so a compiler may merge two calls in one function although the thread
// changed between them: each call is alone in a function that is not inlined.
[[gnu::noinline]] eh_globals* globals_of_this_thread() noexcept {
  __asm__ volatile("" ::: "memory");
  return reinterpret_cast<eh_globals*>(__cxxabiv1::__cxa_get_globals());
}

}  // namespace

[[gnu::noinline]] exception_state save_exception_state() noexcept {
  const eh_globals* g = globals_of_this_thread();
  return {g->caught, g->in_flight};
}

[[gnu::noinline]] void restore_exception_state(const exception_state& state) noexcept {
  eh_globals* g = globals_of_this_thread();
  g->caught = state.caught;
  g->in_flight = state.in_flight;
}

namespace {

// What Boost.Context leaves out of a switch: on x86-64 it keeps the floating-point environment, on ARM64 it does not.
// On the stack that is left, so that it is put back on whatever thread that stack goes on.
class kept_environment {
#if defined(__aarch64__)
 public:
  kept_environment() noexcept : environment_(floating_point_environment()) {}
  ~kept_environment() { set_floating_point_environment(environment_); }
  kept_environment(const kept_environment&) = delete;
  kept_environment& operator=(const kept_environment&) = delete;

 private:
  std::uint32_t environment_;
#else
 public:
  ~kept_environment() {}  // or it would be an unused variable
#endif
};

// On a fiber, just after somebody switched to it.
void arrived_on_fiber(transfer_t from) noexcept {
  auto* native = static_cast<native_context*>(from.data);
  native->saved.context = from.fctx;
  sanitizer::arrive(native->target->saved.asan_fake, &native->asan_low, &native->asan_bytes);
}

void fiber_main(transfer_t from) {
  fiber* const self = static_cast<native_context*>(from.data)->target;
  arrived_on_fiber(from);
  // A fiber is used again for the next task without being set up anew.
  for (;;) {
    self->run.main(self);
    switch_to_native(*self);
  }
}

}  // namespace

void switch_to_fiber(native_context& native, fiber& f) noexcept {
  const kept_environment environment;
  native.saved.exceptions = save_exception_state();
  restore_exception_state(f.saved.exceptions);
  native.target = &f;
  // Asked each time: a worker's record, and so this context, goes from thread to thread.
  native.saved.tsan = sanitizer::this_fiber();
  // Not before: ThreadSanitizer may crash at the end of a fiber on which nothing has run.
  if (f.saved.tsan == nullptr) f.saved.tsan = sanitizer::make_fiber();
  sanitizer::switch_to(f.saved.tsan);
  sanitizer::leave(native.saved.asan_fake, f.stack.memory.call_low,
      static_cast<std::size_t>(f.stack.memory.middle - f.stack.memory.call_low));
  const transfer_t back = boost::context::detail::jump_fcontext(f.saved.context, &native);
  sanitizer::arrive(native.saved.asan_fake, nullptr, nullptr);
  // Another fiber than the one switched to may be the one that comes back.
  static_cast<fiber*>(back.data)->saved.context = back.fctx;
  restore_exception_state(native.saved.exceptions);
}

void switch_to_native(fiber& f) noexcept {
  const kept_environment environment;
  native_context& native = native_of_this_thread();
  f.saved.exceptions = save_exception_state();
  sanitizer::switch_to(native.saved.tsan);
  sanitizer::leave(f.saved.asan_fake, native.asan_low, native.asan_bytes);
  // `native` is this thread's; by the time the jump returns the fiber may be on another one.
  arrived_on_fiber(boost::context::detail::jump_fcontext(native.saved.context, &f));
}

fiber_pool::~fiber_pool() {
  while (unused_ != nullptr) {
    fiber* f = unused_;
    unused_ = f->stack.next;
    destroy(f);
  }
}

fiber* fiber_pool::take_unused() noexcept {
  lock_.lock([this](unsigned round) { threading_.relax(round); });
  fiber* const f = unused_;
  if (f != nullptr) {
    unused_ = f->stack.next;
    --unused_count_;
  }
  lock_.unlock();
  return f;
}

fiber* fiber_pool::take(std::uint64_t in_place_of) noexcept {
  fiber* f;
  while ((f = take_unused()) != nullptr && f->stack.call_bytes() < call_bytes()) destroy(f);
  if (f == nullptr) f = make(call_bytes(), in_place_of);
  if (f == nullptr) return nullptr;
  const std::uint64_t live = live_.fetch_add(1, sync::relaxed) + 1;
  std::uint64_t peak = peak_.load(sync::relaxed);
  while (live > peak && !peak_.compare_exchange_strong(peak, live, sync::relaxed, sync::relaxed)) {
  }
  return f;
}

bool fiber_pool::grow(std::size_t bytes) noexcept {
  if (!share_.has_room_for_two(reserve(stacks_, bytes, is_small(bytes)))) return false;
  fiber* f;
  while ((f = make(bytes)) == nullptr) {
    // They are smaller and idle, and may be what it has no room for.
    fiber* const idle = take_unused();
    if (idle == nullptr) return false;
    destroy(idle);
  }
  std::size_t before = call_bytes();
  while (before < bytes && !call_bytes_.compare_exchange_strong(before, bytes, sync::relaxed, sync::relaxed)) {
  }
  // For who comes next, which is the caller.
  live_.fetch_add(1, sync::relaxed);
  give(f);
  return true;
}

namespace {
// Of all idle stacks together, beside their hot parts: what few deep computations leave is kept for the next ones, as
// touching pages anew costs a microsecond for every few of them. Eight stacks of the usual size, used to their ends.
constexpr std::size_t k_most_resident = std::size_t{64} << 20;
}  // namespace

void fiber_pool::look_at(fiber*& f) noexcept {
  f->stack.ran_since_look = 0;
  const std::size_t bytes = stacks_.resident_bytes(f->stack.memory);
  const std::size_t before = std::exchange(f->stack.resident, bytes);
  if (bytes == before && bytes == 0) return;
  const std::size_t all = resident_.fetch_add(bytes - before, sync::relaxed) + (bytes - before);
  if (all <= k_most_resident || bytes == 0) return;
  if (stacks_.trim_stack(f->stack.memory)) {
    resident_.fetch_sub(std::exchange(f->stack.resident, 0), sync::relaxed);
  } else {
    live_.fetch_sub(1, sync::relaxed);
    destroy(std::exchange(f, nullptr));
  }
}

void fiber_pool::give(fiber* f) noexcept {
  rest(f);
  if (f == nullptr) return;
  live_.fetch_sub(1, sync::relaxed);
  if (f->stack.call_bytes() < call_bytes()) {
    destroy(f);
    return;
  }
  lock_.lock([this](unsigned round) { threading_.relax(round); });
  const bool keep = unused_count_ < keep_ && !share_.is_exceeded();
  if (keep) {
    f->stack.next = unused_;
    unused_ = f;
    ++unused_count_;
  }
  lock_.unlock();
  if (!keep) destroy(f);
}

namespace {
// The latent stack's last part is for loops and groups, which push without being asked (README.md, "The latent stack's
// end"): as large as what the cursors on a whole call stack need.
static_assert(sizeof(abi::loop_cursor) >= 4 * sizeof(abi::slot));
constexpr std::size_t bytes_for_loops(std::size_t call_bytes) noexcept { return call_bytes / 4; }

// Where address space is short forks have so small a part of a call stack's size: 8,192 frames by default, and no fewer
// than 1,024. More is worth less than room for more stacks.
constexpr std::size_t k_latent_share = 16;
constexpr std::size_t k_least_for_forks = std::size_t{64} << 10;
}  // namespace

std::size_t fiber_pool::latent_bytes(std::size_t call_bytes, bool is_small) noexcept {
  if (!is_small) return call_bytes;
  return std::min(call_bytes, bytes_for_loops(call_bytes) + std::max(call_bytes / k_latent_share, k_least_for_forks));
}

fiber* fiber_pool::make(std::size_t call_bytes, std::uint64_t in_place_of) noexcept {
  auto* f = new (std::nothrow) fiber;
  if (f == nullptr) return nullptr;
  const bool small = is_small(call_bytes);
  const std::uint64_t bytes = reserve(stacks_, call_bytes, small);
  const bool may = share_.take(bytes, in_place_of);
  if (!may || !stacks_.allocate_stack(call_bytes, latent_bytes(call_bytes, small), f->stack.memory)) {
    if (may) share_.give(bytes);
    delete f;
    return nullptr;
  }
  f->stack.reserved = bytes;
  f->frames.base = reinterpret_cast<abi::slot*>(f->stack.memory.middle);
  const auto slots = static_cast<std::size_t>(f->stack.memory.latent_high - f->stack.memory.middle) / sizeof(abi::slot);
  f->frames.limit = f->frames.base + (slots - bytes_for_loops(f->stack.call_bytes()) / sizeof(abi::slot));
  f->saved.context = boost::context::detail::make_fcontext(
      f->stack.memory.middle, static_cast<std::size_t>(f->stack.memory.middle - f->stack.memory.call_low), &fiber_main);
  return f;
}

void fiber_pool::destroy(fiber* f) noexcept {
  sanitizer::destroy_fiber(f->saved.tsan);
  resident_.fetch_sub(f->stack.resident, sync::relaxed);
  stacks_.release_stack(f->stack.memory);
  share_.give(f->stack.reserved);
  delete f;
}

}  // namespace takt::core
