// What the programs about signals share.
#pragma once

#include "host.hpp"

#include <signal.h>

#include <chrono>

namespace host {

/// Whether a signal reaches code that does not poll: the inner fork follows a promotion closely, so nothing but a
/// signal hands its right branch over while the left one waits for it.
inline bool a_leaf_is_reached() {
  let_a_beat_pass();
  std::atomic<int> here{0};
  const auto meet = [&here] {
    here.fetch_add(1);
    const bool met = wait_until([&here] { return here.load() == 2; });
    let_a_beat_pass();
    return met;
  };
  return takt::fork_join([&] { return takt::fork_join(meet, meet).first; }, [] {}).first;
}

/// Code without a fork or loop, long enough for an idle worker to notice.
inline void silent_leaf() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Calls in which one worker idles while the calling thread does not poll.
inline void calls_with_silent_leaves(int calls) {
  for (int i = 0; i < calls; ++i) takt::fork_join([] { takt::fork_join(silent_leaf, silent_leaf); }, [] {});
}

inline void block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  HOST_CHECK(pthread_sigmask(SIG_BLOCK, &all, nullptr) == 0);
}

inline struct sigaction action_of(int number) {
  struct sigaction now {};
  HOST_CHECK(sigaction(number, nullptr, &now) == 0);
  return now;
}

}  // namespace host
