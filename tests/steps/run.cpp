// Runs each piece once for each place at which a signal can arrive, and writes what came of it, one line for each
// different outcome. With another such program: asks whether that one has all of these outcomes.
//
//   steps_NAME                  prints the outcomes
//   steps_NAME OTHER [PIECE]    compares with those of the program OTHER; of one piece alone
#include "steps.hpp"

#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// The linker's: where this program's own code begins and ends.
extern "C" const char __executable_start;
extern "C" const char etext;

namespace takt_steps {

namespace {

// One step at a time: the trap flag.
constexpr greg_t k_trap_flag = 0x100;
constexpr unsigned char k_break = 0xcc;
// Far more than any piece has.
constexpr std::uint64_t k_most_places = 100'000;

[[noreturn]] void refuse(const std::string& what) {
  std::cerr << "steps: " << what << '\n';
  std::exit(2);
}

// Of the run that is under way.
std::uint64_t places = 0;
std::uint64_t chosen = 0;
bool noting = false;
story told;

void deliver_here() {
  told << " [";
  tell_state(told);
  told << "]";
  deliver();
}

// A point: a signal can arrive here.
void point() {
  if (noting && may_see() && ++places == chosen) deliver_here();
}

// What stands at the places of a piece as it ships, in the order in which they are come to. A trap after each
// instruction finds them, once; a run for one of them has a trap there alone.
std::vector<unsigned char*> visited;
unsigned char* planted_at = nullptr;
unsigned char replaced = 0;
// The instruction there is on its way, without the trap.
bool passing = false;

void plant() { *static_cast<volatile unsigned char*>(planted_at) = k_break; }
void take_out() { *static_cast<volatile unsigned char*>(planted_at) = replaced; }

void on_trap(int, siginfo_t*, void* context) {
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (planted_at == nullptr) {
    // Of other libraries, such as the one that unwinds stacks, a step is as good as another.
    const auto* const at = reinterpret_cast<const char*>(registers[REG_RIP]);
    if (at < &__executable_start || at >= &etext) return;
    if (noting && may_see() && visited.size() < k_most_places)
      visited.push_back(reinterpret_cast<unsigned char*>(registers[REG_RIP]));
  } else if (passing) {
    passing = false;
    registers[REG_EFL] &= ~k_trap_flag;
    plant();
  } else {
    registers[REG_RIP] = reinterpret_cast<greg_t>(planted_at);
    take_out();
    if (noting && may_see() && ++places == chosen) {
      deliver_here();
      return;
    }
    passing = true;
    registers[REG_EFL] |= k_trap_flag;
  }
}

// The same instructions whether they come one at a time or not. Below the red zone, which the compiler may use here.
inline void step_from_here(greg_t flag) {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq %0, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::"r"(flag)
                   : "memory", "cc");
}
inline void step_no_more() {
  __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $-257, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
}

// A run with a signal at place number `which`; 0: with none.
std::string run_once(const piece& p, std::uint64_t which, greg_t flag) {
  p.prepare();
  begin_piece();
  told.clear();
  places = 0;
  chosen = which;
  noting = true;
  if (k_has_points) point();
  step_from_here(flag);
  const std::uint64_t answer = p.run();
  step_no_more();
  if (k_has_points) point();
  noting = false;
  if (answer != p.answer)
    refuse(std::string(p.name) + ": the answer is " + std::to_string(answer) + " with a signal" +
           (which == 0 ? std::string(" nowhere") : " at place " + std::to_string(which)) + ":" + told.text());
  return std::string(p.name) + ":" + told.text();
}

// @returns how many places there are; `all` gets what a signal at each of them comes to.
std::uint64_t outcomes_with_points(const piece& p, std::set<std::string>& all) {
  for (std::uint64_t which = 1; which < k_most_places; ++which) {
    std::string one = run_once(p, which, 0);
    if (places < which) return which - 1;
    all.insert(std::move(one));
  }
  refuse(std::string(p.name) + " does not end");
}

// The same of a piece as it ships.
std::uint64_t outcomes_of_instructions(const piece& p, std::set<std::string>& all) {
  visited.clear();
  visited.reserve(k_most_places);
  // What is done once in a process is done before places are counted.
  (void)run_once(p, 0, 0);
  (void)run_once(p, 0, k_trap_flag);
  if (visited.empty() || visited.size() == k_most_places) refuse(std::string(p.name) + ": no places, or too many");
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::map<const unsigned char*, std::uint64_t> times;
  for (std::size_t k = 0; k < visited.size(); ++k) {
    planted_at = visited[k];
    auto* const from = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(planted_at) / page * page);
    if (mprotect(from, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) refuse("code cannot be changed here");
    replaced = *planted_at;
    passing = false;
    const std::uint64_t which = ++times[planted_at];
    plant();
    all.insert(run_once(p, which, 0));
    take_out();
    planted_at = nullptr;
    if (places != which) refuse(std::string(p.name) + ": place " + std::to_string(k + 1) + " is not come to again");
  }
  return visited.size();
}

std::set<std::string> outcomes(const std::string& only) {
  std::set<std::string> all;
  takt::config c;
  c.workers = 1;
  c.trigger = takt::lab::beat;
  c.beat = std::chrono::seconds(100);
  takt::configure(c);
  takt::fork_join(
      [&] {
        for (const piece& p : pieces()) {
          if (!only.empty() && only != p.name) continue;
          const std::uint64_t count = k_has_points ? outcomes_with_points(p, all) : outcomes_of_instructions(p, all);
          std::cerr << p.name << ": " << count << " places\n";
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
  if (k_has_points) point();
  // In one step, for the handler: it writes to the same text.
  const bool before = std::exchange(noting, false);
  told << " " << what;
  if (number != 0) told << " " << static_cast<long>(number);
  tell_heads(told);
  noting = before;
  if (k_has_points) point();
}

}  // namespace takt_steps

// Of the form with points.
extern "C" void takt_explore_point() noexcept { takt_steps::point(); }

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
