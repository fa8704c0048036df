#include "memory/places.hpp"

#include "platform/platform.hpp"

#include <takt/abi.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

namespace takt::core {

namespace {

// What comes to the table when it is full is counted together, in one entry more.
constexpr std::size_t k_most_places = 256;
constexpr std::size_t k_rest = k_most_places;
constexpr std::size_t k_most_letters = 96;

// Where a program takes memory: a text, with a line or without, or code.
struct key {
  const void* at = nullptr;
  std::uint32_t line = 0;
  bool is_code = false;
  bool operator==(const key&) const = default;
};

struct entry_of_place {
  key place;
  char text[k_most_letters];  ///< the end of it: who has the text may be unloaded before the report. Of code none yet
  std::int64_t now;
  std::int64_t most;
  std::int64_t at_peak;
  std::uint64_t peak;     ///< to which `at_peak` belongs
  std::size_t counts_as;  ///< the first with this text: each object file has one of its own for a header
  /// What a handler has added that had interrupted the holder of the lock.
  sync::atomic<std::int64_t> late;
};

// All under the lock but `late`, and what a handler reads of entries that are published.
entry_of_place table[k_most_places + 1];
sync::tally<std::size_t> used{0};  // without the rest
sync::atomic<bool> is_any_late{false};
std::int64_t sum = 0;
std::int64_t most = 0;
// Counts the peaks. An entry that has not changed since the last one has no number of that yet: it held then what it
// holds now. So a new peak is noted without a walk.
std::uint64_t peak = 1;
// Of tables: a number that was named before this one began says nothing.
constexpr unsigned k_generations = 128;
constexpr unsigned k_numbers = 512;
static_assert(k_rest + 1 < k_numbers && k_generations * k_numbers == 1 << 16);
sync::tally<unsigned> generation{0};

// The lock is held for a walk of the table. It says who has it: a handler that has interrupted just that one would
// wait for ever. Else the holder runs, or something has interrupted it that does not wait.
sync::atomic<const void*> holder{nullptr};

// No thread goes on elsewhere with the lock.
const void* this_thread() noexcept { return &takt_hot; }
bool is_held_here() noexcept { return holder.load(sync::relaxed) == this_thread(); }

void count(entry_of_place& e, std::int64_t bytes) noexcept {
  if (bytes < -e.now) bytes = -e.now;
  e.at_peak = e.peak == peak ? e.at_peak : e.now;
  e.peak = peak;
  e.now += bytes;
  e.most = std::max(e.most, e.now);
  sum += bytes;
  if (sum > most) {
    most = sum;
    ++peak;
  }
}

void count_late() noexcept {
  if (!is_any_late.load(sync::relaxed) || !is_any_late.exchange(false, sync::relaxed)) return;
  for (entry_of_place& e : table) {
    if (const std::int64_t bytes = e.late.exchange(0, sync::relaxed); bytes != 0) count(e, bytes);
  }
}

class locked {
 public:
  locked() noexcept {
    for (unsigned round = 0;; ++round) {
      const void* nobody = nullptr;
      // EDGE memory_places.holder: the table is as the last holder left it.
      if (holder.compare_exchange_strong(nobody, this_thread(), sync::acquire, sync::relaxed)) break;
      platform::current().relax(round);
    }
    count_late();
  }
  ~locked() {
    // EDGE memory_places.holder
    holder.store(nullptr, sync::release);
  }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
};

void count_at(std::size_t at, std::int64_t bytes) noexcept {
  if (is_held_here()) {
    table[at].late.fetch_add(bytes, sync::relaxed);
    is_any_late.store(true, sync::relaxed);
    return;
  }
  const locked guard;
  count(table[at], bytes);
}

// Without the lock only where its holder has been interrupted: what is published does not change meanwhile.
std::size_t find(const key& place) noexcept {
  const std::size_t end = used.load(sync::acquire);
  std::size_t at = 0;
  while (at < end && !(table[at].place == place)) ++at;
  return at < end ? table[at].counts_as : k_rest;
}

std::size_t find_or_make(const key& place) noexcept {
  const std::size_t found = find(place);
  const std::size_t at = used.load(sync::relaxed);
  if (found != k_rest || at == k_most_places) return found;
  entry_of_place& made = table[at];
  made.place = place;
  made.now = made.most = made.at_peak = 0;
  made.peak = 0;
  made.late.store(0, sync::relaxed);
  made.text[0] = '\0';
  made.counts_as = at;
  if (!place.is_code) {
    const auto* const text = static_cast<const char*>(place.at);
    const std::size_t length = std::strlen(text);
    const std::size_t kept = std::min(length, k_most_letters - 1);
    std::memcpy(made.text, text + (length - kept), kept + 1);
    std::size_t first = 0;
    while (table[first].place.is_code || table[first].place.line != place.line ||
           std::strcmp(table[first].text, made.text) != 0) {
      ++first;
    }
    made.counts_as = first;
  }
  used.store(at + 1, sync::release);
  return made.counts_as;
}

memory_places::number number_of(std::size_t at) noexcept {
  return static_cast<memory_places::number>(generation.load(sync::relaxed) * k_numbers + at + 1);
}

memory_places::number change_at(const key& place, std::int64_t bytes) noexcept {
  if (is_held_here()) {
    const std::size_t at = find(place);
    count_at(at, bytes);
    return number_of(at);
  }
  const locked guard;
  const std::size_t at = find_or_make(place);
  count(table[at], bytes);
  return number_of(at);
}

// As the tools that read debug information count: an address in its file. Of the call, which stands in front of where
// it returns to.
std::string name_of_code(const void* returns_to) {
  const auto call = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
  Dl_info found{};
  const char* name = "unknown code";
  std::uintptr_t base = 0;
  if (::dladdr(reinterpret_cast<const void*>(call), &found) != 0) {
    const char* const slash = std::strrchr(found.dli_fname, '/');
    name = slash != nullptr ? slash + 1 : found.dli_fname;
    const auto* const header = static_cast<const ElfW(Ehdr)*>(found.dli_fbase);
    if (header->e_type != ET_EXEC) base = reinterpret_cast<std::uintptr_t>(header);
  }
  char digits[2 + 2 * sizeof call + 1];
  std::snprintf(digits, sizeof digits, "0x%zx", static_cast<std::size_t>(call - base));
  return std::string(name) + '+' + digits;
}

}  // namespace

void memory_places::begin(bool asked) noexcept {
  const locked guard;
  // What has been given back meanwhile was not told.
  if (asked_.load(sync::relaxed) == 0) {
    used.store(0, sync::relaxed);
    generation.store((generation.load(sync::relaxed) + 1) % k_generations, sync::relaxed);
    entry_of_place& rest = table[k_rest];
    std::strcpy(rest.text, "all other places");
    rest.counts_as = k_rest;
    rest.now = rest.most = rest.at_peak = 0;
    rest.peak = 0;
    sum = 0;
  }
  asked_.store(asked ? 1 : 0, sync::relaxed);
  for (entry_of_place& e : table) e.most = e.now;
  most = sum;
  ++peak;
}

void memory_places::change(std::int64_t bytes, const char* place, std::uint32_t line) noexcept {
  (void)change_at({place, line, false}, bytes);
}

memory_places::number memory_places::take(std::int64_t bytes, const void* code) noexcept {
  return change_at({code, 0, true}, bytes);
}

void memory_places::change(std::int64_t bytes, number place) noexcept {
  if (place == 0 || place / k_numbers != generation.load(sync::relaxed)) return;
  count_at(place % k_numbers - 1, bytes);
}

std::vector<memory_places::held> memory_places::all() {
  struct copy_of_entry {
    key place;
    std::string text;
    std::int64_t now, at_peak, most;
  };
  // Nothing is allocated under the lock.
  std::vector<copy_of_entry> copy(k_most_places + 1);
  for (copy_of_entry& c : copy) c.text.reserve(k_most_letters);
  {
    const locked guard;
    const std::size_t end = used.load(sync::relaxed);
    for (std::size_t i = 0; i <= k_most_places; ++i) {
      const entry_of_place& e = table[i];
      if (i >= end && i != k_rest) continue;
      copy[i].place = e.place;
      copy[i].text = e.text;
      copy[i].now = e.now;
      copy[i].at_peak = e.peak == peak ? e.at_peak : e.now;
      copy[i].most = e.most;
    }
  }
  std::vector<held> found;
  for (copy_of_entry& c : copy) {
    if (c.most == 0) continue;
    std::string text = c.place.is_code ? name_of_code(c.place.at) : std::move(c.text);
    if (c.place.line != 0) text += ':' + std::to_string(c.place.line);
    found.push_back({std::move(text), c.now, c.at_peak, c.most});
  }
  std::sort(found.begin(), found.end(), [](const held& a, const held& b) {
    return a.at_peak != b.at_peak ? a.at_peak > b.at_peak : a.most != b.most ? a.most > b.most : a.place < b.place;
  });
  return found;
}

void memory_places::go_on_alone() noexcept { holder.store(nullptr, sync::relaxed); }

}  // namespace takt::core
