#include "tools/doctor_levels.hpp"

#include "tools/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace takt::tools {

namespace {

using platform::cpu_set;

std::vector<unsigned> list_of(const cpu_set& cpus) {
  std::vector<unsigned> list;
  for (unsigned cpu = cpus.after(-1); cpu < cpu_set::k_most; cpu = cpus.after(static_cast<int>(cpu)))
    list.push_back(cpu);
  return list;
}

// "0-3,8", in the order of the list.
std::string ranges_of(const std::vector<unsigned>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t last = i;
    while (last + 1 < list.size() && list[last + 1] == list[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", list[i]);
    if (last != i) text += fmt::format("-{}", list[last]);
    i = last + 1;
  }
  return text;
}

std::vector<unsigned> workers_of(const platform::shared_cache& cache) {
  std::vector<unsigned> workers;
  for (unsigned i = 0; i < cache.workers; ++i) workers.push_back(cache.first + i);
  return workers;
}

bool has_cpus(const platform::shared_cache& cache) { return cache.cpus.count() != 0; }

// A level counts as a whole.
bool binds_workers(const level_facts& facts, unsigned level) {
  for (const platform::shared_cache& c : facts.seats.caches) {
    if (c.level == level && has_cpus(c)) return true;
  }
  return false;
}

bool binds_workers(const level_facts& facts) { return std::ranges::any_of(facts.seats.caches, has_cpus); }

// Not all CPUs, of any cache.
bool chooses_cpus(const platform::places& where) {
  return where.what == platform::places::kind::listed || where.count != 0;
}

// What the environment says for OpenMP's threads and takt does not heed, or heeds by binding nobody.
std::vector<std::string> notes_on_hints(const level_facts& facts) {
  std::vector<std::string> notes;
  if (facts.hints.is_bad_places) notes.emplace_back("OMP_PLACES is ignored: it cannot be understood");
  if (facts.seats.are_too_many) notes.emplace_back("OMP_PLACES is ignored: it names fewer CPUs than there are workers");
  if (facts.hints.is_bad_proc_bind) notes.emplace_back("OMP_PROC_BIND is ignored: it cannot be understood");
  if (facts.hints.wanted.how == platform::binding::none) {
    notes.emplace_back("OMP_PROC_BIND=false: no worker is bound");
  } else if (chooses_cpus(facts.hints.wanted.where) && !facts.seats.are_too_many && !binds_workers(facts)) {
    notes.emplace_back("OMP_PLACES binds nobody: no worker has a cache that it could be bound to");
  }
  return notes;
}

}  // namespace

bool uses_levels(const level_facts& facts) { return facts.policy == "ml-random" || facts.policy == "ml-adws" || facts.policy == "sb"; }

bool is_used(const level_facts& facts, const platform::shared_cache& cache) {
  return uses_levels(facts) && (facts.can_bind || !binds_workers(facts, cache.level));
}

namespace {

std::string text_of_caches(const level_facts& facts) {
  if (facts.seats.cpus.empty()) return "levels    none: there are more workers than cpus\n";
  if (facts.seats.caches.empty() && facts.seats.are_left_out)
    return "levels    none: the caches that cores share need workers that are bound\n";
  if (facts.seats.caches.empty()) return "levels    none: no cache that cores share is known\n";
  std::string text = fmt::format("levels    of policies ml-adws, ml-random and sb");
  if (!uses_levels(facts)) text += fmt::format(", not of {}", facts.policy);
  text += '\n';
  for (const platform::shared_cache& c : facts.seats.caches) {
    const std::vector<unsigned> meant(facts.seats.cpus.begin() + c.first,
                                      facts.seats.cpus.begin() + c.first + c.workers);
    text += fmt::format("          L{} {}: workers {} for cpus {}", c.level, readable_bytes(c.bytes),
                        ranges_of(workers_of(c)), ranges_of(meant));
    if (has_cpus(c) && facts.can_bind) text += fmt::format(", bound to {}", ranges_of(list_of(c.cpus)));
    if (!facts.can_bind && binds_workers(facts, c.level))
      text += ", not used: threads cannot be bound here";
    text += '\n';
  }
  return text;
}

}  // namespace

std::string text_of(const level_facts& facts) {
  std::string text = text_of_caches(facts);
  for (const std::string& note : notes_on_hints(facts)) text += fmt::format("          {}\n", note);
  return text;
}

nlohmann::ordered_json json_of(const level_facts& facts) {
  using nlohmann::ordered_json;
  auto caches = ordered_json::array();
  for (const platform::shared_cache& c : facts.seats.caches) {
    caches.push_back(
        {{"level", c.level},
         {"bytes", c.bytes},
         {"workers", workers_of(c)},
         {"bound_to_cpus", has_cpus(c) && facts.can_bind ? ordered_json(list_of(c.cpus)) : ordered_json()},
         {"used", is_used(facts, c)}});
  }
  return {{"cpu_of_worker", facts.seats.cpus}, {"caches", std::move(caches)}, {"notes", notes_on_hints(facts)}};
}

}  // namespace takt::tools
