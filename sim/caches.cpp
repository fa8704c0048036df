#include "sim/caches.hpp"

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
  return text.empty() && sharers >= 1 && sharers <= 4096 && out.bytes >= caches::k_line;
}

}  // namespace

std::string parse(std::string_view text, std::vector<cache_level>& out) {
  out.clear();
  for (;;) {
    const std::string_view one = text.substr(0, text.find('+'));
    cache_level level;
    if (!parse_level(one, level)) return "'" + std::string(one) + "' is not SIZE:CORES, for example 32K:1";
    if (!out.empty() && (level.bytes <= out.back().bytes || level.shared_by % out.back().shared_by != 0))
      return "'" + std::string(one) + "' must be larger than the level below, and shared by a multiple of its cores";
    out.push_back(level);
    if (one.size() == text.size()) return {};
    text.remove_prefix(one.size() + 1);
  }
}

caches::caches(const std::vector<cache_level>& levels, unsigned cores) : levels_(levels) {
  for (const cache_level& l : levels_) {
    caches_.emplace_back((cores + l.shared_by - 1) / l.shared_by);
    counts_.emplace_back(cores);
  }
}

void caches::touch(unsigned core, std::uint64_t first, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t last = (first + bytes - 1) / k_line;
  for (std::uint64_t line = first / k_line; line <= last; ++line) use(core, line);
}

void caches::use(unsigned core, std::uint64_t line) {
  // Where it is found, it is in all outer levels, too. It is the last used of each of them: a cache that saw only what
  // the ones below let through would drop what they use all the time, and with it theirs.
  std::size_t found = 0;
  for (; found < levels_.size(); ++found) {
    cache& c = caches_[found][core / levels_[found].shared_by];
    const bool hit = c.where.contains(line);
    ++(hit ? counts_[found][core].hits : counts_[found][core].misses);
    if (hit) break;
  }
  for (std::size_t l = found; l < levels_.size(); ++l) {
    cache& c = caches_[l][core / levels_[l].shared_by];
    c.lines.splice(c.lines.begin(), c.lines, c.where.at(line));
  }
  for (std::size_t l = found; l-- > 0;) {
    const std::size_t index = core / levels_[l].shared_by;
    cache& c = caches_[l][index];
    if (c.lines.size() >= levels_[l].bytes / k_line) {
      const std::uint64_t oldest = c.lines.back();
      drop(l, index, oldest);
    }
    c.lines.push_front(line);
    c.where.emplace(line, c.lines.begin());
  }
}

void caches::drop(std::size_t level, std::size_t index, std::uint64_t line) {
  cache& c = caches_[level][index];
  const auto at = c.where.find(line);
  if (at == c.where.end()) return;
  c.lines.erase(at->second);
  c.where.erase(at);
  if (level == 0) return;
  const std::size_t each = levels_[level].shared_by / levels_[level - 1].shared_by;
  for (std::size_t i = index * each; i < (index + 1) * each && i < caches_[level - 1].size(); ++i)
    drop(level - 1, i, line);
}

}  // namespace takt::sim
