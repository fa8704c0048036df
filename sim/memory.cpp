#include "sim/memory.hpp"

#include <algorithm>
#include <charconv>

namespace takt::sim {

std::string parse(std::string_view text, memory_settings& out) {
  const std::string wrong = quoted(text) + " is not LOCAL:REMOTE:GB_PER_S:CORES, for example 80:140:105:28";
  constexpr std::uint64_t k_most = 1'000'000;
  std::uint64_t numbers[3] = {};
  for (std::uint64_t& n : numbers) {
    if (!take_thousandths(text, k_most, n) || text.empty() || text.front() != ':') return wrong;
    text.remove_prefix(1);
  }
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out.shared_by);
  if (error != std::errc{} || stop != text.data() + text.size() || out.shared_by < 1 || out.shared_by > 4096)
    return wrong;
  out.local_ps = numbers[0];
  out.remote_ps = numbers[1];
  out.bytes_per_ns = static_cast<double>(numbers[2]) / 1000;
  return {};
}

memory_time::memory_time(const std::vector<cache_level>& levels, const memory_settings& memory, unsigned cores)
    : levels_(levels), memory_(memory) {
  if (memory_.shared_by == 0) memory_.shared_by = cores;
  nodes_ = (cores + memory_.shared_by - 1) / memory_.shared_by;
  for (const cache_level& l : levels_)
    caches_.emplace_back((cores + l.shared_by - 1) / l.shared_by, source{.bytes_per_ns = l.bytes_per_ns});
  banks_.assign(nodes_, source{.bytes_per_ns = memory_.bytes_per_ns});
}

std::uint64_t memory_time::queue(source& s, std::uint64_t now_ps, std::uint64_t lines) {
  if (s.bytes_per_ns == 0 || lines == 0) return 0;
  if (now_ps > s.seen_ps) {
    s.backlog_ps -= std::min(s.backlog_ps, now_ps - s.seen_ps);
    s.seen_ps = now_ps;
  }
  s.backlog_ps += static_cast<std::uint64_t>(1000 * static_cast<double>(lines * caches::k_line) / s.bytes_per_ns);
  return s.backlog_ps;
}

unsigned memory_time::node_of(std::uint64_t page, unsigned toucher) {
  const auto [at, is_new] = pages_.try_emplace(page, toucher);
  if (is_new && memory_.pages == page_placement::interleave)
    at->second = static_cast<unsigned>((pages_.size() - 1) % nodes_);
  return at->second;
}

std::uint64_t memory_time::take(unsigned core, std::uint64_t now_ps, const caches::found& lines) {
  const unsigned here = core / memory_.shared_by;
  std::uint64_t all = 0;
  std::uint64_t latencies = 0;
  std::uint64_t last = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    all += lines.at[l];
    latencies += lines.at[l] * levels_[l].latency_ps;
    last = std::max(last, queue(caches_[l][core / levels_[l].shared_by], now_ps, lines.at[l]));
  }
  from_.assign(nodes_, 0);
  for (const caches::found::of_page& p : lines.memory) from_[node_of(p.page, here)] += p.lines;
  for (unsigned node = 0; node < nodes_; ++node) {
    const std::uint64_t n = from_[node];
    all += n;
    latencies += n * (node == here ? memory_.local_ps : memory_.remote_ps);
    (node == here ? total_.local_lines : total_.remote_lines) += n;
    last = std::max(last, queue(banks_[node], now_ps, n));
  }
  if (all == 0) return 0;
  const std::uint64_t own = latencies / std::min<std::uint64_t>(all, memory_.in_flight) + all * memory_.work_ps;
  const std::uint64_t took = std::max(own, last);
  total_.taken_ps += took;
  total_.queued_ps += took - own;
  return took;
}

}  // namespace takt::sim
