// Types that satisfy the constraints of takt's functions, and are as awkward as a type may be: each call compiles, and
// has the answer of the serial program.
#include "host.hpp"

#include <takt/algorithms.hpp>
#include <takt/lab.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Every operator that a library might use without thinking.
struct awkward {
  void operator&() const = delete;
  template <class T>
  void operator,(const T&) const = delete;
};
template <class T>
void operator,(const T&, const awkward&) = delete;

struct final_callable final : awkward {
  int operator()() const { return 1; }
  int operator()(int i) const { return i; }
};
struct move_only : awkward {
  move_only() = default;
  move_only(move_only&&) = default;
  move_only& operator=(move_only&&) = default;
  int operator()() { return 2; }
  void operator()(int) {}
};
struct of_temporaries {
  int operator()() && { return 3; }
  std::string operator()() & { return "named"; }
};
// Copies only when asked by name.
struct explicit_copy {
  explicit_copy() = default;
  explicit explicit_copy(const explicit_copy&) = default;
  int operator()() const { return 4; }
  void operator()(int) const {}
};
// Trivially copyable, and takes whatever it is given to construct it.
struct greedy {
  greedy() = default;
  greedy(const greedy&) = default;
  template <class T>
  explicit greedy(T&&) : value(-1) {}
  int operator()() const { return value; }
  int value = 5;
};
struct alignas(128) over_aligned {
  double values[16] = {};
  bool is_in_place() const { return reinterpret_cast<std::uintptr_t>(this) % 128 == 0; }
};
struct large {
  large() {}  // leaves most of it as it was
  int first = 7;
  std::array<char, 1000> rest;
};
struct not_movable {
  not_movable() = default;
  not_movable(not_movable&&) = delete;
};
int seven() { return 7; }
long doubled(int i) { return 2 * i; }

struct widget {
  int n = 1;
  void update() { ++n; }
  int get() const { return n; }
  int plus(int more) const { return n + more; }
};

void check_forks() {
  const final_callable one;
  const auto& by_reference = one;
  HOST_CHECK(takt::fork_join(by_reference, one) == std::pair(1, 1));
  HOST_CHECK(takt::fork_join(move_only{}, move_only{}) == std::pair(2, 2));
  move_only named;
  HOST_CHECK(takt::fork_join(named, std::move(named)).second == 2);
  of_temporaries both;
  HOST_CHECK(takt::fork_join(of_temporaries{}, both) == std::pair(3, std::string("named")));
  HOST_CHECK(takt::fork_join(of_temporaries{}, both, std::move(both), both) ==
             std::tuple(3, std::string("named"), 3, std::string("named")));
  HOST_CHECK(takt::fork_join(explicit_copy{}, greedy{}) == std::pair(4, 5));
  HOST_CHECK(takt::fork_join(seven, &seven) == std::pair(7, 7));
  std::function<int()> erased = [] { return 8; };
  HOST_CHECK(takt::fork_join(erased, std::function<int()>(seven), std::ref(one)) == std::tuple(8, 7, 1));
  HOST_CHECK(takt::fork_join(std::bind_front(&widget::get, widget{}), [] {}) == std::pair(1, takt::nothing{}));

  auto [a, b] = takt::fork_join([] { return over_aligned{}; }, [] { return over_aligned{}; });
  HOST_CHECK(a.is_in_place() && b.is_in_place());
  over_aligned captured;
  const auto [c, d] = takt::fork_join([captured] { return captured.is_in_place(); }, [] { return large(); });
  HOST_CHECK(c && d.first == 7);
  auto [e, f] = takt::fork_join([] { return std::make_unique<int>(1); },
                                [] { return std::vector<std::unique_ptr<int>>(3); });
  HOST_CHECK(*e == 1 && f.size() == 3);
  int shared = 9;
  const auto [g, h] =
      takt::fork_join([&]() -> int& { return shared; }, [&]() -> const int&& { return std::move(shared); });
  HOST_CHECK(g == 9 && h == 9);

  // The results of parallel_invoke are dropped, so they may be anything.
  int calls = 0;
  takt::parallel_invoke([&] { ++calls; return not_movable{}; });
  takt::parallel_invoke([] { return not_movable{}; }, [&]() -> awkward& { static awkward it; return it; }, named);
  HOST_CHECK(calls == 1);
}

