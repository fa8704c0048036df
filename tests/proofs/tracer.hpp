// Runs a program of tests/bounds in virtual time and writes what happened, for the checker that is made of the proofs.
#pragma once

#include <takt/config.hpp>
#include <takt/lab.hpp>

#include "bounds/program.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace takt_trace {

/// The most promotions for N of work under `lazy` (src/promotion/README.md, "More than one at a time").
inline constexpr unsigned k_lazy_promotions = 73;

/// What is done wrong on purpose, so that the checker must refuse the trace.
enum class mistake {
  none,
  early,        ///< the scheduler's beat is half of what the trace says
  all,          ///< the scheduler promotes all there is, whatever trigger the trace names
  lost_branch,  ///< a right branch that another worker takes is not run
  wrong_order   ///< a fork whose right branch another worker took puts that one's results first
};

struct settings {
  unsigned workers = 1;
  std::uint64_t beat_us = 1;
  takt::trigger trigger = takt::lab::beat;
  mistake wrong = mistake::none;
};

/// Runs `program` as the left branch of one more fork, so that all of it is one parallel call, and writes the trace in
/// the format of proofs/tie/README.md. Where a branch was to be lost, and none was taken, nothing is written.
void trace(std::ostream& out, const std::string& name, const takt_bounds::node& program, const settings& s);

}  // namespace takt_trace
