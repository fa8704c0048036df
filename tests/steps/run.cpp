// Runs each piece once for each place at which a signal can arrive, and writes what came of it, one line for each
// different outcome. With another such program: asks whether that one has all of these outcomes.
//
//   steps_NAME                  prints the outcomes
//   steps_NAME OTHER [PIECE]    compares with those of the program OTHER; of one piece alone
#include "steps.hpp"

#include <takt/takt.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>

#include <ucontext.h>

// The linker's: where this program's own code begins and ends.
extern "C" const char __executable_start;
extern "C" const char etext;

namespace takt_steps {

namespace {

// One step at a time: the trap flag.
constexpr greg_t k_trap_flag = 0x100;
// Far more than any piece has.
constexpr std::uint64_t k_most_places = 100'000;

// Of the run that is under way.
std::uint64_t places = 0;
std::uint64_t chosen = 0;
bool noting = false;
story told;

/// A signal can arrive here. @returns whether to go on step by step.
bool place() {
  if (!noting || !may_see()) return true;
  if (++places != chosen) return places < chosen;
  told << " [";
  tell_state(told);
  told << "]";
  deliver();
  return false;
}

void on_trap(int, siginfo_t*, void* context) {
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Of other libraries, such as the one that unwinds stacks, a step is as good as another.
  const auto* const at = reinterpret_cast<const char*>(registers[REG_RIP]);
  if (at < &__executable_start || at >= &etext) return;
  if (!place()) registers[REG_EFL] &= ~k_trap_flag;
}

// Below the red zone, which the compiler may use here.
inline void step_from_here() {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
}
inline void step_no_more() {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-257, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::: "memory",
                   "cc");
}

[[noreturn]] void refuse(const std::string& what) {
  std::cerr << "steps: " << what << '\n';
  std::exit(2);
}

// @returns the outcome of a signal at place number `which`; empty if there are fewer places.
std::string outcome(const piece& p, std::uint64_t which) {
  p.prepare();
  begin_piece();
  told.clear();
  places = 0;
  chosen = which;
  noting = true;
  std::uint64_t answer;
  if (k_has_points) {
    (void)place();
    answer = p.run();
    (void)place();
  } else {
    step_from_here();
    answer = p.run();
    step_no_more();
  }
  noting = false;
  if (answer != p.answer)
    refuse(std::string(p.name) + ": the answer is " + std::to_string(answer) + " with a signal at place " +
           std::to_string(which) + ":" + told.text());
  return places < which ? std::string() : std::string(p.name) + ":" + told.text();
}

std::set<std::string> outcomes(const std::string& only) {
  std::set<std::string> all;
  takt::config c;
  c.workers = 1;
  c.trigger = takt::trigger::beat;
  c.beat = std::chrono::seconds(100);
  takt::configure(c);
  takt::fork_join(
      [&] {
        for (const piece& p : pieces()) {
          if (!only.empty() && only != p.name) continue;
          std::uint64_t which = 1;
          for (; which < k_most_places; ++which) {
            std::string one = outcome(p, which);
            if (one.empty()) break;
            all.insert(std::move(one));
          }
          std::cerr << p.name << ": " << which - 1 << " places\n";
        }
      },
      [] {});
  return all;
}

std::set<std::string> outcomes_of(const char* program) {
  std::FILE* const out = popen((std::string("'") + program + "'").c_str(), "r");
  if (out == nullptr) refuse(std::string("cannot start ") + program);
  std::set<std::string> all;
  std::string line;
  for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    all.insert(std::exchange(line, {}));
  }
  if (pclose(out) != 0) refuse(std::string(program) + " has failed");
  return all;
}

int compare(const std::set<std::string>& here, const std::set<std::string>& there) {
  int missing = 0;
  for (const std::string& line : here) {
    if (there.count(line) != 0) continue;
    if (++missing <= 20) std::cout << "at no point: " << line << '\n';
  }
  std::cout << here.size() << " outcomes here, " << there.size() << " there, " << missing << " that are not there\n";
  return missing == 0 ? 0 : 1;
}

}  // namespace

void note(const char* what, std::uint64_t number) noexcept {
  if (k_has_points) (void)place();
  // In one step, for the handler: it writes to the same text.
  const bool before = std::exchange(noting, false);
  told << " " << what;
  if (number != 0) told << " " << static_cast<long>(number);
  tell_heads(told);
  noting = before;
  if (k_has_points) (void)place();
}

}  // namespace takt_steps

// Of the form with points.
extern "C" void takt_explore_point() noexcept { (void)takt_steps::place(); }

int main(int argc, char** argv) {
  using namespace takt_steps;
  if (argc > 3) refuse("wants one program and one piece at most");
  struct sigaction trap{};
  trap.sa_sigaction = &on_trap;
  trap.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &trap, nullptr);
  const std::set<std::string> here = outcomes(argc == 3 ? argv[2] : "");
  if (here.empty()) refuse("no such piece");
  if (argc != 1) return compare(here, outcomes_of(argv[1]));
  for (const std::string& line : here) std::cout << line << '\n';
}
