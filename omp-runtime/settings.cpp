// What the environment says (OpenMP 5.1, chapter 6).
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <strings.h>

#include "memory.hpp"

namespace takt::openmp {

namespace {

constexpr std::int32_t k_no_limit = INT_MAX;

std::int32_t usable_cpus() noexcept {
  cpu_set_t set;
  const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  return count > 0 ? count : static_cast<std::int32_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

void warn(const char* name, const char* value) noexcept {
  std::fprintf(stderr, "takt: OpenMP: %s=%s makes no sense and is ignored\n", name, value);
}

std::string without_space(const char* text) {
  std::string s;
  for (; *text != '\0'; ++text) {
    if (std::strchr(" \t\n\r\v\f", *text) == nullptr) s += *text;
  }
  return s;
}

bool read_number(const char*& at, std::int64_t least, std::int64_t& out) noexcept {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(at, &end, 10);
  if (end == at || errno != 0 || value < least || value > INT_MAX) return false;
  at = end;
  out = value;
  return true;
}

/// The variable's value by `read`, which is false where it makes no sense.
template <class Read>
void variable(const char* name, Read&& read) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return;
  const std::string text = without_space(value);
  if (!read(text.c_str())) warn(name, value);
}

void number(const char* name, std::int64_t least, std::int32_t& out) {
  variable(name, [&](const char* text) {
    std::int64_t value = 0;
    if (!read_number(text, least, value) || *text != '\0') return false;
    out = static_cast<std::int32_t>(value);
    return true;
  });
}

bool read_truth(const char* text, bool& out) noexcept {
  for (const char* const yes : {"true", "yes", "on", "1"}) {
    if (strcasecmp(text, yes) == 0) return out = true;
  }
  for (const char* const no : {"false", "no", "off", "0"}) {
    if (strcasecmp(text, no) == 0) {
      out = false;
      return true;
    }
  }
  return false;
}

bool read_schedule(const char* text, schedule& out) {
  schedule s;
  for (const char* const modifier : {"monotonic:", "nonmonotonic:"}) {
    if (strncasecmp(text, modifier, std::strlen(modifier)) == 0) {
      s.monotonic = *modifier == 'm';
      text += std::strlen(modifier);
      break;
    }
  }
  struct named {
    const char* name;
    kind what;
  };
  for (const named& n :
       {named{"static", kind::fixed}, {"dynamic", kind::dynamic}, {"guided", kind::guided}, {"auto", kind::automatic}}) {
    if (strncasecmp(text, n.name, std::strlen(n.name)) != 0) continue;
    s.what = n.what;
    text += std::strlen(n.name);
    if (*text == ',') {
      std::int64_t chunk = 0;
      if (!read_number(++text, 1, chunk)) return false;
      s.chunk = static_cast<std::uint64_t>(chunk);
    }
    if (*text != '\0') return false;
    out = s;
    return true;
  }
  return false;
}

bool read_list(const char* text, std::vector<std::int32_t>& out) {
  for (;;) {
    std::int64_t value = 0;
    if (!read_number(text, 1, value)) return false;
    out.push_back(static_cast<std::int32_t>(value));
    if (*text == '\0') return true;
    if (*text++ != ',') return false;
  }
}

const char* name_of(kind what) noexcept {
  switch (what) {
    case kind::fixed: return "STATIC";
    case kind::dynamic: return "DYNAMIC";
    case kind::guided: return "GUIDED";
    case kind::automatic: return "AUTO";
  }
  return "";
}

environment read_all() {
  environment e;
  settings& s = e.first;
  e.processors = usable_cpus();
  s.runtime = {kind::dynamic, 1, false};
  s.most_active_levels = 1;
  s.thread_limit = k_no_limit;
  variable("OMP_NUM_THREADS", [&](const char* text) {
    std::vector<std::int32_t> list;
    if (!read_list(text, list)) return false;
    e.threads = list;
    return true;
  });
  if (e.threads.empty()) {
    // The name that older programs and scripts of Intel's compilers set.
    std::int32_t threads = 0;
    number("KMP_NUM_THREADS", 1, threads);
    if (threads > 0) e.threads.push_back(threads);
  }
  s.threads = e.threads.empty() ? static_cast<std::int32_t>(takt_team_workers()) : e.threads.front();
  // A list asks for nested regions; one of how to bind threads, too, which has no other effect.
  const char* const binding = std::getenv("OMP_PROC_BIND");
  if (e.threads.size() > 1 || (binding != nullptr && std::strchr(binding, ',') != nullptr)) {
    s.most_active_levels = k_no_limit;
  }
  bool nested = false;
  variable("OMP_NESTED", [&](const char* text) {
    if (!read_truth(text, nested)) return false;
    s.most_active_levels = nested ? k_no_limit : 1;
    return true;
  });
  number("OMP_MAX_ACTIVE_LEVELS", 0, s.most_active_levels);
  number("OMP_THREAD_LIMIT", 1, s.thread_limit);
  variable("OMP_DYNAMIC", [&](const char* text) { return read_truth(text, s.is_dynamic); });
  variable("OMP_CANCELLATION", [&](const char* text) { return read_truth(text, e.cancels); });
  variable("OMP_SCHEDULE", [&](const char* text) { return read_schedule(text, s.runtime); });
  number("OMP_DEFAULT_DEVICE", 0, s.default_device);
  number("OMP_NUM_TEAMS", 1, e.teams);
  number("OMP_TEAMS_THREAD_LIMIT", 1, e.teams_thread_limit);
  variable("OMP_ALLOCATOR", [&](const char* text) { return read_allocator(text, s.allocator); });
  variable("OMP_DISPLAY_AFFINITY", [&](const char* text) { return read_truth(text, e.shows_affinity); });
  number("OMP_MAX_TASK_PRIORITY", 0, e.most_priority);
  const char* const format = std::getenv("OMP_AFFINITY_FORMAT");
  e.affinity_format = format != nullptr ? format : "thread %0.3n of %N, level %L, on %A";
  return e;
}

void show_if_asked(const environment& e) noexcept {
  bool wanted = false;
  if (const char* const value = std::getenv("OMP_DISPLAY_ENV"); value != nullptr) {
    if (strcasecmp(value, "verbose") == 0) {
      wanted = true;
    } else {
      (void)read_truth(value, wanted);
    }
  }
  if (wanted) display_environment(e);
}

}  // namespace

void display_environment(const environment& e) noexcept {
  const settings& s = e.first;
  std::fprintf(stderr, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
  std::fprintf(stderr, "  OMP_DYNAMIC = '%s'\n", s.is_dynamic ? "TRUE" : "FALSE");
  std::fprintf(stderr, "  OMP_NUM_THREADS = '%d", s.threads);
  for (std::size_t i = 1; i < e.threads.size(); ++i) std::fprintf(stderr, ",%d", e.threads[i]);
  std::fprintf(stderr, "'\n  OMP_SCHEDULE = '%s", name_of(s.runtime.what));
  if (s.runtime.chunk > 1) std::fprintf(stderr, ",%llu", static_cast<unsigned long long>(s.runtime.chunk));
  std::fprintf(stderr, "'\n  OMP_PROC_BIND = 'FALSE'\n  OMP_PLACES = ''\n");
  std::fprintf(stderr, "  OMP_THREAD_LIMIT = '%d'\n  OMP_MAX_ACTIVE_LEVELS = '%d'\n", s.thread_limit,
               s.most_active_levels);
  std::fprintf(stderr, "  OMP_CANCELLATION = '%s'\n  OMP_DEFAULT_DEVICE = '%d'\n", e.cancels ? "TRUE" : "FALSE",
               s.default_device);
  std::fprintf(stderr, "  OMP_MAX_TASK_PRIORITY = '%d'\n  OMP_NUM_TEAMS = '%d'\n  OMP_TEAMS_THREAD_LIMIT = '%d'\n",
               e.most_priority, e.teams, e.teams_thread_limit);
  std::fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT END\n");
}

environment& the_environment() noexcept {
  static environment* const all = [] {
    // Never destroyed: destructors of the program may have regions.
    auto* const e = new environment(read_all());
    show_if_asked(*e);
    return e;
  }();
  return *all;
}

// As other runtimes do, before main.
[[gnu::constructor]] static void at_start() {
  if (std::getenv("OMP_DISPLAY_ENV") != nullptr) (void)the_environment();
}

}  // namespace takt::openmp
