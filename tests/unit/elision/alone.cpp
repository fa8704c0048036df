// The serial elision alone: each public header and function, in a program that no library is linked to.
#define TAKT_ELISION
#define TAKT_TOUCH
#include "every_header.hpp"

#include <cstdio>
#include <list>
#include <memory_resource>
#include <optional>
#include <vector>

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

void settings() {
  takt::config c = takt::config::from_environment();
  c.workers = 7;
  takt::configure(c);
  c = takt::config::of(takt::current_config().plain());
  expect(c.workers == 1, "workers");
  expect(takt::stats_json() == "{}", "statistics");
}

void forks_and_loops() {
  const auto one = [] { return 1; };
  const auto [a, b, c] = takt::fork_join(takt::weights(1, 2, 3), takt::work(6), takt::bytes(8), one, one, one);
  expect(a + b + c == 3, "fork_join with hints");
  expect(takt::fork_join(one, one).second == 1, "fork_join");
  takt::parallel_invoke(one, one, one);
  std::vector<long> v(10, 1);
  const auto add = [](long& x) { x += 1; };
  const auto at = [&v](std::size_t i) { v[i] += 1; };
  const auto size = [](std::int64_t begin, std::int64_t end) { return static_cast<double>(end - begin); };
  takt::parallel_for(std::size_t{0}, v.size(), at);
  takt::parallel_for(0, std::size_t{10}, at, takt::hints{.work = takt::work_of(size), .bytes = 80});
  takt::parallel_for(std::size_t{0}, v.size(), 1, at);
  takt::parallel_for(std::size_t{0}, v.size(), 1, at, takt::hints{.work = 10});
  takt::parallel_for(v.begin(), v.end(), add);
  takt::parallel_for(v.begin(), v.end(), add, takt::hints{.work = 10});
  takt::parallel_for(v, add);
  takt::parallel_for(v, add, takt::hints{.work = 10});
  const auto same = [](long x) { return x; };
  expect(takt::parallel_reduce(v, 0L, same, std::plus<>()) == 90, "parallel_reduce");
  expect(takt::parallel_reduce(v, 0L, same, std::plus<>(), takt::hints{.work = 10}) == 90, "parallel_reduce with hints");
  expect(takt::with_policy(takt::policy::adws, one) == 1, "with_policy");
  expect(takt::with_workers(2, one) + takt::blocking(one) == 2, "with_workers and blocking");
  expect(takt::worker_count() == 1 && takt::worker_index() == 0, "workers");
}

struct summed {
  summed() = default;
  summed(summed&, takt::split) {}
  void operator()(int begin, int end) { sum += end - begin; }
  void join(summed& right) { sum += right.sum; }
  int sum = 0;
};

void subranges() {
  int calls = 0;
  takt::parallel_for(0, 10, [&](int begin, int end) { calls += begin == 0 && end == 10; });
  std::vector<int> v(10);
  takt::parallel_for(v, [&](auto begin, auto end) { calls += end - begin == 10; });
  takt::parallel_for(v.begin(), v.end(), [&](auto begin, auto end) { calls += end - begin == 10; });
  expect(calls == 3, "one sub-range");
  takt::parallel_for(takt::box(10, 20), takt::tile(5, 10), [&](const auto&) { ++calls; });
  expect(calls == 7, "tiles");
  summed all;
  takt::parallel_reduce(0, 10, all);
  expect(all.sum == 10, "a body that splits");
  int sum = 0;
  const std::list<int> some(3, 4);
  takt::parallel_for_each(some, [&](int x) { sum += x; });
  takt::parallel_for_each(some, [&](int x, takt::feeder<int>& more) {
    ++sum;
    if (x != 0) more.add(x - 1);
  });
  expect(sum == 12 + 15, "parallel_for_each");
}

