// pipeline: items go through stages one behind the other.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/elision.hpp>
#include <takt/detail/exceptions.hpp>
#include <takt/task_group.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace TAKT_NAMESPACE::detail {

enum class stage_order { parallel, in_order, one_at_a_time };

template <stage_order Order, class F>
struct stage {
  static constexpr stage_order order = Order;
  F function;
};

template <class T>
inline constexpr bool is_stage = false;
template <stage_order Order, class F>
inline constexpr bool is_stage<stage<Order, F>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// What a stage without a result hands on.
struct no_value {};

}  // namespace TAKT_NAMESPACE::detail

namespace TAKT_NAMESPACE {

/// A stage that takes any number of items at a time.
template <class F>
detail::stage<detail::stage_order::parallel, std::decay_t<F>> parallel(F&& f) {
  return {std::forward<F>(f)};
}
/// A stage that takes one item at a time, in the order in which they were read.
template <class F>
detail::stage<detail::stage_order::in_order, std::decay_t<F>> in_order(F&& f) {
  return {std::forward<F>(f)};
}
/// A stage that takes one item at a time, in the order in which they come.
template <class F>
detail::stage<detail::stage_order::one_at_a_time, std::decay_t<F>> one_at_a_time(F&& f) {
  return {std::forward<F>(f)};
}
/// How many items may be in a pipeline at a time, at least 1.
struct in_flight {
  std::size_t items;
};

}  // namespace TAKT_NAMESPACE

namespace TAKT_NAMESPACE::detail {

/// Where the items wait for a stage that takes one at a time: for their turn, if it is in order.
template <stage_order Order, class T>
class gate {
 public:
  struct item {
    std::uint64_t number;
    T value;
  };

  /// @returns whether the stage is the caller's, until leave(). If not, `value` has been moved from, and whoever leaves
  /// takes the item along.
  bool enter(std::uint64_t number, T& value) {
    const std::lock_guard one(mutex_);
    if (!busy_ && (!k_in_order || number == next_)) return busy_ = true;
    if constexpr (k_in_order) {
      const auto place = static_cast<std::size_t>(number - next_);
      if (place >= waiting_.size()) waiting_.resize(place + 1);
      waiting_[place].emplace(number, std::move(value));
    } else {
      waiting_.emplace_back(std::in_place, number, std::move(value));
    }
    return false;
  }
  /// @returns the item whose turn it is; the stage is the caller's, for that one.
  std::optional<item> leave() {
    const std::lock_guard one(mutex_);
    std::optional<item> result;
    if constexpr (k_in_order) {
      ++next_;
      // The place of the one that leaves.
      if (!waiting_.empty()) waiting_.pop_front();
      if (!waiting_.empty()) result = std::exchange(waiting_.front(), std::nullopt);
    } else if (!waiting_.empty()) {
      result = std::move(waiting_.front());
      waiting_.pop_front();
    }
    busy_ = result.has_value();
    return result;
  }

 private:
  static constexpr bool k_in_order = Order == stage_order::in_order;
  std::mutex mutex_;  ///< held for a moment, and while no code of the program runs but what moves an item
  bool busy_ = false;
  std::uint64_t next_ = 0;
  std::deque<std::optional<item>> waiting_;  ///< in order: from number `next_` on, empty for those that have not come
};
template <class T>
class gate<stage_order::parallel, T> {};

template <class In, class Stage>
using stage_result = std::invoke_result_t<decltype(std::declval<Stage&>().function)&, In>;
template <class T>
using handed_on = std::conditional_t<std::is_void_v<T>, no_value, std::remove_cvref_t<T>>;

template <class In, class... Stages>
struct stage_inputs {
  using gates = std::tuple<>;
};
template <class In, class Stage, class... Rest>
struct stage_inputs<In, Stage, Rest...> {
  static_assert(std::is_invocable_v<decltype(std::declval<Stage&>().function)&, In>,
                "takt::pipeline: a stage cannot be called with what the stage before it returns");
  using gates = decltype(std::tuple_cat(
      std::declval<std::tuple<gate<Stage::order, In>>>(),
      std::declval<typename stage_inputs<handed_on<stage_result<In, Stage>>, Rest...>::gates>()));
};

/// A pipeline under way. A *carrier* is a child of a group. It reads an item, carries it through the stages, and reads the
/// next one. An item that must wait for a stage is taken along by whoever leaves that stage, and its carrier reads the
/// next one. A carrier ends while somebody else reads, or the pipeline is full. Who has read begins another one, as long
/// as there may be more: idle workers take those. So nobody blocks, and some carrier has the oldest item and reads on
/// behind it.
template <class Read, class... Stages>
class pipeline_run {
  using first = typename std::remove_cvref_t<std::invoke_result_t<Read&>>::value_type;

