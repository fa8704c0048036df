// C++26's parallel scheduler on takt, as stdexec has it: include this in one file of the program.
//
//     stdexec::sync_wait(stdexec::schedule(stdexec::get_parallel_scheduler()) | stdexec::then(f));
#pragma once

#include <takt/spawn.hpp>
#include <takt/subranges.hpp>

#include <stdexec/execution.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>

namespace takt::doors {

/// Work begins on an idle worker. sync_wait blocks its thread: in parallel calls, put it into takt::blocking.
class stdexec_backend final : public stdexec::parallel_scheduler_replacement::parallel_scheduler_backend {
  using receiver = stdexec::parallel_scheduler_replacement::receiver_proxy;
  using bulk_receiver = stdexec::parallel_scheduler_replacement::bulk_item_receiver_proxy;
  using room = std::span<std::byte>;

 public:
  void schedule(receiver& done, room) noexcept override {
    begin(done, [] {});
  }
  void schedule_bulk_chunked(std::size_t count, bulk_receiver& done, room) noexcept override {
    begin(done, [count, &done] {
      takt::parallel_for(std::size_t{0}, count, [&done](std::size_t first, std::size_t last) { done.execute(first, last); });
    });
  }
  void schedule_bulk_unchunked(std::size_t count, bulk_receiver& done, room) noexcept override {
    begin(done, [count, &done] {
      takt::parallel_for(std::size_t{0}, count, [&done](std::size_t i) { done.execute(i, i + 1); });
    });
  }

 private:
  template <class F>
  static void begin(receiver& done, F f) noexcept {
    takt::spawn([&done, f] {
      const auto token = done.try_query<stdexec::inplace_stop_token>(stdexec::get_stop_token);
      if (token && token->stop_requested()) return done.set_stopped();
      try {
        f();
      } catch (...) {
        return done.set_error(std::current_exception());
      }
      done.set_value();
    });
  }
};

}  // namespace takt::doors

/// Takes the place of stdexec's, which is weak.
auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<parallel_scheduler_backend> {
  static const auto one = std::make_shared<takt::doors::stdexec_backend>();
  return one;
}
