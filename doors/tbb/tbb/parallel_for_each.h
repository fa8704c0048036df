#pragma once

#include "takt_door.h"

#include <iterator>
#include <ranges>

namespace tbb {
inline namespace on_takt {

/// Takes items that come up while others are worked on.
template <class Item>
class feeder {
 public:
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;
  virtual void add(const Item& item) = 0;
  virtual void add(Item&& item) = 0;

 protected:
  feeder() = default;
  virtual ~feeder() = default;
};

namespace door {

template <class Item, class Body>
class feeding final : public feeder<Item> {
 public:
  explicit feeding(const Body& body) : body_(body) {}
  void add([[maybe_unused]] const Item& item) override {
    if constexpr (std::is_copy_constructible_v<Item>) add_own(Item(item));
  }
  void add(Item&& item) override { add_own(std::move(item)); }
  void add_own(Item&& item) {
    door::add(group_, [this, own = std::move(item)]() mutable { call(std::move(own)); });
  }
  /// An item that stays where it is.
  template <std::forward_iterator It>
  void add_at(It where) {
    door::add(group_, [this, where] { call(*where); });
  }
  void wait() { group_.wait(); }

 private:
  template <class Reference>
  void call(Reference&& given) {
    if constexpr (std::invocable<const Body&, Reference, feeder<Item>&>) {
      std::invoke(body_, std::forward<Reference>(given), static_cast<feeder<Item>&>(*this));
    } else if constexpr (std::invocable<const Body&, Reference>) {
      std::invoke(body_, std::forward<Reference>(given));
    } else {
      // A body that takes what lives elsewhere, and is given what is only here.
      call(given);
    }
  }
  const Body& body_;
  takt::task_group group_{takt::on_exception::stop};
};

template <class It, class Body>
void for_each(It first, It last, const Body& body) {
  using item = typename std::iterator_traits<It>::value_type;
  using reference = typename std::iterator_traits<It>::reference;
  if constexpr (std::random_access_iterator<It> && std::invocable<const Body&, reference>) {
    takt::parallel_for(first, last, body);
  } else {
    feeding<item, Body> all(body);
    for (; first != last; ++first) {
      if constexpr (std::forward_iterator<It>) {
        all.add_at(first);
      } else {
        all.add_own(item(*first));
      }
    }
    all.wait();
  }
}

}  // namespace door

template <std::input_or_output_iterator It, class Body>
void parallel_for_each(It first, It last, const Body& body) {
  door::run([&] { door::for_each(first, last, body); });
}
template <std::input_or_output_iterator It, class Body>
void parallel_for_each(It first, It last, const Body& body, task_group_context& context) {
  door::run(context, [&] { door::for_each(first, last, body); });
}
template <std::ranges::range Range, class Body>
void parallel_for_each(Range&& range, const Body& body) {
  tbb::parallel_for_each(std::begin(range), std::end(range), body);
}
template <std::ranges::range Range, class Body>
void parallel_for_each(Range&& range, const Body& body, task_group_context& context) {
  tbb::parallel_for_each(std::begin(range), std::end(range), body, context);
}

}  // namespace on_takt
}  // namespace tbb