 public:
  pipeline_run(std::size_t most, Read& read, std::tuple<Stages...>& stages)
      : most_(most), read_(read), stages_(stages) {}

  void run() {
    add([this] { carry(); });
    group_.wait();
  }

 private:
  // What throws ends the reading, and what has not begun by then is dropped. The group keeps the exception.
  template <class F>
  void add(F f) {
    group_.run([this, f = std::move(f)]() mutable {
      TAKT_TRY {
        f();
      } TAKT_CATCH_ALL {
        const std::lock_guard one(mutex_);
        ended_ = true;
        TAKT_RETHROW();
      }
    });
  }

  void carry() {
    while (begin_reading()) {
      std::optional<first> item = std::invoke(read_);
      const std::optional<std::uint64_t> number = end_reading(item.has_value());
      if (!number.has_value()) return;
      go_on<0>(*number, std::move(*item));
    }
  }
  /// @returns whether this carrier may read; if not, it is over.
  bool begin_reading() {
    const std::lock_guard one(mutex_);
    const bool may_read = !ended_ && !reading_ && items_ < most_;
    if (may_read) {
      reading_ = true;
    } else {
      --carriers_;
    }
    return may_read;
  }
  /// @returns the number of what has been read; nothing: it is not to go on.
  std::optional<std::uint64_t> end_reading(bool has_item) {
    std::uint64_t number = 0;
    bool another = false;
    {
      const std::lock_guard one(mutex_);
      reading_ = false;
      ended_ = ended_ || !has_item;
      if (ended_) return std::nullopt;
      number = read_so_far_++;
      another = ++items_ < most_ && carriers_ < most_;
      if (another) ++carriers_;
    }
    if (another) add([this] { carry(); });
    return number;
  }

  template <std::size_t I, class T>
  void go_on(std::uint64_t number, T value) {
    if constexpr (I == sizeof...(Stages)) {
      const std::lock_guard one(mutex_);
      --items_;
    } else if constexpr (order<I>() == stage_order::parallel) {
      go_on<I + 1>(number, call<I>(std::move(value)));
    } else if (std::get<I>(gates_).enter(number, value)) {
      pass<I>(number, std::move(value));
    }
  }
  /// The stage is this carrier's.
  template <std::size_t I, class T>
  void pass(std::uint64_t number, T value) {
    auto result = call<I>(std::move(value));
    auto next = std::get<I>(gates_).leave();
    if constexpr (I + 1 == sizeof...(Stages)) {
      go_on<I + 1>(number, std::move(result));
      // This is all that there is to do for them.
      for (; next.has_value(); next = std::get<I>(gates_).leave()) {
        go_on<I + 1>(next->number, call<I>(std::move(next->value)));
      }
    } else {
      if (next.has_value()) add_carrier_of<I>(std::move(*next));
      go_on<I + 1>(number, std::move(result));
    }
  }
  template <std::size_t I, class Item>
  void add_carrier_of(Item item) {
    {
      const std::lock_guard one(mutex_);
      ++carriers_;
    }
    add([this, item = std::move(item)]() mutable {
      pass<I>(item.number, std::move(item.value));
      carry();
    });
  }

  template <std::size_t I>
  static constexpr stage_order order() {
    return std::tuple_element_t<I, std::tuple<Stages...>>::order;
  }
  template <std::size_t I, class T>
  auto call(T&& value) {
    auto& function = std::get<I>(stages_).function;
    if constexpr (std::is_void_v<std::invoke_result_t<decltype(function), T>>) {
      std::invoke(function, std::forward<T>(value));
      return no_value{};
    } else {
      return std::invoke(function, std::forward<T>(value));
    }
  }

  const std::size_t most_;
  Read& read_;
  std::tuple<Stages...>& stages_;
  typename stage_inputs<first, Stages...>::gates gates_;
  std::mutex mutex_;  ///< for what follows, for a moment
  std::uint64_t read_so_far_ = 0;
  std::size_t items_ = 0;     ///< in the pipeline
  std::size_t carriers_ = 1;  ///< that read
  bool reading_ = false;
  bool ended_ = false;
  task_group group_;  ///< last: it waits for all children before the rest is destroyed
};

/// The serial elision: one item after the other.
template <class Read, class... Stages>
class serial_pipeline {
 public:
  serial_pipeline(std::size_t, Read& read, std::tuple<Stages...>& stages) : read_(read), stages_(stages) {}
  void run() {
    while (auto item = std::invoke(read_)) go_on<0>(std::move(*item));
  }

