#include "observe/table.hpp"

#include "memory/ledger.hpp"
#include "memory/places.hpp"
#include "observe/decimal.hpp"
#include "settings/known_settings.hpp"
#include "settings/values.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace takt::core {

namespace {

// Of a machine with many workers the first ones and the sum tell enough.
constexpr std::size_t k_most_rows = 16;
constexpr std::size_t k_most_places = 10;

struct row {
  std::uint64_t working = 0;
  std::uint64_t idle = 0;
  std::uint64_t asleep = 0;
  std::array<std::uint64_t, 4> counts{};

  void add(const row& other) {
    working += other.working;
    idle += other.idle;
    asleep += other.asleep;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  }
};

row row_of(const counters& c) {
  const std::uint64_t promotions = c.promotions_forks.get() + c.promotions_loops.get() + c.promotions_groups.get();
  return {c.working_ticks.get(),
          c.idle_ticks.get(),
          c.asleep_ticks.get(),
          {c.beats_due.get(), promotions, c.steals_done.get(), c.suspensions.get()}};
}

constexpr std::string_view k_titles[] = {"", "working", "idle", "asleep", "busy", "beats", "promotions", "steals",
                                         "suspensions"};
constexpr std::size_t k_widths[] = {10, 11, 11, 11, 6, 10, 12, 10, 13};

// The first column is text, the others are numbers.
void put_cell(std::string& out, std::size_t column, std::string_view text) {
  const std::size_t width = k_widths[column];
  const std::string blanks(text.size() < width ? width - text.size() : 0, ' ');
  if (column != 0) out += blanks;
  out += text;
  if (column == 0) out += blanks;
}

void put_row(std::string& out, std::string_view name, const row& r, double rate) {
  std::size_t column = 0;
  put_cell(out, column++, name);
  for (const std::uint64_t ticks : {r.working, r.idle, r.asleep}) {
    put_cell(out, column++, std::string(trace::decimal(static_cast<double>(ticks) / rate, 3).text()) + " s");
  }
  const auto awake = static_cast<double>(r.working + r.idle);
  const double share = awake == 0 ? 0 : 100 * static_cast<double>(r.working) / awake;
  put_cell(out, column++, awake == 0 ? std::string("-") : std::string(trace::decimal(share, 0).text()) + "%");
  for (const std::uint64_t count : r.counts) put_cell(out, column++, std::to_string(count));
  out += '\n';
}

std::string size(std::int64_t bytes) {
  constexpr std::int64_t k_mib = std::int64_t{1} << 20;
  if (bytes < k_mib) return std::to_string(bytes) + " bytes";
  return std::string(trace::decimal(static_cast<double>(bytes) / static_cast<double>(k_mib), 1).text()) + " MiB";
}

void put_memory(std::string& out, runtime& r) {
  const std::int64_t peak = memory_ledger::peak();
  if (peak <= 0) return;
  std::uint64_t waits = 0;
  for (const auto& w : r.workers) waits += w->stats.memory_waits.get();
  out += "memory: " + size(peak) + " at the peak, " + std::to_string(waits) + " waits for the budget";
  if (r.worker_count() == 1) out += "; TAKT_MEMORY_NEED=" + std::to_string(peak);
  out += '\n';
  if (!memory_places::is_asked()) return;
  std::size_t left = k_most_places;
  for (const memory_places::held& h : memory_places::all()) {
    if (left-- == 0) break;
    out += "  " + size(static_cast<std::int64_t>(h.at_peak)) + " of it: ";
    // Names can be any bytes.
    for (const char c : std::string_view(h.place)) out += c >= 0x20 && c < 0x7f ? c : '?';
    out += '\n';
  }
}

}  // namespace

std::string format_table(runtime& r) {
  const std::lock_guard guard(r.workers_mutex);
  std::string out = "takt: " + std::to_string(r.worker_count()) + (r.worker_count() == 1 ? " worker" : " workers");
  out += ", a beat of " + std::to_string(r.settings.beat.count()) + " us, trigger ";
  out += settings::name_of(settings::k_triggers, r.settings.trigger);
  out += ", policy ";
  out += settings::name_of(settings::k_policies, r.settings.policy);
  out += '\n';
  for (std::size_t column = 0; column < std::size(k_titles); ++column) put_cell(out, column, k_titles[column]);
  out += '\n';
  row all;
  for (std::size_t i = 0; i < r.workers.size(); ++i) {
    const row one = row_of(r.workers[i]->stats);
    all.add(one);
    if (i < k_most_rows) put_row(out, "worker " + std::to_string(i), one, r.tick_rate);
  }
  if (r.workers.size() > k_most_rows) out += "and " + std::to_string(r.workers.size() - k_most_rows) + " more\n";
  put_row(out, "all", all, r.tick_rate);
  put_memory(out, r);
  for (const settings::unknown_setting& u : settings::unknown_settings()) out += "not a setting: " + u.name + '\n';
  return out + "TAKT_STATS=json has all numbers\n";
}

}  // namespace takt::core
