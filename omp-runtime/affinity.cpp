// Affinity: the format in which a program shows where its members run (OpenMP 5.1, 6.4.4). There are no places.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {
namespace {

std::string host() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

// The CPUs that the thread may use: "0-3,8".
std::string cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::string all;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &set)) continue;
    const int first = i;
    while (i + 1 < CPU_SETSIZE && CPU_ISSET(i + 1, &set)) ++i;
    all += (all.empty() ? "" : ",") + std::to_string(first) + (i > first ? "-" + std::to_string(i) : "");
  }
  return all;
}

struct field {
  char letter;
  std::string_view name;
  std::string (*of)(const member&);
};

std::string number(std::uint64_t n) { return std::to_string(n); }

const field fields[] = {
    {'t', "team_num", [](const member& m) { return number(m.in->team_number); }},
    {'T', "num_teams", [](const member& m) { return number(m.in->teams); }},
    {'L', "nesting_level", [](const member& m) { return number(m.in->level); }},
    {'n', "thread_num", [](const member& m) { return number(m.number); }},
    {'N', "num_threads", [](const member& m) { return number(m.in->size); }},
    {'a', "ancestor_tnum",
     [](const member& m) { return m.in->level == 0 ? std::string("-1") : number(m.in->parent->number); }},
    {'H', "host", [](const member&) { return host(); }},
    {'P', "process_id", [](const member&) { return number(static_cast<std::uint64_t>(getpid())); }},
    {'i', "native_thread_id", [](const member&) { return number(static_cast<std::uint64_t>(syscall(SYS_gettid))); }},
    {'A', "thread_affinity", [](const member&) { return cpus(); }},
};

const field* field_at(std::string_view& rest) {
  if (rest.empty()) return nullptr;
  const std::size_t end = rest.front() == '{' ? rest.find('}') : std::string_view::npos;
  const std::string_view name = end != std::string_view::npos ? rest.substr(1, end - 1) : std::string_view();
  for (const field& f : fields) {
    if (name.empty() ? f.letter != rest.front() : f.name != name) continue;
    rest.remove_prefix(name.empty() ? 1 : end + 1);
    return &f;
  }
  return nullptr;
}

// %[[0].]width: to the right with a dot, and filled with zeros.
std::string text_of(const member& m, std::string_view format) {
  constexpr std::size_t k_widest = 1 << 16;
  std::string all;
  while (!format.empty()) {
    const char c = format.front();
    format.remove_prefix(1);
    if (c != '%' || (!format.empty() && format.front() == '%')) {
      all += c;
      if (c == '%') format.remove_prefix(1);
      continue;
    }
    std::string_view rest = format;
    const auto skip = [&rest](char what) {
      if (rest.empty() || rest.front() != what) return false;
      rest.remove_prefix(1);
      return true;
    };
    const bool zeros = skip('0');
    const bool is_right = skip('.') || zeros;
    std::size_t width = 0;
    for (; !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; rest.remove_prefix(1)) {
      width = std::min(width * 10 + static_cast<std::size_t>(rest.front() - '0'), k_widest);
    }
    const field* const f = field_at(rest);
    std::string text = f != nullptr ? f->of(m) : "undefined";
    if (f == nullptr && !rest.empty()) rest.remove_prefix(1);
    const std::size_t at = !is_right ? text.size() : zeros && text.front() == '-' ? 1 : 0;
    if (text.size() < width) text.insert(at, width - text.size(), zeros ? '0' : ' ');
    all += text;
    format = rest;
  }
  return all;
}

short_lock guard;
std::string& wanted() {
  static auto* const format = new std::string(the_environment().affinity_format);
  return *format;
}

std::string current() {
  guard.lock();
  std::string copy = wanted();
  guard.unlock();
  return copy;
}

std::string shown(const char* format) {
  return text_of(me(), format != nullptr && *format != '\0' ? format : current());
}

std::size_t into(char* buffer, std::size_t size, const std::string& text) noexcept {
  if (size > 0) {
    const std::size_t n = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  return text.size();
}

}  // namespace
}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void omp_set_affinity_format(const char* format) {
  std::string copy = format != nullptr ? format : "";
  guard.lock();
  wanted().swap(copy);
  guard.unlock();
}
TAKT_OMP std::size_t omp_get_affinity_format(char* buffer, std::size_t size) { return into(buffer, size, current()); }
TAKT_OMP void omp_display_affinity(const char* format) { std::fprintf(stderr, "%s\n", shown(format).c_str()); }
TAKT_OMP std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return into(buffer, size, shown(format));
}

// As LLVM's omp.h has them.
TAKT_OMP void ompc_set_affinity_format(const char* format) { omp_set_affinity_format(format); }
TAKT_OMP std::size_t ompc_get_affinity_format(char* buffer, std::size_t size) {
  return omp_get_affinity_format(buffer, size);
}
TAKT_OMP void ompc_display_affinity(const char* format) { omp_display_affinity(format); }
TAKT_OMP std::size_t ompc_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return omp_capture_affinity(buffer, size, format);
}
