// The trace as a file: Chrome's trace-event format, which Perfetto reads, too. See README.md beside this file.
#include "platform/cancellation.hpp"
#include "platform/files.hpp"
#include "platform/platform.hpp"
#include "observe/decimal.hpp"
#include "observe/rings.hpp"
#include "worker/runtime.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::trace {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    // What is no text in a name, and what might not be UTF-8, helps nobody.
    out += byte >= 0x20 && byte < 0x7f ? c : '?';
  }
  return out + "\"";
}

/// A fork or loop, by the function of its tasks, as the tools that read debug information count: an address in its
/// file.
struct site_name {
  std::string object;
  std::uintptr_t address = 0;
  std::string symbol;  ///< if the loader knows it
  std::string shown;
};

site_name name_of(const void* function) {
  site_name name;
  Dl_info found{};
  if (::dladdr(function, &found) == 0) {
    name.shown = "unknown code";
    return name;
  }
  name.address = reinterpret_cast<std::uintptr_t>(function);
  if (static_cast<const ElfW(Ehdr)*>(found.dli_fbase)->e_type != ET_EXEC)
    name.address -= reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  // The program's own name may be relative to a folder that it has left.
  char self[4096];
  const bool is_program = std::strchr(found.dli_fname, '/') == nullptr || found.dli_fname[0] != '/';
  const ssize_t length = is_program ? ::readlink("/proc/self/exe", self, sizeof self) : -1;
  name.object = length > 0 ? std::string(self, static_cast<std::size_t>(length)) : std::string(found.dli_fname);
  if (found.dli_saddr == function && found.dli_sname != nullptr) {
    int status = 0;
    char* const readable = ::abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status);
    name.symbol = readable != nullptr ? readable : found.dli_sname;
    std::free(readable);
  }
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%" PRIxPTR, name.address);
  name.shown = !name.symbol.empty() ? name.symbol : name.object.substr(name.object.rfind('/') + 1) + offset;
  return name;
}

// What a worker is doing between two events.
enum class doing { outside, idle, runs, asleep };

class writer {
 public:
  explicit writer(std::FILE* file) : file_(file), pid_(static_cast<int>(::getpid())) {}

  void write() {
    rate_ = platform::threads().ticks_per_second();
    end_ = platform::threads().now();
    std::fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", file_);
    std::fprintf(file_, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"args\":{\"name\":%s}}", pid_,
                 quoted(program_invocation_short_name).c_str());
    for (unsigned w = 0; w < k_most_rings; ++w) {
      if (rings[w].written.load(sync::relaxed) != 0 || rings[w].untraced.load(sync::relaxed) != 0) write_worker(w);
    }
    std::fputs("\n],\"otherData\":{", file_);
    write_rest();
    std::fputs("}}\n", file_);
  }

 private:
  double us(std::uint64_t ticks) const {
    return ticks <= the_state.began ? 0 : static_cast<double>(ticks - the_state.began) / rate_ * 1e6;
  }

  std::size_t site_number(const void* function) {
    const auto [found, added] = numbers_.try_emplace(function, sites_.size());
    if (added) {
      sites_.push_back(name_of(function));
      shown_.push_back(quoted(sites_.back().shown));
    }
    return found->second;
  }

  void begin_event(const char* phase, unsigned w, double at) {
    std::fprintf(file_, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":%s", phase, pid_, w, decimal(at, 3).text());
  }

  void span(unsigned w, std::uint64_t from, std::uint64_t to, const char* name) {
    if (to <= from) return;
    begin_event("X", w, us(from));
    std::fprintf(file_, ",\"dur\":%s,\"cat\":\"%s\",\"name\":\"%s\"}", decimal(us(to) - us(from), 3).text(), name,
                 name);
  }

  void running(unsigned w, std::uint64_t from, std::uint64_t to, const void* site, std::uint64_t detail,
               bool seen_end) {
    const std::size_t n = site_number(site);
    begin_event("X", w, us(from));
    const bool done = seen_end && (detail & 1) != 0;
    std::fprintf(file_, ",\"dur\":%s,\"cat\":\"%s\",\"name\":%s,\"args\":{\"site\":%zu,\"then\":\"%s\"}}",
                 decimal(us(to) - us(from), 3).text(), (detail & 2) != 0 ? "call" : "task", shown_[n].c_str(), n,
                 !seen_end ? "still runs" : done ? "done" : "waits");
  }