 private:
  template <std::size_t I, class T>
  void go_on(T value) {
    if constexpr (I < sizeof...(Stages)) {
      auto& function = std::get<I>(stages_).function;
      if constexpr (std::is_void_v<std::invoke_result_t<decltype(function), T>>) {
        std::invoke(function, std::move(value));
        go_on<I + 1>(no_value{});
      } else {
        go_on<I + 1>(std::invoke(function, std::move(value)));
      }
    }
  }
  Read& read_;
  std::tuple<Stages...>& stages_;
};

/// A plain callable is a parallel stage, and in order at the end.
template <bool IsLast, class S>
auto as_stage(S&& s) {
  if constexpr (is_stage<std::remove_cvref_t<S>>) {
    return std::forward<S>(s);
  } else if constexpr (IsLast) {
    return takt::in_order(std::forward<S>(s));
  } else {
    return takt::parallel(std::forward<S>(s));
  }
}

inline in_flight usual_in_flight() {
  if constexpr (k_elided) {
    return {1};
  } else {
    return {std::size_t{4} * current_config().workers};
  }
}

template <class Read, class... Stages, std::size_t... I>
void run_pipeline(std::size_t most, Read& read, std::index_sequence<I...>, Stages&&... stages) {
  std::tuple all(detail::as_stage<I + 1 == sizeof...(Stages)>(std::forward<Stages>(stages))...);
  [&]<class... Made>(std::tuple<Made...>& made) {
    std::conditional_t<k_elided, serial_pipeline<Read, Made...>, pipeline_run<Read, Made...>>(most, read, made).run();
  }(all);
}

}  // namespace TAKT_NAMESPACE::detail

namespace TAKT_NAMESPACE {

/// Reads items and sends each through the stages, several at a time. Returns when all have passed.
///
///     takt::pipeline([&] { return next_block(file); },                // std::optional<block>; empty: the end
///                    [](block b) { return compress(std::move(b)); },  // any number at a time
///                    [&](const packed& p) { out.write(p); });         // one at a time, in the order of reading
///
/// read() runs one call at a time. A stage is called with what the stage before it returns. It takes any number of items
/// at a time; the last one takes one at a time in the order of reading. takt::parallel, takt::in_order and
/// takt::one_at_a_time say otherwise of any stage. A stage may contain forks, loops and pipelines.
///
/// No more than `most.items` are in the pipeline; without it, four for each worker. No thread waits for a stage that is
/// taken or for an item that is late: the item waits, and the thread goes on with others.
/// @throws one of the exceptions of read() and the stages. Nothing is read after one, and what waits is dropped.
/// @throws std::bad_alloc, std::invalid_argument if most.items is 0
/// Cost: for each item a child of a group, and a lock for each stage that takes one at a time.
template <class Read, class... Stages>
  requires(sizeof...(Stages) != 0)
void pipeline(in_flight most, Read&& read, Stages&&... stages) {
  static_assert(std::is_invocable_v<Read&>, "takt::pipeline: the first stage is called without an argument");
  static_assert(detail::is_optional<std::remove_cvref_t<std::invoke_result_t<Read&>>>,
                "takt::pipeline: the first stage returns a std::optional, which is empty at the end");
  if (most.items == 0) detail::raise<std::invalid_argument>("takt::pipeline: no item may be in flight");
  detail::run_pipeline(most.items, read, std::index_sequence_for<Stages...>(), std::forward<Stages>(stages)...);
}

template <class Read, class... Stages>
  requires(sizeof...(Stages) != 0 && !std::is_same_v<std::remove_cvref_t<Read>, in_flight>)
void pipeline(Read&& read, Stages&&... stages) {
  takt::pipeline(detail::usual_in_flight(), std::forward<Read>(read), std::forward<Stages>(stages)...);
}

template <class... Arguments>
auto pipeline(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::pipeline: takes a first stage, which returns a std::optional that is empty at the end, and stages "
                "each of which can be called with what the one before it returns");
  return detail::anything{};
}

}  // namespace TAKT_NAMESPACE
