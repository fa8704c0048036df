#include "worker/process.hpp"

#include "platform/cancellation.hpp"
#include "platform/platform.hpp"

#include <cstdio>
#include <cstdlib>

namespace takt::core {

namespace {

__thread int counted_here __attribute__((tls_model("initial-exec"))) = 0;
__thread int cancelled_before __attribute__((tls_model("initial-exec"))) = 0;

[[gnu::noinline]] void begin_here() noexcept {
  if (++counted_here == 1) cancelled_before = platform::hold_cancellation();
}
[[gnu::noinline]] void end_here() noexcept {
  if (--counted_here == 0) platform::release_cancellation(cancelled_before);
}

}  // namespace

int process::calls_here() noexcept { return counted_here; }

void process::begin_call() noexcept {
  begin_here();
  for (unsigned round = 0;; ++round) {
    // EDGE runtime.replaced: the runtime that configure() put in place is complete.
    if (calls.fetch_add(1, sync::acquire) < k_replacing) return;
    calls.fetch_sub(1, sync::relaxed);
    platform::current().relax(round | 63u);
  }
}

void process::end_call() noexcept {
  // EDGE runtime.replaced: configure() sees everything the call did.
  calls.fetch_sub(1, sync::release);
  end_here();
}

void lost_in_child() noexcept {
  std::fputs(
      "takt: fork() was called inside a parallel call, and the child needs what other threads were running for it:"
      " they are not in the child; abort\n",
      stderr);
  std::abort();
}

}  // namespace takt::core
