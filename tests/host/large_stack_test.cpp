// A thread that was given a large stack because it recurses deeply: it can do so in a parallel call, in the branch that
// runs on its behalf and in the one that a worker has stolen. With stack_bytes set, stacks are as large as that.
#include "process.hpp"

#include <pthread.h>

namespace {

constexpr std::size_t k_stack = std::size_t{256} << 20;

// About a kilobyte a level.
[[gnu::noinline]] long deep(long n) {
  volatile char pad[1000];
  pad[0] = 1;
  return n == 0 ? 0 : deep(n - 1) + pad[0];
}
// Forty megabytes: more than a stack of the usual size, or twice that.
constexpr long k_levels = 40'000;

void run_on_large_stack(void* (*f)(void*)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  HOST_CHECK(pthread_attr_setstacksize(&attributes, k_stack) == 0);
  pthread_t thread;
  HOST_CHECK(pthread_create(&thread, &attributes, f, nullptr) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace

int main() {
  // There are workers with stacks of the usual size before it comes.
  HOST_CHECK(host::two_run_side_by_side());
  run_on_large_stack([](void*) -> void* {
    HOST_CHECK(deep(k_levels) == k_levels);
    const auto [left, right] = takt::fork_join([] { return deep(k_levels); }, [] { return 1L; });
    HOST_CHECK(left == k_levels && right == 1);
    std::atomic<int> here{0};
    // Side by side: one of them was stolen.
    const auto meet_and_go_deep = [&here] {
      here.fetch_add(1);
      HOST_CHECK(host::wait_until([&here] { return here.load() == 2; }));
      return deep(k_levels);
    };
    const auto both = takt::fork_join(meet_and_go_deep, meet_and_go_deep);
    HOST_CHECK(both.first == k_levels && both.second == k_levels);
    return nullptr;
  });
  takt::config c = takt::current_config();
  c.stack_bytes = std::size_t{1} << 20;
  takt::configure(c);
  run_on_large_stack([](void*) -> void* {
    long bytes = 0;
    takt::fork_join(
        [&bytes] {
          char local = 0;
          host::each_mapping([&](std::uintptr_t from, std::uintptr_t to, const char*) {
            const auto at = reinterpret_cast<std::uintptr_t>(&local);
            if (from <= at && at < to) bytes = static_cast<long>(to - from);
            return bytes == 0;
          });
        },
        [] {});
    // Call stack and latent stack.
    HOST_CHECK(bytes <= 2 << 20, "%ld bytes in spite of stack_bytes", bytes);
    return nullptr;
  });
}
