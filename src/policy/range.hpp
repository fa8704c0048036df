// How distribution ranges are divided (ADWS paper, section 3.1 and figure 7).
#pragma once

#include "cost/numbers.hpp"
#include "fiber/locality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace takt::core {

/// The two parts of a range: that of the code which goes on where it is, and that of the task which is handed over.
struct division {
  range kept;
  range given;
  unsigned target;  ///< the seat that begins `given`
};

/// Divides `r`, which is more than `own`, so that `kept` has `share` (0 to 1) of it. Of the two ends it is the one with
/// `own`, the seat or cache of the code that goes on. The paper gives a part to the seat in which it begins; where that
/// would be `own`, which is busy, the next one begins it, and `own` has its fraction of it. `at_seats`: at the nearest
/// boundary between seats.
inline division divide(range r, range own, double share, bool at_seats) noexcept {
  const std::uint32_t size = r.end - r.begin;
  const std::uint32_t part = std::clamp(static_cast<std::uint32_t>(share * size + 0.5), 1u, size - 1);
  const auto rounded = [&](std::uint32_t at) {
    if (!at_seats) return at;
    const std::uint32_t seat = (at + range::k_seat / 2) / range::k_seat;
    return std::clamp(seat, r.first() + 1, r.last()) * range::k_seat;
  };
  const auto is_own = [own](std::uint32_t at) { return own.begin <= at && at < own.end; };
  const std::uint32_t middle = rounded(r.begin + part);
  const std::uint32_t begun = is_own(middle) ? own.end : middle;
  const bool is_in_it = own.begin < r.end && r.begin < own.end;
  if (begun < r.end && (middle > own.begin || !is_in_it)) {
    return {{r.begin, middle}, {middle, r.end}, begun >> range::k_step_bits};
  }
  const std::uint32_t wanted = rounded(r.end - part);
  const std::uint32_t from = wanted < own.end ? wanted : own.begin;
  return {{from, r.end}, {r.begin, from}, r.first()};
}
inline division divide(range r, unsigned own, double share, bool at_seats) noexcept {
  return divide(r, range::of_seats(own, 1), share, at_seats);
}

/// The share of `r` that the first branch of a fork is to have, if it had `known` of the work: nearly half is half, and
/// a boundary lies between two seats if neither part is much more or less then. What is learned is never quite the
/// same, and a boundary that moves takes data along.
inline double planned_share(range r, double known) noexcept {
  const double seats = static_cast<double>(r.end - r.begin) / range::k_seat;
  const double begin = static_cast<double>(r.begin) / range::k_seat;
  const double half = seats / 2;
  double part = known * seats;
  if (std::abs(part - half) <= std::min(1.0, cost::k_near_share * half)) part = half;
  const double whole = std::round(begin + part) - begin;
  const bool is_near = std::abs(whole - part) <= cost::k_near_share * std::min(part, seats - part);
  return (is_near ? whole : part) / seats;
}

/// How many of `count` iterations the first part of a loop is to have: `even` if all are alike, `known` by what was
/// learned. That is not believed if it is one iteration or less away: then it may be noise, and costs the others a
/// whole iteration each where a seat has few.
inline double kept_iterations(double even, double known, double count) noexcept {
  if (known < 1 || known >= count || std::abs(known - even) <= 1) return even;
  return known + 0.5;
}

/// Where [begin, end) of a loop is to be cut so that the first part has `share` of the work that `work_of(begin, end)`
/// says: begin < cut <= end. Whatever that says: it is the program's, and not to be trusted. Asks O(log n) times.
template <class WorkOf>
std::uint64_t cut_by_work(std::uint64_t begin, std::uint64_t end, double share, WorkOf work_of) noexcept {
  const double wanted = share * work_of(begin, end);
  std::uint64_t least = begin + 1;
  std::uint64_t most = end;
  while (least < most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (work_of(begin, middle) < wanted) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

}  // namespace takt::core
