#include "explore/harness.hpp"

#include <takt/detail/hot.hpp>
#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include "conformance/program.hpp"
#include "support/counted.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace takt_explore {

namespace {

// Seconds that one schedule, which takes microseconds, may take: a loop without any point in it.
constexpr unsigned k_time_limit = 20;
// Whether a crash comes from a wrong access, an assertion or an exception that nobody catches.
constexpr int k_signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

report& shared_report() {
  static report* const shared = [] {
    void* memory =
        mmap(nullptr, sizeof(report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return ::new (memory) report;
  }();
  return *shared;
}

takt::config trivial() {
  takt::config c;
  c.workers = 1;
  c.stack_bytes = explorer::k_stack_bytes;
  return c;
}

takt::config choose_settings(explorer& on) {
  takt::config c = trivial();
  c.workers = 1 + static_cast<unsigned>(on.chosen_below(4));
  constexpr takt::trigger k_triggers[] = {takt::lab::beat, takt::lab::beat,  takt::trigger::lazy,
                                          takt::trigger::lazy, takt::lab::eager, takt::lab::request};
  c.trigger = k_triggers[on.chosen_below(std::size(k_triggers))];
  constexpr int k_beats[] = {0, 0, 1, 6, 30, 100};
  c.beat = std::chrono::microseconds(k_beats[on.chosen_below(std::size(k_beats))]);
  c.interrupts = on.chosen_below(3) != 0;
  // Where nobody has named another policy, by TAKT_POLICY.
  constexpr takt::policy k_policies[] = {takt::policy::automatic, takt::policy::automatic, takt::policy::automatic,
                                         takt::lab::random_private, takt::lab::random_mixed};
  const takt::policy chosen = k_policies[on.chosen_below(std::size(k_policies))];
  if (std::getenv("TAKT_POLICY") == nullptr) c.policy = chosen;
  on.set_cpus(on.chosen_below(2) == 0 ? 1 : c.workers);
  return c;
}

struct schedule {
  explorer* on;
  const program* what;
  std::uint64_t answer = 0;
  bool threw = false;
};

void run_schedule(void* argument) {
  auto& s = *static_cast<schedule*>(argument);
  takt::lab::configure(choose_settings(*s.on));
  try {
    s.answer = s.what->run(*s.on);
  } catch (...) {
    s.threw = true;
  }
  takt::lab::configure(trivial());
}

explorer& the_explorer() {
  static explorer* const one = new explorer(shared_report());  // the last runtime uses it until the process ends
  return *one;
}

// What the trivial runtime keeps between schedules.
std::int64_t blocks_at_rest = 0;

void run_one(const program& p, std::uint64_t seed, const std::vector<decision>* decisions, bool shown) {
  explorer& on = the_explorer();
  // What sites have learned would make a schedule depend on those before it.
  for (auto* s = takt::detail::listed_site::first; s != nullptr; s = s->next) static_cast<takt::abi::site&>(*s) = {};
  schedule s{&on, &p};
  on.run(&run_schedule, &s, seed, decisions, shown);
  if (s.threw) on.fail(result::wrong_answer, "an exception that is not the program's came out");
  if (s.answer != p.expected)
    on.fail(result::wrong_answer, "got " + std::to_string(s.answer) + ", not " + std::to_string(p.expected));
  const int errors = takt_test::planned_error::live() + takt_test::program_error::live();
  if (errors != 0) on.fail(result::leak, std::to_string(errors) + " exceptions are left");
  if (on.live_stacks != 0) on.fail(result::leak, std::to_string(on.live_stacks) + " stacks are left");
  if (on.live_blocks != blocks_at_rest)
    on.fail(result::leak, std::to_string(on.live_blocks - blocks_at_rest) + " blocks of memory are left");
}

// Once in the first process: what is made at the first use belongs to no schedule.
void prepare(const program& p) {
  if (p.prepare != nullptr) p.prepare();
  static const bool done = [] {
    takt::platform::replace(&the_explorer());
    const program nothing{"nothing", [](explorer&) { return std::uint64_t{0}; }, 0, nullptr};
    schedule s{&the_explorer(), &nothing};
    for (unsigned i = 0; i < 2; ++i) the_explorer().run(&run_schedule, &s, 1, nullptr, false);
    blocks_at_rest = the_explorer().live_blocks;
    return true;
  }();
  (void)done;
}

// Runs `work` in a child. @returns how it ended.
template <class F>
result in_child(F work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    for (const int s : k_signals) std::signal(s, SIG_DFL);
    work();
    shared_report().complete = true;
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) != child) {
  }
  report& r = shared_report();
  if (r.complete || r.how != result::held) return r.how;
  if (WIFEXITED(status)) {
    // A thread that goes on where it has been before may come out anywhere.
    std::snprintf(r.message, sizeof r.message, "the process ended early");
    return r.how = result::crash;
  }
  r.how = WTERMSIG(status) == SIGALRM ? result::no_end : result::crash;
  if (r.message[0] == 0) std::snprintf(r.message, sizeof r.message, "%s", strsignal(WTERMSIG(status)));
  return r.how;
}

void clear(report& r) {
  r.how = result::held;
  r.schedules = r.points = r.witnessed = 0;
  r.complete = false;
  r.count = 0;
  r.message[0] = 0;
}

outcome take(result how) {
  const report& r = shared_report();
  outcome o;
  o.how = how;
  o.seed = r.seed;
  o.schedules = r.schedules;
  o.points = r.points;
  o.witnessed = r.witnessed;
  o.message = r.message;
  o.decisions.assign(r.decisions, r.decisions + std::min<std::size_t>(r.count, report::k_most_decisions));
  return o;
}

}  // namespace