template <class I>
void check_indices(I first, I last) {
  std::atomic<int> wrong{0};
  std::atomic<std::uint64_t> calls{0};
  takt::parallel_for(first, last, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), I>);
    calls.fetch_add(1, std::memory_order_relaxed);
    if (i < first || !(i < last)) wrong.fetch_add(1, std::memory_order_relaxed);
  });
  HOST_CHECK(wrong == 0);
  HOST_CHECK(calls == static_cast<std::uint64_t>(last - first));
  const auto ones = takt::parallel_reduce(first, last, 0ll, [](I&&) { return 1ll; }, std::plus<>{});
  HOST_CHECK(ones == static_cast<long long>(last - first));
  std::atomic<int> steps{0};
  takt::parallel_for(first, last, I{3}, [&](I i) {
    ++steps;
    if ((i - first) % 3 != 0) ++wrong;
  });
  HOST_CHECK(wrong == 0 && static_cast<std::uint64_t>(steps) == (static_cast<std::uint64_t>(last - first) + 2) / 3);
  // Bounds the wrong way round.
  takt::parallel_for(last, first, [&](I) { ++wrong; });
  HOST_CHECK(wrong == 0);
}

void check_loops() {
  check_indices<unsigned char>(3, 200);
  check_indices<char16_t>(3, 20000);
  check_indices<int>(-1000, 100000);
  check_indices<std::uint64_t>(std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1000);
  __extension__ using wide = __int128;
  __extension__ using unsigned_wide = unsigned __int128;
  check_indices<wide>(wide{1} << 70, (wide{1} << 70) + 100000);
  check_indices<wide>(-5, 100000);
  check_indices<unsigned_wide>(~unsigned_wide{0} - 1000, ~unsigned_wide{0});
  std::atomic<int> far{0};
  takt::parallel_for(wide{0}, wide{1} << 80, wide{1} << 70, [&](wide i) { far += i % (wide{1} << 70) == 0 ? 1 : 100; });
  HOST_CHECK(far == 1024);
  volatile int bound = 100;
  std::atomic<int> up_to_bound{0};
  takt::parallel_for(0, bound, [&](int) { ++up_to_bound; });
  HOST_CHECK(up_to_bound == 100);

  std::vector<int> v(1000);
  takt::parallel_for(std::views::iota(std::size_t{0}, v.size()), [&](std::size_t i) { v[i] = 1; });
  const auto numbers = std::views::iota(std::size_t{0}, v.size());
  takt::parallel_for(numbers.begin(), numbers.end(), [&](std::size_t i) { v[i] += 1; });
  HOST_CHECK(v == std::vector<int>(1000, 2));
  HOST_CHECK(takt::parallel_reduce(std::views::iota(std::size_t{0}, std::size_t{1000}), std::size_t{0}, std::identity{},
                                   std::plus<>{}) == 499500);

  std::vector<widget> widgets(1000);
  takt::parallel_for(widgets, &widget::update);
  const auto update = &widget::update;
  takt::parallel_for(widgets.begin(), widgets.end(), update);
  HOST_CHECK(takt::parallel_reduce(widgets, 0, &widget::get, std::plus<>{}) == 3000);
  HOST_CHECK(takt::parallel_reduce(widgets, 0, &widget::n, std::plus<>{}) == 3000);
  takt::parallel_for(widgets.data(), widgets.data() + widgets.size(), &widget::update);
  HOST_CHECK(takt::reduce(widgets | std::views::transform(&widget::get), 0) == 4000);

  takt::parallel_for(0, 1000, move_only{});
  move_only named;
  takt::parallel_for(0, 1000, named);
  takt::parallel_for(0, 1000, explicit_copy{});
  takt::parallel_for(0, 1000, doubled);
  takt::parallel_for(0, 1000, &doubled);
  takt::parallel_for(0, 1000, final_callable{});
  const final_callable fixed;
  takt::parallel_for(0, 1000, fixed);
  takt::parallel_for(0, 1000, [](int&&) {});
  takt::parallel_for(0, 1000, [](const int&) { return awkward{}; });
  std::atomic<int> calls{0};
  // A body that moves the index moves its own copy.
  takt::parallel_for(0, 1000, [&](auto&& i) {
    i += 10;
    ++calls;
  });
  HOST_CHECK(calls == 1000);
  HOST_CHECK(takt::parallel_reduce(0, 1000, 0l, doubled, std::plus<>{}) == 999000);
  HOST_CHECK(takt::parallel_reduce(0, 1000, 0.0, [](int&& i) { return double(i); },
                                   [](double&& a, double&& b) { return a + b; }) == 499500.0);
  const std::vector<bool> flags(1000, true);
  takt::parallel_for(flags, [&](bool f) { calls += f ? 1 : 0; });
  HOST_CHECK(calls == 2000);
  struct pair_of {
    int low, high;
  };
  const auto bounds = takt::parallel_reduce(
      0, 1000, pair_of{1 << 20, -1}, [](int i) { return pair_of{i, i}; },
      [](pair_of a, const pair_of& b) { return pair_of{std::min(a.low, b.low), std::max(a.high, b.high)}; });
  HOST_CHECK(bounds.low == 0 && bounds.high == 999);
}

