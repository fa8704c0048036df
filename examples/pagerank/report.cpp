#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pagerank {
namespace {

using how = outcome::how;

constexpr std::int32_t k_top = 10;

// Ratios this close are not called a win or a loss.
constexpr double k_even = 0.03;

const outcome& outcome_of(const measurement& m, role part) {
  return *std::find_if(m.outcomes.begin(), m.outcomes.end(), [&](const outcome& o) { return o.which->part == part; });
}

double ratio(const measurement& m, const outcome& o) { return o.seconds / outcome_of(m, role::baseline).seconds; }

// "61.2 ms"; times of very different systems stay readable in one column.
std::string duration(double seconds) {
  if (seconds < 1e-3) {
    return fmt::format("{:.1f} us", seconds * 1e6);
  }
  if (seconds < 1.0) {
    return fmt::format("{:.1f} ms", seconds * 1e3);
  }
  return fmt::format("{:.{}f} s", seconds, seconds < 10.0 ? 2 : 0);
}

std::string times_of(double value) { return fmt::format("{:.{}f}", value, value < 10.0 ? 2 : 0); }

// A number that was not measured as it stands says so in its own column.
std::string bound(const outcome& o, const std::string& value) {
  return (o.result == how::gave_up ? "> " : o.result == how::extrapolated ? "~ " : "") + value;
}

// A wrong answer comes before anything there is to say about its time.
std::string note(const outcome& o) {
  if (o.has_time() && o.result != how::gave_up && !o.agrees()) {
    return fmt::format("WRONG: a rank differs by {:.1e}", o.difference);
  }
  switch (o.result) {
    case how::not_built:
      return "not built: what it needs is not installed";
    case how::extrapolated:
      return "from one iteration, too slow for more";
    case how::gave_up:
      return "one iteration did not end in time";
    case how::died:
      return "its process did not survive one iteration";
    case how::measured:
      break;
  }
  return "";
}

std::string row(const measurement& m, const outcome& o) {
  const bool counts = !o.promotions.empty();
  std::string line = fmt::format(
      "{:<34}{:>10}{:>12}{:>13}{:>9}", o.which->name, o.has_time() ? bound(o, duration(o.seconds)) : "-",
      o.has_time() ? bound(o, times_of(ratio(m, o))) : "-", counts ? fmt::format("{:.0f}", median(o.promotions)) : "-",
      counts ? fmt::format("{:.0f}", median(o.steals)) : "-");
  const std::string remark = note(o);
  return line + (remark.empty() ? "" : "  " + remark) + "\n";
}

// The fastest system that is neither the baseline nor takt; nullptr if none was measured.
const outcome* best_peer(const measurement& m) {
  const outcome* best = nullptr;
  for (const outcome& o : m.outcomes) {
    const bool is_peer = o.which->part == role::peer || o.which->part == role::risky_peer;
    if (is_peer && o.result == how::measured && (best == nullptr || o.seconds < best->seconds)) {
      best = &o;
    }
  }
  return best;
}

// Goes on from "took ... times the serial time".
std::string against_peer(double takt_seconds, const outcome* peer) {
  if (peer == nullptr) {
    return ", with no other parallel system to compare it with";
  }
  const double factor = peer->seconds / takt_seconds;
  const std::string best = fmt::format("the best of the others ({})", peer->which->name);
  if (std::abs(factor - 1.0) <= k_even) {
    return fmt::format(" and, to within {:.0f}%, as long as {}", k_even * 100, best);
  }
  return factor > 1.0 ? fmt::format(" and was {} times as fast as {}", times_of(factor), best)
                      : fmt::format(" and {} times as long as {}", times_of(1.0 / factor), best);
}

// What the other systems pay for annotating both levels, as takt's program does.
std::string same_annotations(const measurement& m) {
  std::string text;
  for (const outcome& o : m.outcomes) {
    if (o.has_time() && o.which->both_levels && o.which->part != role::takt) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", o.which->name, bound(o, times_of(ratio(m, o))));
    }
  }
  return text;
}

}  // namespace

std::string describe(const input& in) {
  const row_lengths rows = measure_rows(in.links);
  return fmt::format("{}; the longest row has {} entries, the median {}, the mean {:.1f}\n", in.description,
                     rows.longest, rows.median, rows.mean);
}

std::string top_nodes(const input& in, const measurement& m) {
  std::vector<std::int32_t> order(m.rank.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + std::min(k_top, in.links.nodes());
  std::partial_sort(order.begin(), end, order.end(), [&](std::int32_t a, std::int32_t b) {
    const double rank_a = m.rank[static_cast<std::size_t>(a)];
    const double rank_b = m.rank[static_cast<std::size_t>(b)];
    // By number among equals: the list must not depend on the library's sort.
    return rank_a != rank_b ? rank_a > rank_b : a < b;
  });

  std::string text = fmt::format("{:>4}  {:>10}  {:>10}  {}\n", "", "rank", "named by", "node");
  for (auto node = order.begin(); node != end; ++node) {
    text += fmt::format("{:>4}  {:>10.6f}  {:>10}  {}\n", node - order.begin() + 1,
                        m.rank[static_cast<std::size_t>(*node)], in.links.row_length(*node), in.name_of(*node));
  }
  return text;
}

std::string table(const measurement& m) {
  std::string text = fmt::format(
      "{} iterations (last change {:.1e}), {} workers, median of {} interleaved runs\n"
      "{:<34}{:>10}{:>12}{:>13}{:>9}\n",
      m.iterations, m.residual, m.workers, m.runs, "system", "time", "to serial", "promotions", "steals");
  for (const outcome& o : m.outcomes) {
    text += row(m, o);
  }
  return text;
}

std::string caution(const measurement& m) {
  // A quarter of a CPU is what a desktop does by itself.
  constexpr double k_unnoticed = 0.25;
  if (m.others_cpus <= k_unnoticed || m.cpus - m.others_cpus >= m.workers) {
    return "";
  }
  return fmt::format("Take the times with care: other programs used {:.1f} of the {:.0f} CPUs meanwhile.\n",
                     m.others_cpus, m.cpus);
}

std::string meaning(const input& in, const measurement& m) {
  const outcome& ours = outcome_of(m, role::takt);
  // In an iteration: the dangling sum, the shares, the rows, the change, and the entries of each row.
  const double loops = (4.0 + in.links.nodes()) * m.iterations;
  const double promotions = median(ours.promotions);
  const std::string others = same_annotations(m);
  return fmt::format(
      "With {} worker{} takt took {} times the serial time{}. A run came to {:.0f} loops that it "
      "might have made parallel and needed {:.0f} promotions{}{}.\n",
      m.workers, m.workers == 1 ? "" : "s", times_of(ratio(m, ours)), against_peer(ours.seconds, best_peer(m)), loops,
      promotions, promotions == 0.0 ? "" : fmt::format(", one every {}", duration(ours.seconds / promotions)),
      others.empty() ? "" : "; with both levels marked too, the others take, as multiples of serial: " + others);
}

}  // namespace pagerank
