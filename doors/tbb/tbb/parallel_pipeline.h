#pragma once

#include "takt_door.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tbb {
inline namespace on_takt {

enum class filter_mode { parallel, serial_in_order, serial_out_of_order };

class flow_control {
 public:
  void stop() { stopped_ = true; }
  bool is_stopped() const { return stopped_; }

 private:
  bool stopped_ = false;
};

namespace door {

/// A value of any type on its way from a stage to the next.
class item {
 public:
  item() = default;
  template <class T>
  static item of(T&& value) {
    using kept = std::remove_cvref_t<T>;
    item made;
    made.value_ = {new kept(std::forward<T>(value)), [](void* v) { delete static_cast<kept*>(v); }};
    return made;
  }
  template <class T>
  T take() {
    return std::move(*static_cast<std::remove_cvref_t<T>*>(value_.get()));
  }

 private:
  std::unique_ptr<void, void (*)(void*)> value_{nullptr, [](void*) {}};
};

struct stage {
  filter_mode mode;
  std::function<item(item&&, flow_control&)> call;
};

/// A pipeline under way. A carrier, a child of the group, reads an item, carries it through the stages and reads the
/// next one. An item that must wait for a stage is left there, and whoever leaves the stage sends it on: nobody blocks.
class pipeline_run {
 public:
  pipeline_run(std::size_t most, const std::vector<stage>& stages) : most_(most), stages_(stages), gates_(stages.size()) {}

  void run() {
    add([this] { carry(); });
    group_.wait();
  }

 private:
  struct gate {
    bool busy = false;
    std::uint64_t next = 0;
    std::map<std::uint64_t, item> waiting;
  };

  template <class F>
  void add(F&& f) {
    door::add(group_, [this, own = std::forward<F>(f)]() mutable {
      try {
        own();
      } catch (...) {
        // What has not begun by now is dropped.
        const std::lock_guard one(mutex_);
        ended_ = true;
        throw;
      }
    });
  }

  void carry() {
    while (begin_reading()) {
      flow_control flow;
      item read = stages_[0].call(item(), flow);
      const std::optional<std::uint64_t> number = end_reading(!flow.is_stopped());
      if (!number) return;
      go_on(1, *number, std::move(read));
    }
  }
  /// @returns whether this carrier may read; if not, it is over.
  bool begin_reading() {
    const std::lock_guard one(mutex_);
    const bool is_free = stages_[0].mode == filter_mode::parallel || !reading_;
    if (ended_ || !is_free || items_ == most_) {
      --carriers_;
      return false;
    }
    ++items_;
    return reading_ = true;
  }
  std::optional<std::uint64_t> end_reading(bool has_item) {
    std::uint64_t number = 0;
    bool another = false;
    {
      const std::lock_guard one(mutex_);
      reading_ = false;
      ended_ = ended_ || !has_item;
      if (ended_ && !has_item) return std::nullopt;
      number = read_so_far_++;
      another = !ended_ && items_ < most_ && carriers_ < most_;
      if (another) ++carriers_;
    }
    if (another) add([this] { carry(); });
    return number;
  }

  void go_on(std::size_t at, std::uint64_t number, item value) {
    for (; at < stages_.size(); ++at) {
      if (!enter(at, number, value)) return;
      value = pass(at, std::move(value));
    }
    const std::lock_guard one(mutex_);
    --items_;
  }
  /// @returns whether the stage is the caller's. If not, the item stays there.
  bool enter(std::size_t at, std::uint64_t number, item& value) {
    if (stages_[at].mode == filter_mode::parallel) return true;
    const std::lock_guard one(mutex_);
    gate& here = gates_[at];
    const bool has_turn = stages_[at].mode == filter_mode::serial_out_of_order || here.next == number;
    if (!here.busy && has_turn) return here.busy = true;
    here.waiting.emplace(number, std::move(value));
    return false;
  }
  item pass(std::size_t at, item value) {
    flow_control flow;
    item result = stages_[at].call(std::move(value), flow);
    if (stages_[at].mode != filter_mode::parallel) leave(at);
    return result;
  }
  void leave(std::size_t at) {
    std::uint64_t number = 0;
    item next;
    {
      const std::lock_guard one(mutex_);
      gate& here = gates_[at];
      ++here.next;
      const auto first = here.waiting.begin();
      const bool has_turn = stages_[at].mode == filter_mode::serial_out_of_order ||
                            (first != here.waiting.end() && first->first == here.next);
      here.busy = first != here.waiting.end() && has_turn;
      if (!here.busy) return;
      number = first->first;
      next = std::move(first->second);
      here.waiting.erase(first);
      ++carriers_;
    }
    add([this, at, number, value = std::move(next)]() mutable {
      go_on(at + 1, number, pass(at, std::move(value)));
      carry();
    });
  }

  const std::size_t most_;
  const std::vector<stage>& stages_;
  std::mutex mutex_;  ///< for what follows, for a moment
  std::vector<gate> gates_;
  std::uint64_t read_so_far_ = 0;
  std::size_t items_ = 0;
  std::size_t carriers_ = 1;
  bool reading_ = false;
  bool ended_ = false;
  takt::task_group group_{takt::on_exception::stop};  ///< last: it waits for all children
};

}  // namespace door

template <class Input, class Output>
class filter {
 public:
  filter() = default;
  template <class Body>
  filter(filter_mode mode, const Body& body) : stages_{door::stage{mode, filter::erase(body)}} {}
  void clear() { stages_.clear(); }

 private:
  template <class In, class Out>
  friend class filter;
  template <class A, class B, class C>
  friend filter<A, C> operator&(const filter<A, B>&, const filter<B, C>&);
  template <class... How>
  friend void parallel_pipeline(std::size_t, const filter<void, void>&, How&...);

  /// A first stage is called with a flow_control, the others with what the stage before returned.
  template <class Body>
  static auto erase(const Body& body) {
    return [body](door::item&& in, flow_control& flow) {
      const auto call = [&]() -> Output {
        if constexpr (std::is_void_v<Input>) {
          return body(flow);
        } else {
          return std::invoke(body, in.template take<Input>());
        }
      };
      if constexpr (std::is_void_v<Output>) {
        call();
        return door::item();
      } else {
        return door::item::of(call());
      }
    };
  }
  std::vector<door::stage> stages_;
};

namespace door {

/// What a stage takes and gives, as its only signature says.
template <class F>
struct signature : signature<decltype(&F::operator())> {};
template <class Result, class Argument>
struct signature<Result (*)(Argument)> {
  using taken = std::remove_cvref_t<Argument>;
  using input = std::conditional_t<std::same_as<taken, flow_control>, void, taken>;
  using output = std::remove_cvref_t<Result>;
};
template <class Result, class C, class Argument>
struct signature<Result (C::*)(Argument)> : signature<Result (*)(Argument)> {};
template <class Result, class C, class Argument>
struct signature<Result (C::*)(Argument) const> : signature<Result (*)(Argument)> {};

}  // namespace door

template <class Body>
filter(filter_mode, Body)
    -> filter<typename door::signature<std::decay_t<Body>>::input, typename door::signature<std::decay_t<Body>>::output>;

template <class Body>
auto make_filter(filter_mode mode, const Body& body) {
  using of = door::signature<std::decay_t<Body>>;
  return filter<typename of::input, typename of::output>(mode, body);
}
template <class Input, class Output, class Body>
filter<Input, Output> make_filter(filter_mode mode, const Body& body) {
  return filter<Input, Output>(mode, body);
}

template <class A, class B, class C>
filter<A, C> operator&(const filter<A, B>& first, const filter<B, C>& then) {
  filter<A, C> both;
  both.stages_ = first.stages_;
  both.stages_.insert(both.stages_.end(), then.stages_.begin(), then.stages_.end());
  return both;
}

/// A context may follow.
template <class... How>
void parallel_pipeline(std::size_t most_items, const filter<void, void>& all, How&... how) {
  static_assert((door::manner<How> && ...), "parallel_pipeline: a task_group_context may follow");
  door::run_as([&] { door::pipeline_run(most_items, all.stages_).run(); }, how...);
}
template <class First, class Second, class... More>
  requires(!door::manner<Second>)
void parallel_pipeline(std::size_t most_items, const First& first, const Second& second, const More&... more) {
  tbb::parallel_pipeline(most_items, first & second, more...);
}

}  // namespace on_takt
}  // namespace tbb
