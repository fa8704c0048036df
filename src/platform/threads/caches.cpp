// The kernel shows caches in /sys/devices/system/cpu/cpuN/cache/indexM: level, type, size, shared_cpu_list.
#include "platform/threads/caches.hpp"

#include "platform/threads/cgroups.hpp"
#include "platform/threads/cpu_set.hpp"

#include <sched.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>

namespace takt::platform {

namespace {

// "0-3,8"
std::optional<cpu_set> parse_list(std::string_view text) {
  cpu_set cpus;
  while (!text.empty()) {
    std::string_view range = take_field(text, ',');
    const auto first = parse_whole_number(take_field(range, '-'));
    const auto last = range.empty() ? first : parse_whole_number(range);
    if (!first || !last || *first < 0 || *last < *first || *last >= cpu_set::k_most) return std::nullopt;
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.add(static_cast<unsigned>(cpu));
  }
  return cpus;
}

// The kernel writes "32K", whatever the size.
std::optional<std::uint64_t> parse_kib(std::string_view text) {
  if (!text.ends_with('K')) return std::nullopt;
  text.remove_suffix(1);
  const auto kib = parse_whole_number(text);
  constexpr std::int64_t k_most_kib = std::int64_t{1} << 40;
  if (!kib || *kib <= 0 || *kib > k_most_kib) return std::nullopt;
  return static_cast<std::uint64_t>(*kib) << 10;
}

std::optional<std::string> read_line(const std::string& path) {
  auto text = read_small_file(path);
  if (text && text->ends_with('\n')) text->pop_back();
  return text;
}

// What one CPU has of a level; null: none.
const cpu_cache* find(const std::vector<cpu_cache>& caches, unsigned level, unsigned cpu) {
  for (const cpu_cache& c : caches) {
    if (c.level == level && c.cpus.has(cpu)) return &c;
  }
  return nullptr;
}

unsigned first_of(const cpu_set& cpus) { return cpus.after(-1); }

unsigned core_of(const std::vector<cpu_cache>& caches, unsigned cpu) {
  const cpu_cache* const own = find(caches, 1, cpu);
  return own == nullptr ? cpu : first_of(own->cpus);
}

bool is_of_one_core(const cpu_cache& c, const std::vector<cpu_cache>& caches) {
  unsigned cpu = first_of(c.cpus);
  for (const unsigned core = core_of(caches, cpu); cpu < cpu_set::k_most; cpu = c.cpus.after(static_cast<int>(cpu))) {
    if (core_of(caches, cpu) != core) return false;
  }
  return true;
}

struct seat {
  unsigned cpu;
  unsigned core;  ///< its first CPU
  unsigned rank;  ///< among the CPUs of its core
  /// From the outermost level inwards: whether it is another one than that of who asks, and its first CPU.
  std::vector<std::tuple<bool, unsigned>> caches;

  auto order() const { return std::tie(caches, core, rank); }
};

std::vector<unsigned> levels_of(const std::vector<cpu_cache>& caches) {
  std::vector<unsigned> levels;
  for (const cpu_cache& c : caches) levels.push_back(c.level);
  std::ranges::sort(levels, std::greater());
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  return levels;
}

std::vector<seat> seats_in_order(const cpu_set& cpus, const std::vector<cpu_cache>& caches, unsigned here) {
  const std::vector<unsigned> levels = levels_of(caches);
  std::vector<seat> all;
  for (unsigned cpu = first_of(cpus); cpu < cpu_set::k_most; cpu = cpus.after(static_cast<int>(cpu))) {
    seat s{cpu, core_of(caches, cpu), 0, {}};
    s.rank = static_cast<unsigned>(std::ranges::count(all, s.core, &seat::core));
    for (const unsigned level : levels) {
      const cpu_cache* const c = find(caches, level, cpu);
      s.caches.emplace_back(c == nullptr || !c->cpus.has(here), c == nullptr ? cpu_set::k_most : first_of(c->cpus));
    }
    all.push_back(std::move(s));
  }
  std::ranges::sort(all, {}, &seat::order);
  return all;
}

// The caches of one level; nothing: it is none among these workers.
std::vector<shared_cache> of_level(unsigned level, const std::vector<seat>& workers,
                                   const std::vector<cpu_cache>& caches, const cpu_set& cpus) {
  std::vector<shared_cache> found;
  std::vector<const cpu_cache*> known;
  bool is_shared = false;
  for (unsigned i = 0; i < workers.size(); ++i) {
    const cpu_cache* const c = find(caches, level, workers[i].cpu);
    if (c == nullptr) return {};
    if (!known.empty() && known.back() == c) {
      ++found.back().workers;
      is_shared = is_shared || workers[i].core != workers[i - 1].core;
      continue;
    }
    if (std::ranges::find(known, c) != known.end()) return {};
    known.push_back(c);
    const bool binds = c->cpus != cpus && !is_of_one_core(*c, caches);
    found.push_back({level, i, 1, c->bytes, binds ? c->cpus : cpu_set{}});
  }
  return is_shared ? found : std::vector<shared_cache>{};
}

}  // namespace

std::vector<cpu_cache> caches_of(const cpu_set& cpus, const std::string& root) {
  std::vector<cpu_cache> found;
  for (unsigned cpu = first_of(cpus); cpu < cpu_set::k_most; cpu = cpus.after(static_cast<int>(cpu))) {
    const std::string own = root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
    for (unsigned index = 0;; ++index) {
      const std::string directory = own + std::to_string(index);
      const auto type = read_line(directory + "/type");
      if (!type) break;
      const auto level = parse_whole_number(read_line(directory + "/level").value_or(""));
      if (*type == "Instruction" || !level || *level < 1 || *level > 9) continue;
      const auto number = static_cast<unsigned>(*level);
      if (find(found, number, cpu) != nullptr) continue;
      const auto bytes = parse_kib(read_line(directory + "/size").value_or(""));
      auto sharers = parse_list(read_line(directory + "/shared_cpu_list").value_or(""));
      if (!bytes || !sharers || !sharers->has(cpu)) continue;
      sharers->keep(cpus);
      found.push_back({number, *bytes, *sharers});
    }
  }
  return found;
}

seats arrange_seats(unsigned workers, const cpu_set& cpus, const std::vector<cpu_cache>& caches, unsigned here) {
  std::vector<seat> all = seats_in_order(cpus, caches, here);
  if (workers == 0 || workers > all.size()) return {};
  std::ranges::sort(all, {}, [](const seat& s) { return std::tuple(s.rank, s.order()); });
  all.resize(workers);
  std::ranges::sort(all, {}, &seat::order);
  seats found;
  for (const seat& s : all) found.cpus.push_back(s.cpu);
  for (const unsigned level : levels_of(caches)) {
    const std::vector<shared_cache> these = of_level(level, all, caches, cpus);
    // Inside of those that are there: no cache of this level goes beyond one of theirs.
    const bool nests = std::ranges::all_of(these, [&](const shared_cache& inner) {
      return std::ranges::all_of(found.caches, [&](const shared_cache& outer) {
        return inner.first + inner.workers <= outer.first || outer.first + outer.workers <= inner.first ||
               (outer.first <= inner.first && inner.first + inner.workers <= outer.first + outer.workers);
      });
    });
    if (nests) found.caches.insert(found.caches.end(), these.begin(), these.end());
  }
  return found;
}

seats find_seats(unsigned workers) {
  const cpu_set cpus = cpus_of_process();
  const int here = sched_getcpu();
  return arrange_seats(workers, cpus, caches_of(cpus), here < 0 ? first_of(cpus) : static_cast<unsigned>(here));
}

}  // namespace takt::platform
