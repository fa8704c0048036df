// TAKT_SIM: a whole program on the simulated machine, behind the door. See README.md beside this file.
#include "platform/cancellation.hpp"
#include "platform/door.hpp"
#include "platform/files.hpp"
#include "sim/caches.hpp"
#include "sim/memory.hpp"
#include "sim/virtual_time.hpp"
#include "sim/worker_list.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Whether there is a sanitizer is a question of the process: without one they are null.
extern "C" {
[[gnu::weak]] void __asan_init(void);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace takt::sim {

namespace {

struct request {
  unsigned workers = 0;
  std::vector<unsigned> others;  ///< to be simulated before
  bool goes_on = false;          ///< `out` has a report already
  bool deterministic = false;
  std::uint64_t seed = 1;
  std::vector<cache_level> caches;
  std::uint64_t grain = caches::k_line;
  memory_settings memory;
  bool has_memory = false;
  std::uint64_t sites = 0;  ///< at most so many in the report
  std::string out;          ///< empty: stderr
  // Nanoseconds, of the same order as on any machine of today; `takt scale` measures them.
  std::uint64_t wake = 5'000;
  std::uint64_t waker = 1'500;
  std::uint64_t start = 50'000;
  std::uint64_t signal = 3'000;
  std::uint64_t steal = 300;
  std::optional<std::uint64_t> promotion;
  std::uint64_t spin = 50;
  // In a deterministic run, where code that runs takes no time.
  std::optional<std::uint64_t> iteration;
  std::optional<std::uint64_t> look;

  /// Whether touches take time.
  bool takes_time() const {
    return has_memory || memory.work_ps != 0 ||
           std::ranges::any_of(caches, [](const cache_level& l) { return l.latency_ps != 0 || l.bytes_per_ns != 0; });
  }

  std::uint64_t iteration_ns() const { return deterministic ? iteration.value_or(1) : 0; }
  std::uint64_t look_ns() const { return deterministic ? look.value_or(20) : 0; }

  std::uint64_t promotion_ns() const { return promotion.value_or(deterministic ? 1'000 : 0); }
};

class simulation final : public virtual_time {
 public:
  simulation(const request& r, const virtual_settings& s, const ::takt::platform::simulated_process& p)
      : virtual_time(s, p), asked(r), process(p), began(s.began) {
    if (r.caches.empty()) return;
    model.emplace(r.caches, r.workers, r.grain);
    if (r.takes_time()) memory.emplace(r.caches, r.memory, r.workers);
  }

  unsigned fixed_workers() noexcept override { return asked.workers; }
  void touched(const void* first, std::size_t bytes) noexcept override;
  std::size_t shared_caches(unsigned workers, const ::takt::platform::placement& wanted,
                            ::takt::platform::shared_cache* out, std::size_t most) noexcept override;

  const request asked;
  const ::takt::platform::simulated_process process;
  const std::uint64_t began;
  std::optional<caches> model;
  std::optional<memory_time> memory;
};

simulation* under_way = nullptr;

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "takt: TAKT_SIM: %s\n", what);
  std::exit(2);
}
[[noreturn]] void refuse(const std::string& what) { refuse(what.c_str()); }

std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t n = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || stop != text.data() + text.size() || n < least || n > most)
    refuse(std::string(key) + "='" + std::string(text) + "' is not a number from " + std::to_string(least) + " to " +
           std::to_string(most));
  return n;
}

request parse(std::string_view text, unsigned most_workers) {
  constexpr std::uint64_t k_longest = 1'000'000'000;
  request r;
  while (!text.empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse("'" + std::string(text) + "' is not KEY=VALUE");
    const std::string_view key = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    if (key == "workers") {
      // A list has the same commas as what follows it: it ends before the next key.
      const std::size_t next_key = text.find('=');
      const std::size_t end = next_key == std::string_view::npos ? text.size() : text.rfind(',', next_key);
      const std::string_view list = text.substr(0, end);
      if (const std::string wrong = parse_workers(list, most_workers, r.others); !wrong.empty())
        refuse("workers=: " + wrong);
      r.workers = r.others.back();
      r.others.pop_back();
      text.remove_prefix(std::min(text.size(), list.size() + 1));
      continue;
    }
    // A path may have commas in it.
    if (key == "out") {
      r.out = text;
      break;
    }
    const std::string_view value = text.substr(0, text.find(','));
    text.remove_prefix(value.size() < text.size() ? value.size() + 1 : value.size());
    if (key == "deterministic") {
      r.deterministic = number(key, value, 0, 1) != 0;
      continue;
    }
    if (key == "seed") {
      r.seed = number(key, value, 0, ~0ull);
      continue;
    }
    if (key == "sites") {
      r.sites = number(key, value, 0, 1000);
      continue;
    }
    if (key == "caches") {
      if (const std::string wrong = sim::parse(value, r.caches); !wrong.empty()) refuse("caches=: " + wrong);
      continue;
    }
    if (key == "memory") {
      if (const std::string wrong = sim::parse(value, r.memory); !wrong.empty()) refuse("memory=: " + wrong);
      r.has_memory = true;
      continue;
    }
    if (key == "pages") {
      if (value != "first_touch" && value != "interleave")
        refuse("pages='" + std::string(value) + "' is not first_touch or interleave");
      r.memory.pages = value == "interleave" ? page_placement::interleave : page_placement::first_touch;
      continue;
    }
    if (key == "work_ns") {
      std::string_view rest = value;
      constexpr std::uint64_t k_most_ns = 1'000'000;
      if (!take_thousandths(rest, k_most_ns, r.memory.work_ps) || !rest.empty())
        refuse("work_ns='" + std::string(value) + "' is not a number from 0 to 1000000, three digits behind the point");
      continue;
    }
    if (key == "in_flight") {
      r.memory.in_flight = static_cast<unsigned>(number(key, value, 1, 1000));
      continue;
    }
    if (key == "grain") {
      r.grain = number(key, value, caches::k_line, caches::k_page);
      if (!std::has_single_bit(r.grain)) refuse("grain='" + std::string(value) + "' is not a power of two");
      continue;
    }
    struct {
      std::string_view name;
      std::uint64_t* cost;
    } const costs[] = {{"wake_ns", &r.wake},     {"waker_ns", &r.waker}, {"start_ns", &r.start},
                       {"signal_ns", &r.signal}, {"steal_ns", &r.steal}, {"spin_ns", &r.spin}};
    struct {
      std::string_view name;
      std::optional<std::uint64_t>* cost;
    } const others[] = {{"promotion_ns", &r.promotion}, {"iteration_ns", &r.iteration}, {"look_ns", &r.look}};
    bool known = false;
    for (const auto& c : costs) {
      if (c.name != key) continue;
      *c.cost = number(key, value, 0, k_longest);
      known = true;
    }
    for (const auto& c : others) {
      if (c.name != key) continue;
      *c.cost = number(key, value, key == "iteration_ns" ? 1 : 0, k_longest);
      known = true;
    }
    if (!known) refuse("unknown key '" + std::string(key) + "'");
  }
  if (r.workers == 0) refuse("'workers=' is missing");
  if (r.iteration && r.memory.work_ps != 0) refuse("iteration_ns= and work_ns= do not go together");
  if (r.caches.empty() && (r.has_memory || r.memory.work_ps != 0 || r.grain != caches::k_line))
    refuse("memory=, work_ns= and grain= need caches=");
  if (!r.caches.empty() && r.caches.front().bytes < r.grain) refuse("grain= is more than the first cache has");
  if (!r.deterministic && (r.iteration || r.look)) refuse("iteration_ns= and look_ns= need deterministic=1");
  if (!r.deterministic && r.memory.work_ps != 0) refuse("work_ns= needs deterministic=1");
  return r;
}

void put(std::string& out, const char* key, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "\"%s\":%.9g,", key, value);
  out += text;
}

