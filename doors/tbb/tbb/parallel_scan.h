#pragma once

#include "takt_door.h"

#include <memory>
#include <optional>

namespace tbb {
inline namespace on_takt {

struct pre_scan_tag {
  static bool is_final_scan() { return false; }
  operator bool() const { return is_final_scan(); }
};
struct final_scan_tag {
  static bool is_final_scan() { return true; }
  operator bool() const { return is_final_scan(); }
};

namespace door {

/// A part that was stolen does not know what comes before it: it is summed up first, and scanned when that is known.
template <class Range, class Body>
struct summed {
  template <class R>
  summed(R&& part, Body& like) : range(part), sum(like, tbb::split()) {}
  Range range;
  Body sum;
  std::unique_ptr<summed> lower, upper;
};

template <class Range, class Body>
void sum_up(summed<Range, Body>& part, cuts allowed) {
  Range whole = part.range;
  const bool is_cut = door::halve(
      whole, allowed,
      [&](Range& lower, cuts left) {
        part.lower = std::make_unique<summed<Range, Body>>(lower, part.sum);
        door::sum_up(*part.lower, left);
      },
      [&](Range& upper, cuts left, bool) {
        part.upper = std::make_unique<summed<Range, Body>>(upper, part.sum);
        door::sum_up(*part.upper, left);
      });
  if (is_cut) {
    part.sum.assign(part.upper->sum);
    part.sum.reverse_join(part.lower->sum);
  } else {
    std::invoke(part.sum, std::as_const(part.range), pre_scan_tag());
  }
}

/// `before` has what comes before the part, and then what comes before the end of it.
template <class Range, class Body>
void scan_summed(summed<Range, Body>& part, Body& before) {
  if (part.lower == nullptr) {
    std::invoke(before, std::as_const(part.range), final_scan_tag());
    return;
  }
  Body between(before, tbb::split());
  between.assign(part.lower->sum);
  between.reverse_join(before);
  takt::fork_join([&] { door::scan_summed(*part.lower, before); }, [&] { door::scan_summed(*part.upper, between); });
  before.assign(between);
}

template <class Range, class Body>
void scan_range(Range& range, cuts allowed, Body& body) {
  std::unique_ptr<summed<Range, Body>> stolen_part;
  const bool is_cut = door::halve(
      range, allowed, [&](Range& lower, cuts left) { door::scan_range(lower, left, body); },
      [&](Range& upper, cuts left, bool stolen) {
        if (stolen) {
          stolen_part = std::make_unique<summed<Range, Body>>(upper, body);
          door::sum_up(*stolen_part, left);
        } else {
          door::scan_range(upper, left, body);
        }
      });
  if (!is_cut) {
    std::invoke(body, std::as_const(range), final_scan_tag());
  } else if (stolen_part != nullptr) {
    door::scan_summed(*stolen_part, body);
  }
}

/// The body of a scan that is given as functions.
template <class Range, class Value, class Scan, class Combine>
class scan_body {
 public:
  scan_body(const Value& identity, const Scan& scan, const Combine& combine)
      : identity_(identity), scan_(scan), combine_(combine), value_(identity) {}
  scan_body(const scan_body& other, tbb::split) : scan_body(other.identity_, other.scan_, other.combine_) {}
  template <class Tag>
  void operator()(const Range& range, Tag tag) {
    value_ = std::invoke(scan_, range, std::as_const(value_), tag);
  }
  void reverse_join(scan_body& before) { value_ = std::invoke(combine_, std::as_const(before.value_), std::as_const(value_)); }
  void assign(scan_body& other) { value_ = other.value_; }
  Value&& result() { return std::move(value_); }

 private:
  const Value& identity_;
  const Scan& scan_;
  const Combine& combine_;
  Value value_;
};

}  // namespace door

template <class Range, class Body, door::manner... How>
void parallel_scan(const Range& range, Body& body, How&&... how) {
  if (range.empty()) return;
  Range all(range);
  door::run_as([&] { door::scan_range(all, door::cuts_as<auto_partitioner>(how...), body); }, how...);
}
template <class Range, class Value, class Scan, class Combine, door::manner... How>
  requires(!door::manner<Scan>)
Value parallel_scan(const Range& range, const Value& identity, const Scan& scan, const Combine& combine,
                    How&&... how) {
  door::scan_body<Range, Value, Scan, Combine> body(identity, scan, combine);
  tbb::parallel_scan(range, body, how...);
  return body.result();
}

}  // namespace on_takt
}  // namespace tbb
