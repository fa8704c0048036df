// The latent stack is as large as the call stack, and smaller where the address space is limited. Forks that take less
// of the one than of the other fill it first, and are plain calls from there on: no fork may write beyond its end,
// whatever promotes frames meanwhile.
#include <takt/lab.hpp>

#include "process.hpp"

#include <sys/resource.h>

namespace {

constexpr std::size_t k_stack = std::size_t{1} << 20;

std::uintptr_t began_at = 0;

// Left branches nested in one function share its frame: a slot for each, and a few bytes of call stack.
template <int Depth, class F>
TAKT_INLINE long nest(F& innermost) {
  if constexpr (Depth == 0) {
    return innermost();
  } else {
    const auto [below, here] = takt::fork_join([&innermost] { return nest<Depth - 1>(innermost); }, [] { return 1L; });
    return below + here;
  }
}

std::atomic<long> levels{0};

[[gnu::noinline]] long deep() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (began_at - here > k_stack / 8 * 7) return 0;
  levels.fetch_add(1, std::memory_order_relaxed);
  return nest<24>(deep);
}

// The same with loops in between.
[[gnu::noinline]] long deep_loops(int kind) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (began_at - here > k_stack / 8 * 7) return 0;
  levels.fetch_add(1, std::memory_order_relaxed);
  if (kind % 5 != 0) {
    auto next = [kind] { return deep_loops(kind + 1); };
    return nest<24>(next);
  }
  long below = 0;
  takt::parallel_for(0, 2, [&below, kind](int i) {
    if (i == 0) below = deep_loops(kind + 1);
  });
  return below + 24;
}

void fill() {
  for (const unsigned workers : {1u, 2u}) {
    for (const takt::trigger trigger :
         {takt::trigger::lazy, takt::lab::beat, takt::lab::eager, takt::trigger::never}) {
      takt::config c = takt::current_config();
      c.workers = workers;
      c.trigger = trigger;
      c.stack_bytes = k_stack;
      takt::configure(c);
      for (const bool loops : {false, true}) {
        levels = 0;
        long sum = 0;
        takt::fork_join(
            [&sum, loops] {
              began_at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
              sum = loops ? deep_loops(1) : deep();
            },
            [] {});
        HOST_CHECK(sum == 24 * levels, "%ld of %ld", sum, 24 * levels.load());
        HOST_CHECK(levels > 100);
      }
    }
  }
}

}  // namespace

int main() {
  fill();
  const rlim_t bytes = static_cast<rlim_t>(host::used_memory().mapped_mb + 60) << 20;
  const rlimit limit{bytes, bytes};
  HOST_CHECK(setrlimit(RLIMIT_AS, &limit) == 0 || errno == EPERM);
  fill();
}
