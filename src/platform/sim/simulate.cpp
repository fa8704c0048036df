#include "platform/sim/simulate.hpp"

#include <takt/config.hpp>
#include <takt/takt.hpp>

#include "fiber/sanitizers.hpp"
#include "platform/sim/caches.hpp"
#include "platform/sim/virtual_time.hpp"
#include "worker/worker.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::sim {

namespace {

// Since the library was loaded: the program has hardly begun then.
const std::uint64_t loaded_at = platform::threads().now();

struct request {
  unsigned workers = 0;
  std::vector<cache_level> caches;
  std::uint64_t sites = 0;  ///< at most so many in the report
  std::string out;          ///< empty: stderr
  // Nanoseconds, of the same order as on any machine of today; `takt scale` measures them.
  std::uint64_t wake = 5'000;
  std::uint64_t waker = 1'500;
  std::uint64_t start = 50'000;
  std::uint64_t signal = 3'000;
  std::uint64_t steal = 300;
  std::uint64_t promotion = 0;
  std::uint64_t spin = 50;
};

struct simulation {
  request asked;
  std::uint64_t began;
  virtual_time time;
  std::optional<caches> model;

  simulation(const request& r, const virtual_settings& s) : asked(r), began(s.began), time(s) {
    if (!r.caches.empty()) model.emplace(r.caches, r.workers);
  }
};

simulation* under_way = nullptr;

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "takt: TAKT_SIM: %s\n", what.c_str());
  std::exit(2);
}

std::uint64_t number(std::string_view key, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t n = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || stop != text.data() + text.size() || n < least || n > most)
    refuse(std::string(key) + "='" + std::string(text) + "' is not a number from " + std::to_string(least) + " to " +
           std::to_string(most));
  return n;
}

request parse(std::string_view text) {
  constexpr std::uint64_t k_longest = 1'000'000'000;
  request r;
  while (!text.empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse("'" + std::string(text) + "' is not KEY=VALUE");
    const std::string_view key = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    // A path may have commas in it.
    if (key == "out") {
      r.out = text;
      break;
    }
    const std::string_view value = text.substr(0, text.find(','));
    text.remove_prefix(value.size() < text.size() ? value.size() + 1 : value.size());
    if (key == "workers") {
      r.workers = static_cast<unsigned>(number(key, value, 1, k_most_workers));
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
    struct {
      std::string_view name;
      std::uint64_t* cost;
    } const costs[] = {{"wake_ns", &r.wake},     {"waker_ns", &r.waker}, {"start_ns", &r.start},
                       {"signal_ns", &r.signal}, {"steal_ns", &r.steal}, {"promotion_ns", &r.promotion},
                       {"spin_ns", &r.spin}};
    bool known = false;
    for (const auto& c : costs) {
      if (c.name != key) continue;
      *c.cost = number(key, value, 0, k_longest);
      known = true;
    }
    if (!known) refuse("unknown key '" + std::string(key) + "'");
  }
  if (r.workers == 0) refuse("'workers=' is missing");
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

std::string report() {
  simulation& s = *under_way;
  const double rate = s.time.ticks_per_second();
  const auto seconds = [rate](std::uint64_t ticks) { return static_cast<double>(ticks) / rate; };
  std::string out = "{\"takt_sim\":1,\"workers\":" + std::to_string(s.asked.workers) + ",";
  put(out, "seconds_before", seconds(s.began - loaded_at));
  put(out, "seconds", seconds(s.time.time() - s.began));
  put(out, "seconds_in_calls", seconds(s.time.ticks_in_calls()));
  out += "\"calls\":" + std::to_string(s.time.calls()) + ",";
  put(out, "wall_seconds", seconds(platform::threads().now() - loaded_at));
  out += "\"costs_ns\":{";
  put(out, "wake", static_cast<double>(s.asked.wake));
  put(out, "waker", static_cast<double>(s.asked.waker));
  put(out, "start", static_cast<double>(s.asked.start));
  put(out, "signal", static_cast<double>(s.asked.signal));
  put(out, "steal", static_cast<double>(s.asked.steal));
  put(out, "promotion", static_cast<double>(s.asked.promotion));
  put(out, "spin", static_cast<double>(s.asked.spin));
  out.back() = '}';
  if (s.model) out += ",\"caches\":" + format(*s.model, s.asked.workers);
  if (s.asked.sites != 0) out += ",\"sites\":" + format_sites(s.time, s.asked.sites);
  out += ",\"stats\":" + stats_json() + "}\n";
  return out;
}

void write_report() {
  // Called at exit: an error can only be said, and the exit code made to say it, too.
  try {
    const std::string text = report();
    const std::string& path = under_way->asked.out;
    if (path.empty()) {
      std::fputs(text.c_str(), stderr);
      return;
    }
    std::FILE* file = std::fopen(path.c_str(), "we");
    const bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
    if (file != nullptr && std::fclose(file) == 0 && written) return;
    std::fprintf(stderr, "takt: TAKT_SIM: cannot write '%s'\n", path.c_str());
  } catch (...) {
    std::fputs("takt: TAKT_SIM: no memory for the report\n", stderr);
  }
  std::fflush(nullptr);
  std::_Exit(2);
}

void start(const char* text) {
  // A sanitizer would have to be told of every change of stack.
  if (TAKT_ASAN || TAKT_TSAN) refuse("not in a library that is built with a sanitizer");
  const request r = parse(text);
  platform::platform& real = platform::threads();
  const auto ticks = [rate = real.ticks_per_second()](std::uint64_t ns) {
    return static_cast<std::uint64_t>(static_cast<double>(ns) * 1e-9 * rate);
  };
  virtual_settings s;
  s.workers = r.workers;
  s.cost.promotion = ticks(r.promotion);
  s.cost.steal = ticks(r.steal);
  s.cost.spin = ticks(r.spin);
  s.cost.wake = ticks(r.waker);
  s.cost.wake_latency = ticks(r.wake);
  s.cost.start_latency = ticks(r.start);
  s.cost.signal = ticks(r.signal);
  s.ticks_per_second = real.ticks_per_second();
  s.began = real.now();
  // Never destroyed: the threads of the last runtime are its own.
  under_way = new simulation(r, s);
  if (r.sites != 0) under_way->time.account_for_sites();
  platform::replace(&under_way->time);
  if (std::atexit(&write_report) != 0) refuse("no memory");
}

}  // namespace

platform::platform& platform_for_runtime() {
  // Under the lock of whoever makes a runtime.
  static bool looked = false;
  if (!looked) {
    looked = true;
    if (const char* text = ::secure_getenv("TAKT_SIM"); text != nullptr && text[0] != '\0') start(text);
  }
  return platform::current();
}

unsigned workers() noexcept { return under_way != nullptr ? under_way->asked.workers : 0; }

}  // namespace takt::sim

extern "C" TAKT_EXPORT void takt_touch(const void* first, std::size_t bytes) noexcept {
  using namespace takt::sim;
  if (under_way == nullptr || !under_way->model) return;
  under_way->time.aside([&] {
    // Places are the cores; who has none stands where it stood last.
    const takt::core::worker* w = takt::core::this_worker();
    const unsigned core = w == nullptr ? 0 : w->place >= 0 ? static_cast<unsigned>(w->place) : w->last_place;
    try {
      under_way->model->touch(core % under_way->asked.workers, reinterpret_cast<std::uintptr_t>(first), bytes);
    } catch (...) {
      refuse("no memory for the caches");
    }
  });
}
