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
  unsigned core;   ///< its first CPU
  unsigned place;  ///< that it is in, by number; 0 if they are not listed
  unsigned rank;   ///< among the CPUs of what has one worker before any has two
  /// From the outermost level inwards: whether it is another one than that of who asks, its first place and CPU.
  std::vector<std::tuple<bool, unsigned, unsigned>> caches;

  auto order() const { return std::tie(caches, place, core, rank, cpu); }
};

std::vector<unsigned> levels_of(const std::vector<cpu_cache>& caches) {
  std::vector<unsigned> levels;
  for (const cpu_cache& c : caches) levels.push_back(c.level);
  std::ranges::sort(levels, std::greater());
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  return levels;
}

std::vector<unsigned> cpus_in(const cpu_set& set) {
  std::vector<unsigned> cpus;
  for (unsigned cpu = first_of(set); cpu < cpu_set::k_most; cpu = set.after(static_cast<int>(cpu))) cpus.push_back(cpu);
  return cpus;
}

// Of each of `cpus`, in their order: the number of its first place, counted from that of `here` on. Without a list: 0.
std::vector<unsigned> places_of(const std::vector<unsigned>& cpus, const std::vector<cpu_set>& list, unsigned here) {
  const auto all = static_cast<unsigned>(list.size());
  const auto of = [&list](unsigned cpu) {
    return static_cast<unsigned>(std::ranges::find_if(list, [cpu](const cpu_set& p) { return p.has(cpu); }) -
                                 list.begin());
  };
  std::vector<unsigned> found(cpus.size(), 0);
  if (all == 0) return found;
  const unsigned first = of(here) % all;
  std::ranges::transform(cpus, found.begin(), [&](unsigned cpu) { return (of(cpu) + all - first) % all; });
  return found;
}

std::vector<seat> seats_in_order(const cpu_set& set, const std::vector<cpu_cache>& caches, unsigned here,
                                 const places& where) {
  const std::vector<unsigned> levels = levels_of(caches);
  const std::vector<unsigned> cpus = cpus_in(set);
  const std::vector<unsigned> place_of = places_of(cpus, where.list, here);
  std::vector<seat> all;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    seat s{cpus[i], core_of(caches, cpus[i]), place_of[i], 0, {}};
    if (where.what == places::kind::listed) {
      s.rank = static_cast<unsigned>(std::ranges::count(all, s.place, &seat::place));
    } else if (where.what != places::kind::threads) {
      s.rank = static_cast<unsigned>(std::ranges::count(all, s.core, &seat::core));
    }
    for (const unsigned level : levels) {
      const cpu_cache* const c = find(caches, level, s.cpu);
      unsigned place = s.place;
      for (std::size_t other = 0; c != nullptr && !where.list.empty() && other < cpus.size(); ++other) {
        if (c->cpus.has(cpus[other])) place = std::min(place, place_of[other]);
      }
      s.caches.emplace_back(c == nullptr || !c->cpus.has(here), place,
                            c == nullptr ? cpu_set::k_most : first_of(c->cpus));
    }
    all.push_back(std::move(s));
  }
  std::ranges::sort(all, {}, &seat::order);
  return all;
}

// Those that are wanted: the CPUs of a list, or the first so many threads or cores.
std::vector<seat> within(const std::vector<seat>& all, const places& where) {
  std::vector<seat> some;
  unsigned cores = 0;
  for (const seat& s : all) {
    if (where.what != places::kind::threads && (some.empty() || some.back().core != s.core)) ++cores;
    const unsigned counted = where.what == places::kind::threads ? static_cast<unsigned>(some.size()) + 1 : cores;
    if (where.count != 0 && counted > where.count) break;
    some.push_back(s);
  }
  return some;
}

// So many of them: of each rank all before any of the next; of the last one the first, or evenly over all.
std::vector<seat> chosen(std::vector<seat> all, unsigned workers, bool evenly) {
  std::ranges::sort(all, {}, [](const seat& s) { return std::tuple(s.rank, s.order()); });
  std::size_t taken = 0;
  for (std::size_t end = 0; evenly && taken < workers; taken = end) {
    end = taken;
    while (end < all.size() && all[end].rank == all[taken].rank) ++end;
    const std::size_t left = workers - taken;
    if (end - taken < left) continue;
    for (std::size_t i = 0; i < left; ++i) all[taken + i] = all[taken + i * (end - taken) / left];
    break;
  }
  all.resize(workers);
  std::ranges::sort(all, {}, &seat::order);
  return all;
}

// The caches of one level; nothing: it is none among these workers. `meant`: where they are wanted.
std::vector<shared_cache> of_level(unsigned level, const std::vector<seat>& workers,
                                   const std::vector<cpu_cache>& caches, const cpu_set& cpus, const cpu_set& meant) {
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
    cpu_set own = binds ? c->cpus : cpu_set{};
    own.keep(meant);
    found.push_back({level, i, 1, c->bytes, own});
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

seats arrange_seats(unsigned workers, const cpu_set& cpus, const std::vector<cpu_cache>& caches, unsigned here,
                    const placement& wanted) {
  const places& where = wanted.where;
  cpu_set meant = cpus;
  if (where.what == places::kind::listed) {
    cpu_set named;
    for (const cpu_set& place : where.list) named.add(place);
    meant.keep(named);
  }
  std::vector<seat> all = within(seats_in_order(meant, caches, here, where), where);
  seats found;
  if (workers == 0 || workers > all.size()) {
    if (workers == 0 || workers > cpus.count()) return found;
    found = arrange_seats(workers, cpus, caches, here, {.how = wanted.how});
    found.are_too_many = true;
    return found;
  }
  all = chosen(std::move(all), workers, wanted.how == binding::spread || where.what == places::kind::caches);
  for (const seat& s : all) found.cpus.push_back(s.cpu);
  for (const unsigned level : levels_of(caches)) {
    const std::vector<shared_cache> these = of_level(level, all, caches, cpus, meant);
    // Inside of those that are there: no cache of this level goes beyond one of theirs.
    const bool nests = std::ranges::all_of(these, [&](const shared_cache& inner) {
      return std::ranges::all_of(found.caches, [&](const shared_cache& outer) {
        return inner.first + inner.workers <= outer.first || outer.first + outer.workers <= inner.first ||
               (outer.first <= inner.first && inner.first + inner.workers <= outer.first + outer.workers);
      });
    });
    const bool binds = std::ranges::any_of(these, [](const shared_cache& c) { return c.cpus.count() != 0; });
    if (!nests) continue;
    if (binds && wanted.how == binding::none) {
      found.are_left_out = true;
    } else {
      found.caches.insert(found.caches.end(), these.begin(), these.end());
    }
  }
  return found;
}

seats find_seats(unsigned workers, const placement& wanted) {
  const cpu_set cpus = cpus_of_process();
  const int here = sched_getcpu();
  return arrange_seats(workers, cpus, caches_of(cpus), here < 0 ? first_of(cpus) : static_cast<unsigned>(here),
                       wanted);
}

}  // namespace takt::platform
