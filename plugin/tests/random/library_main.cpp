// Runs a random program outside of a parallel call and inside of one, and prints what came of it; with STEPS, inside of
// one and with a beat's signal at instructions of the thread that calls: at every k-th, for some k.
#include "library.hpp"

#include <cstdio>
#include <cstdlib>

#if defined(STEPS) && defined(RULES)
static void begin(long) {}
static void step_from_here() {}
static void step_no_more() {}
#elif defined(STEPS)
#include "steps.hpp"

#include <takt/config.hpp>

#include <ucontext.h>
#include <csignal>
#include <string>

namespace {

constexpr greg_t k_trap_flag = 0x100;
// Steps take long on some machines.
constexpr long k_most_steps = 200000;
std::atomic<long> every{1};
std::atomic<long> steps{0};

void begin(long k) {
  every = k;
  steps = 0;
}

// The thread that begins may be another one at the end: it stops when it leaves takt.
void on_trap(int, siginfo_t*, void* context) {
  const bool is_worker = takt_hot.worker != nullptr;
  if (++steps % every == 0 && is_worker && takt_steps::may_see()) takt_steps::deliver();
  if (steps >= k_most_steps || !is_worker)
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~k_trap_flag;
}

// Below the red zone, which the compiler may use here.
void step_from_here() {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
}
void step_no_more() {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-257, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
}

}  // namespace
#endif

namespace {

void run(const char* where) {
  try {
    std::printf("case 0 %s answer: %lu\n", where, program(DEPTH, SEED));
  } catch (const thrown& error) {
    std::printf("case 0 %s error: %lu\n", where, error.value);
  }
}

}  // namespace

int main() {
#ifdef STEPS
#ifndef RULES
  struct sigaction trap{};
  trap.sa_sigaction = &on_trap;
  trap.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &trap, nullptr);
#endif
  for (const long k : {1L, 2L, 7L, 41L}) {
    begin(k);
    lib::fork_join(
        [] {
          step_from_here();
          run("stepped");
          step_no_more();
        },
        [] {});
  }
#else
  run("outside");
  lib::fork_join([] { run("inside"); }, [] {});
#endif
  for (int cell = 0; cell < k_cells; ++cell) {
    if (v[cell] != 0) std::printf("case 0 v[%d]: %lu\n", cell, v[cell].load());
  }
  std::printf("case 0 alive: %ld\n", alive.load());
#if defined(STEPS) && !defined(RULES)
  const std::string said = takt::stats_json();
  const std::string name = "\"interrupts_used\":";
  const std::size_t at = said.find(name);
  std::printf("interrupts: %ld\n", at == std::string::npos ? 0 : std::atol(said.c_str() + at + name.size()));
#endif
}