std::string format(const caches& model, unsigned cores) {
  std::string out = "[";
  for (std::size_t l = 0; l < model.levels(); ++l) {
    caches::counts all;
    std::string each;
    for (unsigned c = 0; c < cores; ++c) {
      all.hits += model.of(l, c).hits;
      all.misses += model.of(l, c).misses;
      each += std::to_string(model.of(l, c).misses) + (c + 1 < cores ? "," : "");
    }
    out += "{\"level\":" + std::to_string(l + 1) + ",\"bytes\":" + std::to_string(model.level(l).bytes) +
           ",\"shared_by\":" + std::to_string(model.level(l).shared_by) + ",\"hits\":" + std::to_string(all.hits) +
           ",\"misses\":" + std::to_string(all.misses) + ",\"misses_per_worker\":[" + each + "]}" +
           (l + 1 < model.levels() ? "," : "");
  }
  return out + "]";
}

std::string format(const memory_time::counts& all) {
  std::string out = "{";
  out += "\"local_lines\":" + std::to_string(all.local_lines) + ",";
  out += "\"remote_lines\":" + std::to_string(all.remote_lines) + ",";
  put(out, "seconds", 1e-12 * static_cast<double>(all.taken_ps));
  put(out, "queued_s", 1e-12 * static_cast<double>(all.queued_ps));
  out.back() = '}';
  return out;
}

