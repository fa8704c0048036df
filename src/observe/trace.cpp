// Recording. See README.md beside this file.
#include "observe/trace.hpp"

#include <takt/team.hpp>

#include "platform/platform.hpp"
#include "observe/rings.hpp"
#include "worker/worker.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace takt::trace {

constinit ring rings[k_most_rings] = {};
constinit sync::tally<std::uint64_t> lost_workers{0};
constinit state the_state = {};

namespace {

constexpr std::uint64_t k_events = std::uint64_t{1} << 15;
constexpr std::uint64_t k_least_events = 16;
constexpr std::uint64_t k_most_events = std::uint64_t{1} << 24;

bool looked = false;

// A signal handler finds the ring that its worker has, and asks for none: its worker has begun to run something before.
constexpr bool may_be_in_handler(kind k) noexcept { return k == kind::promotion || k == kind::beat; }

event* events_of(ring& r, kind what) noexcept {
  event* found = r.events.load(sync::relaxed);
  if (found != nullptr || may_be_in_handler(what)) return found;
  const int kept_errno = errno;
  void* memory = ::mmap(nullptr, the_state.capacity * sizeof(event), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = kept_errno;
  if (memory == MAP_FAILED) return nullptr;
  found = static_cast<event*>(memory);
  // EDGE trace.ring: it is empty. A ring has one writer.
  r.events.store(found, sync::release);
  return found;
}

constexpr std::string_view k_events_key = ",events=";

std::uint64_t parse_events(const char* text) noexcept {
  std::uint64_t n = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  if (error == std::errc{} && stop == end && n >= k_least_events && n <= k_most_events) return n;
  std::fprintf(stderr, "takt: TAKT_TRACE: events='%s' is not a number from %llu to %llu; using %llu\n", text,
               static_cast<unsigned long long>(k_least_events), static_cast<unsigned long long>(k_most_events),
               static_cast<unsigned long long>(k_events));
  return k_events;
}

// A child of fork(2) has its parent's events, and has done nothing yet.
void forget_in_child() noexcept {
  for (ring& r : rings) {
    r.written.store(0, sync::relaxed);
    r.untraced.store(0, sync::relaxed);
    // Numbers begin anew: what is left of the parent must not be taken for the child's.
    if (event* e = r.events.load(sync::relaxed); e != nullptr)
      ::madvise(static_cast<void*>(e), the_state.capacity * sizeof(event), MADV_DONTNEED);
  }
  lost_workers.store(0, sync::relaxed);
  the_state.writing.store(state::k_not_yet, sync::relaxed);
  the_state.runtimes = the_state.runtimes < 1 ? the_state.runtimes : 1;
}

// A signal comes in the middle of anything, so that a thread that waits for it writes the trace, and lets one that ends
// the process do then what it would have done. SIGCONT does nothing to a process that is not stopped: it is the request.
sem_t a_signal_came;
pid_t traced_process = 0;
sync::atomic<int> ended_by{0};

void on_end(int signal) {
  // The second one does not wait for the file; nor is there such a thread in a child of fork(2).
  if (::getpid() == traced_process && ended_by.exchange(signal, sync::relaxed) == 0) {
    ::sem_post(&a_signal_came);
    return;
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void on_request(int) {
  if (::getpid() == traced_process) ::sem_post(&a_signal_came);
}

void* write_when_told(void*) {
  for (;;) {
    while (::sem_wait(&a_signal_came) != 0) {
    }
    if (ended_by.load(sync::relaxed) != 0) break;
    write_on_request();
  }
  write_at_exit();
  const int signal = ended_by.load(sync::relaxed);
  ::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
  return nullptr;
}

// Where the program has its own way with a signal, or there can be no thread, that is as it would be without a trace.
void write_at_signals() noexcept {
  sigset_t all;
  sigset_t before;
  pthread_t waits;
  if (::sem_init(&a_signal_came, 0, 0) != 0) return;
  traced_process = ::getpid();
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const bool has_thread = ::pthread_create(&waits, nullptr, &write_when_told, nullptr) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!has_thread) return;
  ::pthread_detach(waits);
  for (const int signal : {SIGINT, SIGTERM, SIGCONT}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now.sa_handler = signal == SIGCONT ? &on_request : &on_end;
    now.sa_flags = SA_RESTART;
    ::sigaction(signal, &now, nullptr);
  }
}

double monotonic_us() noexcept {
  timespec t{};
  // By a system call: the C library's clock may read a counter that traps.
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

void look_at_environment() noexcept {
  // A privileged program must not be made to write a file that its user may not write.
  const char* path = ::secure_getenv("TAKT_TRACE");
  if (path == nullptr || path[0] == '\0' || std::strcmp(path, "0") == 0) return;
  if (platform::current().fixed_workers() != 0) {
    std::fputs("takt: TAKT_TRACE: a simulated run is not traced\n", stderr);
    return;
  }
  // "FILE", or "FILE,events=N".
  const std::size_t key = std::string_view(path).rfind(k_events_key);
  const bool says_events = key != std::string_view::npos;
  the_state.path = says_events ? ::strndup(path, key) : ::strdup(path);
  the_state.capacity = says_events ? parse_events(path + key + k_events_key.size()) : k_events;
  if (the_state.path == nullptr || ::pthread_atfork(nullptr, nullptr, &forget_in_child) != 0 ||
      std::atexit(&write_at_exit) != 0) {
    std::fputs("takt: TAKT_TRACE: no memory\n", stderr);
    return;
  }
  the_state.began = platform::threads().now();
  the_state.began_us = monotonic_us();
  write_at_signals();
  wanted = true;
}

}  // namespace

namespace detail {

void record(const core::worker& w, kind what, const void* site, std::uint64_t detail) noexcept {
  const std::uint64_t now = platform::threads().now();
  if (w.index >= k_most_rings) {
    lost_workers.fetch_add(1, sync::relaxed);
    return;
  }
  ring& r = rings[w.index];
  event* const events = events_of(r, what);
  if (events == nullptr) {
    r.untraced.fetch_add(1, sync::relaxed);
    return;
  }
  // One step: a signal handler on this thread may come in between, and gets the next one.
  const std::uint64_t number = r.written.fetch_add(1, sync::relaxed) + 1;
  events[number % the_state.capacity].write(number, {now, site, detail, what});
}

void record_fiber(const core::worker& w, kind what, const core::fiber& f) noexcept {
  // A root call's own function, before its thread knows that it is over.
  const core::root_call* const call = f.run.call();
  const abi::team_member* const member = f.team.as_member();
  const void* site = call != nullptr     ? reinterpret_cast<const void*>(call->fn)
                     : member != nullptr ? reinterpret_cast<const void*>(member->run)
                                         : reinterpret_cast<const void*>(f.run.code());
  const std::uint64_t is_call = call != nullptr ? 2 : 0;
  record(w, what, site, is_call | (what == kind::leaves && w.scheduler.is_finished() ? 1 : 0));
}

void record_steal(const core::worker& w, const core::worker& victim) noexcept {
  record(w, kind::steal, nullptr, victim.index);
}

}  // namespace detail

void begin(const config& settings) noexcept {
  if (!looked) {
    looked = true;
    look_at_environment();
  }
  if (!wanted) return;
  const unsigned n = the_state.runtimes++;
  if (n < k_most_runtimes)
    the_state.notes[n] = {platform::threads().now(), settings.workers,
                          static_cast<std::uint64_t>(settings.beat.count())};
}

}  // namespace takt::trace