void check_groups() {
  std::atomic<int> sum{0};
  takt::task_group group;
  const auto add = [&sum] { sum += 1; };
  group.run(add);
  group.run([&sum, one = std::make_unique<int>(1)] { sum += *one; });
  group.run(seven);
  group.run(&seven);
  struct changing {
    std::atomic<int>* to;
    void operator()() { *to += 1; }
  };
  const changing constant{&sum};
  group.run(constant);
  over_aligned captured;
  group.run([&sum, captured] { sum += captured.is_in_place() ? 1 : 100; });
  group.run([] { return not_movable{}; });
  group.run(std::ref(add));
  group.run(move_only{});
  group.run(final_callable{});
  group.wait();
  HOST_CHECK(sum == 5);
}

// Copies never, moves with noise, and has no value of its own to begin with.
template <bool Throws>
struct element {
  explicit element(int v) : value(std::make_unique<int>(v)) {}
  element(element&& other) noexcept(!Throws) : value(std::move(other.value)) {}
  element& operator=(element&& other) noexcept(!Throws) {
    value = std::move(other.value);
    return *this;
  }
  void operator&() const = delete;
  int get() const { return *value; }
  bool operator<(const element& other) const { return *value < *other.value; }
  bool operator==(const element& other) const { return *value == *other.value; }
  std::unique_ptr<int> value;
};

template <class Container>
bool holds(const Container& v, int count, int (*expected)(int)) {
  if (static_cast<int>(v.size()) != count) return false;
  for (int k = 0; k < count; ++k) {
    if (v[k].get() != expected(k)) return false;
  }
  return true;
}

template <class Container>
Container scrambled(int count) {
  Container v;
  for (int k = 0; k < count; ++k) v.emplace_back(k * 7919 % count);
  return v;
}

