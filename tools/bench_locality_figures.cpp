#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/bench_locality.hpp"
#include "tools/bench_locality_runs.hpp"

namespace takt::tools {
namespace {

std::string shown_bytes(double bytes) {
  return bytes < 9.95e6 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.0f} MB", bytes / 1e6);
}

class figures {
 public:
  figures(const locality_options& options, const machine_description& machine, simulations& runs)
      : options_(options), machine_(machine), runs_(runs) {
    const machine_cache& last = machine.caches.back();
    const unsigned count = (machine.cores() + last.shared_by - 1) / last.shared_by;
    last_bytes_ = static_cast<double>(last.bytes) * count;
    for (const locality_problem& p : locality_problems()) {
      if (options.problems.empty() ||
          std::find(options.problems.begin(), options.problems.end(), p.name) != options.problems.end()) {
        problems_.push_back(&p);
      }
    }
  }
  std::vector<figure> all() {
    std::vector<figure> made{speedups(), breakdown(), misses()};
    for (const double size : {0.83, options_.sizes.back()}) {
      if (figure f = alphas(size); !f.rows.empty()) made.push_back(std::move(f));
    }
    for (figure f : {without_hints(), placement()}) {
      if (!f.rows.empty()) made.push_back(std::move(f));
    }
    return made;
  }

 private:
  std::int64_t size_at(const locality_problem& p, double size) const { return size_for(p, size * last_bytes_); }
  point at(const locality_problem& p, double size, const std::string& scheduler) const {
    // Who asks for no hints has the program without.
    const bool hints = scheduler != "serial" && scheduler != "random";
    return {.problem = std::string(p.name), .size = size_at(p, size), .scheduler = scheduler, .hints = hints};
  }
  std::vector<std::string> planned() const {
    std::vector<std::string> some;
    for (const std::string& policy : options_.policies) {
      if (policy.ends_with("adws")) some.push_back(policy);
    }
    return some;
  }
  // Those without a plan that have hints of memory.
  std::vector<std::string> others() const {
    std::vector<std::string> some;
    for (const std::string& policy : options_.policies) {
      if (policy != "random" && !policy.ends_with("adws")) some.push_back(policy);
    }
    return some;
  }
  std::string shown_size(const locality_problem& p, double size) const {
    return shown_bytes(bytes_of(p, size_at(p, size)));
  }

  figure speedups() {
    figure f{.title = fmt::format("Speed-up on {} cores (figure 16)", machine_.cores()),
             .note = fmt::format(
                 "Over one core with all of a socket's caches and local memory. The last level has {} in all; "
                 "pages are interleaved.",
                 shown_bytes(last_bytes_)),
             .header = {"problem", "working set", "of the last level"}};
    for (const std::string& policy : options_.policies) {
      f.drawn.push_back(f.header.size());
      f.header.push_back(policy);
    }
    for (const locality_problem* p : problems_) {
      std::int64_t before = 0;
      for (const double size : options_.sizes) {
        // Of powers of two several sizes may be one.
        if (std::exchange(before, size_at(*p, size)) == size_at(*p, size)) continue;
        const double serial = runs_.of(at(*p, size, "serial")).seconds;
        std::vector<std::string> row{std::string(p->name), shown_size(*p, size),
                                     fmt::format("{:.2f}", bytes_of(*p, size_at(*p, size)) / last_bytes_)};
        for (const std::string& policy : options_.policies) {
          row.push_back(fmt::format("{:.1f}", serial / runs_.of(at(*p, size, policy)).seconds));
        }
        f.rows.push_back(std::move(row));
      }
    }
    return f;
  }

  figure breakdown() {
    figure f{
        .title = "Where the time goes (figure 17)",
        .note =
            "Milliseconds of all workers together, at the largest size. Busy: the program's code and its memory, of "
            "which it waited so much for bandwidth. Idle: no task ran.",
        .header = {"problem", "scheduler", "busy", "for bandwidth", "idle", "overhead", "steals"},
        .drawn = {2, 4, 5}};
    for_all_at_largest([&](const locality_problem& p, const std::string& scheduler, const run_outcome& o) {
      f.rows.push_back({std::string(p.name), scheduler, fmt::format("{:.2f}", 1e3 * o.busy_s),
                        fmt::format("{:.2f}", 1e3 * o.queued_s), fmt::format("{:.2f}", 1e3 * o.idle_s),
                        fmt::format("{:.2f}", 1e3 * o.overhead_s), fmt::format("{:.0f}", o.steals)});
    });
    return f;
  }

