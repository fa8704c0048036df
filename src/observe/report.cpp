#include "observe/report.hpp"

#include "memory/ledger.hpp"
#include "memory/memory_keeper.hpp"
#include "memory/places.hpp"
#include "platform/files.hpp"
#include "settings/known_settings.hpp"
#include "settings/values.hpp"
#include "observe/decimal.hpp"
#include "observe/table.hpp"
#include "observe/trace.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>

namespace takt::core {

namespace {

void put(std::string& out, const char* name, std::uint64_t value) {
  out += '"';
  out += name;
  out += "\":";
  out += std::to_string(value);
  out += ',';
}

void put_seconds(std::string& out, const char* name, std::uint64_t ticks, double rate) {
  out += '"';
  out += name;
  out += "\":";
  out += trace::decimal(static_cast<double>(ticks) / rate, 6).text();
  out += ',';
}

struct reported {
  const char* name;
  counter counters::* counts;
};
constexpr reported k_counts[] = {
    {"beats_due", &counters::beats_due},
    {"beats_taken", &counters::beats_taken},
    {"polls", &counters::polls},
    {"promotions_forks", &counters::promotions_forks},
    {"promotions_loops", &counters::promotions_loops},
    {"promotions_groups", &counters::promotions_groups},
    {"tasks_handed", &counters::tasks_handed},
    {"steals_tried", &counters::steals_tried},
    {"steals_done", &counters::steals_done},
    {"suspensions", &counters::suspensions},
    {"waits_in_place", &counters::held},
    {"memory_waits", &counters::memory_waits},
    {"interrupts_sent", &counters::interrupts_sent},
    {"interrupts_used", &counters::interrupts_used},
};
constexpr reported k_ticks[] = {
    {"working_s", &counters::working_ticks},
    {"idle_s", &counters::idle_ticks},
    {"asleep_s", &counters::asleep_ticks},
};

// Trailing zeros say nothing: the array ends at the deepest promotion, or the farthest steal.
void put_counts(std::string& out, const char* name, std::span<const std::uint64_t> counts) {
  while (!counts.empty() && counts.back() == 0) counts = counts.first(counts.size() - 1);
  out += '"';
  out += name;
  out += "\":[";
  for (const std::uint64_t& count : counts) {
    if (&count != counts.data()) out += ',';
    out += std::to_string(count);
  }
  out += "],";
}

// Of one worker, or of all.
struct total {
  std::uint64_t counts[std::size(k_counts)] = {};
  std::array<std::uint64_t, k_other_counts.size()> others{};
  std::uint64_t ticks[std::size(k_ticks)] = {};
  std::uint64_t depths[counters::k_depths] = {};
  std::uint64_t distances[counters::k_distances] = {};

  void add(const counters& c) {
    for (std::size_t i = 0; i < std::size(counts); ++i) counts[i] += (c.*k_counts[i].counts).get();
    auto* other = others.data();
    for (const other_count& o : k_other_counts) *other++ += (c.*o.counts).get();
    for (std::size_t i = 0; i < std::size(ticks); ++i) ticks[i] += (c.*k_ticks[i].counts).get();
    for (std::size_t d = 0; d < std::size(depths); ++d) depths[d] += c.promotions_by_depth[d].get();
    for (std::size_t d = 0; d < std::size(distances); ++d) distances[d] += c.steals_by_distance[d].get();
  }

  void add(const total& other) {
    for (std::size_t i = 0; i < std::size(counts); ++i) counts[i] += other.counts[i];
    auto* sum = others.data();
    for (const std::uint64_t n : other.others) *sum++ += n;
    for (std::size_t i = 0; i < std::size(ticks); ++i) ticks[i] += other.ticks[i];
    for (std::size_t d = 0; d < std::size(depths); ++d) depths[d] += other.depths[d];
    for (std::size_t d = 0; d < std::size(distances); ++d) distances[d] += other.distances[d];
  }

  void put_fields(std::string& out, double rate) const {
    for (std::size_t i = 0; i < std::size(counts); ++i) put(out, k_counts[i].name, counts[i]);
    const auto* other = others.data();
    for (const other_count& o : k_other_counts) put(out, o.name, *other++);
    put_counts(out, "promotions_by_depth", depths);
    put_counts(out, "steals_by_distance", distances);
    for (std::size_t i = 0; i < std::size(ticks); ++i) put_seconds(out, k_ticks[i].name, ticks[i], rate);
  }
};

void close_object(std::string& out) {
  if (out.back() == ',') out.pop_back();
  out += '}';
}

// Names can be any bytes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    out += plain ? c : '?';
  }
  return out + '"';
}