template <class Container>
void check_elements() {
  constexpr int count = 2003;
  const auto less = [](const auto& a, const auto& b) { return a < b; };
  const auto same = [](int k) { return k; };
  auto v = scrambled<Container>(count);
  takt::sort(v, less);
  HOST_CHECK(holds(v, count, same));
  takt::shuffle(v);
  takt::stable_sort(v, {}, &Container::value_type::get);
  HOST_CHECK(holds(v, count, same));
  takt::reverse(v);
  HOST_CHECK(holds(v, count, [](int k) { return count - 1 - k; }));
  takt::rotate(v.begin(), v.begin() + 1, v.end());
  takt::sort(v.begin(), v.end(), less);
  HOST_CHECK(takt::is_sorted(v, less));
  HOST_CHECK(takt::find_if(v, [](const auto& e) { return e.get() == 5; }) - v.begin() == 5);
  HOST_CHECK(takt::max_element(v, less) - v.begin() == count - 1);
  HOST_CHECK(takt::count_if(v, [](int n) { return n % 2 == 0; }, &Container::value_type::get) == (count + 1) / 2);
  takt::for_each(v, [](auto& e) { *e.value += 1; });
  takt::for_each(v, [](auto& e) { *e.value -= 1; });
  const auto end = takt::stable_partition(v, [](const auto& e) { return e.get() % 2 == 0; });
  HOST_CHECK(end - v.begin() == (count + 1) / 2);
  v.erase(takt::remove_if(v, [](int n) { return n % 2 == 1; }, &Container::value_type::get), v.end());
  HOST_CHECK(holds(v, (count + 1) / 2, [](int k) { return 2 * k; }));
  takt::for_each(v, [](auto& e) { *e.value /= 100; });
  v.erase(takt::unique(v), v.end());
  HOST_CHECK(holds(v, count / 100 + 1, same));
}

void check_algorithms() {
  check_elements<std::vector<element<false>>>();
  check_elements<std::deque<element<true>>>();

  // Elements that exist only while one looks at them; std::identity gives back a reference to what it was given.
  const auto words = std::views::iota(0, 2000) |
                     std::views::transform([](int k) { return std::string(20, static_cast<char>('a' + k % 26)); });
  HOST_CHECK(takt::reduce(words, std::string()).size() == 40000);
  HOST_CHECK(takt::parallel_reduce(words, std::string(), std::identity{}, std::plus<>{}) ==
             takt::reduce(words, std::string()));
  std::vector<std::string> prefixes(words.size());
  takt::inclusive_scan(words, prefixes.begin(), [](std::string, std::string b) { return b; });
  HOST_CHECK(takt::equal(words, prefixes));
  takt::exclusive_scan(words, prefixes.begin(), std::string("-"), [](std::string, std::string b) { return b; });
  HOST_CHECK(prefixes.front() == "-" && prefixes.back() == words[1998]);
  HOST_CHECK(takt::filter(words, [](const std::string& s) { return s[0] == 'b'; }).size() == 77);
  HOST_CHECK(takt::top_k(words, 3).front()[0] == 'z');
  std::vector<std::string> copies(words.size());
  takt::transform(words, copies.begin(), std::identity{});
  HOST_CHECK(takt::equal(words, copies));
  const auto alike = [](const std::string& a, const std::string& b) { return a == b ? 1u : 0u; };
  HOST_CHECK(takt::transform_reduce(words, copies, std::size_t{0}, std::plus<>{}, alike) == 2000);

  // A sum may start from what cannot be copied.
  const auto owner = takt::transform_reduce(std::views::iota(0, 1000), std::make_unique<int>(0),
                                            [](std::unique_ptr<int> a, std::unique_ptr<int> b) {
                                              *a += *b;
                                              return a;
                                            },
                                            [](int k) { return std::make_unique<int>(k); });
  HOST_CHECK(*owner == 499500);

  std::vector<std::string> merged(4000);
  takt::sort(copies);
  takt::merge(copies, copies, merged.begin());
  HOST_CHECK(takt::is_sorted(merged));
  HOST_CHECK(takt::remove_duplicates(merged).size() == 26);
  HOST_CHECK(takt::group_by(merged, [](const std::string& s) { return s[0]; }).size() == 26);
  HOST_CHECK(takt::set_difference(merged, copies).size() == 2000);
}

}  // namespace

int main() {
  // Once as they come, and once with everything made a task.
  for (const takt::trigger trigger : {takt::trigger::lazy, takt::lab::eager}) {
    takt::config c = takt::config::from_environment();
    c.trigger = trigger;
    takt::configure(c);
    check_forks();
    check_loops();
    check_groups();
    check_algorithms();
  }
}
