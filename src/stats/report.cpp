#include "stats/report.hpp"

#include "memory/ledger.hpp"
#include "memory/places.hpp"
#include "settings/known_settings.hpp"
#include "trace/decimal.hpp"
#include "trace/trace.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

struct total {
  std::uint64_t beats_due = 0, beats_taken = 0, polls = 0, forks = 0, loops = 0, groups = 0, handed = 0, tried = 0,
                done = 0, suspensions = 0, held = 0, sleeps = 0, rounds = 0, wakes = 0, waits = 0, sent = 0, used = 0,
                working = 0, idle = 0, asleep = 0;
  std::uint64_t depths[counters::k_depths] = {};

  void add(const counters& c) {
    beats_due += c.beats_due.get();
    beats_taken += c.beats_taken.get();
    polls += c.polls.get();
    forks += c.promotions_forks.get();
    loops += c.promotions_loops.get();
    groups += c.promotions_groups.get();
    handed += c.tasks_handed.get();
    tried += c.steals_tried.get();
    done += c.steals_done.get();
    suspensions += c.suspensions.get();
    held += c.held.get();
    sleeps += c.memory_sleeps.get();
    rounds += c.memory_rounds.get();
    wakes += c.memory_wakes.get();
    waits += c.memory_waits.get();
    sent += c.interrupts_sent.get();
    used += c.interrupts_used.get();
    working += c.working_ticks.get();
    idle += c.idle_ticks.get();
    asleep += c.asleep_ticks.get();
    for (std::size_t d = 0; d < counters::k_depths; ++d) depths[d] += c.promotions_by_depth[d].get();
  }

  void add(const total& other) {
    beats_due += other.beats_due;
    beats_taken += other.beats_taken;
    polls += other.polls;
    forks += other.forks;
    loops += other.loops;
    groups += other.groups;
    handed += other.handed;
    tried += other.tried;
    done += other.done;
    suspensions += other.suspensions;
    held += other.held;
    sleeps += other.sleeps;
    rounds += other.rounds;
    wakes += other.wakes;
    waits += other.waits;
    sent += other.sent;
    used += other.used;
    working += other.working;
    idle += other.idle;
    asleep += other.asleep;
    for (std::size_t d = 0; d < counters::k_depths; ++d) depths[d] += other.depths[d];
  }

  void put_fields(std::string& out, double rate) const {
    put(out, "beats_due", beats_due);
    put(out, "beats_taken", beats_taken);
    put(out, "polls", polls);
    put(out, "promotions_forks", forks);
    put(out, "promotions_loops", loops);
    put(out, "promotions_groups", groups);
    // Trailing zeros say nothing: the array ends at the deepest promotion.
    std::size_t last = counters::k_depths;
    while (last > 0 && depths[last - 1] == 0) --last;
    out += "\"promotions_by_depth\":[";
    for (std::size_t d = 0; d < last; ++d) {
      if (d != 0) out += ',';
      out += std::to_string(depths[d]);
    }
    out += "],";
    put(out, "tasks_handed", handed);
    put(out, "steals_tried", tried);
    put(out, "steals_done", done);
    put(out, "suspensions", suspensions);
    put(out, "waits_in_place", held);
    put(out, "memory_sleeps", sleeps);
    put(out, "memory_rounds", rounds);
    put(out, "memory_wakes", wakes);
    put(out, "memory_waits", waits);
    put(out, "interrupts_sent", sent);
    put(out, "interrupts_used", used);
    put_seconds(out, "working_s", working, rate);
    put_seconds(out, "idle_s", idle, rate);
    put_seconds(out, "asleep_s", asleep, rate);
  }
};

void close_object(std::string& out) {
  if (out.back() == ',') out.pop_back();
  out += '}';
}

const char* name_of(trigger t) {
  switch (t) {
    case trigger::beat:
      return "beat";
    case trigger::eager:
      return "eager";
    case trigger::never:
      return "never";
    case trigger::request:
      return "request";
    case trigger::lazy:
      return "lazy";
  }
  return "";
}

const char* name_of(takt::policy p) {
  switch (p) {
    case takt::policy::adws:
      return "adws";
    case takt::policy::ml_random:
      return "ml-random";
    case takt::policy::ml_adws:
      return "ml-adws";
    case takt::policy::sb:
      return "sb";
    case takt::policy::automatic:
    case takt::policy::random:
      break;
  }
  return "random";
}

const char* name_of(memory_policy p) {
  switch (p) {
    case memory_policy::none:
      return "none";
    case memory_policy::hybrid:
      return "hybrid";
    case memory_policy::asyncdf:
      return "asyncdf";
  }
  return "";
}

const char* name_of(balancer b) {
  switch (b) {
    case balancer::concurrent:
      return "concurrent";
    case balancer::private_:
      return "private";
    case balancer::mixed:
      return "mixed";
  }
  return "";
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

void write_report() {
  // A child of fork(2) that has made no call has nothing to report.
  if (process::in_force.load(sync::relaxed) == nullptr) return;
  config settings;
  std::string text;
  try {
    settings = current_config();
    if (settings.stats.empty()) return;
    text = stats_json();
    text.insert(text.size() - 1, unknown_settings_json());
    text += '\n';
  } catch (...) {
    return;  // no memory left at exit: nothing to report with
  }
  if (settings.stats == "1") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  std::FILE* file = std::fopen(settings.stats.c_str(), "we");
  const bool written = file != nullptr && std::fputs(text.c_str(), file) >= 0;
  if (file == nullptr || std::fclose(file) != 0 || !written)
    std::fprintf(stderr, "takt: cannot write TAKT_STATS file '%s'\n", settings.stats.c_str());
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
    memory_now += workers[i]->unreported.load(sync::relaxed);
  }
  std::string out = "{";
  put(out, "workers", r.worker_count());
  put(out, "beat_us", static_cast<std::uint64_t>(r.settings.beat.count()));
  out += "\"trigger\":\"";
  out += name_of(r.settings.trigger);
  out += "\",\"balancer\":\"";
  out += name_of(r.settings.balancer);
  out += "\",\"policy\":\"";
  // Whatever the settings say, there is one order then (src/policy/README.md).
  out += r.settings.memory_policy == memory_policy::asyncdf ? "depth_first" : name_of(r.settings.policy);
  out += "\",\"memory_policy\":\"";
  out += name_of(r.settings.memory_policy);
  out += "\",\"memory\":" + std::to_string(r.settings.memory) + ",\"total\":{";
  all.put_fields(out, r.tick_rate);
  // While code runs, what one has taken and another gives back may be seen in the wrong order.
  put(out, "memory_now_bytes", static_cast<std::uint64_t>(std::max<std::int64_t>(memory_now, 0)));
  put(out, "memory_peak_bytes", static_cast<std::uint64_t>(std::max<std::int64_t>(memory_ledger::peak(), 0)));
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
