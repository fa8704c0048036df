// What compilers say of calls that fit nothing. A comment behind a call says what its first error is:
//   error: TEXT         this, and there is no second one
//   first error: TEXT   this
//   says: REGEX         there is this in what is said of it: the compiler's own words
// All are one file, as most of the time goes into reading the headers.
#include <takt/cluster.hpp>
#include <takt/takt.hpp>

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// --- parallel_for ----------------------------------------------------------------------------------------------

// A body is given the index, not the loop's variable.
void body_changes_index() {
  takt::parallel_for(0, 10, [](int& i) { i += 2; });
  // error: takt::parallel_for: the body cannot be called with an index, which is passed by value, or with an element (with <takt/subranges.hpp> also with the two ends of a sub-range)
}
// A named body that is const is called as that.
void body_of_const() {
  const auto body = [n = 0](int i) mutable { n += i; };
  takt::parallel_for(0, 10, body);
  // error: takt::parallel_for: the body cannot be called with an index
  takt::parallel_for(0, 10, 3);
  // error: takt::parallel_for: the body cannot be called with an index
  takt::parallel_for(0, 10, [](std::string) {});
  // error: takt::parallel_for: the body cannot be called with an index
  takt::parallel_for(0, 10, [] {}, takt::hints{.work = 3});
  // error: takt::parallel_for: the body cannot be called with an index
  takt::parallel_for(0, 10, [](int, int, int) {});
  // error: takt::parallel_for: the body cannot be called with an index
}
enum class colour { red, green, blue };
void no_bounds() {
  takt::parallel_for(false, true, [](bool) {});
  // error: takt::parallel_for: the bounds are no integers
  takt::parallel_for(colour::red, colour::blue, [](colour) {});
  // error: takt::parallel_for: the bounds are no integers
  takt::parallel_for(0.0, 1.0, [](double) {});
  // error: takt::parallel_for: the bounds are no integers
}
void no_range(std::list<int>& all, std::vector<int>& v, std::vector<bool>& flags) {
  takt::parallel_for(all, [](int& x) { ++x; });
  // error: takt::parallel_for: a range or iterator has no random access, as those of std::list and std::back_inserter have none: use a std::vector, or takt::parallel_for_each
  takt::parallel_for(all.begin(), all.end(), [](int& x) { ++x; });
  // error: takt::parallel_for: a range or iterator has no random access
  takt::parallel_for(v.begin(), v.cend(), [](int x) { (void)x; });
  // error: takt::parallel_for: the two iterators are of different types
  takt::parallel_for(v, [](std::string) {});
  // error: takt::parallel_for: the body cannot be called with an index, which is passed by value, or with an element
  takt::parallel_for(nullptr, [](int) {});
  // error: takt::parallel_for: the first argument is neither a range nor an iterator
  // Elements share words: writing two of them side by side loses one. (Const ones can be read.)
  takt::parallel_for(flags, [](auto&& flag) { flag = true; });
  // error: takt::parallel_for: elements of std::vector<bool> share words
  takt::parallel_for(takt::box(3, 4), takt::tile(1, 1), [](int, int) {});
  // error: takt::parallel_for: behind a box come a tile of as many sides, and a body that is called with a box
  takt::parallel_for_each(all, [](std::string) {});
  // error: takt::parallel_for_each: takes a range
  takt::parallel_for_each(all, [](int, takt::feeder<long>&) {});
  // error: takt::parallel_for_each: takes a range
}

