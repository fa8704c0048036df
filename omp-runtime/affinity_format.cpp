// What omp_display_affinity shows (OpenMP 5.1, section 6.14). Threads are not bound: each may use all CPUs of the process.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {
namespace {

std::string host() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "node";
}

// Of CPUs: 0-3,6
std::string usable_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "?";
  std::string all;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &set)) continue;
    int last = i;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    all += (all.empty() ? "" : ",") + std::to_string(i) + (last > i ? "-" + std::to_string(last) : "");
    i = last;
  }
  return all;
}

struct field {
  char letter;
  const char* name;
};
constexpr field k_fields[] = {{'t', "team_num"},         {'T', "num_teams"},  {'L', "nesting_level"},
                              {'n', "thread_num"},       {'N', "num_threads"}, {'a', "ancestor_tnum"},
                              {'H', "host"},             {'P', "process_id"},  {'i', "native_thread_id"},
                              {'A', "thread_affinity"}};

std::string value_of(char letter, const member& m) {
  const team& t = *m.in;
  switch (letter) {
    case 't': return std::to_string(t.team_number);
    case 'T': return std::to_string(t.teams);
    case 'L': return std::to_string(t.level);
    case 'n': return std::to_string(m.number);
    case 'N': return std::to_string(t.size);
    case 'a': return std::to_string(t.level > 0 && t.parent != nullptr ? static_cast<int>(t.parent->number) : -1);
    case 'H': return host();
    case 'P': return std::to_string(getpid());
    case 'i': return std::to_string(syscall(SYS_gettid));
    case 'A': return usable_cpus();
    default: return "undefined";
  }
}

// %[0][.][width]letter, or {name} for the letter.
std::string expand(const char* at, const member& m) {
  std::string out;
  while (*at != '\0') {
    if (*at != '%') {
      out += *at++;
      continue;
    }
    if (*++at == '%') {
      out += *at++;
      continue;
    }
    const bool has_zeros = *at == '0';
    if (has_zeros) ++at;
    const bool is_right = *at == '.';
    if (is_right) ++at;
    std::size_t width = 0;
    for (; std::isdigit(static_cast<unsigned char>(*at)) != 0; ++at) {
      width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(*at - '0'), 1024);
    }
    char letter = '?';
    if (*at == '{') {
      const char* const end = std::strchr(at, '}');
      if (end == nullptr) break;
      const std::string name(at + 1, end);
      for (const field& f : k_fields) {
        if (name == f.name) letter = f.letter;
      }
      at = end + 1;
    } else if (*at != '\0') {
      letter = *at++;
    }
    std::string value = value_of(letter, m);
    const std::size_t room = width > value.size() ? width - value.size() : 0;
    const bool is_number = std::strchr("HA?", letter) == nullptr;
    if (!is_right) {
      out += value + std::string(room, ' ');
    } else if (has_zeros && is_number) {
      const bool is_negative = value.front() == '-';
      out += (is_negative ? "-" : "") + std::string(room, '0') + value.substr(is_negative ? 1 : 0);
    } else {
      out += std::string(room, ' ') + value;
    }
  }
  return out;
}

std::string expand_given(const char* format) {
  const bool is_given = format != nullptr && *format != '\0';
  return expand(is_given ? format : the_environment().affinity_format.c_str(), me());
}

std::size_t copy_out(const std::string& text, char* buffer, std::size_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t n = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  return text.size();
}

// For Fortran: filled up with blanks.
std::size_t copy_padded(const std::string& text, char* buffer, std::size_t size) {
  const std::size_t n = std::min(text.size(), size);
  std::memcpy(buffer, text.data(), n);
  std::memset(buffer + n, ' ', size - n);
  return text.size();
}

std::string trimmed(const char* text, std::size_t size) {
  while (size > 0 && text[size - 1] == ' ') --size;
  return {text, size};
}

}  // namespace

void show_affinity(const member& m) {
  std::fprintf(stderr, "%s\n", expand(the_environment().affinity_format.c_str(), m).c_str());
}

}  // namespace takt::openmp

using namespace takt::openmp;

TAKT_OMP void omp_set_affinity_format(const char* format) { the_environment().affinity_format = format; }
TAKT_OMP std::size_t omp_get_affinity_format(char* buffer, std::size_t size) {
  return copy_out(the_environment().affinity_format, buffer, size);
}
TAKT_OMP void omp_display_affinity(const char* format) { std::printf("%s\n", expand_given(format).c_str()); }
TAKT_OMP std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return copy_out(expand_given(format), buffer, size);
}

// --- as LLVM's omp.h calls them
TAKT_OMP void ompc_set_affinity_format(const char* format) { omp_set_affinity_format(format); }
TAKT_OMP std::size_t ompc_get_affinity_format(char* buffer, std::size_t size) {
  return omp_get_affinity_format(buffer, size);
}
TAKT_OMP void ompc_display_affinity(const char* format) { omp_display_affinity(format); }
TAKT_OMP std::size_t ompc_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return omp_capture_affinity(buffer, size, format);
}

// --- Fortran: the lengths of strings come last
TAKT_OMP void omp_set_affinity_format_(const char* format, std::size_t size) {
  the_environment().affinity_format = trimmed(format, size);
}
TAKT_OMP int omp_get_affinity_format_(char* buffer, std::size_t size) {
  return static_cast<int>(copy_padded(the_environment().affinity_format, buffer, size));
}
TAKT_OMP void omp_display_affinity_(const char* format, std::size_t size) {
  omp_display_affinity(trimmed(format, size).c_str());
}
TAKT_OMP int omp_capture_affinity_(char* buffer, const char* format, std::size_t size, std::size_t format_size) {
  return static_cast<int>(copy_padded(expand_given(trimmed(format, format_size).c_str()), buffer, size));
}