void groups_and_memory() {
  const takt::stay here;
  int children = 0;
  takt::task_group group(takt::group_order::oldest_first, takt::work(2));
  group.run([&] { ++children; });
  group.run(takt::work(1), [&] { ++children; });
  group.wait();
  expect(children == 2, "task_group");
  expect(takt::when_all(takt::async([] { return 1; }), takt::async([] {})).then([](auto all) { return std::get<0>(all); }).get() == 1,
         "async");
  takt::spawn(takt::priority::high, [&] { ++children; });
  takt::spawn([&] { ++children; });
  takt::wait_for_spawned();
  expect(children == 4, "spawn");
  int items = 0;
  int sum = 0;
  takt::pipeline([&]() -> std::optional<int> { return items < 4 ? std::optional(++items) : std::nullopt; },
                 [](int i) { return i; }, takt::one_at_a_time([&](int i) { sum += i; }), takt::in_order([](auto) {}));
  expect(sum == 10, "pipeline");
  const takt::memory_scope scope(1 << 20);
  auto some = takt::allocate<int>(100);
  some[99] = 1;
  std::vector<int, takt::memory_allocator<int>> allocated(100, 1);
  takt::memory_resource resource;
  const std::pmr::vector<int> more(100, 1, &resource);
  takt::touch(more.data(), more.size() * sizeof(int));
  takt::per_worker<std::vector<int>> scratch;
  scratch.with([](std::vector<int>& mine) { mine.push_back(1); });
  scratch.for_each([](std::vector<int>& each) { expect(each.size() == 1, "per_worker"); });
}

void algorithms() {
  std::vector<int> v = takt::tabulate(1000, [](std::size_t k) { return static_cast<int>(k); });
  std::vector<int> out(v.size());
  takt::shuffle(v);
  takt::sort(v);
  takt::stable_sort(v);
  takt::radix_sort(v);
  takt::reverse(v);
  takt::iota(v, 0);
  expect(takt::is_sorted(v), "sorted");
  expect(takt::reduce(v, 0) == 499500, "reduce");
  expect(takt::reduce(takt::deterministic, v, 0) == 499500, "deterministic reduce");
  expect(takt::transform_reduce(v, v, 0L) == 332833500, "transform_reduce");
  expect(takt::reducing_for(0, 10, takt::sum_reducer<int>{}, [](int i, int& s) { s += i; }) == 45, "reducing_for");
  takt::inclusive_scan(v, out.begin());
  takt::exclusive_scan(v, out.begin(), 0);
  takt::exclusive_scan(takt::deterministic, v, out.begin(), 0);
  takt::transform(v, out.begin(), [](int x) { return x + 1; });
  takt::for_each(out, [](int& x) { --x; });
  expect(takt::equal(v, out), "equal");
  const auto is_even = [](int x) { return x % 2 == 0; };
  expect(takt::count_if(v, is_even) == 500 && takt::count(v, 3) == 1, "count");
  expect(takt::any_of(v, is_even) && !takt::all_of(v, is_even) && !takt::none_of(v, is_even), "any_of");
  expect(*takt::find(v, 7) == 7 && *takt::find_if(v, is_even) == 0 && *takt::find_if_not(v, is_even) == 1, "find");
  expect(*takt::min_element(v) == 0 && *takt::max_element(v) == 999, "extrema");
  expect(*takt::minmax_element(v).max == 999, "minmax_element");
  expect(takt::filter(v, is_even).size() == 500, "filter");
  takt::copy_if(v, out.begin(), is_even);
  takt::pack(v, v);
  takt::pack_index(v);
  takt::remove_if(out, is_even);
  takt::stable_partition(out, is_even);
  takt::merge(v, v, std::vector<int>(2000).begin());
  takt::group_by(v, is_even);
  takt::reduce_by_key(v, v);
  takt::histogram(v, 1000);
  takt::flatten(std::vector<std::vector<int>>(3, v));
  takt::fill(out, 1);
  takt::rotate(v.begin(), v.begin() + 10, v.end());
  takt::sort(v);
  takt::set_union(v, v);
  takt::set_intersection(v, v);
  takt::set_difference(v, v);
  takt::set_symmetric_difference(v, v);
  takt::unique_copy(v, out.begin());
  takt::unique(out);
  takt::remove_duplicates(v);
  expect(takt::top_k(v, 3).back() == 997, "top_k");
  expect(takt::random_permutation(100).size() == 100, "random_permutation");
}

}  // namespace

int main() {
  settings();
  forks_and_loops();
  subranges();
  groups_and_memory();
  algorithms();
  return failures == 0 ? 0 : 1;
}