// --- forks and groups ------------------------------------------------------------------------------------------

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
};
void branches(std::unique_ptr<int>& owner) {
  // What a branch returns by reference is copied from.
  takt::fork_join([&]() -> std::unique_ptr<int>& { return owner; }, [] {});
  // error: takt::fork_join: what a branch returns can be neither moved nor copied from the branch to here
  takt::fork_join([] { return fixed(); }, [] {});
  // error: takt::fork_join: what a branch returns can be neither moved nor copied from the branch to here
  takt::fork_join([](int) {}, [] {});
  // error: takt::fork_join: a branch cannot be called without arguments
  takt::fork_join([] {});
  // error: takt::fork_join: takes two branches or more
  takt::parallel_invoke([] {}, 3);
  // error: takt::parallel_invoke: takes callables, which are called without arguments
}
void hinted() {
  takt::fork_join(takt::weights(1, 2), [] {}, [] {}, [] {});
  // error: takt::weights: as many as there are branches
  takt::fork_join(takt::bytes(100), takt::weights(1, 2, 3), [] {}, [] {});
  // error: takt::weights: as many as there are branches
  // Bytes are counted, and one weight is relative to nothing.
  takt::fork_join(takt::bytes(1.5), [] {}, [] {});
  // says: whole_number
  takt::fork_join(takt::weights(1), [] {}, [] {});
  // says: sizeof ?\.\.\. ?\(T\) ?>= ?2
  // A comparison in the place of a number; how much is "much"; the work of a range has two ends.
  takt::task_group comparison(takt::work(1 > 2));
  // says: number
  takt::task_group text(takt::work("much"));
  // says: number
  takt::parallel_for(0, 10, [](int) {}, takt::hints{.work = takt::work_of([](long i) { return i; })});
  // says: range_work
}
void children(takt::task_group& group) {
  auto child = [owner = std::make_unique<int>(1)] { return *owner; };
  group.run(child);
  // error: takt::task_group::run: takes a callable (behind a hint, if there is one) that is called without arguments, and that can be moved or copied here
  group.run([](int) {});
  // error: takt::task_group::run: takes a callable
  // There is one of each group.
  takt::task_group copy = group;
  // says: (use of deleted function|call to deleted constructor of) .*task_group
}
void others(int& x) {
  takt::async([](int) {});
  // error: takt::async: takes a callable
  takt::async([] { return 3; }).then([](std::string) {});
  // error: takt::future::then: takes a callable that is called with the result
  takt::async([&x]() -> int& { return x; });
  // first error: takt::async: the callable returns nothing or a value
  takt::spawn([](int) {});
  // error: takt::spawn: takes a callable (behind a priority, if there is one)
  takt::spawn(takt::priority::low);
  // error: takt::spawn: takes a callable
  takt::with_workers(2, [](int) {});
  // error: takt::with_workers: takes a number and a callable
  takt::with_workers([] {});
  // error: takt::with_workers: takes a number and a callable
  takt::blocking([](int) {});
  // error: takt::blocking: takes a callable
  takt::pipeline([]() -> std::optional<int> { return 1; });
  // error: takt::pipeline: takes a first stage, which returns a std::optional that is empty at the end, and stages
  takt::with_policy(takt::policy::adws, [](int) {});
  // error: takt::with_policy: takes a policy and a callable
  takt::with_stop(takt::on_exception::stop, [](int) {});
  // error: takt::with_stop: takes a std::stop_token
  takt::without_stop([](int) {});
  // error: takt::without_stop: takes a callable
}
// A place has a name, or none is given.
void no_place() {
  const takt::memory_scope scratch(1 << 20, nullptr);
  // says: deleted
}

// --- reductions ------------------------------------------------------------------------------------------------

struct no_join {
  no_join(no_join&, takt::split);
  void operator()(int, int);
};
void reductions(const std::vector<double>& x, no_join& body) {
  takt::parallel_reduce(0, 10, 0, [](int k) { return k; }, [](int a) { return a; });
  // error: takt::parallel_reduce: behind the range come an identity that can be copied, a map of an index or element, and a function that combines the identity with what the map returns, and two combined values
  // Something must be combined.
  takt::parallel_reduce(0, 10, 0, [](int) {}, std::plus<>{});
  // error: takt::parallel_reduce: behind the range come an identity
  // Each part starts from a copy of the identity.
  takt::parallel_reduce(0, 10, std::make_unique<int>(0), [](int k) { return std::make_unique<int>(k); }, [](std::unique_ptr<int> a, std::unique_ptr<int>) { return a; });
  // error: takt::parallel_reduce: behind the range come an identity
  const double used = takt::parallel_reduce(x.begin(), x.cbegin() + 3, 0.0, 3, std::plus<>());
  // error: takt::parallel_reduce: behind the range come an identity
  takt::parallel_reduce(0.0, 1.0, 0.0, [](double y) { return y; }, std::plus<>());
  // error: takt::parallel_reduce: the bounds are no integers
  takt::parallel_reduce(0, 10, body);
  // error: takt::parallel_reduce: behind the range come an identity
  takt::reduce(x, 0.0, [](double y) { return y; });
  // error: takt::reduce: the function that combines cannot be called with the initial value and an element
  takt::transform_reduce(x, 0.0, std::plus<>(), [](std::string) { return 1; });
  // error: takt::transform_reduce: behind the range, or two, come an initial value
  (void)used;
}
// A sum of integers, where the terms are something else: each step would cut what it adds.
void cut(const std::vector<double>& x, const std::vector<long long>& n, std::vector<double>& out) {
  takt::reduce(x, 0);
  // error: takt: the sum has the type of the value that it starts from, which cuts what is combined: start from a value of the type that is wanted, as 0.0 for doubles or 0L for longs
  takt::reduce(takt::deterministic, x, 0L);
  // error: takt: the sum has the type of the value that it starts from
  takt::reduce(x.begin(), x.end(), short{0});
  // error: takt: the sum has the type of the value that it starts from
  takt::reduce(n, 0);
  // error: takt: the sum has the type of the value that it starts from
  takt::transform_reduce(x, 0u, std::plus<>(), [](double y) { return y * y; });
  // error: takt: the sum has the type of the value that it starts from
  takt::transform_reduce(x, x, '0');
  // error: takt: the sum has the type of the value that it starts from
  takt::parallel_reduce(0, 10, 0ul, [](int i) { return i / 2.0; }, std::plus<>());
  // error: takt: the sum has the type of the value that it starts from
  takt::parallel_reduce(x, 0ll, [](double y) { return y; }, std::plus<>());
  // error: takt: the sum has the type of the value that it starts from
  takt::exclusive_scan(x, out.begin(), 0ull);
  // error: takt: the sum has the type of the value that it starts from
}
struct no_reducer {
  int identity() const { return 0; }
};
void reducers(const std::vector<std::string>& words) {
  takt::reducing_for(0, 10, no_reducer{}, [](int, int&) {});
  // error: takt::reducing_for: takes a range, or two integers of one type, a reducer
  // The view is changed in place.
  takt::reducing_for(0, 10, takt::sum_reducer<long>{}, [](int i, long sum) { return sum + i; });
  // error: takt::reducing_for: takes a range, or two integers of one type, a reducer, and a body that is called with an index or element and its view, which it changes: what it returns is not looked at
  // A combine that returns something else than the combined value: it would be dropped.
  takt::reducing_for(0, 10, takt::custom_reducer{[] { return 0.0; }, [](double a, double b) { return a + b > 1; }}, [](int, double& v) { v += 1; });
  // first error: takt: the combine of a reducer returns nothing
  // What no number is has no largest value to start from.
  takt::reducing_for(words, takt::min_reducer<std::string>{}, [](const std::string& word, std::string& least) { least = std::min(least, word); });
  // says: takt::min_reducer is for numbers; others: custom_reducer
}

