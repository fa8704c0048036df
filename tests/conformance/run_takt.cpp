// Programs by takt.
#ifdef TAKT_LAB
#include <takt/lab.hpp>
#endif
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "conformance/evaluate.hpp"
#include "conformance/unhinted.hpp"
#include "support/together.hpp"

#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>

namespace takt_test {

namespace {

struct takt_engine : unhinted_constructs {
  template <class... F>
  static auto fork(F&&... f) {
    return takt::fork_join(std::forward<F>(f)...);
  }
  template <class I, class Body>
  static void loop(I first, I last, Body body) {
    takt::parallel_for(first, last, body);
  }
  template <class I, class Body>
  static void loop_by(I first, I last, I stride, Body body) {
    takt::parallel_for(first, last, stride, std::move(body));
  }
  template <class Range, class Body>
  static void loop_over(Range& range, Body body) {
    takt::parallel_for(range, std::move(body));
  }
  template <class I, class T, class Map, class Combine>
  static T reduce(I first, I last, T identity, Map map, Combine combine) {
    return takt::parallel_reduce(first, last, std::move(identity), std::move(map), std::move(combine));
  }
  template <class F>
  static auto under(std::uint64_t number, F f) {
    constexpr takt::policy k_all[] = {takt::policy::automatic, takt::policy::random, takt::policy::adws,
                                      takt::policy::ml_adws,
#ifdef TAKT_LAB
                                      takt::lab::ml_random
#else
                                      takt::policy::adws
#endif
    };
    if (number < std::size(k_all)) return takt::with_policy(k_all[number], f);
    try {
      return takt::with_workers(static_cast<int>(number - std::size(k_all)) + 1, f);
    } catch (const std::bad_alloc&) {
      return f();  // nothing has run: no stack
    }
  }
  struct group : takt::task_group {
    explicit group(std::size_t most) : takt::task_group(takt::at_most(most)) {}
  };

  // Code that stays is on the same thread at the end of its scope.
  class place {
   public:
    explicit place(bool stays) {
      if (!stays) return;
      stay_.emplace();
      thread_ = current_thread();
    }
    ~place() {
      if (stay_ && current_thread() != thread_) std::abort();
    }
    place(const place&) = delete;
    place& operator=(const place&) = delete;

   private:
    std::optional<takt::stay> stay_;
    pid_t thread_ = 0;
  };

  class memory {
   public:
    explicit memory(std::uint64_t blocks) {
      if (blocks != 0) scope_.emplace(blocks * k_block_bytes);
    }

   private:
    std::optional<takt::memory_scope> scope_;
  };
};

}  // namespace

outcome run_takt(const node& program) { return run_with<takt_engine>(program); }

}  // namespace takt_test