std::string quoted(const char* text) {
  std::string out = "\"";
  for (; text != nullptr && *text != '\0'; ++text) {
    const auto c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\') out += '\\';
    if (c >= 0x20) out += *text;
  }
  return out + "\"";
}

// Where a function is, as the tools that read debug information count: in its file, from the file's own base.
std::string place_of(const void* function) {
  Dl_info found{};
  if (function == nullptr || dladdr(function, &found) == 0) return "\"object\":\"\",\"address\":0,\"name\":\"\"";
  auto address = reinterpret_cast<std::uintptr_t>(function);
  if (static_cast<const ElfW(Ehdr)*>(found.dli_fbase)->e_type != ET_EXEC)
    address -= reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  const bool exact = found.dli_saddr == function;
  return "\"object\":" + quoted(found.dli_fname) + ",\"address\":" + std::to_string(address) +
         ",\"name\":" + quoted(exact ? found.dli_sname : nullptr);
}

std::string format_sites(const virtual_time& time, std::size_t most) {
  std::vector<std::pair<const void*, virtual_time::site_time>> all(time.sites().begin(), time.sites().end());
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.second.span > b.second.span; });
  all.resize(std::min(all.size(), most));
  std::string out;
  for (const auto& [function, t] : all) {
    out += out.empty() ? "{" : ",{";
    put(out, "span_s", t.span / time.rate());
    put(out, "work_s", static_cast<double>(t.work) / time.rate());
    out += place_of(function) + "}";
  }
  return "[" + out + "]";
}

// `[[seconds from its begin, bytes],...]`, or nothing.
std::string format_memory(const simulation& s) {
  // Those of one time stay in their order.
  std::multimap<std::uint64_t, std::uint64_t> all;
  for (const virtual_time::memory_at& at : s.memory_over_time()) all.emplace(at.time, at.bytes);
  std::string out;
  for (const auto& [time, bytes] : all) {
    const auto since = static_cast<double>(time - std::min(time, s.began));
    char text[64];
    std::snprintf(text, sizeof text, "%s[%.9g,%llu]", out.empty() ? "" : ",", since / s.rate(),
                  static_cast<unsigned long long>(bytes));
    out += text;
  }
  return out.empty() ? "" : ",\"reported\":[" + out + "]";
}

void take_text(void* to, const char* text, std::size_t length) { static_cast<std::string*>(to)->assign(text, length); }

std::string statistics(const platform::simulated_process& process) {
  std::string json;
  if (!process.scheduler.statistics(&take_text, &json)) throw std::bad_alloc();
  return json;
}

