// What programs run on: the serial rules, and takt in a world that has time, threads and locks.
#pragma once

#include <takt/algorithms.hpp>
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "conformance/rules.hpp"
#include "generated/program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace takt_generated {

/// What is not takt's.
class world {
 public:
  virtual ~world() = default;
  virtual void spend(std::uint64_t ns) = 0;
  virtual std::uint64_t this_thread() = 0;
  virtual void lock(std::uint32_t number) = 0;
  virtual void unlock(std::uint32_t number) = 0;
  virtual void acquire(std::uint32_t number) = 0;
  virtual void release(std::uint32_t number) = 0;
  /// Runs `f` on a new thread; what is returned joins it.
  virtual std::function<void()> start(std::function<void()> f) = 0;
  /// A thread may be changed inside a call of takt's while it holds a lock of another library.
  virtual bool has_foreign_locks() = 0;
};

class serial_engine : public takt_test::serial_engine {
 public:
  void spend(std::uint64_t) {}
  template <class Body>
  void loop(std::uint32_t, std::uint32_t count, Body body) {
    takt_test::serial_engine::loop(0u, count, body);
  }
  template <class T, class Map, class Combine>
  T reduce(std::uint32_t count, T identity, Map map, Combine combine) {
    return takt_test::serial_engine::reduce(0u, count, std::move(identity), map, combine);
  }
  template <class A, class B>
  auto beside(A a, B b) {
    return fork(a, b);
  }
  template <class F>
  auto staying(F f) {
    return f();
  }
  template <class F>
  auto locked(std::uint32_t, bool, F f) {
    return f();
  }
  template <class F>
  auto with_semaphore(std::uint32_t, bool, F f) {
    return f();
  }
  template <class F>
  auto holding(std::uint32_t, std::uint64_t, F f) {
    return f();
  }
  void algorithm(std::uint32_t variant, std::vector<std::uint64_t>& v) {
    switch (variant % 4) {
      case 0:
        std::sort(v.begin(), v.end());
        break;
      case 1:
        std::inclusive_scan(v.begin(), v.end(), v.begin());
        break;
      case 2:
        std::erase_if(v, [](std::uint64_t x) { return x % 3 == 0; });
        break;
      default:
        v.assign(1, std::accumulate(v.begin(), v.end(), std::uint64_t{0}));
        break;
    }
  }

  class group : public takt_test::serial_engine::group {
   public:
    group(serial_engine&, std::uint32_t) {}
    template <class F>
    void run(std::uint32_t, F f) {
      takt_test::serial_engine::group::run(std::move(f));
    }
  };
};

class takt_engine {
 public:
  explicit takt_engine(world& w) : world_(w) {}

  void spend(std::uint64_t ns) { world_.spend(ns); }
  template <class... F>
  auto fork(F&&... f) {
    return takt::fork_join(std::forward<F>(f)...);
  }
  template <class Body>
  void loop(std::uint32_t variant, std::uint32_t count, Body body) {
    if (variant % 4 == 0) {
      takt::parallel_for(0u, count, body, takt::hints{.work = static_cast<double>(count), .bytes = count * 1000});
    } else {
      takt::parallel_for(0u, count, body);
    }
  }
  template <class T, class Map, class Combine>
  T reduce(std::uint32_t count, T identity, Map map, Combine combine) {
    return takt::parallel_reduce(0u, count, std::move(identity), map, combine);
  }
  template <class A, class B>
  auto beside(A a, B b) {
    std::optional<decltype(a())> first, second;
    takt_test::first_error errors;
    std::exception_ptr of_thread;
    const auto join = world_.start([&] {
      try {
        first = a();
      } catch (...) {
        of_thread = std::current_exception();
      }
    });
    takt_test::first_error of_this;
    of_this.run([&] { second = b(); });
    join();
    if (of_thread != nullptr) std::rethrow_exception(std::exchange(of_thread, nullptr));
    of_this.rethrow();
    return std::pair(*first, *second);
  }
  template <class F>
  auto staying(F f) {
    const takt::stay here;
    const same_thread check(world_);
    return f();
  }
  template <class F>
  auto locked(std::uint32_t number, bool joins, F f) {
    return with([&] { world_.lock(number); }, [&] { world_.unlock(number); }, joins, f);
  }
  template <class F>
  auto with_semaphore(std::uint32_t number, bool joins, F f) {
    return with([&] { world_.acquire(number); }, [&] { world_.release(number); }, joins, f);
  }
  template <class F>
  auto holding(std::uint32_t variant, std::uint64_t bytes, F f) {
    switch (variant % 16) {
      case 0: {
        const auto held = takt::allocate<std::byte>(bytes);
        return f();
      }
      case 1: {
        const std::vector<std::byte, takt::memory_allocator<std::byte>> held(bytes);
        return f();
      }
      case 2:
        // Its lock is held over what it takes from takt.
        if (world_.has_foreign_locks()) {
          std::pmr::vector<std::byte> held(bytes, &pool_);
          return f();
        }
        [[fallthrough]];
      default: {
        const takt::memory_scope held(bytes);
        return f();
      }
    }
  }
  template <class F>
  auto under(std::uint32_t variant, F f) {
    using takt::policy;
    constexpr policy k_policies[] = {policy::automatic, policy::random,       policy::adws,
                                     policy::ml_adws,   takt::lab::ml_random, takt::lab::sb};
    return takt::with_policy(k_policies[variant % std::size(k_policies)], f);
  }
  void algorithm(std::uint32_t variant, std::vector<std::uint64_t>& v) {
    switch (variant % 4) {
      case 0:
        takt::sort(v);
        break;
      case 1:
        takt::inclusive_scan(v, v.begin());
        break;
      case 2:
        v = takt::filter(v, [](std::uint64_t x) { return x % 3 != 0; });
        break;
      default:
        v.assign(1, takt::reduce(v, std::uint64_t{0}, std::plus<>()));
        break;
    }
  }

  class group {
   public:
    group(takt_engine&, std::uint32_t variant)
        : group_(variant % 2 == 0 ? takt::group_order::newest_first : takt::group_order::oldest_first) {}
    template <class F>
    void run(std::uint32_t variant, F f) {
      if (variant % 4 == 0) {
        group_.run(takt::work(variant % 16), std::move(f));
      } else {
        group_.run(std::move(f));
      }
    }
    void wait() { group_.wait(); }

   private:
    takt::task_group group_;
  };

 private:
  // What others may block on is held across a join under takt::stay.
  template <class Take, class Give, class F>
  auto with(Take take, Give give, bool joins, F f) {
    std::optional<takt::stay> here;
    if (joins) here.emplace();
    const same_thread check(world_);
    const holds guard{take, give};
    return f();
  }

  class holds {
   public:
    template <class Take>
    holds(Take take, std::function<void()> give) : give_((take(), std::move(give))) {}
    ~holds() { give_(); }
    holds(const holds&) = delete;
    holds& operator=(const holds&) = delete;

   private:
    std::function<void()> give_;
  };
  class same_thread {
   public:
    explicit same_thread(world& w) : world_(w), thread_(w.this_thread()) {}
    ~same_thread() {
      if (world_.this_thread() == thread_) return;
      std::fputs("code that stays is on another thread\n", stderr);
      std::abort();
    }
    same_thread(const same_thread&) = delete;
    same_thread& operator=(const same_thread&) = delete;

   private:
    world& world_;
    std::uint64_t thread_;
  };

  world& world_;
  takt::memory_resource reported_;
  std::pmr::synchronized_pool_resource pool_{&reported_};
};

}  // namespace takt_generated
