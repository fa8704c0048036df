#include <algorithm>
#include <vector>

#include TAKT_PBBS_PARALLEL

#include "harness/touching.hpp"
#include "pbbs/minspanningforest/config.hpp"
#include "pbbs/parallel/union_find.hpp"

namespace takt::bench::pbbs {
namespace {

constexpr std::uint32_t k_none = 0xFFFFFFFFU;

void write_min(std::uint32_t& cell, std::uint32_t value) {
  std::uint32_t there = __atomic_load_n(&touched(cell), __ATOMIC_RELAXED);
  while (value < there && !__atomic_compare_exchange_n(&cell, &there, value, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

// Relaxed: the loops around are all the order there is to keep.
bool holds(const std::uint32_t& cell, std::uint32_t value) {
  return __atomic_load_n(&touched(cell), __ATOMIC_RELAXED) == value;
}

// Filter-Kruskal in which many edges are looked at together: each reserves the sets of its two
// ends, an earlier edge before a later one; one that got either of them joins them, the others
// try again. The outcome is that of the serial loop. (Blelloch, Fineman, Gibbons and Shun,
// Internally deterministic parallel algorithms can be fast, PPoPP 2012.)
class forest {
 public:
  explicit forest(const weighted_graph& in)
      : in_(in),
        parent_(in.plain.vertices),
        reserved_(in.plain.vertices),
        chosen_(in.plain.vertices),
        sets_(parent_.data()) {
    parallel::loop(0, parent_.size(), [p = parent_.data(), r = reserved_.data()](std::size_t v) {
      touched(p[v]) = static_cast<std::uint32_t>(v);
      touched(r[v]) = k_none;
    });
  }

  array<std::uint32_t> run() {
    const std::size_t m = in_.plain.edges.size();
    const std::uint32_t* const weight = in_.weight.data();
    const std::uint32_t limit = light_limit();
    array<std::uint32_t> some(m);
    const std::size_t light =
        parallel::filter_index(m, some.data(),
                               [=](std::uint32_t i) { return touched(weight[i]) <= limit; });
    take(some.data(), light);
    const std::size_t heavy = parallel::filter_index(
        m, some.data(), [=, sets = sets_, edges = in_.plain.edges.data()](std::uint32_t i) {
          return touched(weight[i]) > limit &&
                 sets.find(touched(edges[i]).u) != sets.find(edges[i].v);
        });
    take(some.data(), heavy);
    chosen_.shrink(count_);
    return std::move(chosen_);
  }

 private:
  struct attempt {
    std::uint32_t number;  // in the order of weights
    std::uint32_t u;
    std::uint32_t v;
  };

  // A weight below which there are about as many edges as are worth looking at first.
  std::uint32_t light_limit() const {
    const std::size_t m = in_.plain.edges.size();
    const std::size_t wanted = light_edges(in_.plain.vertices);
    if (m <= wanted) {
      return k_none;
    }
    constexpr std::size_t k_sample = 1000;
    random_source random(141);
    std::vector<std::uint32_t> sample(k_sample);
    for (std::uint32_t& w : sample) {
      w = in_.weight[random.next() % m];
    }
    std::sort(sample.begin(), sample.end());
    return sample[wanted * k_sample / m];
  }

  // The edges with these numbers, from the lightest on.
  void take(const std::uint32_t* numbers, std::size_t n) {
    array<std::uint64_t> sorted(n);
    parallel::loop(0, n, [to = sorted.data(), numbers, w = in_.weight.data()](std::size_t k) {
      touched(to[k]) = weighed(touched(w[touched(numbers[k])]), numbers[k]);
    });
    parallel::integer_sort(sorted.data(), n,
                           [](std::uint64_t e) { return static_cast<std::uint32_t>(e >> 32); });
    array<std::uint8_t> joins(n);
    parallel::loop(0, n, [to = joins.data()](std::size_t k) { touched(to[k]) = 0; });
    join(sorted.data(), n, joins.data());
    array<std::uint32_t> places(n);
    const std::size_t count = parallel::filter_index(
        n, places.data(), [of = joins.data()](std::uint32_t k) { return touched(of[k]) != 0; });
    parallel::loop(0, count, [to = chosen_.data() + count_, from = places.data(),
                              of = sorted.data()](std::size_t k) {
      touched(to[k]) = static_cast<std::uint32_t>(touched(of[touched(from[k])]));
    });
    count_ += count;
  }

  void join(const std::uint64_t* sorted, std::size_t n, std::uint8_t* joins) {
    // More edges at a time make fewer rounds and more of them try in vain.
    constexpr std::size_t k_rounds = 25;
    const std::size_t most = n / k_rounds + 1;
    array<attempt> now(most);
    array<attempt> again(most);
    array<std::uint8_t> waits(most);
    const auto* const edges = in_.plain.edges.data();
    std::size_t left = 0;  // that try again
    for (std::size_t done = 0; done < n;) {
      const std::size_t size = std::min(most, n - done);
      parallel::loop(0, size, [=, tries = now.data(), keep = waits.data(), sets = sets_,
                               reserved = reserved_.data()](std::size_t k) {
        attempt& a = touched(tries[k]);
        if (k >= left) {
          const edge& e = touched(edges[static_cast<std::uint32_t>(touched(sorted[done + k]))]);
          a = {static_cast<std::uint32_t>(done + k), e.u, e.v};
        }
        a.u = sets.find(a.u);
        a.v = sets.find(a.v);
        touched(keep[k]) = a.u != a.v ? 1 : 0;
        if (a.u != a.v) {
          write_min(reserved[a.u], a.number);
          write_min(reserved[a.v], a.number);
        }
      });
      parallel::loop(0, size, [=, tries = now.data(), keep = waits.data(), sets = sets_,
                               reserved = reserved_.data()](std::size_t k) {
        if (touched(keep[k]) == 0) {
          return;
        }
        const attempt& a = touched(tries[k]);
        // Nobody else touches a set that is reserved for us, or links it.
        if (holds(reserved[a.v], a.number)) {
          if (holds(reserved[a.u], a.number)) {
            __atomic_store_n(&reserved[a.u], k_none, __ATOMIC_RELAXED);
          }
          sets.link(a.v, a.u);
        } else if (holds(reserved[a.u], a.number)) {
          sets.link(a.u, a.v);
        } else {
          return;
        }
        touched(joins[a.number]) = 1;
        keep[k] = 0;
      });
      array<std::uint32_t> places(size);
      left = parallel::filter_index(
          size, places.data(),
          [keep = waits.data()](std::uint32_t k) { return touched(keep[k]) != 0; });
      parallel::loop(0, left, [from = now.data(), to = again.data(),
                               of = places.data()](std::size_t k) {
        touched(to[k]) = touched(from[touched(of[k])]);
      });
      std::swap(now, again);
      done += size - left;
    }
  }

  const weighted_graph& in_;
  array<std::uint32_t> parent_;
  array<std::uint32_t> reserved_;
  array<std::uint32_t> chosen_;
  union_find sets_;
  std::size_t count_ = 0;
};

void min_spanning_forest(const weighted_graph& in, array<std::uint32_t>& out) {
  out = forest(in).run();
}

const enrol_parallel<parallel, minspanningforest_cube, min_spanning_forest> cube;
const enrol_parallel<parallel, minspanningforest_rmat, min_spanning_forest> rmat_graph;

}  // namespace
}  // namespace takt::bench::pbbs