std::string report() {
  simulation& s = *under_way;
  const double rate = s.ticks_per_second();
  const auto seconds = [rate](std::uint64_t ticks) { return static_cast<double>(ticks) / rate; };
  std::string out = "{\"takt_sim\":1,\"workers\":" + std::to_string(s.asked.workers) + ",";
  // Nothing that is measured may be in the report of a deterministic run.
  if (s.asked.deterministic) out += "\"seed\":" + std::to_string(s.asked.seed) + ",";
  put(out, "seconds_before", s.asked.deterministic ? 0 : seconds(s.began - s.process.loaded_at));
  put(out, "seconds", seconds(s.time() - s.began));
  put(out, "seconds_in_calls", seconds(s.ticks_in_calls()));
  if (s.asked.deterministic) put(out, "program_s", seconds(s.program_ticks()));
  out += "\"calls\":" + std::to_string(s.calls()) + ",";
  if (!s.asked.deterministic) put(out, "wall_seconds", seconds(s.process.real->now() - s.process.loaded_at));
  out += "\"costs_ns\":{";
  put(out, "wake", static_cast<double>(s.asked.wake));
  put(out, "waker", static_cast<double>(s.asked.waker));
  put(out, "start", static_cast<double>(s.asked.start));
  put(out, "signal", static_cast<double>(s.asked.signal));
  put(out, "steal", static_cast<double>(s.asked.steal));
  put(out, "promotion", static_cast<double>(s.asked.promotion_ns()));
  put(out, "spin", static_cast<double>(s.asked.spin));
  if (s.asked.deterministic) {
    put(out, "iteration", static_cast<double>(s.asked.iteration_ns()));
    put(out, "look", static_cast<double>(s.asked.look_ns()));
  }
  out.back() = '}';
  if (s.model) out += ",\"caches\":" + format(*s.model, s.asked.workers);
  if (s.memory) out += ",\"memory\":" + format(s.memory->total());
  out += format_memory(s);
  if (s.asked.sites != 0) {
    out += ",\"sites\":" + format_sites(s, s.asked.sites) + ",";
    put(out, "silent_span_s", s.silent_span() / rate);
    out.pop_back();
  }
  out += ",\"stats\":" + statistics(s.process) + "}\n";
  return out;
}

void write_report() {
  const platform::uncancelled here;
  // Called at exit: an error can only be said, and the exit code made to say it, too.
  try {
    const std::string text = report();
    const std::string& path = under_way->asked.out;
    if (path.empty()) {
      std::fputs(text.c_str(), stderr);
      return;
    }
    std::FILE* const file = platform::open_to_write(path.c_str(), under_way->asked.goes_on).file;
    const bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
    if (file != nullptr && std::fclose(file) == 0 && written) return;
    std::fprintf(stderr, "takt: TAKT_SIM: cannot write '%s'\n", path.c_str());
  } catch (...) {
    std::fputs("takt: TAKT_SIM: no memory for the report\n", stderr);
  }
  std::fflush(nullptr);
  std::_Exit(2);
}

bool is_only_thread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

[[noreturn]] void leave_with(int status, unsigned workers) {
  const std::string with = std::to_string(workers) + (workers == 1 ? " worker" : " workers");
  std::fprintf(stderr, "takt: TAKT_SIM: the program %s with %s\n",
               WIFSIGNALED(status) ? ("ended by signal " + std::to_string(WTERMSIG(status))).c_str()
                                   : ("ended with exit code " + std::to_string(WEXITSTATUS(status))).c_str(),
               with.c_str());
  // What the program has put off until its exit is not to be done now: it has not come that far.
  std::fflush(nullptr);
  std::_Exit(2);
}