  void write_worker(unsigned w) {
    const ring& r = rings[w];
    const std::uint64_t written = r.written.load(sync::relaxed);
    std::uint64_t dropped = r.untraced.load(sync::relaxed);
    // EDGE trace.ring
    const event* const events = r.events.load(sync::acquire);
    const std::uint64_t first = written > the_state.capacity ? written - the_state.capacity + 1 : 1;
    std::uint64_t kept = 0;
    doing now = doing::outside;
    std::uint64_t since = 0;
    const void* site = nullptr;
    std::uint64_t detail = 0;
    bool is_pool = false;
    std::fprintf(file_,
                 ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":\"worker %u\"}}",
                 pid_, w, w);
    std::fprintf(file_,
                 ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
                 pid_, w, w);
    std::uint64_t earliest = 0;
    for (std::uint64_t n = first; events != nullptr && n <= written; ++n) {
      plain_event e{};
      // Overwritten meanwhile by a worker that goes on, or not whole yet.
      if (!events[n % the_state.capacity].read(n, e)) continue;
      ++kept;
      if (earliest == 0) {
        earliest = e.time;
        since = e.time;
      }
      // A worker that goes on may be ahead of the moment at which this began.
      if (e.time > end_) end_ = e.time;
      switch (e.what) {
        case kind::thread_begins:
          is_pool = true;
          [[fallthrough]];
        case kind::call_begins:
          close(w, now, since, e.time, site, detail);
          now = doing::idle;
          break;
        case kind::call_ends:
        case kind::thread_ends:
          close(w, now, since, e.time, site, detail);
          now = doing::outside;
          break;
        case kind::runs:
          close(w, now, since, e.time, site, detail);
          now = doing::runs;
          site = e.site;
          detail = e.detail;
          break;
        case kind::leaves:
          // Its beginning may have been dropped; then since is the first event that is there.
          running(w, since, e.time, e.site, e.detail, true);
          now = doing::idle;
          break;
        case kind::sleeps:
          close(w, now, since, e.time, site, detail);
          now = doing::asleep;
          break;
        case kind::wakes:
          span(w, since, e.time, "asleep");
          now = doing::idle;
          break;
        case kind::steal:
          begin_event("i", w, us(e.time));
          std::fprintf(file_, ",\"s\":\"t\",\"cat\":\"steal\",\"name\":\"steal\",\"args\":{\"victim\":%" PRIu64 "}}",
                       e.detail);
          continue;
        case kind::promotion:
          begin_event("i", w, us(e.time));
          std::fprintf(file_, ",\"s\":\"t\",\"cat\":\"promotion\",\"name\":\"promotion\",\"args\":{\"depth\":%" PRIu64,
                       e.detail);
          if (e.site != nullptr) std::fprintf(file_, ",\"site\":%zu", site_number(e.site));
          std::fputs("}}", file_);
          continue;
        case kind::beat:
          begin_event("i", w, us(e.time));
          std::fputs(",\"s\":\"t\",\"cat\":\"beat\",\"name\":\"beat\"}", file_);
          continue;
      }
      since = e.time;
    }
    if (now == doing::runs) {
      running(w, since, end_, site, detail, false);
    } else {
      close(w, now, since, end_, site, detail);
    }
    dropped += written - kept;
    char line[160];
    std::snprintf(line, sizeof line,
                  "%s{\"worker\":%u,\"thread\":\"%s\",\"events\":%" PRIu64 ",\"dropped\":%" PRIu64 ",\"from_us\":%s}",
                  workers_.empty() ? "" : ",", w, is_pool ? "takt" : "program", kept, dropped,
                  decimal(earliest == 0 ? 0.0 : us(earliest), 3).text());
    workers_ += line;
    dropped_ += dropped;
  }

  // Ends what the worker was doing. A fiber that was left without a word: its end has been dropped.
  void close(unsigned w, doing was, std::uint64_t since, std::uint64_t now, const void* site, std::uint64_t detail) {
    if (was == doing::runs) running(w, since, now, site, detail, false);
    if (was == doing::idle) span(w, since, now, "idle");
    if (was == doing::asleep) span(w, since, now, "asleep");
  }

