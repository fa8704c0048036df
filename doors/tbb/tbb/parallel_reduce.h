#pragma once

#include "takt_door.h"

#include <optional>

namespace tbb {
inline namespace on_takt {
namespace door {

/// `Always`: each part has a body of its own, so that the joins are the same each time.
template <bool Always, class Range, class Body>
void reduce_range(Range& range, cuts allowed, Body& body) {
  std::optional<Body> other;
  const bool is_cut = door::halve(
      range, allowed, [&](Range& lower, cuts left) { door::reduce_range<Always>(lower, left, body); },
      [&](Range& upper, cuts left, bool stolen) {
        if (Always || stolen) {
          other.emplace(body, tbb::split());
          door::reduce_range<Always>(upper, left, *other);
        } else {
          door::reduce_range<Always>(upper, left, body);
        }
      });
  if (!is_cut) {
    std::invoke(body, range);
  } else if (other) {
    body.join(*other);
  }
}

/// The body of a reduction that is given as functions.
template <class Range, class Value, class F, class Combine>
class function_body {
 public:
  function_body(const Value& identity, const F& f, const Combine& combine)
      : identity_(identity), f_(f), combine_(combine), value_(identity) {}
  function_body(const function_body& other, tbb::split)
      : function_body(other.identity_, other.f_, other.combine_) {}
  void operator()(Range& range) { value_ = std::invoke(f_, std::as_const(range), std::move(value_)); }
  void join(function_body& other) { value_ = std::invoke(combine_, std::move(value_), std::move(other.value_)); }
  Value&& result() { return std::move(value_); }

 private:
  const Value& identity_;
  const F& f_;
  const Combine& combine_;
  Value value_;
};

template <bool Always, class Default, class Range, class Body, class... How>
void reduce(const Range& range, Body& body, How&... how) {
  if (range.empty()) return;
  Range all(range);
  door::run_as([&] { door::reduce_range<Always>(all, door::cuts_as<Default>(how...), body); }, how...);
}

}  // namespace door

template <class Range, class Body, door::manner... How>
void parallel_reduce(const Range& range, Body& body, How&&... how) {
  door::reduce<false, auto_partitioner>(range, body, how...);
}
template <class Range, class Value, class F, class Combine, door::manner... How>
  requires(!door::manner<F>)
Value parallel_reduce(const Range& range, const Value& identity, const F& f, const Combine& combine, How&&... how) {
  door::function_body<Range, Value, F, Combine> body(identity, f, combine);
  door::reduce<false, auto_partitioner>(range, body, how...);
  return body.result();
}

template <class Range, class Body, door::manner... How>
void parallel_deterministic_reduce(const Range& range, Body& body, How&&... how) {
  door::reduce<true, simple_partitioner>(range, body, how...);
}
template <class Range, class Value, class F, class Combine, door::manner... How>
  requires(!door::manner<F>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const F& f, const Combine& combine,
                                    How&&... how) {
  door::function_body<Range, Value, F, Combine> body(identity, f, combine);
  door::reduce<true, simple_partitioner>(range, body, how...);
  return body.result();
}

}  // namespace on_takt
}  // namespace tbb