// `,"memory_places":[...]`, or nothing.
std::string memory_places_json() {
  if (!memory_places::is_asked()) return {};
  std::string out = ",\"memory_places\":[";
  for (const memory_places::held& h : memory_places::all()) {
    if (out.back() == '}') out += ',';
    out += "{\"place\":" + quoted(h.place) + ',';
    put(out, "at_peak_bytes", static_cast<std::uint64_t>(h.at_peak));
    put(out, "peak_bytes", static_cast<std::uint64_t>(h.most));
    put(out, "now_bytes", static_cast<std::uint64_t>(h.now));
    close_object(out);
  }
  return out + ']';
}

// `,"unknown_settings":[...]`, or nothing. At exit only: the environment may be changed while it is looked at.
std::string unknown_settings_json() {
  std::string out;
  for (const settings::unknown_setting& u : settings::unknown_settings()) {
    out += out.empty() ? ",\"unknown_settings\":[{\"name\":" : ",{\"name\":";
    out += quoted(u.name);
    out += u.nearest.empty() ? ",\"nearest\":null}" : ",\"nearest\":\"" + std::string(u.nearest) + "\"}";
  }
  return out.empty() ? out : out + "]";
}

void write_report_of(runtime& r) {
  const std::string& where = r.settings.stats;
  if (where.empty()) return;
  const bool is_table = where == "1";
  std::string text;
  try {
    text = is_table ? format_table(r) : format_report(r);
    if (!is_table) text.insert(text.size() - 1, unknown_settings_json()) += '\n';
  } catch (...) {
    return;  // no memory left at exit: nothing to report with
  }
  if (is_table || where == "json") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  const auto [file, why] = platform::open_to_write(where.c_str());
  if (file == nullptr) {
    std::fprintf(stderr, "takt: cannot write TAKT_STATS file '%s': %s\n", where.c_str(), why);
    return;
  }
  const bool written = std::fputs(text.c_str(), file) >= 0;
  if (std::fclose(file) != 0 || !written)
    std::fprintf(stderr, "takt: cannot write TAKT_STATS file '%s'\n", where.c_str());
}

void write_report() {
  process::begin_call();
  // A child of fork(2) that has made no call has nothing to report.
  if (runtime* const r = process::current(); r != nullptr) write_report_of(*r);
  process::end_call();
}

}  // namespace

std::string format_report(runtime& r) {
  const std::lock_guard guard(r.workers_mutex);
  const auto& workers = r.workers;
  // Each counter is read once: threads that fall asleep meanwhile must not make the sum disagree with its parts.
  std::vector<total> each(workers.size());
  total all;
  std::int64_t memory_now = memory_ledger::now();
  for (std::size_t i = 0; i < workers.size(); ++i) {
    each[i].add(workers[i]->stats);
    all.add(each[i]);
    memory_now += workers[i]->memory.untold();
  }
  std::string out = "{";
  put(out, "workers", r.worker_count());
  put(out, "beat_us", static_cast<std::uint64_t>(r.settings.beat.count()));
  out += "\"trigger\":\"";
  out += settings::name_of(settings::k_triggers, r.settings.trigger);
  out += "\",\"policy\":\"";
  out += settings::name_of(settings::k_policies, r.settings.policy);
  out += "\",\"memory\":" + std::to_string(r.settings.memory);
  out += ",\"memory_need\":" + std::to_string(r.settings.memory_need);
  const std::int64_t memory_peak = std::max<std::int64_t>(memory_ledger::peak(), 0);
  // As it is to be set.
  if (r.worker_count() == 1 && memory_peak != 0) {
    out += ",\"memory_setting\":\"TAKT_MEMORY_NEED=" + std::to_string(memory_peak) + '"';
  }
  out += ",\"total\":{";
  all.put_fields(out, r.tick_rate);
  // While code runs, what one has taken and another gives back may be seen in the wrong order.
  put(out, "memory_now_bytes", static_cast<std::uint64_t>(std::max<std::int64_t>(memory_now, 0)));
  put(out, "memory_peak_bytes", static_cast<std::uint64_t>(memory_peak));
  put(out, "memory_beyond_need_bytes", static_cast<std::uint64_t>(r.memory->beyond_need()));
  put(out, "stacks_live", r.fibers.live());
  put(out, "stacks_peak", r.fibers.peak());
  put(out, "threads_started", r.threads_started());
  put(out, "threads_allowed", r.threads_allowed());
  put(out, "threads_refused", r.threads_refused());
  close_object(out);
  out += memory_places_json();
  out += ",\"per_worker\":[";
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (i != 0) out += ',';
    out += '{';
    put(out, "worker", i);
    each[i].put_fields(out, r.tick_rate);
    close_object(out);
  }
  out += "]}";
  return out;
}

void report_at_exit(const config& settings) {
  trace::begin(settings);
  if (settings.stats.empty()) return;
  // Only one thread at a time comes here. A static's guard could be copied by a fork.
  static bool registered = false;
  if (!registered) registered = std::atexit(&write_report) == 0;
}

}  // namespace takt::core