outcome explore(const program& p, std::uint64_t first, std::uint64_t count, const takt::sync::planted_bug* bug) {
  prepare(p);
  report& r = shared_report();
  clear(r);
  const auto begun = std::chrono::steady_clock::now();
  const result how = in_child([&] {
    takt::sync::planted = bug;
    for (std::uint64_t k = 0; k < count; ++k) {
      if (k % 64 == 0) alarm(k_time_limit);
      ++r.schedules;
      run_one(p, first + k, nullptr, false);
    }
  });
  outcome o = take(how);
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return o;
}

static outcome replay(const program& p, std::uint64_t seed, const std::vector<decision>& decisions, bool shown,
                      const takt::sync::planted_bug* bug) {
  clear(shared_report());
  return take(in_child([&] {
    takt::sync::planted = bug;
    alarm(k_time_limit);
    // An assertion that fails says so on stderr: once is enough.
    if (!shown && std::freopen("/dev/null", "w", stderr) == nullptr) _exit(2);
    run_one(p, seed, &decisions, shown);
  }));
}

outcome shorten(const program& p, outcome failed, const takt::sync::planted_bug* bug) {
  prepare(p);
  // A run that passes no point any more ends by the clock, and so does each attempt to shorten it: not for ever.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(k_time_limit);
  // Zeller and Hildebrandt's delta debugging, without the step that keeps one part alone: a part that is left out is
  // left out for good if the rest still fails in the same way.
  for (std::size_t part = std::max<std::size_t>(failed.decisions.size() / 2, 1);; part /= 2) {
    for (std::size_t at = failed.decisions.size(); at > 0;) {
      at = at > part ? at - part : 0;
      if (std::chrono::steady_clock::now() > until) return failed;
      std::vector<decision> fewer = failed.decisions;
      if (at >= fewer.size()) continue;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, fewer.size() - at)));
      outcome o = replay(p, failed.seed, fewer, false, bug);
      if (o.how != failed.how || o.decisions.size() >= failed.decisions.size()) continue;
      o.schedules = failed.schedules;
      o.seconds = failed.seconds;
      failed = o;
    }
    if (part <= 1) return failed;
  }
}

void show(const program& p, const outcome& failed, const takt::sync::planted_bug* bug) {
  prepare(p);
  std::printf("--- %s, seed %llu: %s (%s)\n", p.name, static_cast<unsigned long long>(failed.seed), name_of(failed.how),
              failed.message.c_str());
  (void)replay(p, failed.seed, failed.decisions, true, bug);
  std::printf("---\n");
}

}  // namespace takt_explore

// --- memory ------------------------------------------------------------------------------------------------------

namespace {

using takt_explore::explorer;

void* take_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (explorer::counting) {
    if (explorer::active->may_refuse_memory && explorer::active->refuses("memory")) return nullptr;
    ++explorer::active->live_blocks;
  }
  return alignment <= alignof(std::max_align_t)
             ? std::malloc(bytes)
             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void give_block(void* p) noexcept {
  if (p == nullptr) return;
  if (explorer::counting) {
    --explorer::active->live_blocks;
    // Whoever still reads it gets nonsense.
    std::memset(p, 0xdd, malloc_usable_size(p));
  }
  std::free(p);
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  void* p = take_block(bytes, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t n) { return take_or_throw(n, 1); }
void* operator new[](std::size_t n) { return take_or_throw(n, 1); }
void* operator new(std::size_t n, std::align_val_t a) { return take_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return take_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return take_block(n, 1); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return take_block(n, 1); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return take_block(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return take_block(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { give_block(p); }
void operator delete[](void* p) noexcept { give_block(p); }
void operator delete(void* p, std::size_t) noexcept { give_block(p); }
void operator delete[](void* p, std::size_t) noexcept { give_block(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_block(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give_block(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_block(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give_block(p); }
