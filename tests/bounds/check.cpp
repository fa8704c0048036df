#include "bounds/check.hpp"

#include "bounds/run.hpp"

#include <algorithm>

namespace takt_bounds {

namespace {

// Workers enough that nearly all that is made parallel runs at once: then the time is the span of what was made.
constexpr unsigned k_enough = 64;

}  // namespace

bounds check(const node& program, std::uint64_t beat_us, std::uint64_t late, takt::trigger trigger) {
  const auto w = static_cast<double>(work(program));
  const auto s = static_cast<double>(span(program, k_tau));
  const double ratio = static_cast<double>(beat_us * 1000) / static_cast<double>(k_tau);  // N / tau
  const measured one = run(program, 1, beat_us, k_tau, trigger);
  const measured many = run(program, k_enough, beat_us, k_tau, trigger);
  // A call that begins with a beat in hand has one promotion more; of calls one after another one in each beat.
  const double calls = 1 + (program.what == kind::sequence ? w / static_cast<double>(beat_us * 1000) : 0);
  const double most_work = (1 + 1 / ratio) * w + calls * static_cast<double>(k_tau);
  // By default others that look for work get more: one for each eighth of a beat, and one and two more for each task that
  // was stolen (src/promotion/README.md, "Early promotions", "More than one at a time").
  const double beats = w / static_cast<double>(beat_us * 1000);
  const auto steals = static_cast<double>(many.steals);
  const double early = 8 * beats + steals + 2 * std::min(steals, 16 * beats);
  const double follow = trigger == takt::trigger::lazy ? early : 0;
  const double done_by_many = w + static_cast<double>(many.promotions * k_tau);
  const double of_work = std::max(static_cast<double>(one.time) / most_work,
                                  done_by_many / (most_work + follow * static_cast<double>(k_tau)));
  const double late_ratio = ratio + static_cast<double>(late) / static_cast<double>(k_tau);
  return {of_work, static_cast<double>(many.time) / ((1 + late_ratio) * s)};
}

}  // namespace takt_bounds
