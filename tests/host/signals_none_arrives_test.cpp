// Where no signal reaches a thread, the fork after a long stretch of code sees at once that somebody is idle, however
// many short forks came before.
//
// Argument: `block`, to block all signals; `full`, to have no room for queued ones; `refused`, to have a filter that
// refuses to send them.
#include "filter.hpp"
#include "signals.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <string_view>

namespace {

std::atomic<bool> right_half{false};
std::atomic<int> met{0};

long tree(int depth, long first, long last_of_all, bool with_long_leaves) {
  if (depth == 0) {
    if (!with_long_leaves || first > last_of_all) {
      volatile long x = 0;
      for (int i = 0; i < 20; ++i) x = x + 1;
      return 1;
    }
    // Leaves are numbered in the order of the serial program. The first is long; nobody can interrupt it. The forks
    // behind it are short for all that is known.
    if (first == 0) {
      for (int i = 0; i < 5; ++i) host::silent_leaf();
    }
    // Half of the tree is still ahead. With nobody else to run it, it will come later.
    if (first == 2) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
      while (!right_half.load() && std::chrono::steady_clock::now() < end) {
      }
      met += right_half.load();
    }
    if (first >= 8) right_half.store(true);
    return 1;
  }
  const long half = 1l << (depth - 1);
  const auto [left, right] =
      takt::fork_join([=] { return tree(depth - 1, first, last_of_all, with_long_leaves); },
                      [=] { return tree(depth - 1, first + half, last_of_all, with_long_leaves); });
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (how == "block") host::block_all_signals();
  if (how == "full") {
    const rlimit none{0, 0};
    HOST_CHECK(setrlimit(RLIMIT_SIGPENDING, &none) == 0);
  }
  if (how == "refused" && !host::filter_system_call(SYS_rt_tgsigqueueinfo, SECCOMP_RET_ERRNO | EPERM)) {
    host::skip("no filters of system calls here");
  }
  constexpr int k_rounds = 20;
  for (int round = 0; round < k_rounds; ++round) {
    right_half.store(false);
    takt::fork_join(
        [] {
          HOST_CHECK(tree(14, 0, 0, false) == 1 << 14);
          HOST_CHECK(tree(4, 0, 15, true) == 16);
        },
        [] {});
  }
  // On a busy machine the idle worker may come too late now and then.
  HOST_CHECK(met.load() >= k_rounds / 4, "%d of %d", met.load(), k_rounds);
}
