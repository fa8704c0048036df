// What touches take: latencies, bandwidth and where pages are. See README.md beside this file.
#pragma once

#include "sim/caches.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::sim {

enum class page_placement { first_touch, interleave };

/// Of all nodes alike.
struct memory_settings {
  std::uint64_t local_ps = 0;   ///< of a line from the core's own node
  std::uint64_t remote_ps = 0;  ///< of one from another node
  double bytes_per_ns = 0;      ///< that each node hands out, in GB/s as well; 0: no limit
  unsigned shared_by = 0;       ///< cores of a node; 0: there is one node, of all cores
  page_placement pages = page_placement::first_touch;
  std::uint64_t work_ps = 0;  ///< of the code that uses a line, wherever that is
  unsigned in_flight = 10;    ///< lines of one touch that a core waits for at a time, at least 1
};

/// "80:140:105:28": nanoseconds for a line from the node's own memory and from another one's, GB/s of a node (0: no
/// limit), and cores of a node. Up to three digits behind a point. @returns the error, or nothing.
std::string parse(std::string_view text, memory_settings& out);

class memory_time {
 public:
  struct counts {
    std::uint64_t local_lines = 0;
    std::uint64_t remote_lines = 0;
    std::uint64_t taken_ps = 0;   ///< by touches, all together
    std::uint64_t queued_ps = 0;  ///< the part of it beyond the core's own time, for want of bandwidth
  };

  /// `levels` as for the caches that found() comes from.
  memory_time(const std::vector<cache_level>& levels, const memory_settings& memory, unsigned cores);

  /// How long a touch by `core` at the time `now_ps` takes, in picoseconds.
  std::uint64_t take(unsigned core, std::uint64_t now_ps, const caches::found& lines);

  const counts& total() const { return total_; }

 private:
  /// Hands out bytes one after another.
  struct source {
    double bytes_per_ns = 0;
    std::uint64_t seen_ps = 0;     ///< the latest time at which anybody asked
    std::uint64_t backlog_ps = 0;  ///< what it had still to do then
  };
  static std::uint64_t queue(source& s, std::uint64_t now_ps, std::uint64_t lines);
  unsigned node_of(std::uint64_t page, unsigned toucher);

  std::vector<cache_level> levels_;
  memory_settings memory_;
  unsigned nodes_ = 1;
  std::vector<std::vector<source>> caches_;  ///< [level][core / shared_by]
  std::vector<source> banks_;                ///< by node
  std::vector<std::uint64_t> from_;          ///< lines of the touch under way, by node
  std::unordered_map<std::uint64_t, unsigned> pages_;
  counts total_;
};

}  // namespace takt::sim
