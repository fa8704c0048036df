// A thread that somebody has cancelled, and that has not come to a place where it ends, uses takt: whatever that does,
// files it reads and threads it waits for included, is done to its end, and is no such place. Each function that a
// program calls, as the first one of the process: there the files are read. And the end of the process.
#include <takt/algorithms.hpp>
#include <takt/hinted.hpp>
#include <takt/memory.hpp>
#include <takt/omp.hpp>
#include <takt/team.hpp>

#include "child.hpp"

#include <pthread.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

extern "C" void takt_touch(const void* first, std::size_t bytes) noexcept;

namespace {

// --- programs -------------------------------------------------------------------------------------------------

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

bool forks() { return fib(20) == 6765; }
bool loop() {
  std::atomic<long> sum{0};
  takt::parallel_for(0, 2000, [&sum](int i) { sum += fib(i % 8) >= 0 ? i : 0; });
  return sum == 1999000;
}
bool reduction() {
  return takt::parallel_reduce(0, 2000, 0L, [](int i) { return long{i}; }, [](long a, long b) { return a + b; }) == 1999000;
}
bool group() {
  std::atomic<long> sum{0};
  takt::task_group g;
  for (int i = 0; i < 100; ++i) g.run([&sum] { sum += fib(5); });
  g.wait();
  return sum == 500;
}
bool hinted_group() {
  std::atomic<int> ran{0};
  takt::task_group g(takt::work(100), takt::bytes(1 << 20));
  for (int i = 0; i < 100; ++i) g.run(takt::work(1), [&ran] { ++ran; });
  g.wait();
  return ran == 100;
}
bool bounded_group() {
  std::atomic<int> ran{0};
  takt::task_group g(takt::at_most(10));
  for (int i = 0; i < 100; ++i) g.run([&ran] { ++ran; });
  g.wait();
  return ran == 100;
}
bool spawned() {
  std::atomic<long> sum{0};
  for (int i = 0; i < 100; ++i) takt::spawn([&sum] { sum += fib(5); });
  takt::wait_for_spawned();
  return sum == 500;
}
bool error_of_a_group() {
  takt::task_group g;
  g.run([] { throw 1; });
  try {
    g.wait();
  } catch (int) {
    return true;
  }
  return false;
}
bool sorting() {
  std::vector<int> v(100'000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i * 7919 % 100'003);
  takt::sort(v);
  return std::is_sorted(v.begin(), v.end());
}
bool memory() {
  const takt::memory_scope outside(1 << 20);
  takt::parallel_for(0, 100, [](int) { const takt::memory_scope inside(100'000); });
  return true;
}
bool stays() {
  const takt::stay here;
  return forks();
}
bool few_workers() { return takt::with_workers(1, [] { return fib(15); }) == 610; }
bool worker_numbers() { return takt::worker_index() < takt::worker_count(); }
bool blocks() { return takt::blocking([] { return 1; }) == 1; }
bool other_policy() { return takt::with_policy(takt::policy::adws, [] { return fib(15); }) == 610; }
bool stops() {
  std::stop_source source;
  source.request_stop();
  const bool complete = takt::with_stop(source.get_token(), [] { takt::parallel_for(0, 1 << 30, [](int i) { (void)fib(i % 5); }); });
  return !complete && !takt::stop_requested();
}
bool stops_by_an_exception() {
  try {
    (void)takt::with_stop(takt::on_exception::stop, [] { takt::parallel_for(0, 1000, [](int) { throw 1; }); });
  } catch (int) {
    return true;
  }
  return false;
}
bool cancelled_group() {
  takt::task_group g(takt::on_exception::stop);
  g.cancel();
  for (int i = 0; i < 2000; ++i) g.run([] {});
  g.wait();
  return true;
}
bool hints() {
  takt::fork_join(takt::weights(3, 1), [] {}, [] {});
  return true;
}
bool settings() { return takt::current_config().workers != 0 && takt::current_config().beat.count() == 40; }
bool environment() { return takt::config::from_environment().beat.count() == 40; }
bool configuring() {
  takt::configure(takt::config::from_environment());
  // Which ends the threads of the one before.
  if (!forks()) return false;
  takt::configure(takt::config::from_environment());
  return settings();
}
bool statistics() { return takt::stats_json().find("workers") != std::string::npos; }

// As converted code does.
takt::abi::site loop_site;
void slice(void* environment, takt::abi::omp_frame* frame) {
  std::uint64_t cells[2];
  takt_omp_begin(frame, cells);
  std::uint64_t ran = 0;
  for (;;) {
    const takt::abi::loop_chunk chunk = takt_loop_next(&frame->cursor);
    if (chunk.begin == chunk.end) break;
    ran += chunk.end - chunk.begin;
  }
  (void)takt_omp_end(frame);
  void* mine[] = {&ran};
  const auto combine = [](void* ours, void* theirs) {
    **static_cast<std::uint64_t**>(ours) += **static_cast<std::uint64_t**>(theirs);
  };
  if (takt_omp_reduce(frame, mine, combine) != 0) *static_cast<std::uint64_t*>(environment) += ran;
}
bool converted_loop() {
  static constexpr takt::abi::omp_partial ran_by_half{0, sizeof(std::uint64_t)};
  static const takt::abi::omp_loop what{&slice, &loop_site, &ran_by_half, 1, sizeof(std::uint64_t), 0};
  std::uint64_t ran = 0;
  takt_omp_run(&what, &ran, 1000, takt::abi::omp_way::outside);
  const takt::abi::omp_way way = takt_omp_ask(&what, 1'000'000, 1 << 20);
  takt_omp_run(&what, &ran, 1'000'000, way);
  return ran == 1'001'000;
}
bool touching() {
  takt_touch(&loop_site, sizeof loop_site);
  return true;
}
bool team() { return takt_team_workers() != 0; }
bool stuck() { return takt_team_look_for_stuck() == 0; }
bool asking_for_a_policy() { return takt_has_policy(static_cast<std::int32_t>(takt::policy::adws)); }
bool converted_tasks() {
  takt_omp_threads_matter("a test");
  takt_omp_kept_ends();
  (void)takt_omp_may_convert();
  takt_omp_task_free(takt_omp_task_room(100));
  bool ran = false;
  takt_omp_run_tasks([](void* r) { *static_cast<bool*>(r) = forks(); }, &ran);
  return ran;
}

// By the names that the library exports: what a program reaches with them from its serial code.
const std::map<std::string, bool (*)()> k_first{
    {"takt_abi_6_configure", &configuring},
    {"takt_abi_6_settings_in_force", &settings},
    {"takt_abi_6_settings_of_environment", &environment},
    {"takt_abi_6_statistics", &statistics},
    {"takt_has_policy", &asking_for_a_policy},
    {"takt_abi_6_group_new", &group},
    {"takt_group_room", &group},
    {"takt_group_give_room", &group},
    {"takt_group_add", &group},
    {"takt_group_wait", &group},
    {"takt_group_delete", &group},
    {"takt_group_failed", &error_of_a_group},
    {"takt_group_add_hinted", &hinted_group},
    {"takt_group_hints", &hinted_group},
    {"takt_group_bound", &bounded_group},
    {"takt_spawn", &spawned},
    {"takt_wait_for_spawned", &spawned},
    {"takt_group_cancel", &cancelled_group},
    {"takt_group_is_cancelled", &cancelled_group},
    {"takt_group_stop_on_exception", &cancelled_group},
    {"takt_stop_asked", &stops},
    {"takt_stop_begin", &stops},
    {"takt_stop_end", &stops},
    {"takt_stop_failed", &stops_by_an_exception},
    {"takt_stop_told", &stops},
    {"takt_enter", &forks},
    {"takt_fork_poll", &forks},
    {"takt_loop_poll", &loop},
    {"takt_loop_timed", &reduction},
    {"takt_clock", &sorting},
    {"takt_memory_take", &memory},
    {"takt_memory_give", &memory},
    {"takt_stay", &stays},
    {"takt_with_policy", &other_policy},
    {"takt_with_workers", &few_workers},
    {"takt_worker_count", &worker_numbers},
    {"takt_worker_index", &worker_numbers},
    {"takt_blocking", &blocks},
    {"takt_hints_begin", &hints},
    {"takt_hints_end", &hints},
    {"takt_touch", &touching},
    {"takt_omp_ask", &converted_loop},
    {"takt_omp_run", &converted_loop},
    {"takt_omp_run_tasks", &converted_tasks},
    {"takt_omp_task_room", &converted_tasks},
    {"takt_omp_task_free", &converted_tasks},
    {"takt_omp_kept_ends", &converted_tasks},
    {"takt_omp_may_convert", &converted_tasks},
    {"takt_omp_threads_matter", &converted_tasks},
    {"takt_team_workers", &team},
    {"takt_team_look_for_stuck", &stuck}};

// A variable; marks; and what is called inside a parallel call alone, or is for the caller's own record. Nobody is
// cancelled in a call.
const std::vector<std::string> k_inside{
    "takt_abi_6_hot",     "takt_fork_done",      "takt_fork_pushed",      "takt_group_mark",      "takt_hints_pushed",
    "takt_join",          "takt_loop_enter",     "takt_loop_join",        "takt_loop_mark",       "takt_loop_next",
    "takt_omp_begin",     "takt_omp_begin_pooled", "takt_omp_begin_sized", "takt_omp_borrow",     "takt_omp_chunks",
    "takt_omp_cancel",    "takt_omp_is_cancelled", "takt_omp_next",       "takt_omp_group_begin", "takt_omp_group_end",
    "takt_omp_group_cancel", "takt_omp_group_is_cancelled",
    "takt_omp_claim",     "takt_omp_combine",    "takt_omp_depend",       "takt_omp_drain",       "takt_omp_drain_here",
    "takt_omp_end",       "takt_omp_forget",     "takt_omp_give_back",    "takt_omp_is_in_conflict", "takt_omp_loop_of_tasks", "takt_omp_reduce",
    "takt_omp_reduce_sized", "takt_omp_reduced_bytes", "takt_omp_room",   "takt_omp_task_join",   "takt_omp_taskloop",
    "takt_set_threw",     "takt_threw",          "takt_event_begin",      "takt_event_end",       "takt_event_wait",
    "takt_team_begin",    "takt_team_enter",     "takt_team_follow",      "takt_team_is_inside",   "takt_team_join",
    "takt_team_keep",
    "takt_team_leave",    "takt_team_start",     "takt_team_state",       "takt_team_take",       "takt_team_threads",
    "takt_team_yield",    "takt_team_again",     "takt_team_linger",      "takt_team_origin",     "takt_team_relieve"};

void check_names(const char* exports) {
  std::ifstream file(exports);
  HOST_CHECK(file.is_open());
  int names = 0;
  for (std::string name; std::getline(file, name);) {
    if (name.empty() || name[0] == '#') continue;
    ++names;
    HOST_CHECK(k_first.contains(name) || std::find(k_inside.begin(), k_inside.end(), name) != k_inside.end(),
               "%s is new: as the first call of a cancelled thread it is to be tried here", name.c_str());
  }
  HOST_CHECK(names > 50);
}

// --- a thread that is to end ----------------------------------------------------------------------------------

struct cancelled_thread {
  bool (*call)();
  std::atomic<bool> begun{false};
  std::atomic<bool> cancelled{false};
  bool right = false;
  bool goes_on = false;

  static void* main(void* argument) {
    auto& self = *static_cast<cancelled_thread*>(argument);
    self.begun = true;
    // No place to end at.
    while (!self.cancelled.load()) {
    }
    self.right = self.call();
    pthread_testcancel();
    self.goes_on = true;
    return nullptr;
  }
};

bool works_on_a_cancelled_thread(bool (*call)()) {
  cancelled_thread t{call};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &cancelled_thread::main, &t) != 0) return false;
  if (!host::wait_until([&t] { return t.begun.load(); })) return false;
  if (pthread_cancel(thread) != 0) return false;
  t.cancelled = true;
  void* result = nullptr;
  pthread_join(thread, &result);
  return t.right && !t.goes_on && result == PTHREAD_CANCELED && forks();
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  HOST_CHECK(argc == 2);
  check_names(argv[1]);
  char name[] = "/tmp/takt-host-XXXXXX";
  HOST_CHECK(mkdtemp(name) != nullptr);
  const std::string folder = name;
  std::ofstream(folder + "/settings") << "TAKT_BEAT_US=40\n";
  unsetenv("TAKT_BEAT_US");
  setenv("TAKT_SETTINGS", (folder + "/settings").c_str(), 1);
  setenv("TAKT_STATS", (folder + "/stats").c_str(), 1);
  setenv("TAKT_TRACE", (folder + "/trace").c_str(), 1);
  for (const auto& [what, call] : k_first) {
    const int status = host::status_of_child([call = call] { return works_on_a_cancelled_thread(call); });
    HOST_CHECK(status == 0, "%s: wait status 0x%x", what.c_str(), static_cast<unsigned>(status));
  }
  // Nothing is written yet, as these children have not come to their exit.
  HOST_CHECK(!std::filesystem::exists(folder + "/stats"));
  const int status = host::status_of_child([] {
    if (!forks()) return false;
    pthread_cancel(pthread_self());
    std::exit(0);
  });
  const std::string stats = text_of(folder + "/stats");
  const std::string trace = text_of(folder + "/trace");
  std::filesystem::remove_all(folder);
  HOST_CHECK(status == 0, "at exit: wait status 0x%x", static_cast<unsigned>(status));
  HOST_CHECK(stats.ends_with("}\n"), "statistics: '%s'", stats.c_str());
  HOST_CHECK(trace.ends_with("}}\n"), "a trace of %zu bytes", trace.size());
}
