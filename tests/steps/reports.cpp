// A report of memory between any two instructions of another one, as a signal handler makes it whose allocations are
// watched (src/memory/watched.hpp). Neither may be lost, nor counted twice, nor wait for the other one; nor where its
// place is looked up.
#include <takt/takt.hpp>

#include "memory/ledger.hpp"
#include "memory/places.hpp"
#include "memory/watched.hpp"
#include "worker/runtime.hpp"

#include <ucontext.h>
#include <csignal>
#include <cstdint>
#include <cstdio>

namespace {

constexpr std::int64_t k_block = 1 << 20;
constexpr std::uint64_t k_of_handler = 1 << 18;
constexpr long k_most_places = 100'000;
constexpr greg_t k_trap_flag = 0x100;

const takt::core::memory_reports* reports = nullptr;

// The handler reports after so many instructions, from when it is 1 on never again; 0: as well.
volatile long left = 0;
volatile bool over = false;
takt::core::counted_memory holds;
const void* code_of_handler = nullptr;

void on_trap(int, siginfo_t*, void* context) {
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  if (!over) left = left - 1;
  if (!over && left > 0) return;
  flags &= ~k_trap_flag;
  if (!over) holds = reports->take(k_of_handler, false, code_of_handler, 0);
}

// Below the red zone of who is compiled around it.
[[gnu::always_inline]] inline void step() {
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
}

std::int64_t of_task() {
  return takt::core::this_worker()->scheduler.current()->memory_use.held.load(takt::sync::relaxed);
}
std::int64_t of_process() {
  return takt::core::memory_ledger::now() + takt::core::this_worker()->memory.unreported.load(takt::sync::relaxed);
}

std::int64_t of_places() {
  std::int64_t sum = 0;
  for (const auto& p : takt::core::memory_places::all()) sum += p.now;
  return sum;
}

bool is_right(std::int64_t expected, long place, const char* when) {
  const std::int64_t places = of_places();
  if (of_task() == expected && of_process() == expected && places == expected) return true;
  std::printf(
      "%s, a report after %ld instructions: the task holds %lld, the process %lld, places %lld, of %lld bytes\n", when,
      place, static_cast<long long>(of_task()), static_cast<long long>(of_process()), static_cast<long long>(places),
      static_cast<long long>(expected));
  return false;
}

std::int64_t held_by_handler() { return static_cast<std::int64_t>(holds.bytes); }

// @returns how many places there are; 0: one was wrong.
long at_each_place(bool when_given) {
  for (long place = 1; place < k_most_places; ++place) {
    left = place;
    over = false;
    holds = {};
    // Another one each time, until there are too many: one that is looked for while another is being made.
    code_of_handler = reinterpret_cast<const void*>(place);
    if (!when_given) step();
    const takt::core::counted_memory block = reports->take(k_block, false, &reports, 0);
    if (!when_given) over = true;
    bool good = is_right(k_block + held_by_handler(), place, "taken");
    if (when_given) step();
    reports->give(block);
    over = true;
    good = good && is_right(held_by_handler(), place, "given");
    if (!good) return 0;
    reports->give(holds);
    if (left > 0) return place - 1;
  }
  return 0;
}

}  // namespace

extern "C" void takt_memory_watcher(const takt::core::memory_reports* to) noexcept { reports = to; }

int main() {
  struct sigaction trap{};
  trap.sa_sigaction = &on_trap;
  trap.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &trap, nullptr);
  takt::config c;
  c.workers = 1;
  c.stats = "/dev/null";
  takt::configure(c);
  bool good = true;
  takt::fork_join(
      [&good] {
        if (reports == nullptr) {
          std::puts("the runtime has not found the watcher");
          good = false;
          return;
        }
        for (const bool when_given : {false, true}) {
          const long places = at_each_place(when_given);
          std::printf("%ld places\n", places);
          // A report is dozens of instructions at least.
          good = good && places > 20;
        }
      },
      [] {});
  return good ? 0 : 1;
}
