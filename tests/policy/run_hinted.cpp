// Programs by takt, with something said of everything, whether it makes sense or not.
#include <takt/takt.hpp>

#include "conformance/evaluate.hpp"
#include "conformance/unhinted.hpp"
#include "policy/run_hinted.hpp"

#include <cmath>

namespace takt_test {

namespace {

double range_work(std::int64_t begin, std::int64_t end) {
  if (end - begin == 7) throw 7;
  return std::sqrt(static_cast<double>(end - begin));
}

struct hinted_engine : unhinted_constructs {
  template <class... F>
  static auto fork(F&&... f) {
    return fork_weighed(std::index_sequence_for<F...>(), std::forward<F>(f)...);
  }
  template <std::size_t... Index, class... F>
  static auto fork_weighed(std::index_sequence<Index...>, F&&... f) {
    return takt::fork_join(takt::bytes(sizeof...(F)), takt::weights(Index...), std::forward<F>(f)...);
  }
  template <class I, class Body>
  static void loop(I first, I last, Body body) {
    const auto of = [](std::int64_t begin, std::int64_t end) { return range_work(begin, end); };
    takt::parallel_for(first, last, body, takt::hints{.work = takt::work_of(of)});
  }
  template <class I, class Body>
  static void loop_by(I first, I last, I stride, Body body) {
    takt::parallel_for(first, last, stride, std::move(body), takt::hints{.bytes = 100});
  }
  template <class Range, class Body>
  static void loop_over(Range& range, Body body) {
    takt::parallel_for(range, std::move(body), takt::hints{.work = range.size(), .bytes = range.size()});
  }
  template <class I, class T, class Map, class Combine>
  static T reduce(I first, I last, T identity, Map map, Combine combine) {
    return takt::parallel_reduce(first, last, std::move(identity), std::move(map), std::move(combine),
                                 takt::hints{.work = last});
  }
  class group {
   public:
    explicit group(std::size_t most) : all_(takt::work(-1), takt::bytes(10), takt::at_most(most)) {}
    template <class F>
    void run(F&& f) {
      all_.run(takt::work(3), std::forward<F>(f));
    }
    void wait() { all_.wait(); }

   private:
    takt::task_group all_;
  };
  template <class F>
  static auto under(std::uint64_t, F f) {
    return f();
  }
  class place {
   public:
    explicit place(bool) {}
  };
  class memory {
   public:
    explicit memory(std::uint64_t) {}
  };
};

}  // namespace

outcome run_hinted(const node& program) { return run_with<hinted_engine>(program); }

}  // namespace takt_test