  figure misses() {
    figure f{.title = "Misses (figure 18)",
             .note =
                 "Thousands of lines of 64 bytes, of all cores together, at the largest size; and the share of those "
                 "from memory "
                 "that came from another socket's.",
             .header = {"problem", "scheduler"}};
    for (const machine_cache& cache : machine_.caches) f.header.push_back(fmt::format("L{}", cache.level));
    // As in the paper: the last private ones and the shared ones.
    for (std::size_t c = machine_.caches.size() > 2 ? 1 : 0; c < machine_.caches.size(); ++c) f.drawn.push_back(2 + c);
    f.header.emplace_back("remote");
    for_all_at_largest([&](const locality_problem& p, const std::string& scheduler, const run_outcome& o) {
      std::vector<std::string> row{std::string(p.name), scheduler};
      for (const double n : o.misses) row.push_back(fmt::format("{:.1f}", 1e-3 * n));
      row.push_back(fmt::format("{:.0f}%", 100 * o.remote));
      f.rows.push_back(std::move(row));
    });
    return f;
  }

  template <class F>
  void for_all_at_largest(F show) {
    for (const locality_problem* p : problems_) {
      std::vector<std::string> schedulers{"serial"};
      schedulers.insert(schedulers.end(), options_.policies.begin(), options_.policies.end());
      for (const std::string& scheduler : schedulers) {
        show(*p, scheduler, runs_.of(at(*p, options_.sizes.back(), scheduler)));
      }
    }
  }

  figure alphas(double size) {
    figure f{.title = fmt::format("rrm, divided 1 : alpha, at {:.2f} of the last level (figure 19)", size),
             .note = "1 - T / T(random): positive is faster.",
             .header = {"alpha"}};
    const auto rrm = std::find_if(problems_.begin(), problems_.end(), [](const auto* p) { return p->name == "rrm"; });
    if (rrm == problems_.end() || planned().empty()) return f;
    for (std::size_t c = 1; c <= 2 * planned().size() + others().size(); ++c) f.drawn.push_back(c);
    for (const std::string& policy : others()) f.header.push_back(policy);
    for (const std::string& policy : planned()) {
      f.header.push_back(policy);
      f.header.push_back(policy + ", no hints");
    }
    for (const double alpha : options_.alphas) {
      point p = at(**rrm, size, "random");
      p.alpha = alpha;
      const double random = runs_.of(p).seconds;
      std::vector<std::string> row{fmt::format("{:g}", alpha)};
      for (const std::string& policy : others()) {
        p.scheduler = policy;
        p.hints = true;
        row.push_back(fmt::format("{:+.1f}%", 100 * (1 - runs_.of(p).seconds / random)));
      }
      for (const std::string& policy : planned()) {
        for (const bool hints : {true, false}) {
          p.scheduler = policy;
          p.hints = hints;
          row.push_back(fmt::format("{:+.1f}%", 100 * (1 - runs_.of(p).seconds / random)));
        }
      }
      f.rows.push_back(std::move(row));
    }
    return f;
  }

  figure without_hints() {
    figure f{.title = "Without hints (figure 20)",
             .note = "Times without hints over those with them, and over random's.",
             .header = {"problem", "working set", "scheduler", "over hints", "over random"},
             .drawn = {3, 4}};
    for (const locality_problem* p : problems_) {
      for (const double size : {1.0, options_.sizes.back()}) {
        const double random = runs_.of(at(*p, size, "random")).seconds;
        for (const std::string& policy : planned()) {
          point without = at(*p, size, policy);
          const double hinted = runs_.of(without).seconds;
          without.hints = false;
          const double seconds = runs_.of(without).seconds;
          f.rows.push_back({std::string(p->name), shown_size(*p, size), policy, fmt::format("{:.2f}", seconds / hinted),
                            fmt::format("{:.2f}", seconds / random)});
        }
      }
    }
    return f;
  }

  figure placement() {
    figure f{.title = "Pages where they are touched first (figure 21)",
             .note =
                 "Times with first touch over those with interleaved pages, at the largest size, and the share of "
                 "lines from memory that came "
                 "from another socket's.",
             .header = {"problem", "scheduler", "first touch / interleaved", "remote: first touch", "interleaved"},
             .drawn = {2}};
    for (const locality_problem* p : problems_) {
      for (const std::string& policy : planned()) {
        point where = at(*p, options_.sizes.back(), policy);
        const run_outcome interleaved = runs_.of(where);
        where.interleaved = false;
        const run_outcome& touched = runs_.of(where);
        f.rows.push_back({std::string(p->name), policy, fmt::format("{:.2f}", touched.seconds / interleaved.seconds),
                          fmt::format("{:.0f}%", 100 * touched.remote),
                          fmt::format("{:.0f}%", 100 * interleaved.remote)});
      }
    }
    return f;
  }

  const locality_options& options_;
  const machine_description& machine_;
  simulations& runs_;
  double last_bytes_ = 0;
  std::vector<const locality_problem*> problems_;
};

}  // namespace

std::vector<figure> all_figures(const locality_options& options, const machine_description& machine,
                                simulations& runs) {
  return figures(options, machine, runs).all();
}

std::string to_text(const figure& table) {
  std::vector<std::size_t> widths(table.header.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);
  std::string out = table.title + "\n" + table.note + "\n";
  const auto show = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += i == 0 ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    out += "\n";
  };
  show(table.header);
  for (const auto& row : table.rows) show(row);
  return out;
}

}  // namespace takt::tools
