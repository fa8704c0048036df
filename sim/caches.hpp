// A tree of caches: what the touches of a program would miss. See README.md beside this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::sim {

/// One level, the same for all cores. The caches of a level hold all that those below them hold.
struct cache_level {
  std::uint64_t bytes = 0;
  unsigned shared_by = 1;  ///< cores: 0 to shared_by - 1 share the first cache, and so on
  // For memory_time.
  std::uint64_t latency_ps = 0;  ///< of a line that is found here
  double bytes_per_ns = 0;       ///< that each cache hands out, in GB/s as well; 0: no limit
};

/// "32K:1+1M:1+38M:28": size and cores that share it, innermost first. Each level must be larger than the one before,
/// and shared by a multiple of its cores. After these, each may have nanoseconds for a line, and then GB/s, both with
/// up to three digits behind a point: "32K:1:1.2+38M:28:20:250". @returns the error, or nothing.
std::string parse(std::string_view text, std::vector<cache_level>& out);

/// For messages: the text in quotation marks.
std::string quoted(std::string_view text);
/// A number with up to three digits behind its point off the front of `text`, in thousandths; `most` before it.
/// @returns false without one.
bool take_thousandths(std::string_view& text, std::uint64_t most, std::uint64_t& out);

class caches {
 public:
  static constexpr std::uint64_t k_line = 64;
  static constexpr std::uint64_t k_page = 4096;

  struct counts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  /// Where the lines of a touch were.
  struct found {
    std::vector<std::uint64_t> at;  ///< lines, by level; the last number is memory's
    struct of_page {
      std::uint64_t page;
      std::uint64_t lines;
    };
    std::vector<of_page> memory;  ///< the last number, by page
  };

  /// `levels` as parse() accepts them; at least one. `grain`: bytes that are kept track of together, a power of two
  /// from k_line to k_page and no larger than the smallest cache.
  caches(const std::vector<cache_level>& levels, unsigned cores, std::uint64_t grain = k_line);

  /// Core `core` uses the lines of [first, first + bytes). The result is good until the next call.
  /// Cost: O(levels) per grain, and as much again for each that an outer cache drops.
  const found& touch(unsigned core, std::uint64_t first, std::uint64_t bytes);

  std::size_t levels() const { return levels_.size(); }
  const cache_level& level(std::size_t l) const { return levels_[l]; }
  /// What the touches of `core` found at level l, in lines; those that hit at a lower level did not come so far.
  const counts& of(std::size_t l, unsigned core) const { return counts_[l][core]; }

 private:
  /// Fully associative, least recently used out first.
  class cache {
   public:
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};

    explicit cache(std::uint64_t most) : most_(most) {}
    std::uint32_t find(std::uint64_t block) const;
    /// It is the last used, and the cache below that `mark` stands for has it.
    void use(std::uint32_t entry, std::uint64_t mark);
    bool full() const { return used_ == most_; }
    std::uint64_t oldest() const { return entries_[last_].block; }
    std::uint64_t marks(std::uint32_t entry) const { return entries_[entry].marks; }
    void add(std::uint64_t block, std::uint64_t mark);
    void remove(std::uint32_t entry);

   private:
    struct one {
      std::uint64_t block;
      std::uint64_t marks;
      std::uint32_t newer;
      std::uint32_t older;
    };
    std::size_t home(std::uint64_t block) const { return (block * 0x9E3779B97F4A7C15u) >> shift_; }
    void grow();
    void unlink(const one& e);
    void push_front(std::uint32_t entry);

    std::uint64_t most_;
    std::uint64_t used_ = 0;
    std::uint32_t first_ = k_none;  ///< last used
    std::uint32_t last_ = k_none;
    std::uint32_t free_ = k_none;
    std::vector<one> entries_;
    std::vector<std::uint32_t> table_;  ///< entry + 1; 0: none. Linear probing, at most half full
    unsigned shift_ = 64;
  };

  void use(unsigned core, std::uint64_t block);
  void drop(std::size_t level, std::size_t index, std::uint64_t block);
  /// Of caches of the level below, several of which share a mark if there are more than 64.
  std::uint64_t mark_of(std::size_t level, unsigned core) const {
    return level == 0 ? 0 : std::uint64_t{1} << (core / levels_[level - 1].shared_by % 64);
  }

  std::vector<cache_level> levels_;
  std::uint64_t grain_;
  std::vector<std::vector<cache>> caches_;   ///< [level][core / shared_by]
  std::vector<std::vector<counts>> counts_;  ///< [level][core]
  found found_;
};

}  // namespace takt::sim
