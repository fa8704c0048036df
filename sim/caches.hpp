// A tree of caches: what the touches of a program would miss. See README.md beside this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace takt::sim {

/// One level, the same for all cores. The caches of a level hold all that those below them hold.
struct cache_level {
  std::uint64_t bytes = 0;
  unsigned shared_by = 1;  ///< cores: 0 to shared_by - 1 share the first cache, and so on
};

/// "32K:1+1M:1+38M:28": size and cores that share it, innermost first. Each level must be larger than the one before,
/// and shared by a multiple of its cores. @returns the error, or nothing.
std::string parse(std::string_view text, std::vector<cache_level>& out);

class caches {
 public:
  static constexpr std::uint64_t k_line = 64;

  struct counts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  /// `levels` as parse() accepts them; at least one.
  caches(const std::vector<cache_level>& levels, unsigned cores);

  /// Core `core` uses the lines of [first, first + bytes).
  /// Cost: O(levels) per line, and as much again for each line that an outer cache drops.
  void touch(unsigned core, std::uint64_t first, std::uint64_t bytes);

  std::size_t levels() const { return levels_.size(); }
  const cache_level& level(std::size_t l) const { return levels_[l]; }
  /// What the touches of `core` found at level l; those that hit at a lower level did not come so far.
  const counts& of(std::size_t l, unsigned core) const { return counts_[l][core]; }

 private:
  /// Fully associative, least recently used out first.
  struct cache {
    std::list<std::uint64_t> lines;  ///< last used first
    std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> where;
  };

  void use(unsigned core, std::uint64_t line);
  void drop(std::size_t level, std::size_t index, std::uint64_t line);

  std::vector<cache_level> levels_;
  std::vector<std::vector<cache>> caches_;   ///< [level][core / shared_by]
  std::vector<std::vector<counts>> counts_;  ///< [level][core]
};

}  // namespace takt::sim