  void write_rest() {
    const std::uint64_t lost = lost_workers.load(sync::relaxed);
    std::fprintf(file_,
                 "\"takt_trace\":1,\"pid\":%d,\"began_us\":%s,\"seconds\":%s,\"ring\":%" PRIu64 ",\"dropped\":%" PRIu64
                 ",\n\"workers\":[%s],\n\"runtimes\":[",
                 pid_, decimal(the_state.began_us, 3).text(), decimal(us(end_) * 1e-6, 6).text(), the_state.capacity,
                 dropped_ + lost, workers_.c_str());
    for (unsigned i = 0; i < the_state.runtimes && i < k_most_runtimes; ++i) {
      const runtime_note& n = the_state.notes[i];
      std::fprintf(file_, "%s{\"at_us\":%s,\"workers\":%u,\"beat_us\":%" PRIu64 "}", i == 0 ? "" : ",",
                   decimal(us(n.time), 3).text(), n.workers, n.beat_us);
    }
    std::fputs("],\n\"sites\":[", file_);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      std::fprintf(file_, "%s\n{\"object\":%s,\"address\":%" PRIuPTR ",\"name\":%s}", i == 0 ? "" : ",",
                   quoted(sites_[i].object).c_str(), sites_[i].address, quoted(sites_[i].symbol).c_str());
    }
    std::fputs("]", file_);
  }

  std::FILE* file_;
  int pid_;
  double rate_ = 1;
  std::uint64_t end_ = 0;
  std::uint64_t dropped_ = 0;
  std::string workers_;
  std::unordered_map<const void*, std::size_t> numbers_;
  std::vector<site_name> sites_;
  std::vector<std::string> shown_;
};

bool anything_recorded() noexcept {
  if (lost_workers.load(sync::relaxed) != 0) return true;
  for (const ring& r : rings) {
    if (r.written.load(sync::relaxed) != 0 || r.untraced.load(sync::relaxed) != 0) return true;
  }
  return false;
}

// "%p" stands for the process's number: several processes may be traced into one folder.
std::string path_of(std::string path) {
  for (std::size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at))
    path.replace(at, 2, std::to_string(::getpid()));
  return path;
}

void write_file(bool is_last) {
  // A child of fork(2) that has made no call has done nothing.
  if (!anything_recorded()) return;
  const platform::uncancelled here;
  std::string path;
  try {
    path = path_of(the_state.path);
    const auto [file, why] = platform::open_to_write(path.c_str());
    if (file == nullptr) {
      std::fprintf(stderr, "takt: cannot write TAKT_TRACE file '%s': %s\n", path.c_str(), why);
      return;
    }
    writer(file).write();
    errno = 0;
    const bool written = std::ferror(file) == 0;
    if (std::fclose(file) == 0 && written) {
      if (!is_last) std::fprintf(stderr, "takt: TAKT_TRACE file '%s' has what was done so far\n", path.c_str());
      return;
    }
    std::fprintf(stderr, "takt: cannot write TAKT_TRACE file '%s': %s\n", path.c_str(),
                 errno != 0 ? std::strerror(errno) : "no room");
  } catch (...) {
    std::fputs("takt: TAKT_TRACE: no memory at exit\n", stderr);
  }
  // Half a trace is none. Devices stay.
  struct stat found{};
  if (!path.empty() && ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode)) ::unlink(path.c_str());
}

/// Unless somebody does it. `is_last`: nobody does it again.
void try_to_write(bool is_last) {
  int now = state::k_not_yet;
  if (!the_state.writing.compare_exchange_strong(now, state::k_begun, sync::relaxed, sync::relaxed)) return;
  write_file(is_last);
  // EDGE trace.written: who ends the process ends it with a whole file.
  the_state.writing.store(is_last ? state::k_done : state::k_not_yet, sync::release);
}

}  // namespace

void write_at_exit() {
  try_to_write(true);
  // EDGE trace.written
  for (unsigned round = 0; the_state.writing.load(sync::acquire) != state::k_done; ++round) {
    platform::threads().relax(round);
    try_to_write(true);
  }
}

void write_on_request() { try_to_write(false); }

}  // namespace takt::trace