// The first parallel call is where the program splits: once for each number of workers it goes on from here, one after
// the other, and only the last one, the program itself, is seen by others to write and read.
void run_others(request& r) {
  if (r.others.empty()) return;
  if (!is_only_thread()) refuse("a list of workers needs a program that has one thread at its first parallel call");
  std::fflush(nullptr);
  const off_t input = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  const std::vector<unsigned> others = std::exchange(r.others, {});
  for (const unsigned workers : others) {
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) refuse("cannot start a process for each number of workers");
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) std::_Exit(2);
      const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
      if (nothing < 0 || ::dup2(nothing, STDOUT_FILENO) < 0) refuse("cannot open /dev/null");
      r.workers = workers;
      return;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) leave_with(status, workers);
    if (input >= 0) ::lseek(STDIN_FILENO, input, SEEK_SET);
    r.goes_on = true;
  }
}

simulation* start(const platform::simulated_process& process, const char* text) {
  // A sanitizer would have to be told of every change of stack.
  if (__asan_init != nullptr || __tsan_switch_to_fiber != nullptr) refuse("not in a program with a sanitizer");
  request r = parse(text, process.scheduler.most_workers);
  run_others(r);
  platform::platform& real = *process.real;
  const double rate = r.deterministic ? 1e9 : real.ticks_per_second();
  const auto ticks = [rate](std::uint64_t ns) {
    return static_cast<std::uint64_t>(static_cast<double>(ns) * 1e-9 * rate);
  };
  virtual_settings s;
  s.workers = r.workers;
  s.measured = !r.deterministic;
  s.iteration = ticks(r.iteration_ns());
  s.only_touches = r.memory.work_ps != 0;
  s.cost.look = ticks(r.look_ns());
  s.cost.promotion = ticks(r.promotion_ns());
  s.cost.steal = ticks(r.steal);
  s.cost.spin = ticks(r.spin);
  s.cost.wake = ticks(r.waker);
  s.cost.wake_latency = ticks(r.wake);
  s.cost.start_latency = ticks(r.start);
  s.cost.signal = ticks(r.signal);
  s.ticks_per_second = rate;
  s.seed = r.seed;
  s.began = r.deterministic ? 0 : real.now();
  // Never destroyed: the threads of the last runtime are its own.
  auto* const made = new simulation(r, s, process);
  if (r.sites != 0) made->account_for_sites();
  if (std::atexit(&write_report) != 0) refuse("no memory");
  return made;
}

std::size_t simulation::shared_caches(unsigned workers, const ::takt::platform::placement&,
                                      ::takt::platform::shared_cache* out, std::size_t most) noexcept {
  std::size_t count = 0;
  for (std::size_t l = asked.caches.size(); l-- > 0;) {
    const cache_level& level = asked.caches[l];
    if (level.shared_by == 1) continue;
    for (unsigned first = 0; first < workers; first += level.shared_by, ++count) {
      const unsigned sharers = std::min(level.shared_by, workers - first);
      if (count >= most) continue;
      out[count] = {static_cast<unsigned>(l + 1), first, sharers, level.bytes};
      // One that all share binds nobody.
      for (unsigned core = first; sharers < workers && core < first + sharers; ++core) out[count].cpus.add(core);
    }
  }
  return count;
}

void simulation::touched(const void* first, std::size_t bytes) noexcept {
  if (!model) return;
  const auto touch = [&](std::uint64_t now_ps) -> std::uint64_t {
    try {
      const caches::found& lines = model->touch(core(), reinterpret_cast<std::uintptr_t>(first), bytes);
      return memory ? memory->take(core(), now_ps, lines) : 0;
    } catch (...) {
      refuse("no memory for the caches");
    }
  };
  if (memory) {
    wait_for_memory(touch);
  } else {
    off_the_clock([&] { touch(0); });
  }
}

}  // namespace

}  // namespace takt::sim

takt::platform::platform* takt_simulator(const takt::platform::simulated_process* process,
                                         const char* request) noexcept {
  using namespace takt::sim;
  if (process->door != TAKT_DOOR) return nullptr;
  if (under_way != nullptr) refuse("two copies of takt in one program cannot be simulated");
  try {
    under_way = start(*process, request);
  } catch (const std::bad_alloc&) {
    refuse("no memory");
  }
  return under_way;
}
