#include "sim/caches.hpp"

#include <algorithm>
#include <charconv>

namespace takt::sim {

namespace {

// Takes digits off the front of `text`. @returns 0 without any, or when there are too many.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t n = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return error == std::errc{} ? n : 0;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool parse_level(std::string_view text, cache_level& out) {
  constexpr std::uint64_t k_most = std::uint64_t{1} << 40;
  out.bytes = take_number(text);
  unsigned shift = 0;
  if (take(text, 'K')) {
    shift = 10;
  } else if (take(text, 'M')) {
    shift = 20;
  } else if (take(text, 'G')) {
    shift = 30;
  }
  if (out.bytes == 0 || out.bytes > k_most >> shift) return false;
  out.bytes <<= shift;
  if (!take(text, ':')) return false;
  const std::uint64_t sharers = take_number(text);
  out.shared_by = static_cast<unsigned>(sharers);
  if (sharers < 1 || sharers > 4096 || out.bytes < caches::k_line) return false;
  constexpr std::uint64_t k_most_ns = 1'000'000;
  constexpr std::uint64_t k_most_gb_per_s = 1'000'000;
  if (take(text, ':') && !take_thousandths(text, k_most_ns, out.latency_ps)) return false;
  std::uint64_t bytes_per_us = 0;
  if (take(text, ':') && (!take_thousandths(text, k_most_gb_per_s, bytes_per_us) || bytes_per_us == 0)) return false;
  out.bytes_per_ns = static_cast<double>(bytes_per_us) / 1000;
  return text.empty();
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string all("'");
  return all.append(text).append("'");
}

bool take_thousandths(std::string_view& text, std::uint64_t most, std::uint64_t& out) {
  const auto is_digit = [&text] { return !text.empty() && text.front() >= '0' && text.front() <= '9'; };
  if (!is_digit()) return false;
  const std::size_t before = text.size();
  const std::uint64_t whole = take_number(text);
  // What does not fit is 0, too, and longer.
  if (whole > most || (whole == 0 && before - text.size() > 1)) return false;
  out = 1000 * whole;
  if (!take(text, '.')) return true;
  if (!is_digit()) return false;
  for (std::uint64_t place = 100; is_digit(); place /= 10) {
    if (place == 0) return false;
    out += place * static_cast<std::uint64_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  return true;
}

std::string parse(std::string_view text, std::vector<cache_level>& out) {
  out.clear();
  for (;;) {
    const std::string_view one = text.substr(0, text.find('+'));
    cache_level level;
    if (!parse_level(one, level)) return quoted(one) + " is not SIZE:CORES, for example 32K:1";
    if (!out.empty() && (level.bytes <= out.back().bytes || level.shared_by % out.back().shared_by != 0))
      return quoted(one) + " must be larger than the level below, and shared by a multiple of its cores";
    out.push_back(level);
    if (one.size() == text.size()) return {};
    text.remove_prefix(one.size() + 1);
  }
}

// --- one cache

std::uint32_t caches::cache::find(std::uint64_t block) const {
  if (table_.empty()) return k_none;
  for (std::size_t i = home(block);; i = (i + 1) & (table_.size() - 1)) {
    const std::uint32_t at = table_[i];
    if (at == 0) return k_none;
    if (entries_[at - 1].block == block) return at - 1;
  }
}

void caches::cache::unlink(const one& e) {
  (e.newer != k_none ? entries_[e.newer].older : first_) = e.older;
  (e.older != k_none ? entries_[e.older].newer : last_) = e.newer;
}

void caches::cache::push_front(std::uint32_t entry) {
  entries_[entry].newer = k_none;
  entries_[entry].older = first_;
  (first_ != k_none ? entries_[first_].newer : last_) = entry;
  first_ = entry;
}

void caches::cache::use(std::uint32_t entry, std::uint64_t mark) {
  entries_[entry].marks |= mark;
  if (entry == first_) return;
  unlink(entries_[entry]);
  push_front(entry);
}

void caches::cache::grow() {
  const std::size_t size = table_.empty() ? 16 : 2 * table_.size();
  shift_ = 64;
  for (std::size_t s = size; s > 1; s /= 2) --shift_;
  table_.assign(size, 0);
  for (std::uint32_t e = first_; e != k_none; e = entries_[e].older) {
    std::size_t i = home(entries_[e].block);
    while (table_[i] != 0) i = (i + 1) & (size - 1);
    table_[i] = e + 1;
  }
}

void caches::cache::add(std::uint64_t block, std::uint64_t mark) {
  if (2 * (used_ + 1) > table_.size()) grow();
  std::uint32_t entry = free_;
  if (entry != k_none) {
    free_ = entries_[entry].older;
  } else {
    entry = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  }
  entries_[entry].block = block;
  entries_[entry].marks = mark;
  push_front(entry);
  std::size_t i = home(block);
  while (table_[i] != 0) i = (i + 1) & (table_.size() - 1);
  table_[i] = entry + 1;
  ++used_;
}

void caches::cache::remove(std::uint32_t entry) {
  const std::size_t mask = table_.size() - 1;
  std::size_t hole = home(entries_[entry].block);
  while (table_[hole] != entry + 1) hole = (hole + 1) & mask;
  // What comes behind moves up, unless it would then stand before its home.
  for (std::size_t i = (hole + 1) & mask; table_[i] != 0; i = (i + 1) & mask) {
    const std::size_t from_home = (i - home(entries_[table_[i] - 1].block)) & mask;
    if (from_home < ((i - hole) & mask)) continue;
    table_[hole] = table_[i];
    hole = i;
  }
  table_[hole] = 0;
  unlink(entries_[entry]);
  entries_[entry].older = free_;
  free_ = entry;
  --used_;
}

// --- all of them

caches::caches(const std::vector<cache_level>& levels, unsigned cores, std::uint64_t grain)
    : levels_(levels), grain_(grain) {
  for (const cache_level& l : levels_) {
    caches_.emplace_back((cores + l.shared_by - 1) / l.shared_by, cache(l.bytes / grain));
    counts_.emplace_back(cores);
  }
  found_.at.resize(levels_.size() + 1);
}

const caches::found& caches::touch(unsigned core, std::uint64_t first, std::uint64_t bytes) {
  found_.at.assign(levels_.size() + 1, 0);
  found_.memory.clear();
  if (bytes == 0) return found_;
  const std::uint64_t last = (first + bytes - 1) / grain_;
  for (std::uint64_t block = first / grain_; block <= last; ++block) use(core, block);
  return found_;
}

void caches::use(unsigned core, std::uint64_t block) {
  const std::uint64_t lines = grain_ / k_line;
  // Where it is found, it is in all outer levels, too. It is the last used of each of them: a cache that saw only what
  // the ones below let through would drop what they use all the time, and with it theirs.
  std::size_t level = 0;
  for (; level < levels_.size(); ++level) {
    cache& c = caches_[level][core / levels_[level].shared_by];
    const std::uint32_t entry = c.find(block);
    if (entry != cache::k_none) {
      counts_[level][core].hits += lines;
      c.use(entry, mark_of(level, core));
      break;
    }
    counts_[level][core].misses += lines;
  }
  found_.at[level] += lines;
  for (std::size_t l = level + 1; l < levels_.size(); ++l) {
    cache& c = caches_[l][core / levels_[l].shared_by];
    c.use(c.find(block), mark_of(l, core));
  }
  if (level == levels_.size()) {
    const std::uint64_t page = block / (k_page / grain_);
    if (found_.memory.empty() || found_.memory.back().page != page) found_.memory.push_back({page, 0});
    found_.memory.back().lines += lines;
  }
  for (std::size_t l = level; l-- > 0;) {
    const std::size_t index = core / levels_[l].shared_by;
    cache& c = caches_[l][index];
    if (c.full()) drop(l, index, c.oldest());
    c.add(block, mark_of(l, core));
  }
}

void caches::drop(std::size_t level, std::size_t index, std::uint64_t block) {
  cache& c = caches_[level][index];
  const std::uint32_t entry = c.find(block);
  if (entry == cache::k_none) return;
  // Some of those that are marked have dropped it by themselves.
  const std::uint64_t marks = c.marks(entry);
  c.remove(entry);
  if (level == 0) return;
  const std::size_t each = levels_[level].shared_by / levels_[level - 1].shared_by;
  const std::size_t end = std::min((index + 1) * each, caches_[level - 1].size());
  for (std::size_t i = index * each; i < end; ++i) {
    if ((marks >> (i % 64) & 1) != 0) drop(level - 1, i, block);
  }
}

}  // namespace takt::sim
