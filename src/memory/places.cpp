#include "memory/places.hpp"

#include "platform/platform.hpp"
#include "sync/spin_lock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace takt::core {

namespace {

// What comes to the table when it is full is counted together.
constexpr std::size_t k_most_places = 256;
constexpr std::size_t k_most_letters = 96;

struct entry_of_place {
  const char* place;
  std::uint32_t line;
  char text[k_most_letters];  ///< the end of it: who has the text may be unloaded before the report
  std::int64_t now;
  std::int64_t most;
  std::int64_t at_peak;
  std::uint64_t peak;     ///< to which `at_peak` belongs
  std::size_t counts_as;  ///< the first with this text: each object file has one of its own for a header
};

// All under the lock, which is held for a walk of the table.
spin_lock lock;
entry_of_place table[k_most_places + 1];
std::size_t used = 0;
std::int64_t sum = 0;
std::int64_t most = 0;
// Counts the peaks. An entry that has not changed since the last one has no number of that yet: it held then what it
// holds now. So a new peak is noted without a walk.
std::uint64_t peak = 1;

void take_lock() noexcept {
  lock.lock([](unsigned round) { platform::current().relax(round); });
}

entry_of_place& find(const char* place, std::uint32_t line) noexcept {
  std::size_t at = 0;
  while (at < used && (table[at].place != place || table[at].line != line)) ++at;
  if (at < used) return table[table[at].counts_as];
  if (used > k_most_places) return table[k_most_places];
  const bool full = used == k_most_places;
  if (full) place = "all other places";
  entry_of_place& made = table[used++];
  made = {};
  made.place = place;
  made.line = full ? 0 : line;
  const std::size_t length = std::strlen(place);
  const std::size_t kept = std::min(length, k_most_letters - 1);
  std::memcpy(made.text, place + (length - kept), kept + 1);
  // Who has given a name of its own that reads like that is not one of them.
  at = full ? k_most_places : 0;
  while (table[at].line != made.line || std::strcmp(table[at].text, made.text) != 0) ++at;
  made.counts_as = at;
  return table[at];
}

std::int64_t at_peak(const entry_of_place& e) noexcept { return e.peak == peak ? e.at_peak : e.now; }

}  // namespace

void memory_places::begin(bool asked) noexcept {
  take_lock();
  // What has been given back meanwhile was not told.
  if (asked_.load(sync::relaxed) == 0) {
    used = 0;
    sum = 0;
  }
  asked_.store(asked ? 1 : 0, sync::relaxed);
  for (std::size_t i = 0; i < used; ++i) table[i].most = table[i].now;
  most = sum;
  ++peak;
  lock.unlock();
}

void memory_places::change(std::int64_t bytes, const char* place, std::uint32_t line) noexcept {
  take_lock();
  entry_of_place& e = find(place, line);
  if (bytes < -e.now) bytes = -e.now;
  e.at_peak = at_peak(e);
  e.peak = peak;
  e.now += bytes;
  e.most = std::max(e.most, e.now);
  sum += bytes;
  if (sum > most) {
    most = sum;
    ++peak;
  }
  lock.unlock();
}

std::vector<memory_places::held> memory_places::all() {
  // Nothing is allocated under the lock.
  std::vector<entry_of_place> copy(k_most_places + 1);
  take_lock();
  std::copy_n(table, used, copy.begin());
  for (std::size_t i = 0; i < used; ++i) copy[i].at_peak = at_peak(table[i]);
  copy.resize(used);
  lock.unlock();
  std::vector<held> found;
  for (const entry_of_place& e : copy) {
    if (e.most == 0) continue;
    std::string text = e.text;
    if (e.line != 0) text += ':' + std::to_string(e.line);
    found.push_back({std::move(text), e.now, e.at_peak, e.most});
  }
  std::sort(found.begin(), found.end(), [](const held& a, const held& b) {
    return a.at_peak != b.at_peak ? a.at_peak > b.at_peak : a.most != b.most ? a.most > b.most : a.place < b.place;
  });
  return found;
}

void memory_places::go_on_alone() noexcept { (void)lock.go_on_alone(); }

}  // namespace takt::core