// --- algorithms over ranges ------------------------------------------------------------------------------------

struct unordered {};
void ranges(std::vector<int>& v, const std::vector<int>& c, std::list<int>& all, std::vector<bool>& flags, std::vector<std::string>& words) {
  const std::vector<bool> read_only(3);
  const auto text = [](const std::string&) { return true; };
  takt::sort(all);
  // error: takt::sort: a range or iterator has no random access
  takt::sort(v.begin(), v.cend());
  // error: takt::sort: the two iterators are of different types
  takt::sort(v, [](int) { return true; });
  // error: takt::sort: the comparison cannot be called with two elements, or with what the projection makes of them, or the elements are const
  takt::sort(v.begin(), v.end(), text);
  // error: takt::sort: the comparison cannot be called with two elements
  takt::sort(c);
  // error: takt::sort: the comparison cannot be called with two elements, or with what the projection makes of them, or the elements are const
  takt::sort(flags);
  // error: takt::sort: elements of std::vector<bool> share words
  std::vector<unordered> some;
  takt::stable_sort(some);
  // error: takt::stable_sort: the comparison cannot be called with two elements
  takt::is_sorted(some);
  // error: takt::is_sorted: the comparison cannot be called with two elements
  takt::radix_sort(words);
  // error: takt::radix_sort: takes a range of trivially copyable elements
  takt::merge(v, v, 3);
  // error: takt::merge: takes two ranges, or four iterators
  takt::top_k(v, 3, text);
  // error: takt::top_k: takes a range, a number, and a comparison
  takt::for_each(v, text);
  // error: takt::for_each: the function cannot be called with an element
  takt::for_each(3, text);
  // error: takt::for_each: the first argument is neither a range nor an iterator
  takt::transform(v, std::back_inserter(v), [](int x) { return x; });
  // error: takt::transform: a range or iterator has no random access, as those of std::list and std::back_inserter have none
  takt::transform(v, v.begin(), text);
  // error: takt::transform: the function cannot be called with an element
  takt::transform(v, flags.begin(), [](int x) { return x > 0; });
  // error: takt::transform: the function cannot be called with an element, or with what the projection makes of one (of two ranges with one of each), or the output is not one that workers can write them to side by side
  takt::fill(v, unordered());
  // error: takt::fill: the value cannot be assigned to the elements
  takt::tabulate(3, text);
  // error: takt::tabulate: takes a range, two iterators or a number, and a function of a std::size_t
  takt::iota(all, 3);
  // error: takt::iota: a range or iterator has no random access
  takt::iota(v, 0.5);
  // error: takt::iota: the elements cannot hold the fraction
  takt::count(v, unordered());
  // error: takt::count: an element, or what the projection makes of one, cannot be compared with the value
  takt::count_if(v, text);
  // error: takt::count_if: the predicate cannot be called with an element
  takt::min_element(some);
  // error: takt::min_element: the comparison cannot be called with two elements
  takt::max_element(some);
  // error: takt::max_element: the comparison cannot be called with two elements
  takt::minmax_element(some);
  // error: takt::minmax_element: the comparison cannot be called with two elements
  takt::find(v, unordered());
  // error: takt::find: an element, or what the projection makes of one, cannot be compared with the value
  takt::find_if(v, text);
  // error: takt::find_if: the predicate cannot be called with an element
  takt::find_if_not(v, text);
  // error: takt::find_if_not: the predicate cannot be called with an element
  takt::any_of(v, text);
  // error: takt::any_of: the predicate cannot be called with an element
  takt::all_of(v, text);
  // error: takt::all_of: the predicate cannot be called with an element
  takt::none_of(v, text);
  // error: takt::none_of: the predicate cannot be called with an element
  takt::equal(v, words);
  // error: takt::equal: takes two ranges
  takt::inclusive_scan(words, v.begin(), std::multiplies<>());
  // error: takt::inclusive_scan: the function that combines cannot be called with two elements
  takt::inclusive_scan(v, flags.begin());
  // error: takt::inclusive_scan: the function that combines cannot be called with two elements, or with what the projection makes of them, or the output is not one that workers can write them to side by side
  // Sums of bools, where a bool is 0 or 1 for ever.
  takt::inclusive_scan(read_only, v.begin());
  // first error: takt::inclusive_scan: sums of bools would be bools
  takt::exclusive_scan(v, v.begin());
  // error: takt::exclusive_scan: behind the output comes an initial value
  takt::filter(v, text);
  // error: takt::filter: the predicate cannot be called with an element
  takt::filter(flags, [](bool x) { return x; });
  // first error: elements of std::vector<bool> cannot be written in parallel
  takt::copy_if(v, v.begin(), text);
  // error: takt::copy_if: the predicate cannot be called with an element
  takt::pack(v);
  // error: takt::pack: takes two ranges
  takt::pack_index(all);
  // error: takt::pack_index: a range or iterator has no random access
  takt::remove_if(v, text);
  // error: takt::remove_if: the predicate cannot be called with an element
  takt::stable_partition(v, text);
  // error: takt::stable_partition: the predicate cannot be called with an element
  takt::histogram(words, 3, [](int x) { return x; });
  // error: takt::histogram: takes a range, the number of buckets
  takt::histogram(std::vector<double>(3), 10);
  // first error: takt::histogram: needs integer keys
  std::vector<double> keys;
  takt::radix_sort(keys);
  // first error: takt::radix_sort: needs integer keys
  takt::group_by(v, text);
  // error: takt::group_by: takes a range and a key of an element
  takt::reduce_by_key(v, all);
  // error: takt::reduce_by_key: takes two ranges
  takt::unique(some);
  // error: takt::unique: the comparison cannot be called with two elements
  takt::unique_copy(some, some.begin());
  // error: takt::unique_copy: the comparison cannot be called with two elements
  takt::remove_duplicates(v, text);
  // error: takt::remove_duplicates: takes a range, a hash of an element
  takt::reverse(all);
  // error: takt::reverse: a range or iterator has no random access
  takt::rotate(v.begin(), v.end(), v.cend());
  // error: takt::rotate: takes three iterators
  takt::shuffle(all);
  // error: takt::shuffle: a range or iterator has no random access
  takt::flatten(v);
  // error: takt::flatten: takes a range of ranges
  takt::set_union(v, words);
  // error: takt::set_union: takes two ranges
  takt::set_intersection(v, all);
  // error: takt::set_intersection: takes two ranges
  takt::set_difference(v, some);
  // error: takt::set_difference: takes two ranges
  takt::set_symmetric_difference(v, some);
  // error: takt::set_symmetric_difference: takes two ranges
}

// --- cluster ---------------------------------------------------------------------------------------------------

void stays_here(const std::vector<int>& v) {
  const auto one = [] { return 1; };
  takt::cluster::fork_join(one, [&v] { return v[0]; });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be trivially copyable
  takt::cluster::fork_join(one, [p = v.data()] { return *p; });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be trivially copyable
  takt::cluster::fork_join(one, [v] { return v[0]; });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be trivially copyable
  struct node {
    int key;
    node* next;
  };
  takt::cluster::fork_join(one, [n = node{}] { return n.key; });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be trivially copyable
  takt::cluster::fork_join(one, [large = std::array<char, 1025>()] { return large[0]; });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be trivially copyable
  takt::cluster::fork_join(one, [] { return std::string(); });
  // error: takt::cluster::fork_join: the second branch may run on another node, so what it returns has to be trivially copyable
  takt::cluster::parallel_for(0, 10, [&v](int) {});
  // error: takt::cluster::parallel_for: parts may run on other nodes
  takt::cluster::parallel_reduce(0, 10, std::string(), [](int) { return "a"; }, std::plus<std::string>());
  // error: takt::cluster::parallel_reduce: parts may run on other nodes
}
