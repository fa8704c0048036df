// What takt promises, written down as plain loops: every branch, iteration and child runs, in serial order, and the first
// error arrives.
#pragma once

#include <takt/fork_join.hpp>  // takt::nothing, which stands for the result of a void branch

#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace takt_test {

// Errors of things that all run: the first is kept.
class first_error {
 public:
  template <class F>
  void run(F&& f) {
    try {
      f();
    } catch (...) {
      if (kept_ == nullptr) kept_ = std::current_exception();
    }
  }
  void rethrow() {
    if (kept_ != nullptr) std::rethrow_exception(std::exchange(kept_, nullptr));
  }

 private:
  std::exception_ptr kept_;
};

template <class F>
auto value_of(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return takt::nothing{};
  } else {
    return f();
  }
}

struct serial_engine {
  template <class... F>
  static auto fork(F&&... f) {
    std::tuple<std::optional<decltype(value_of(f))>...> results;
    first_error errors;
    std::apply([&](auto&... result) { (errors.run([&] { result.emplace(value_of(f)); }), ...); }, results);
    errors.rethrow();
    return std::apply([](auto&... result) { return std::tuple(std::move(*result)...); }, results);
  }

  template <class I, class Body>
  static void loop(I first, I last, Body body) {
    loop_by(first, last, I{1}, body);
  }
  template <class I, class Body>
  static void loop_by(I first, I last, I stride, Body body) {
    first_error errors;
    for (I i = first; i < last; i += stride) errors.run([&] { body(i); });
    errors.rethrow();
  }
  template <class Range, class Body>
  static void loop_over(Range& range, Body body) {
    first_error errors;
    for (auto& element : range) errors.run([&] { body(element); });
    errors.rethrow();
  }

  template <class I, class T, class Map, class Combine>
  static T reduce(I first, I last, T identity, Map map, Combine combine) {
    first_error errors;
    T sum = std::move(identity);
    for (I i = first; i < last; ++i) errors.run([&] { sum = combine(std::move(sum), map(i)); });
    errors.rethrow();
    return sum;
  }

  template <class F>
  static auto under(std::uint64_t, F f) {
    return f();
  }
  struct place {
    explicit place(bool) {}
  };
  struct memory {
    explicit memory(std::uint64_t) {}
  };

  class group {
   public:
    explicit group(std::size_t = 0) {}
    ~group() { run_all(); }
    group(const group&) = delete;
    group& operator=(const group&) = delete;

    template <class F>
    void run(F f) {
      children_.emplace_back(std::move(f));
    }
    void wait() {
      run_all();
      errors_.rethrow();
    }

   private:
    // A child may add more.
    void run_all() {
      while (!children_.empty()) {
        const auto child = std::move(children_.front());
        children_.pop_front();
        errors_.run(child);
      }
    }
    std::deque<std::function<void()>> children_;
    first_error errors_;
  };
};

}  // namespace takt_test
