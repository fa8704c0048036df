#include "policy/fixed_seat.hpp"

#include "worker/inbox.hpp"
#include "worker/runtime.hpp"

#include <algorithm>

namespace takt_test {

namespace {

namespace sync = takt::sync;
namespace entry = takt::core::entry;
using takt::core::inbox;
using takt::core::runtime;
using takt::core::worker;

class fixed_seat final : public takt::core::policy {
 public:
  explicit fixed_seat(runtime& r) : owner_(r), target_(std::min(target_seat, r.most_workers - 1)) {}

  // A list under a lock is nothing for a signal handler.
  bool reserve(worker&, std::size_t, bool may_grow) noexcept override { return may_grow; }
  void publish(worker&, std::uint64_t task, bool) noexcept override {
    // Without memory a test cannot go on.
    if (!tasks_.put(task)) std::terminate();
    counts.published.fetch_add(1, std::memory_order_relaxed);
  }
  void wake_for(worker&, std::uint64_t task, bool in_signal_handler) noexcept override {
    owner_.announce_task(entry::scope(task), in_signal_handler, static_cast<int>(target_));
  }

  std::uint64_t next(worker& w) noexcept override {
    const std::uint64_t e = tasks_.take([&w](std::uint64_t seen) { return w.sleep.eligible(entry::scope(seen)); });
    if (e == entry::k_none) return e;
    const bool sent_here = w.seat.is(target_);
    (sent_here ? counts.by_target : counts.by_others).fetch_add(1, std::memory_order_relaxed);
    return e;
  }
  bool is_anything_for(worker&, takt::core::task_search& search) noexcept override {
    return tasks_.find([&search](std::uint64_t seen) { return search.ends_at(seen); }) != entry::k_none;
  }
  std::uint64_t take_back(worker&, const takt::abi::slot* wanted,
                          bool (*runs_here)(takt::abi::slot*)) noexcept override {
    const std::uint64_t e = tasks_.take([=](std::uint64_t seen) {
      return wanted != nullptr ? entry::task(seen) == wanted : runs_here(entry::task(seen));
    });
    if (e != entry::k_none) counts.taken_back.fetch_add(1, std::memory_order_relaxed);
    return e;
  }

  std::uint64_t take_awaited(worker& w, bool) noexcept override {
    return tasks_.take([&w](std::uint64_t seen) { return is_awaited(w, seen); });
  }

  bool offers(const worker&, std::uint32_t scope) noexcept override {
    return tasks_.find([scope](std::uint64_t seen) { return scope == 0 || entry::scope(seen) == scope; }) !=
           entry::k_none;
  }
  void serve(worker&, bool) noexcept override {}
  bool may_leave(const worker&) noexcept override { return true; }
  void left_by(worker& w, takt::core::task_search& search) noexcept override {
    (void)tasks_.find([&](std::uint64_t seen) { return !w.sleep.eligible(entry::scope(seen)) &&
        search.ends_at(seen); });
  }

  std::uint64_t cut(worker&, std::uint64_t begin, std::uint64_t end) noexcept override {
    return begin + (end - begin + 2) / 3;
  }

  void go_on_alone(worker&) noexcept override { tasks_.go_on_alone(); }

 private:
  runtime& owner_;
  const unsigned target_;
  inbox<sync::mutex> tasks_;
};

}  // namespace

std::unique_ptr<takt::core::policy> make_fixed_seat(runtime& r) { return std::make_unique<fixed_seat>(r); }

}  // namespace takt_test
